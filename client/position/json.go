package position

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Fault is why a text is not the JSON that it should be, and where.
type Fault struct {
	Offset       int // of the first byte that is at fault
	Line, Column int
	Err          error // what encoding/json says of it
}

func (f *Fault) Error() string { return why(f.Err) }
func (f *Fault) Unwrap() error { return f.Err }

// JSON returns what keeps a text from being one JSON value, nil where nothing
// does.
func JSON(text []byte) *Fault {
	if json.Valid(text) {
		return nil
	}
	var ignored json.RawMessage
	return Because(text, json.Unmarshal(text, &ignored))
}

// Because places an error that encoding/json gave when it read text into a Go
// value; a nil error has no place. An error that does not say where it belongs
// is taken to be about the whole text.
func Because(text []byte, err error) *Fault {
	if err == nil {
		return nil
	}
	f := &Fault{Offset: offset(text, err), Err: err}
	if f.Offset == End(text) && cutOff(text, err) {
		f.Err = errEnd
	}
	f.Line, f.Column = Of(text, f.Offset)
	return f
}

var errEnd = errors.New("unexpected end of JSON input")

// cutOff reports whether a text ends within a literal, a number or an escape: there
// encoding/json speaks of a blank that it supposes behind the end.
func cutOff(text []byte, err error) bool {
	var syntax *json.SyntaxError
	return errors.As(err, &syntax) && int(syntax.Offset) >= len(text) && strings.HasPrefix(syntax.Error(), "invalid character ' ' ") &&
		!bytes.HasSuffix(text, []byte(" "))
}

func offset(text []byte, err error) int {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		if int(syntax.Offset) >= End(text) && (cutOff(text, err) || strings.HasPrefix(syntax.Error(), "unexpected end")) {
			return End(text)
		}
		return max(int(syntax.Offset)-1, 0)
	}
	var unfit *json.UnmarshalTypeError
	if errors.As(err, &unfit) {
		return Member(text, strings.Split(unfit.Field, ".")...)
	}
	return Member(text)
}

// why words a mismatch by the names that the file has, not by those of Go.
func why(err error) string {
	var unfit *json.UnmarshalTypeError
	if !errors.As(err, &unfit) {
		return err.Error()
	}
	if unfit.Field == "" {
		return fmt.Sprintf("%s stands where something else is due", article(unfit.Value))
	}
	return fmt.Sprintf("%q cannot be %s", unfit.Field, article(unfit.Value))
}

func article(value string) string {
	switch {
	case value == "object" || value == "array":
		return "an " + value
	case value == "bool":
		return "true or false"
	case value == "string" || value == "number":
		return "a " + value
	}
	return value
}

// Member returns the offset at which the value begins that a path of names leads
// to, in a text that is valid JSON. Where the path leads no further, it is the
// last value on it that is there; without a path the whole.
func Member(text []byte, path ...string) int {
	d := json.NewDecoder(bytes.NewReader(text))
	at := next(text, 0)
	for _, name := range path {
		if token, err := d.Token(); err != nil || token != json.Delim('{') {
			break
		}
		found := false
		for !found && d.More() {
			key, err := d.Token()
			if err != nil {
				return at
			}
			if found = strings.EqualFold(fmt.Sprint(key), name); !found { // as encoding/json looks for it
				var skipped json.RawMessage
				if d.Decode(&skipped) != nil {
					return at
				}
			}
		}
		if !found {
			break
		}
		at = next(text, int(d.InputOffset()))
	}
	return at
}

// next is the offset of the first value at or behind an offset.
func next(text []byte, offset int) int {
	for offset < len(text) && strings.IndexByte(" \t\r\n:", text[offset]) >= 0 {
		offset++
	}
	return offset
}
