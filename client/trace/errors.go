package trace

import "errors"

// ErrClosed ends the reading of a log that will not grow any more.
var ErrClosed = errors.New("the log is closed")
