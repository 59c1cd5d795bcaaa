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
	for len(b) > 0 {
		n := min(len(b), largeBody)
		for n < len(b) && !utf8.RuneStart(b[n]) {
			n--
		}
		piece, err := quote(string(b[:n]))
		if err != nil {
			return err
		}
		if _, err := w.Write(piece[1 : len(piece)-1]); err != nil {
			return err
		}
		b = b[n:]
	}
	return w.WriteByte('"')
}
