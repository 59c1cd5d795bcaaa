package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

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

// read decodes one server, which lies in standardized JSON from the one offset to
// the other. Nothing moves when JSON is standardized, so its places are those of raw.
func (e *entry) read(file string, raw, standard []byte, m hujson.Value, what string) error {
	text := standard[m.StartOffset:m.EndOffset]
	if fault := position.Because(text, json.Unmarshal(text, e)); fault != nil {
		return broken(file, raw, m.StartOffset+fault.Offset, "%s: %w", what, fault)
	}
	return nil
}
