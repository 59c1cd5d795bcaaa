package flow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"mcptui/client/control"
	"mcptui/client/mrtr"
	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/client/wire"
)

// ask is one thing that the server wants of the person.
type ask struct {
	id     trace.AskID
	call   *call // nil where it is not certain
	round  *round
	method string
	params []byte
	reply  []byte // the result that was given
	sent   bool
	closed string // why it cannot be answered any more
	came   time.Duration

	legacy bool
	reqID  rpc.ID // of the server's request
}

// given is an answer of an earlier call, to be given again.
type given struct {
	key, method   string
	params, reply []byte
}

// given lists what was answered in a call, in the order of its asks.
func (c *call) given() []given {
	var out []given
	for _, rd := range c.rounds {
		for _, a := range rd.asks {
			if a.reply != nil {
				out = append(out, given{a.id.Key, a.method, a.params, a.reply})
			}
		}
	}
	return out
}

// takeGiven finds the answer that was given to the same question before.
func (c *call) takeGiven(a *ask) []byte {
	for i, g := range c.replay {
		if g.key == a.id.Key && g.method == a.method &&
			jsonEqual(rpc.Member(g.params, "requestedSchema"), rpc.Member(a.params, "requestedSchema")) &&
			rpc.Text(g.params, "mode") == rpc.Text(a.params, "mode") {
			c.replay = slices.Delete(c.replay, i, i+1)
			return g.reply
		}
	}
	return nil
}

// answerByRule answers what needs no person: roots, and what a rerun repeats.
func (f *Flow) answerByRule(a *ask) {
	if a.sent || a.closed != "" {
		return
	}
	if a.call != nil {
		if reply := a.call.takeGiven(a); reply != nil {
			f.accept(a, reply, trace.Client, "as in the call that is run again")
			return
		}
	}
	if a.method == "roots/list" && !f.cfg.AskRoots {
		f.accept(a, f.roots(), trace.Client, "the list of roots")
	}
}

func (f *Flow) roots() []byte {
	roots := f.cfg.Roots
	if roots == nil {
		roots = []control.Root{}
	}
	raw, err := json.Marshal(map[string][]control.Root{"roots": roots})
	if err != nil {
		return []byte(`{"roots":[]}`) // two strings always encode
	}
	return raw
}

// Answer settles an ask. Those of a modern round can be answered again until
// the last of them is; a legacy answer leaves at once.
func (f *Flow) Answer(now time.Duration, id trace.AskID, reply control.Reply, who trace.Who) error {
	f.now = now
	a := f.asks[id]
	switch {
	case a == nil:
		return no("there is no ask %s", id)
	case a.sent:
		return no("the answer to ask %s has been sent", id)
	case a.closed != "":
		return no("ask %s is closed: %s", id, a.closed)
	case (reply.Result == nil) == (reply.Error == nil):
		return no("an answer is a result or an error")
	case reply.Result != nil && !json.Valid(reply.Result):
		return no("the answer to ask %s is not JSON", id)
	case a.round != nil && a.round.call.held != nil && a.round.call.held.round == a.round:
		a.round.call.held = nil // answered anew while the retry stood
	}
	if who == "" {
		who = trace.Person
	}
	if reply.Error != nil {
		f.reject(a, *reply.Error, who)
		return nil
	}
	f.accept(a, oneLine(reply.Result), who, "")
	return nil
}

func (f *Flow) accept(a *ask, reply []byte, who trace.Who, note string) {
	a.reply = bytes.Clone(reply)
	f.act(f.askAct(a, trace.Act{Who: who, Kind: trace.ActAnswer, Value: a.reply, Note: note}))
	if a.legacy {
		f.respond(a, a.reply, nil)
		return
	}
	if !slices.ContainsFunc(a.round.asks, func(b *ask) bool { return b.reply == nil }) {
		f.roundAnswered(a.round)
	}
}

func (f *Flow) askAct(a *ask, act trace.Act) trace.Act {
	act.Ask, act.Method = a.id, a.method
	if a.call != nil {
		act.Call = a.call.id
	}
	if a.round != nil {
		act.Round = a.round.n
	}
	return act
}

// reject refuses an ask with an error: a legacy one is answered with it, in a
// modern round there is no place for one, and the call is given up.
func (f *Flow) reject(a *ask, e control.Error, who trace.Who) {
	f.act(f.askAct(a, trace.Act{Who: who, Kind: trace.ActReject, Note: e.Message}))
	if a.legacy {
		f.respond(a, nil, rpc.EncodeError(e.Code, e.Message))
		return
	}
	f.end(a.call, trace.Cancelled, fmt.Sprintf("%s was refused: %s", a.method, orElse(e.Message, "no reason given")))
}

// Later sets an ask aside; nothing is sent.
func (f *Flow) Later(now time.Duration, id trace.AskID) error {
	f.now = now
	a := f.asks[id]
	if a == nil || a.sent || a.closed != "" {
		return no("ask %s does not wait for an answer", id)
	}
	f.act(f.askAct(a, trace.Act{Who: trace.Person, Kind: trace.ActLater}))
	return nil
}

