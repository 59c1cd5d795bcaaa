package lint

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Reserved members of _meta (2026-07-28, basic, "_meta").
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaClientInfo   = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
	metaSubscription = "io.modelcontextprotocol/subscriptionId"
)

// keepDone is how many answered requests are remembered, to know a second
// answer when it comes.
const keepDone = 4096

// fold is what the rules need to know of what came before.
type fold struct {
	era       trace.Era // of the connection, as far as it is known
	version   string
	transport string
	modern    bool     // the server has shown that it knows the modern era
	ready     bool     // notifications/initialized was sent
	supported []string // versions that server/discover listed
	caps      []byte   // the server's capabilities, nil while unknown
	declared  []byte   // the client's of the legacy era, nil while unknown
	session   string   // Mcp-Session-Id that the server gave
	opened    int      // frame of the newest initialize: ids count from there

	out       map[rpc.ID]*request // our requests
	done      []*request          // answered ones, oldest first
	open      int                 // not answered yet
	in        map[rpc.ID]*request // the server's requests
	exchanges map[int]*exchange
	tokens    map[string]*progress
	interims  []*interim
	tools     map[string]*tool
	lists     map[string]*listing
	listens   map[rpc.ID]*listen
}

func newFold() fold {
	return fold{
		out: map[rpc.ID]*request{}, in: map[rpc.ID]*request{}, exchanges: map[int]*exchange{},
		tokens: map[string]*progress{}, tools: map[string]*tool{}, lists: map[string]*listing{}, listens: map[rpc.ID]*listen{},
	}
}

// request is one request and what the rules need of it.
type request struct {
	seq       int
	id        rpc.ID
	method    string
	name      string // params.name or params.uri
	era       trace.Era
	call      int
	edited    bool
	exchange  int
	version   string
	caps      []byte // client capabilities that hold for it, nil where unknown
	token     string // raw progress token
	logLevel  string
	cursor    []byte // raw
	filter    []byte // of subscriptions/listen
	state     string // stateKey of requestState
	answers   []byte // raw inputResponses
	schema    []byte // of a legacy elicitation, to check its answer against
	mode      string // of a legacy elicitation
	retries   *interim
	badHeader bool // its headers do not fit its body
	answered  int
	cancelled bool
	told      int // notifications that came on its stream
}

// interim is a result that asked for input.
type interim struct {
	seq     int
	req     *request
	state   string // stateKey, "" where it had none
	asks    map[string]ask
	asked   string // stateKey of inputRequests, to know the same asks again
	retried bool
}

// ask is one thing that the server wants of the person.
type ask struct {
	key    string
	method string
	params []byte
	caps   []byte // declared for it, nil where unknown
}

