package config

import (
	"errors"
	"fmt"
	"strings"

	"mcptui/client/position"
)

// broken is an error about a place in a file.
func broken(file string, raw []byte, offset int, format string, args ...any) error {
	line, column := position.Of(raw, offset)
	return fmt.Errorf("%s:%d:%d: %w", file, line, column, fmt.Errorf(format, args...))
}

// notJSON places an error of the parser, which counts columns in bytes and says
// so in its text only.
func notJSON(file string, raw []byte, err error) error {
	why := err
	if inner := errors.Unwrap(err); inner != nil {
		why = inner
	}
	var line, column int
	if n, _ := fmt.Sscanf(err.Error(), "hujson: line %d, column %d: ", &line, &column); n != 2 {
		return fmt.Errorf("%s: not JSON: %w", file, err)
	}
	offset := column - 1
	for text := range strings.Lines(string(raw)) {
		if line--; line == 0 {
			break
		}
		offset += len(text)
	}
	return broken(file, raw, min(offset, position.End(raw)), "not JSON: %w", why)
}
