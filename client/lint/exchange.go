package lint

import (
	"strings"

	"mcptui/client/trace"
)

// exchange is one HTTP exchange.
type exchange struct {
	n        int
	req      *request // the request that it carried
	frame    trace.Event
	sent     bool // body is known
	verb     string
	headers  []trace.Header // sent; nil until known
	status   int
	answer   []trace.Header
	frames   int // messages that came
	verdicts []Verdict
}

func (l *Linter) exchange(n int) *exchange {
	if n == 0 {
		return nil
	}
	x := l.exchanges[n]
	if x == nil {
		x = &exchange{n: n}
		l.exchanges[n] = x
	}
	return x
}

func (l *Linter) http(e trace.Event) {
	h := e.HTTP
	x := l.exchange(h.Exchange)
	if x == nil {
		return
	}
	v := &view{l: l, e: e, x: x, req: x.req, era: l.era}
	if x.req != nil {
		v.era = x.req.era
	}
	switch h.Stage {
	case trace.HTTPRequest:
		x.verb, x.headers = h.Method, h.Headers
		if x.headers == nil {
			x.headers = []trace.Header{}
		}
		l.pair(x)
	case trace.HTTPResponse:
		x.status, x.answer = h.Status, h.Headers
		l.run(v, onStatus)
		if id := headerOf(h.Headers, "Mcp-Session-Id"); id != "" {
			l.session = id
		}
	case trace.HTTPEnd, trace.HTTPFailed:
		l.run(v, onEnd)
		delete(l.exchanges, h.Exchange)
	}
}

// pair runs the rules on headers and body together, once both are known.
func (l *Linter) pair(x *exchange) {
	if !x.sent || x.headers == nil || x.verb != "POST" || x.verdicts != nil {
		return
	}
	v := &view{l: l, e: x.frame, x: x, req: x.req, era: l.era, m: x.frame.Frame.Message()}
	var schema []byte
	if x.req != nil {
		v.era = x.req.era
		if t := l.tools[x.req.name]; t != nil && x.req.method == "tools/call" {
			schema = t.input
		}
	}
	if x.verdicts = Headers(x.headers, x.frame.Frame.Bytes, schema); x.verdicts == nil {
		x.verdicts = []Verdict{}
	}
	l.run(v, onPair)
	x.frame = trace.Event{}
}

func headerOf(list []trace.Header, name string) string {
	for _, h := range list {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}
