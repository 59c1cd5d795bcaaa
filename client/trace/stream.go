package trace

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"unicode/utf8"
)

// writeEvent writes what encode returns, without the line end. A large body goes
// out piece by piece: writing tens of megabytes down takes no memory.
func writeEvent(w *bufio.Writer, e Event) error {
	if e.Frame == nil || len(e.Frame.Bytes) < largeBody {
		data, err := encode(e)
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
	f := e.Frame
	e.Frame = &Frame{Dir: f.Dir, Exchange: f.Exchange, Bytes: []byte{}, Pre: f.Pre, Post: f.Post, Wire: f.Wire, Size: f.Size, Cause: f.Cause}
	data, err := encode(e)
	if err != nil {
		return err
	}
	// Within a string the quotes would have backslashes, so this is the member.
	head, tail, ok := bytes.Cut(data, []byte(`"bytes":""`))
	if !ok {
		return fmt.Errorf("encode event %d: its frame has no bytes", e.Seq)
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	if _, err := w.WriteString(`"bytes":`); err != nil {
		return err
	}
	if err := writeRaw(w, f.Bytes); err != nil {
		return err
	}
	_, err = w.Write(tail)
	return err
}

// writeRaw writes bytes as raw encodes them.
func writeRaw(w *bufio.Writer, b []byte) error {
	if !utf8.Valid(b) {
		if _, err := w.WriteString(`{"base64":"`); err != nil {
			return err
		}
		enc := base64.NewEncoder(base64.StdEncoding, w)
		if _, err := enc.Write(b); err != nil {
			return err
		}
		if err := enc.Close(); err != nil {
			return err
		}
		_, err := w.WriteString(`"}`)
		return err
	}
	if err := w.WriteByte('"'); err != nil {
		return err
	}
	if err := writeEscaped(w, b); err != nil {
		return err
	}
	return w.WriteByte('"')
}

// writeEscaped writes UTF-8 as it stands within a JSON string, in the spelling of
// encoding/json. It makes nothing that the collector would have to take away.
func writeEscaped(w *bufio.Writer, b []byte) error {
	const hex = "0123456789abcdef"
	plain := 0 // from here to i nothing needs an escape
	for i := 0; i < len(b); {
		var escape string
		n := 1
		switch c := b[i]; {
		case c == '"' || c == '\\':
			escape = `\` + string(rune(c))
		case c == '\n':
			escape = `\n`
		case c == '\t':
			escape = `\t`
		case c == '\r':
			escape = `\r`
		case c == '\b':
			escape = `\b`
		case c == '\f':
			escape = `\f`
		case c < 0x20:
			escape = `\u00` + hex[c>>4:c>>4+1] + hex[c&15:c&15+1]
		case c == 0xe2 && b[i+1] == 0x80 && b[i+2]&^1 == 0xa8: // valid: there are two more
			escape, n = `\u202`+hex[b[i+2]&15:b[i+2]&15+1], 3
		}
		if escape != "" {
			if _, err := w.Write(b[plain:i]); err != nil {
				return err
			}
			if _, err := w.WriteString(escape); err != nil {
				return err
			}
			plain = i + n
		}
		i += n
	}
	_, err := w.Write(b[plain:])
	return err
}