// exchange is one HTTP exchange.
type exchange struct {
	n        int
	req      *request // the request that it carried
	body     []byte   // of what was sent, until the headers are known too
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

func (l *Linter) phase(e trace.Event) {
	p := e.Phase
	if p.Transport != "" {
		l.transport = p.Transport
	}
	if p.Era != "" {
		l.era, l.version = p.Era, p.Version
		l.modern = l.modern || p.Era == trace.Modern
	}
	switch p.Name {
	case trace.PhaseStarting:
		// A new peer knows nothing of old ids, lists and subscriptions.
		fresh := newFold()
		fresh.transport, fresh.era = l.transport, l.era
		l.fold = fresh
	case trace.PhaseExited:
		l.run(&view{l: l, e: e, era: l.era}, onClose)
	}
}

func (l *Linter) frame(e trace.Event) {
	f := e.Frame
	m := f.Message()
	v := &view{l: l, e: e, m: m, x: l.exchange(f.Exchange), era: l.era}
	if m.Kind == rpc.Batch {
		l.envelope(v)
		for i, one := range rpc.Elements(bytes.TrimSpace(f.Bytes)) {
			w := &view{l: l, e: e, m: rpc.Parse(one), x: v.x, era: l.era, prefix: "/" + strconv.Itoa(i)}
			l.message(w)
		}
		return
	}
	l.message(v)
}

func (l *Linter) message(v *view) {
	if v.e.Frame.Dir == trace.Out {
		l.sent(v)
		return
	}
	if v.x != nil {
		v.x.frames++
	}
	switch v.m.Kind {
	case rpc.Result, rpc.Failure:
		l.reply(v)
	case rpc.Request:
		l.asked(v)
	case rpc.Notification:
		l.told(v)
	default:
		l.envelope(v)
	}
}

// envelope runs the rules that look at any frame.
func (l *Linter) envelope(v *view) {
	if v.e.Frame.Dir == trace.Out {
		l.run(v, onSent)
	} else {
		l.run(v, onFrame)
	}
}

func (l *Linter) sent(v *view) {
	switch v.m.Kind {
	case rpc.Request:
		v.req = l.newRequest(v)
		v.era = v.req.era
		l.envelope(v)
		l.run(v, onRequest)
		l.takeRequest(v)
	case rpc.Notification:
		l.envelope(v)
		l.run(v, onNotify)
		l.takeNotification(v)
	case rpc.Result, rpc.Failure:
		v.req = l.in[v.m.ID]
		l.envelope(v)
		l.run(v, onAnswer)
		if v.req != nil {
			v.req.answered = v.e.Seq
		}
	default:
		l.envelope(v)
	}
	if v.x != nil && v.x.verb == "" {
		v.x.verb = "POST"
	}
	if v.x != nil && v.prefix == "" {
		v.x.req, v.x.frame, v.x.sent = v.req, v.e, true
		l.pair(v.x)
	}
}

// newRequest reads what the rules need out of a request.
func (l *Linter) newRequest(v *view) *request {
	p, cause := v.m.Params, v.e.Frame.Cause
	meta := rpc.Member(p, "_meta")
	r := &request{
		seq: v.e.Seq, id: v.m.ID, method: v.m.Method, call: cause.Call, edited: cause.Edited,
		exchange: v.e.Frame.Exchange, version: rpc.Text(meta, metaVersion),
		token: string(rpc.Member(meta, "progressToken")), logLevel: rpc.Text(meta, metaLogLevel),
		cursor: bytes.Clone(rpc.Member(p, "cursor")), state: stateKey(rpc.Member(p, "requestState")),
		answers: bytes.Clone(rpc.Member(p, "inputResponses")),
	}
	if r.name = rpc.Text(p, "name"); r.name == "" {
		r.name = rpc.Text(p, "uri")
	}
	r.era = l.eraOf(r, meta)
	if r.era == trace.Modern {
		r.caps = bytes.Clone(rpc.Member(meta, metaCapabilities))
	} else {
		r.caps, r.version = l.declared, l.version
	}
	if r.method == "subscriptions/listen" {
		r.filter = bytes.Clone(rpc.Member(p, "notifications"))
		if r.filter == nil {
			r.filter = []byte("{}")
		}
	}
	r.retries = l.interimOf(r, cause)
	return r
}

// eraOf tells which era a request is of: by its own envelope first.
func (l *Linter) eraOf(r *request, meta []byte) trace.Era {
	switch {
	case r.method == "initialize":
		return trace.Legacy
	case r.version != "", r.method == "server/discover", rpc.Member(meta, metaCapabilities) != nil:
		return trace.Modern
	case l.era != "":
		return l.era
	}
	return trace.Modern
}

// stateKey stands for a raw requestState: itself while it is short, else a hash,
// so that states of megabytes are not kept.
func stateKey(raw []byte) string {
	if len(raw) <= 128 {
		return string(raw)
	}
	sum := sha256.Sum256(raw)
	return strconv.Itoa(len(raw)) + ":" + hex.EncodeToString(sum[:])
}

// interimOf finds the result that a request answers: by its cause, by its
// state, or as the only one that fits.
func (l *Linter) interimOf(r *request, cause trace.Cause) *interim {
	if r.state == "" && r.answers == nil {
		return nil
	}
	var fit []*interim
	for i := len(l.interims) - 1; i >= 0; i-- {
		it := l.interims[i]
		if cause.Retries != 0 {
			if it.seq == cause.Retries {
				return it
			}
			continue
		}
		if it.req.method != r.method || it.req.name != r.name {
			continue
		}
		if it.state != "" && it.state == r.state {
			return it
		}
		if !it.retried {
			fit = append(fit, it)
		}
	}
	if len(fit) == 1 {
		return fit[0]
	}
	if r.state == "" || len(fit) > 1 || cause.Retries != 0 {
		return nil
	}
	// A state that nobody gave, for a call whose asks were answered before: the
	// newest of them is what it was made from.
	for i := len(l.interims) - 1; i >= 0; i-- {
		if it := l.interims[i]; it.req.method == r.method && it.req.name == r.name && it.state != "" && it.answeredBy(r.answers) {
			return it
		}
	}
	return nil
}

// answeredBy reports whether any of the answers is one to this.
func (it *interim) answeredBy(answers []byte) bool {
	if len(it.asks) == 0 {
		return true
	}
	for key := range rpc.Members(answers) {
		if _, ok := it.asks[key]; ok {
			return true
		}
	}
	return false
}

func (l *Linter) takeRequest(v *view) {
	r := v.req
	if old := l.out[r.id]; old == nil || old.answered != 0 {
		l.open++
	}
	l.out[r.id] = r
	if r.era == trace.Modern && l.era == "" {
		l.era, l.version = trace.Modern, r.version
	}
	if r.retries != nil {
		r.retries.retried = true
	}
	if r.token != "" {
		l.tokens[r.token] = &progress{req: r}
	}
	switch r.method {
	case "initialize":
		l.opened, l.ready, l.session = r.seq, false, ""
		l.declared = bytes.Clone(rpc.Member(v.m.Params, "capabilities"))
		if l.declared == nil {
			l.declared = []byte("{}")
		}
	case "subscriptions/listen":
		l.listens[r.id] = &listen{req: r}
	}
}

func (l *Linter) takeNotification(v *view) {
	switch v.m.Method {
	case "notifications/initialized":
		l.ready = true
	case "notifications/cancelled":
		if r := l.out[rpc.ID(rpc.Member(v.m.Params, "requestId"))]; r != nil {
			r.cancelled = true
		}
	}
}

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