// asked takes a request of the server's own.
func (f *Flow) asked(e trace.Event, m rpc.Message) {
	switch {
	case f.modern() && (f.stage == stageReady || f.cfg.Era == trace.Modern):
		f.note(m.Method, "the server sent a request of its own, which this version does not allow; it is not answered")
		return
	case m.Method == "ping":
		f.answerNow(e, m, rpc.Encode(m.ID, "", nil, []byte(`{}`), nil))
		return
	case m.Method != "elicitation/create" && m.Method != "sampling/createMessage" && m.Method != "roots/list":
		f.answerNow(e, m, rpc.Encode(m.ID, "", nil, nil, rpc.EncodeError(codeMethodNotFound, "method not found: "+m.Method)))
		return
	}
	if missing := mrtr.Undeclared(f.cfg.Capabilities, m.Method, m.Params); missing != "" {
		f.note(m.Method, "the server asks for what the client did not declare ("+missing+"); it is refused")
		code := codeMethodNotFound
		if m.Method == "elicitation/create" && rpc.Member(f.cfg.Capabilities, "elicitation") != nil {
			code = codeInvalidParams // 2025-11-25, Elicitation, "Error Handling"
		}
		f.answerNow(e, m, rpc.Encode(m.ID, "", nil, nil, rpc.EncodeError(code, "the client did not declare "+missing)))
		return
	}
	if why := mrtr.Malformed(mrtr.Ask{Method: m.Method, Params: m.Params}); why != "" {
		f.note(m.Method, "the server's request is refused: "+why)
		f.answerNow(e, m, rpc.Encode(m.ID, "", nil, nil, rpc.EncodeError(codeInvalidParams, why)))
		return
	}
	owner := f.ownerOf(e.Frame.Exchange)
	if f.crowded(e, m, owner) {
		return
	}
	a := &ask{
		id: trace.AskID{Frame: e.Seq}, call: owner, method: m.Method, params: bytes.Clone(m.Params),
		legacy: true, reqID: rpc.ID(bytes.Clone([]byte(m.ID))), came: f.now,
	}
	if f.batched > 0 {
		a.id.Key = "#" + strconv.Itoa(f.batched) // one frame, several asks
	}
	f.asks[a.id] = a
	if a.call != nil && !f.countAsk(a) {
		return
	}
	f.inbox = append(f.inbox, a)
	f.repause()
	f.answerByRule(a)
}

// ownerOf finds the call that a request of the server's belongs to: that of the
// stream which brought it, or on a stream that all share the only one open.
func (f *Flow) ownerOf(exchange int) *call {
	if exchange != 0 {
		if r := f.byExchange(exchange); r != nil {
			return r.call
		}
		return nil
	}
	var only *call
	for _, c := range f.running() {
		switch {
		case c.sent == 0: // the server does not know of it
		case only != nil:
			return nil
		default:
			only = c
		}
	}
	return only
}

// countAsk counts the rounds of a legacy call, and ends it past the limit.
func (f *Flow) countAsk(a *ask) bool {
	c := a.call
	rd := c.openRound()
	if rd == nil {
		rd = &round{n: c.asked + 1, call: c}
		c.rounds = append(c.rounds, rd)
		c.asked++
	}
	a.round = rd
	if c.asked > f.cfg.Rounds {
		f.respond(a, nil, rpc.EncodeError(-1, "too many rounds"))
		f.giveUp(c, trace.Limited, fmt.Sprintf("still asking after %s", roundsOf(f.cfg.Rounds)))
		return false
	}
	rd.asks = append(rd.asks, a)
	c.status = trace.Asking
	return true
}

func (c *call) lastRound() *round {
	if len(c.rounds) == 0 {
		return nil
	}
	return c.rounds[len(c.rounds)-1]
}

// respond sends the answer to a legacy ask.
func (f *Flow) respond(a *ask, result, failure []byte) {
	a.sent = true
	f.settled(a)
	f.inbox = slices.DeleteFunc(f.inbox, func(b *ask) bool { return b == a })
	cause := trace.Cause{Why: trace.WhyAnswer, Answers: a.id.Frame}
	if a.call != nil {
		cause.Call = a.call.id
	}
	if a.round != nil {
		cause.Round = a.round.n
	}
	f.do(Send{wire.Message{Bytes: rpc.Encode(a.reqID, "", nil, result, failure), Cause: cause}})
	if c := a.call; c != nil && !c.status.Final() && !slices.ContainsFunc(f.inbox, func(b *ask) bool { return b.call == c }) {
		c.status = trace.Running
	}
	f.repause()
}

// answerNow answers a request of the server's that needs nobody.
func (f *Flow) answerNow(e trace.Event, m rpc.Message, answer []byte) {
	f.do(Send{wire.Message{Bytes: answer, Cause: trace.Cause{Why: trace.WhyAnswer, Answers: e.Seq}}})
}

// withdrawn closes an ask that the server cancelled.
func (f *Flow) withdrawn(id rpc.ID) {
	for _, a := range f.inbox {
		if a.reqID == id {
			a.closed = "the server cancelled it"
			f.settled(a)
			f.inbox = slices.DeleteFunc(f.inbox, func(b *ask) bool { return b == a })
			if c := a.call; c != nil && !slices.ContainsFunc(f.inbox, func(b *ask) bool { return b.call == c }) {
				c.status = trace.Running
			}
			f.repause()
			return
		}
	}
}
