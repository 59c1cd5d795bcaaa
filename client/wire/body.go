package wire

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// bodyBuffer is what a body is looked at through. Every response pays for it, and
// few are long; reads of a long one go past it.
const bodyBuffer = 4 << 10

// errBomb ends a compressed body that grows without measure.
var errBomb = errors.New("the compressed body grows past the frame limit; given up")

// body is the content of a response after chunking and compression.
type body struct {
	*bufio.Reader
	counted *counter
	note    string // what was odd about it
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// decode undoes the compression of a body. A body that is not compressed as its
// header says is taken as it is.
func decode(resp *http.Response) (*body, error) {
	raw := bufio.NewReaderSize(resp.Body, bodyBuffer)
	b := &body{}
	var from io.Reader = raw
	encoding := strings.ToLower(strings.TrimSpace(strings.Join(resp.Header.Values("Content-Encoding"), ", ")))
	switch encoding {
	case "", "identity":
	case "gzip", "x-gzip":
		if start, _ := raw.Peek(2); bytes.Equal(start, []byte{0x1f, 0x8b}) {
			zip, err := gzip.NewReader(raw)
			if err != nil {
				return nil, fmt.Errorf("the gzip header of the body is broken: %w", err)
			}
			from = zip
		} else if len(start) > 0 {
			b.note = "Content-Encoding says gzip, but the body is not compressed"
		}
	case "deflate":
		start, _ := raw.Peek(2)
		switch {
		case len(start) == 2 && start[0]&0x0f == 8 && (int(start[0])<<8|int(start[1]))%31 == 0:
			z, err := zlib.NewReader(raw)
			if err != nil {
				return nil, fmt.Errorf("the zlib header of the body is broken: %w", err)
			}
			from = z
		case len(start) > 0 && strings.ContainsRune("{[<ed:", rune(start[0])) && textual(raw):
			b.note = "Content-Encoding says deflate, but the body is not compressed"
		case len(start) > 0:
			from = flate.NewReader(raw)
		}
	default:
		b.note = "Content-Encoding is " + encoding + ", which was not offered; the body is shown as it came"
	}
	b.counted = &counter{r: from}
	b.Reader = bufio.NewReaderSize(b.counted, bodyBuffer)
	return b, nil
}

// textual reports whether a body begins with printable text.
func textual(raw *bufio.Reader) bool {
	start, _ := raw.Peek(min(16, max(raw.Buffered(), 2)))
	for _, c := range start {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

func compressed(resp *http.Response) bool { return resp.Header.Get("Content-Encoding") != "" }

// shape is what a body holds, as far as its first bytes and its header tell.
type shape int

const (
	isEmpty shape = iota
	isJSON
	isEvents
	isOther
)

// sniff looks at the beginning of a body. The beginning decides where it
// contradicts the header: servers mix the two up, and the message counts.
func (b *body) sniff(contentType string) (s shape, mediaType string, err error) {
	mediaType, _, parseErr := mime.ParseMediaType(contentType)
	if parseErr != nil && contentType != "" {
		mediaType = strings.ToLower(strings.TrimSpace(strings.SplitN(contentType, ";", 2)[0]))
	}
	start, err := b.Peek(1)
	if len(start) == 0 {
		if err != nil && !errors.Is(err, io.EOF) {
			return isEmpty, mediaType, err
		}
		return isEmpty, mediaType, nil
	}
	start, _ = b.Peek(min(b.Buffered(), 64))
	text := bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\xef\xbb\xbf")), " \t\r\n")
	events := false
	for _, field := range []string{"data:", "event:", "id:", "retry:", ":"} {
		events = events || bytes.HasPrefix(text, []byte(field))
	}
	object := len(text) > 0 && (text[0] == '{' || text[0] == '[')
	labelledJSON := mediaType == "application/json" || strings.HasSuffix(mediaType, "+json")
	switch {
	case mediaType == "text/event-stream" && object:
		b.odd("Content-Type says text/event-stream, but the body is JSON")
		return isJSON, mediaType, nil
	case mediaType == "text/event-stream":
		return isEvents, mediaType, nil
	case events:
		b.odd("Content-Type says " + orNothing(mediaType) + ", but the body is an event stream")
		return isEvents, mediaType, nil
	case object && !labelledJSON:
		b.odd("Content-Type says " + orNothing(mediaType) + ", but the body is JSON")
		return isJSON, mediaType, nil
	case object:
		return isJSON, mediaType, nil
	}
	return isOther, mediaType, nil
}

func (b *body) odd(text string) {
	if b.note != "" {
		text = b.note + "; " + text
	}
	b.note = text
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// readAll reads a body whole, or the beginning of one that is longer than max;
// size is its full length then, else 0. A compressed one is given up at max.
func (b *body) readAll(max int, hint int64, compressed bool) (data []byte, size int, err error) {
	data = make([]byte, 0, clamp(hint+1, 512, 8<<20))
	total, head := 0, headOf(max)
	for {
		if len(data) == cap(data) {
			grown := make([]byte, len(data), 2*cap(data))
			copy(grown, data)
			data = grown
		}
		n, err := b.Read(data[len(data):cap(data)])
		total += n
		switch {
		case total <= max:
			data = data[:len(data)+n]
		case total-n <= max: // it is too long from here on
			data = append(make([]byte, 0, head+keptOfHuge), data[:head]...)
			if compressed {
				return data, total, errBomb
			}
		} // else what was read is thrown away
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			if total > max {
				return data, total, err
			}
			return data, 0, err
		}
	}
}

func clamp(n, low, high int64) int64 { return min(max(n, low), high) }
