package session

import (
	"bytes"
	"strconv"

	"mcptui/client/mrtr"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// came folds an incoming frame.
func (s *Session) came(e trace.Event, m rpc.Message, row *Row) {
	switch m.Kind {
	case rpc.Result, rpc.Failure:
		s.response(e, m, row)
	case rpc.Request:
		s.asked(e, m, row)
	case rpc.Notification:
		s.told(e, m, row)
	case rpc.Batch: // 2025-03-26 only
		n := 0
		for _, one := range rpc.Elements(e.Frame.Bytes) {
			n++
			if m := rpc.Parse(one); m.Kind != rpc.Batch {
				s.batched = n
				s.came(e, m, row)
			}
		}
		s.batched = 0
	}
}

// askID names the ask that a request of the server's brings: by its frame, and
// by its place where the frame is a batch.
func (s *Session) askID(seq int) trace.AskID {
	id := trace.AskID{Frame: seq}
	if s.batched > 0 {
		id.Key = "#" + strconv.Itoa(s.batched)
	}
	return id
}

func (s *Session) response(e trace.Event, m rpc.Message, row *Row) {
	p := s.out[m.ID]
	if p == nil {
		row.Problem = firstOf(row.Problem, "no request with this id was sent")
		return
	}
	if s.Conn.Transport == "http" && s.Conn.Era == trace.Modern && e.Frame.Exchange != 0 && p.exchange != e.Frame.Exchange {
		// On 2026-07-28 a response travels on the stream of its own request.
		row.Problem = firstOf(row.Problem, "an answer to "+p.method+" on the stream of another request, which does not count")
		return
	}
	row.Pair, row.Method, row.Name, row.Why = p.seq, p.method, p.name, p.cause.Why
	row.Call, row.Round, row.Took = p.cause.Call, p.cause.Round, e.At-p.at
	if s.batched > 0 && m.Kind == rpc.Failure {
		body, _ := rpc.ReadError(m.Error)
		row.Code, row.Text = body.Code, body.Message
	}
	if p.done {
		row.Problem = firstOf(row.Problem, "the request with this id was answered before")
		return
	}
	s.settled(s.out, m.ID, p, &s.outDone)
	s.Rows.pair(p.seq, e.Seq)
	if c := s.calls[p.cause.Call]; c != nil {
		s.callResponse(c, p, e, m, row)
		return
	}
	switch {
	case s.Catalogue.List(p.method) != nil && m.Kind == rpc.Result:
		s.listPage(p, m.Result, e.Seq, e.At)
	case s.Catalogue.List(p.method) != nil && mrtr.Provisional(row.Code, s.statuses[e.Frame.Exchange]):
		// It is asked for again, or an act says that it could not be had.
	case s.Catalogue.List(p.method) != nil:
		l := s.Catalogue.List(p.method)
		l.Loaded, l.Error, l.At = true, row.Text, e.At
	case (p.method == "server/discover" || p.method == "initialize") && m.Kind == rpc.Result:
		s.introduced(m.Result)
	case s.listens[m.ID]:
		s.Listening = nil
	}
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// introduced takes what a server says of itself, from either era's place for it.
func (s *Session) introduced(result []byte) {
	c := &s.Conn
	info := rpc.Member(result, "_meta", "io.modelcontextprotocol/serverInfo")
	if info == nil {
		info = rpc.Member(result, "serverInfo")
	}
	c.Server = Implementation{rpc.Text(info, "name"), rpc.Text(info, "title"), rpc.Text(info, "version")}
	c.Capabilities = bytes.Clone(rpc.Member(result, "capabilities"))
	c.Instructions = rpc.Text(result, "instructions")
	c.Supported = nil
	for _, v := range rpc.Elements(rpc.Member(result, "supportedVersions")) {
		if name, ok := rpc.String(v); ok {
			c.Supported = append(c.Supported, name)
		}
	}
}

func (s *Session) callResponse(c *Call, p *pending, e trace.Event, m rpc.Message, row *Row) {
	r := c.of(p.seq)
	if r == nil {
		return
	}
	if s.Conn.Era == trace.Legacy {
		r = c.LastRound() // the response closes the last stretch of the one request
	}
	if c.Status.Final() && r.Turned != 0 {
		c.Late = append(c.Late, e.Seq)
		if r.Response == 0 {
			r.Response = e.Seq
		}
		return
	}
	r.Response, r.Turned = e.Seq, e.At
	if st := rpc.Member(m.Result, "requestState"); st != nil {
		r.StateOut = &State{Raw: bytes.Clone(st)}
	}
	if m.Kind == rpc.Failure {
		body, _ := rpc.ReadError(m.Error)
		if asks := s.visits(body); len(asks) > 0 {
			r.visits, r.Came = true, trace.Asking
			s.roundAsks(c, r, e, asks)
			return
		}
		if !mrtr.Provisional(body.Code, s.statuses[e.Frame.Exchange]) {
			r.Came = trace.Failed
			s.end(c, r.Came, e)
		}
		return
	}
	read := mrtr.Read(p.method, s.Conn.Era != trace.Legacy, m.Result, p.declared)
	if read.Asking {
		row.Text = InputRequired
		s.roundAsks(c, r, e, read.Asks)
	}
	switch {
	case read.Fault != "":
		r.Came, c.Note = trace.Violated, read.Fault
	case read.Asking:
		r.Came = trace.Asking
		return
	case string(rpc.Member(m.Result, "isError")) == "true":
		r.Came = trace.ToolError
	default:
		r.Came = trace.Done
	}
	s.end(c, r.Came, e)
}

// visits are the asks that an error of the legacy era stands for: URLs to visit
// before the request is sent again.
func (s *Session) visits(body rpc.ErrorBody) []mrtr.Ask {
	if body.Code != mrtr.URLRequired || s.Conn.Era != trace.Legacy ||
		mrtr.Undeclared(s.Conn.Declared, "elicitation/create", []byte(`{"mode":"url"}`)) != "" {
		return nil
	}
	return mrtr.Required(body.Data)
}

// of finds the newest round that a request belongs to.
func (c *Call) of(request int) *Round {
	for i := len(c.Rounds) - 1; i >= 0; i-- {
		if c.Rounds[i].Request == request {
			return c.Rounds[i]
		}
	}
	return nil
}

// MayAsk reports whether a method's result may be an ask (2026-07-28, multi
// round-trip requests).
func MayAsk(method string) bool { return mrtr.MayAsk(method) }

func (s *Session) roundAsks(c *Call, r *Round, e trace.Event, asks []mrtr.Ask) {
	for _, a := range asks {
		id := trace.AskID{Frame: e.Seq, Key: a.Key}
		s.addAsk(&Ask{
			ID: id, Owner: Owner{OfCall, c.ID, r.N}, Method: a.Method,
			Params: bytes.Clone(a.Params), Request: e.Seq, At: e.At,
		})
		r.Asks = append(r.Asks, id)
	}
	for _, id := range r.Asks {
		s.asks[id].SendsWith = r.Asks
	}
	if len(r.Asks) > 0 {
		c.Status = trace.Asking
	}
}

func (s *Session) addAsk(a *Ask) {
	s.askCount++
	a.N, a.Status = s.askCount, Open
	a.Kind, a.Message = Describe(a.Method, a.Params)
	s.forgetAsks()
	s.Asks = append(s.Asks, a)
	s.asks[a.ID] = a
}

// Describe tells what kind of ask a method and its params are, and its message.
func Describe(method string, params []byte) (Kind, string) {
	switch method {
	case "elicitation/create":
		message := rpc.Text(params, "message")
		switch mode := rpc.Member(params, "mode"); string(mode) {
		case "", `"form"`:
			return Form, message
		case `"url"`:
			return URL, message
		}
		return Unknown, message
	case "sampling/createMessage":
		return Sampling, ""
	case "roots/list":
		return Roots, ""
	}
	return Unknown, ""
}

// asked folds a request of the server's own: a legacy ask, a ping, or something
// that the era has no place for.
func (s *Session) asked(e trace.Event, m rpc.Message, row *Row) {
	if s.batched > 0 {
		row.Name = nameOf(m)
	}
	s.in[m.ID] = &pending{seq: e.Seq, at: e.At, method: m.Method, name: row.Name}
	kind, _ := Describe(m.Method, m.Params)
	if kind == Unknown && m.Method != "elicitation/create" {
		return
	}
	owner := Owner{Kind: OfConnection}
	c := s.calls[s.carried[e.Frame.Exchange]]
	if c != nil && !c.Status.Final() {
		owner.Kind = OfCall
	} else if c = s.onlyOpen(); c != nil && e.Frame.Exchange == 0 {
		owner.Kind = Inferred
	} else {
		c = nil
	}
	id := s.askID(e.Seq)
	s.in[m.ID].ask = id
	if c != nil {
		r := c.LastRound()
		owner.Call, owner.Round = c.ID, r.N
		if r.Turned == 0 {
			r.Turned = e.At
		}
		r.Asks = append(r.Asks, id)
		c.Status = trace.Asking
		row.Call, row.Round = c.ID, r.N
	}
	s.addAsk(&Ask{ID: id, Owner: owner, Method: m.Method, Params: bytes.Clone(m.Params), Request: e.Seq, RPC: m.ID, At: e.At})
}

func (s *Session) told(e trace.Event, m rpc.Message, row *Row) {
	call, kind := s.carried[e.Frame.Exchange], string(PartFrame)
	switch m.Method {
	case "notifications/progress":
		kind = "progress"
		if id, ok := s.tokens[string(rpc.Member(m.Params, "progressToken"))]; ok {
			call = id
			s.progress(s.calls[id], e, m.Params)
		} else {
			row.Problem = firstOf(row.Problem, "no request carries this progress token")
		}
	case "notifications/message":
		kind = "log"
		if s.batched > 0 {
			row.Text = logText(m)
		}
		s.Logged++
		s.Logs = newest(append(s.Logs, LogEntry{Seq: e.Seq, Call: call, At: e.At,
			Level: rpc.Text(m.Params, "level"), Logger: rpc.Text(m.Params, "logger"), Text: row.Text}), keepLogs)
	case "notifications/cancelled":
		s.withdrawn(rpc.ID(rpc.Member(m.Params, "requestId")), e)
		return
	case "notifications/tools/list_changed", "notifications/prompts/list_changed",
		"notifications/resources/list_changed", "notifications/resources/updated":
		s.changed(m, e)
	case "notifications/subscriptions/acknowledged":
		s.Listening = &Listening{Seq: e.Seq, Filter: bytes.Clone(rpc.Member(m.Params, "notifications"))}
	}
	row.Call = call
	if call != 0 || m.Method == "notifications/progress" || m.Method == "notifications/message" {
		s.note(e.Seq, call, kind)
	}
}

func (s *Session) progress(c *Call, e trace.Event, params []byte) {
	p := &Progress{At: e.At, Count: 1, Message: rpc.Text(params, "message"),
		Progress: string(rpc.Member(params, "progress")), Total: string(rpc.Member(params, "total"))}
	if c.Last != nil {
		p.Count += c.Last.Count
	}
	c.Last = p
}

// withdrawn closes an ask that the server cancelled.
func (s *Session) withdrawn(id rpc.ID, e trace.Event) {
	p := s.in[id]
	if p == nil || p.done {
		return
	}
	s.settled(s.in, id, p, &s.inDone)
	a := s.asks[p.ask]
	if a == nil {
		return
	}
	a.Status, a.Answered, a.Note = Withdrawn, e.At, "cancelled by the server"
	if c := s.calls[a.Owner.Call]; c != nil && !c.Status.Final() {
		s.turnToServer(c, e.At)
	}
}

func (s *Session) changed(m rpc.Message, e trace.Event) {
	s.Changed++
	s.Changes = newest(append(s.Changes, Change{Seq: e.Seq, At: e.At, Method: m.Method, URI: rpc.Text(m.Params, "uri")}), keepChanges)
	switch m.Method {
	case "notifications/tools/list_changed":
		s.Catalogue.Tools.Stale = true
	case "notifications/prompts/list_changed":
		s.Catalogue.Prompts.Stale = true
	case "notifications/resources/list_changed":
		s.Catalogue.Resources.Stale, s.Catalogue.Templates.Stale = true, true
	}
}
