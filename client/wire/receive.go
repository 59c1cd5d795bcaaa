package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// receiver takes the body of one response apart.
type receiver struct {
	w    *web
	x    *exchange
	resp *http.Response

	lastID   string
	retryMS  int
	progress bool                // an event came, so that trying again is worth while
	onEvent  func(sseBlock) bool // takes an event of another type; false leaves it as noise
	onAnswer func()              // called when the response to the exchange's request came
}

// result is how a body ended.
type result struct {
	bytes  int64
	shape  shape
	note   string
	err    error // it broke off
	header []trace.Header
}

func (r *receiver) run() result {
	defer r.resp.Body.Close()
	b, err := decode(r.resp)
	if err != nil {
		return result{err: err}
	}
	kind, mediaType, err := b.sniff(r.resp.Header.Get("Content-Type"))
	res := result{shape: kind, err: err}
	if err == nil {
		switch kind {
		case isEvents:
			res.err = r.events(b)
		case isJSON, isOther:
			res.err = r.whole(b, mediaType)
		}
	}
	res.bytes, res.note, res.header = b.counted.n, b.note, list(r.resp.Trailer)
	return res
}

func (r *receiver) whole(b *body, mediaType string) error {
	data, size, err := b.readAll(r.w.how.MaxFrame, r.resp.ContentLength, compressed(r.resp))
	if len(data) == 0 {
		return err
	}
	why := noiseReason(data)
	if why == "" && err == nil {
		r.sees(data, true, size > 0)
		r.w.emit(trace.Event{Frame: &trace.Frame{Dir: trace.In, Exchange: r.x.n, Bytes: data, Size: size}})
		return nil
	}
	switch {
	case why == "":
		why = "the beginning of a message"
	case r.resp.StatusCode == http.StatusAccepted:
		why = "the text of an acceptance, which needs none"
	}
	r.noise(data, size, fmt.Sprintf("%s (%s), status %d %s", why, orNoType(mediaType), r.resp.StatusCode, http.StatusText(r.resp.StatusCode)))
	return err
}

func orNoType(s string) string {
	if s == "" {
		return "no Content-Type"
	}
	return s
}

func (r *receiver) noise(data []byte, size int, why string) {
	if len(data) > maxNoise {
		if size == 0 {
			size = len(data)
		}
		data = bytes.Clone(data[:keptOfHuge])
	}
	r.w.emit(trace.Event{Noise: &trace.Noise{Exchange: r.x.n, Bytes: data, Size: size, Why: why}})
}

const eventsBuffer = 16 << 10

func (r *receiver) events(b *body) error {
	p := &sseParser{max: r.w.how.MaxFrame, LastID: r.lastID}
	p.handle = func(block sseBlock) {
		r.lastID, r.retryMS = p.LastID, p.RetryMS
		r.event(block)
	}
	chunk := make([]byte, eventsBuffer)
	for {
		n, err := b.Read(chunk)
		p.feed(chunk[:n])
		r.retryMS = p.RetryMS
		if p.size > p.max && compressed(r.resp) {
			return errBomb
		}
		if err != nil {
			p.end()
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

func (r *receiver) event(block sseBlock) {
	r.progress = true
	why := ""
	switch {
	case block.Cut && len(block.Data) > 0:
		r.x.unended = true
		why = "the stream ended inside this event, without the blank line; it is discarded"
	case block.Cut:
		why = "the stream ended here"
	case block.Event != "" && block.Event != "message":
		why = "an event of type " + block.Event
		if r.onEvent != nil && r.onEvent(block) {
			why = "the " + block.Event + " event"
		}
	case !block.Fresh && bytes.HasPrefix(bytes.TrimLeft(block.Raw, "\r\n"), []byte(":")):
		why = "a comment, which keeps the stream alive"
	case len(bytes.Trim(block.Raw, "\r\n")) == 0:
		why = "blank line"
	case len(block.Data) == 0:
		why = "an event without data"
	default:
		why = noiseReason(block.Data)
	}
	if why != "" {
		r.noise(block.Raw, block.Size, why)
		return
	}
	frame := &trace.Frame{Dir: trace.In, Exchange: r.x.n, Bytes: block.Data, Size: block.Size}
	if block.Apart {
		frame.Wire = block.Raw
	} else {
		frame.Pre, frame.Post = block.Raw[:block.Start:block.Start], block.Raw[block.End:]
	}
	r.sees(block.Data, false, block.Size > 0)
	r.w.emit(trace.Event{Frame: frame})
	if r.x.answered && r.onAnswer != nil {
		r.onAnswer()
	}
}

// sees notes whether a message answers the request of the exchange. An error
// without an id, as the whole of a body, can only be meant for it; and of a
// message that was cut, the id must do.
func (r *receiver) sees(data []byte, alone, cut bool) {
	if r.x.id == "" || r.x.answered {
		return
	}
	m := rpc.Peek(data)
	if m.Kind == rpc.Batch {
		for _, element := range rpc.Elements(data) {
			r.sees(element, false, false)
		}
		return
	}
	if cut && m.Method == "" && string(m.ID) == r.x.id {
		r.x.answered = true
	}
	if m.IsResponse() && (string(m.ID) == r.x.id || alone && m.Kind == rpc.Failure && (m.ID == "" || m.ID == "null")) {
		r.x.answered = true
	}
}

// unended says that an event came which does not count, so that nobody looks for
// the answer that is plain to see in it.
func unended(x *exchange) string {
	if x.unended {
		return " was complete: its last event lacks the blank line that ends an event, and is discarded"
	}
	return ""
}

// ended emits the end of the exchange.
func (w *web) ended(x *exchange, resp *http.Response, res result, lost bool, more ...string) {
	notes := append([]string{res.note}, more...)
	stage := trace.HTTPEnd
	if res.err != nil {
		stage = trace.HTTPFailed
		notes = append([]string{fmt.Sprintf("the body broke off after %d bytes: %s", res.bytes, explain(res.err, x.url))}, notes...)
	}
	if lost && res.err == nil {
		switch {
		case res.shape == isEvents:
			stage = trace.HTTPFailed
			notes = append(notes, "the stream ended before the response to id "+x.id+unended(x))
		case res.shape == isEmpty:
			notes = append(notes, fmt.Sprintf("status %d without a body, where the response to id %s was due", resp.StatusCode, x.id))
		default:
			notes = append(notes, "the body is not the response to id "+x.id)
		}
	}
	var said []string
	for _, n := range notes {
		if n != "" {
			said = append(said, n)
		}
	}
	w.emit(trace.Event{HTTP: &trace.HTTP{
		Exchange: x.n, Stage: stage, Method: x.method, URL: x.url.String(), Proto: resp.Proto, Status: resp.StatusCode,
		Headers: res.header, Bytes: res.bytes, Note: strings.Join(said, "; "), Lost: lost,
	}})
}
