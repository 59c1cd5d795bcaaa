package edge

import "time"

// SetDrain changes how long calls may run on when the input of a stream ends,
// so that tests depend on no clock.
func (e *Edge) SetDrain(d time.Duration) { e.drain = d }

// SetBodyLimit changes how long the body of a POST may take.
func (e *Edge) SetBodyLimit(d time.Duration) { e.bodyLimit = d }
