package lint

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

func (l *Linter) reply(v *view) {
	v.parsed = &parsed{result: members(v.m.Result)}
	v.req = l.out[v.m.ID]
	if v.req == nil && v.m.ID == "" && v.x != nil && v.x.req != nil {
		v.req = v.x.req // an error that names no request answers the one of its exchange
	}
	if v.req != nil {
		v.era = v.req.era
		if v.era == trace.Modern {
			l.modern = l.modern || showsModern(v)
		}
	}
	l.envelope(v)
	l.run(v, onReply)
	switch {
	case v.m.Kind == rpc.Result:
		l.run(v, onResult)
		if v.req != nil && v.req.answered == 0 {
			l.parts(v)
			l.takeResult(v)
		}
	default:
		l.run(v, onFailure)
	}
	l.answered(v)
}

// showsModern tells a server that knows the modern era from one that only let
// a modern request pass.
func showsModern(v *view) bool {
	if v.m.Kind == rpc.Failure {
		e, _ := rpc.ReadError(v.m.Error)
		return e.Code <= -32020 && e.Code >= -32099
	}
	if v.result("resultType") != nil || v.result("_meta", metaServerInfo) != nil {
		return true
	}
	for _, x := range rpc.Elements(v.result("supportedVersions")) {
		if s, _ := rpc.String(x); s >= "2026" {
			return true
		}
	}
	return false
}

func (l *Linter) answered(v *view) {
	r := v.req
	if r == nil || r.answered != 0 {
		return
	}
	r.answered, r.answers, r.cursor = v.e.Seq, nil, nil
	l.open--
	l.done = append(l.done, r)
	if len(l.done) >= 2*keepDone {
		l.forget(keepDone)
	}
	if lst := l.listens[r.id]; lst != nil && lst.req == r {
		delete(l.listens, r.id)
	}
}

// forget drops the oldest answered requests.
func (l *Linter) forget(n int) {
	for _, old := range l.done[:n] {
		if l.out[old.id] == old {
			delete(l.out, old.id)
		}
		if p := l.tokens[old.token]; p != nil && p.req == old {
			delete(l.tokens, old.token)
		}
	}
	l.done = append([]*request(nil), l.done[n:]...)
}

func (l *Linter) takeResult(v *view) {
	switch v.req.method {
	case "initialize":
		l.era, l.version = trace.Legacy, v.resultText("protocolVersion")
		l.caps = capsOf(v)
	case "server/discover":
		l.supported = nil
		for _, x := range rpc.Elements(v.result("supportedVersions")) {
			if s, ok := rpc.String(x); ok {
				l.supported = append(l.supported, s)
			}
		}
		if l.caps = capsOf(v); l.modern {
			l.era = trace.Modern
		}
	case "tools/list", "prompts/list", "resources/list", "resources/templates/list":
		l.takeList(v)
	}
	if v.asks() {
		l.interims = append(l.interims, newInterim(v))
		if len(l.interims) > 500 {
			l.interims = slices.Delete(l.interims, 0, 100)
		}
	}
}

func capsOf(v *view) []byte {
	if c := bytes.Clone(v.result("capabilities")); c != nil && c[0] == '{' {
		return c
	}
	return []byte("{}")
}

func newInterim(v *view) *interim {
	it := &interim{seq: v.e.Seq, req: v.req, state: stateKey(v.result("requestState")),
		asked: stateKey(v.result("inputRequests")), asks: map[string]ask{}}
	for key, raw := range rpc.Members(v.result("inputRequests")) {
		it.asks[key] = ask{key: key, method: rpc.Text(raw, "method"), params: bytes.Clone(rpc.Member(raw, "params"))}
	}
	return it
}

// asked folds a request of the server.
func (l *Linter) asked(v *view) {
	l.envelope(v)
	r := &request{seq: v.e.Seq, id: v.m.ID, method: v.m.Method, era: v.era, exchange: v.e.Frame.Exchange,
		schema: bytes.Clone(rpc.Member(v.m.Params, "requestedSchema")), mode: rpc.Text(v.m.Params, "mode")}
	l.run(v, onTold)
	if isAskMethod(v.m.Method) {
		w := *v
		w.at, w.ask = "/params", ask{method: v.m.Method, params: v.m.Params, caps: l.declared}
		l.run(&w, onAsk)
	}
	if len(l.in) > keepDone {
		maps.DeleteFunc(l.in, func(_ rpc.ID, r *request) bool { return r.answered != 0 || r.cancelled })
	}
	l.in[r.id] = r
}

func isAskMethod(method string) bool {
	return method == "elicitation/create" || method == "sampling/createMessage" || method == "roots/list"
}

// told folds a notification of the server.
func (l *Linter) told(v *view) {
	if v.x != nil && v.x.req != nil {
		v.req = v.x.req
		v.era = v.req.era
	}
	l.envelope(v)
	l.run(v, onTold)
	if v.req != nil {
		v.req.told++
	}
	l.takeTold(v)
}

// parts runs the rules that look at one part of a result.
func (l *Linter) parts(v *view) {
	if v.asks() {
		for key, raw := range rpc.Members(v.result("inputRequests")) {
			w := *v
			w.at = "/result/inputRequests/" + escape(key)
			w.ask = ask{key: key, method: rpc.Text(raw, "method"), params: rpc.Member(raw, "params"), caps: v.req.caps}
			l.run(&w, onAsk)
		}
		return
	}
	block := func(raw []byte, at string) {
		w := *v
		w.block, w.at, w.blocks = raw, at, members(raw)
		l.run(&w, onBlock)
	}
	switch v.req.method {
	case "tools/call":
		for i, raw := range rpc.Elements(v.result("content")) {
			block(raw, "/result/content/"+strconv.Itoa(i))
		}
	case "prompts/get":
		for i, raw := range rpc.Elements(v.result("messages")) {
			block(rpc.Member(raw, "content"), "/result/messages/"+strconv.Itoa(i)+"/content")
		}
	}
}

func escape(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}
