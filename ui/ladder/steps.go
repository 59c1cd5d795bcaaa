// Package ladder shows one call as the exchange between the person, the client
// and the server: what went where, in which round, who waited for whom and how
// long. It reads the folded session and draws; it keeps nothing but which row
// is selected.
package ladder

import (
	"fmt"
	"strings"
	"time"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// Lane is one of the three that take part in a call.
type Lane int

// The lanes, from left to right.
const (
	You Lane = iota
	Client
	Server
)

// Step is one row of a ladder. All its texts are clean.
type Step struct {
	Round    int
	First    bool        // of its round
	Seq      int         // the frame it shows, 0 for none
	Ask      trace.AskID // zero but for a step about one ask
	From, To Lane        // the same where nothing moves
	Label    string
	Short    string // the same in fewer columns, "" where there is none
	Least    string // in as few as it can be said, "" where there is nothing shorter
	Tone     Tone
	Who      Lane // who had control in the stretch that this step ends
	Took     time.Duration
	Timed    bool     // Who and Took are set
	Live     bool     // the stretch goes on
	Aside    bool     // the ask was set aside
	Staged   bool     // the answer was given and has not left
	Mark     draw.Run // what is to be said of the step where its time would stand
	Open     bool     // after this step a request lies open at the server
}

// Tone says how a step is coloured.
type Tone int

// Tones.
const (
	Plain Tone = iota
	Asking
	Good
	Bad
	Quiet
)

// builder collects the steps of one call.
type builder struct {
	s     *session.Session
	c     *session.Call
	now   time.Duration
	steps []Step
	round int
	open  bool
}

func (b *builder) add(st Step) {
	st.Round, st.Open = b.round, b.open
	st.First = len(b.steps) == 0 || b.steps[len(b.steps)-1].Round != b.round
	b.steps = append(b.steps, st)
}

// Steps lays a call out. Now is the session's time, for what still goes on.
func Steps(s *session.Session, c *session.Call, now time.Duration) []Step {
	b := &builder{s: s, c: c, now: now, round: 1}
	b.add(Step{From: You, To: Client, Label: Name(c)})
	for _, r := range c.Rounds {
		b.round = r.N
		b.request(r)
		b.notes(r)
		if own := b.own(r); len(own) > 0 && (r.Response != 0 || r.Turned == 0) {
			b.turned(r, b.inside(r, own))
			b.asks(r, false, func(a *session.Ask) bool { return a.RPC == "" })
			continue
		}
		nested := b.turned(r, r.Begun)
		b.asks(r, nested, func(*session.Ask) bool { return true })
	}
	b.end()
	return b.steps
}

// own are the requests of the server's own in a round.
func (b *builder) own(r *session.Round) (out []*session.Ask) {
	for _, id := range r.Asks {
		if a := b.s.Ask(id); a != nil && a.RPC != "" {
			out = append(out, a)
		}
	}
	return out
}

// inside shows what the server asked in a round that goes on or has ended all the
// same: the client refused it by itself, or the server did not wait for the answer.
// It returns the moment from which the server had control again.
func (b *builder) inside(r *session.Round, own []*session.Ask) time.Duration {
	since := r.Begun
	for _, a := range own {
		b.asked(a, a.At-since, true)
		b.ask(a, true)
		since = max(since, a.At, a.Answered)
	}
	return since
}

// asked shows a request of the server's own; took is how long the server had had
// control before it.
func (b *builder) asked(a *session.Ask, took time.Duration, timed bool) {
	method := text.CleanLine(a.Method)
	family, _, _ := strings.Cut(method, "/")
	st := Step{Seq: a.Request, Ask: a.ID, From: Server, To: Client, Tone: Asking, Label: method + " " + id(a.RPC), Short: family + " " + id(a.RPC)}
	if timed {
		st.Who, st.Took, st.Timed = Server, max(0, took), true
	}
	b.add(st)
}

// Name is what a call is called: its tool, prompt or URI, else its method.
func Name(c *session.Call) string {
	if c.Name != "" {
		return text.CleanLine(c.Name)
	}
	return text.CleanLine(c.Method)
}

func (b *builder) row(seq int) session.Row {
	return b.s.Rows.Row(seq)
}

func id(i rpc.ID) string {
	if s, ok := rpc.String([]byte(i)); ok {
		return text.CleanLine(s)
	}
	return text.CleanLine(string(i))
}

func (b *builder) request(r *session.Round) {
	if r.Request == 0 {
		return // the stretch began with an answer inside the open request
	}
	name := text.CleanLine(b.c.Method) + " " + id(r.ID)
	label, short, least := name, "", ""
	switch {
	case r.Parent != 0 && r.Parent != r.N-1:
		label, short = fmt.Sprintf("%s again, from round %d", name, r.Parent), fmt.Sprintf("%s from %d", name, r.Parent)
		least = fmt.Sprintf("%s from %d", id(r.ID), r.Parent)
	case r.Parent != 0:
		label += " again"
	case r.N > 1:
		label += ", anew"
	}
	if r.Edited {
		label += ", edited"
		if short == "" {
			short = name + " edited"
		}
	}
	b.otherwise(r)
	b.open = true
	b.add(Step{Seq: r.Request, From: Client, To: Server, Label: label, Short: short, Least: least})
}

// otherwise tells with which answers a branch begins, and how long the person took
// for them. Those of the round that it
// answers again stay beside its questions, with the time that they took.
func (b *builder) otherwise(r *session.Round) {
	parent := b.c.Round(r.Parent)
	if parent == nil {
		return
	}
	for _, id := range parent.Asks {
		a := b.s.Ask(id)
		if a == nil || a.Answer == r.Request {
			continue
		}
		if reply := a.CarriedBy(r.Request); reply != nil {
			st := Step{From: You, To: Client, Label: AskName(a) + ": " + Reply(reply), Short: Reply(reply)}
			if took := a.TookFor(r.Request); took > 0 {
				st.Who, st.Took, st.Timed = You, took, true
			}
			b.add(st)
		}
	}
}

// notes tells of logs, progress and noise in a round.
func (b *builder) notes(r *session.Round) {
	if len(r.Notes) == 0 {
		return
	}
	parts := make([]string, len(r.Told))
	for i, k := range r.Told {
		parts[i] = fmt.Sprintf("%d %s", k.Count, k.Kind)
		if k.Kind == string(session.PartStderr) { // it comes in pieces: their number says nothing
			parts[i] = k.Kind
		}
	}
	b.add(Step{Seq: r.Notes[len(r.Notes)-1], From: Server, To: Server, Tone: Quiet, Label: strings.Join(parts, ", ")})
}

// turned shows how the server gave control back: with a response, or by a
// request of its own inside the open one. Since is when it got it.
func (b *builder) turned(r *session.Round, since time.Duration) (nested bool) {
	took := max(0, r.Turned-since)
	if r.Turned == 0 {
		b.working(r, since)
		return false
	}
	if r.Response != 0 {
		b.open = false
		row := b.row(r.Response)
		st := Step{Seq: r.Response, From: Server, To: Client, Who: Server, Took: took, Timed: true, Tone: Good, Label: "result " + id(r.ID)}
		switch {
		case row.Kind == rpc.Failure:
			st.Tone, st.Label = Bad, fmt.Sprintf("error %d %s", row.Code, id(r.ID))
		case r.Came == trace.Asking:
			st.Tone, st.Label = Asking, session.InputRequired+" "+id(r.ID)
		case r.Came == trace.ToolError:
			st.Tone, st.Label = Bad, "result "+id(r.ID)+", isError"
		case r.Came == trace.Violated:
			st.Tone = Bad
		}
		b.add(st)
		return false
	}
	for i, a := range b.own(r) {
		b.asked(a, a.At-since, i == 0)
		nested = true
	}
	return nested
}

func (b *builder) working(r *session.Round, since time.Duration) {
	if b.c.Status.Final() {
		return
	}
	label := "working"
	if p := b.c.Last; p != nil && p.At >= r.Begun {
		label = Progress(p)
	}
	b.add(Step{From: Server, To: Server, Tone: Quiet, Label: label, Who: Server, Took: b.now - since, Timed: true, Live: true})
}

// Progress words a progress notification: "3 of 10 copying".
func Progress(p *session.Progress) string {
	out := text.CleanLine(p.Progress)
	if p.Total != "" {
		out += " of " + text.CleanLine(p.Total)
	}
	if p.Message != "" {
		out += " " + text.CleanLine(p.Message)
	}
	return out
}

func (b *builder) asks(r *session.Round, nested bool, which func(*session.Ask) bool) {
	for _, id := range r.Asks {
		if a := b.s.Ask(id); a != nil && which(a) {
			b.ask(a, nested)
		}
	}
}

func (b *builder) ask(a *session.Ask, nested bool) {
	if a.Note == session.RefusedByClient { // nobody was asked
		label := Reply(a.Reply)
		if why := text.CleanLine(rpc.Text(a.Reply, "message")); why != "" {
			label = "rejected: " + why
		}
		b.add(Step{Ask: a.ID, Seq: a.Answer, From: Client, To: Server, Tone: Bad, Label: label})
		return
	}
	shown := Step{Ask: a.ID, Seq: a.Request, From: Client, To: You, Tone: Asking, Label: "◆ " + AskName(a)}
	switch a.Status {
	case session.Open, session.Later:
		shown.Who, shown.Took, shown.Timed, shown.Live = You, b.now-a.At, true, true
		shown.Aside = a.Status == session.Later
		b.add(shown)
		return
	case session.Withdrawn:
		b.add(shown)
		b.add(Step{Ask: a.ID, Seq: a.Request, From: Server, To: Client, Tone: Bad, Label: "withdrawn by the server", Short: "withdrawn"})
		return
	case session.Moot:
		b.add(shown)
		b.add(Step{Ask: a.ID, From: You, To: You, Tone: Quiet, Label: "not answered"})
		return
	}
	b.add(shown)
	answer := Step{Ask: a.ID, Seq: a.Answer, From: You, To: Client, Label: Reply(a.Reply), Who: You, Took: a.Answered - a.At, Timed: true}
	answer.Staged = a.Status == session.Staged
	b.add(answer)
	if nested && a.Answer != 0 {
		row := b.row(a.Answer)
		b.add(Step{Ask: a.ID, Seq: a.Answer, From: Client, To: Server, Label: "answer to " + id(row.ID), Short: "answer " + id(row.ID)})
	}
}

// AskName is what an ask is called: its key, else its kind.
func AskName(a *session.Ask) string {
	if a.ID.Key != "" {
		return text.CleanLine(a.ID.Key)
	}
	switch a.Kind {
	case session.Form:
		return "form"
	case session.URL:
		return "a URL"
	case session.Unknown:
		return text.CleanLine(a.Method)
	}
	return string(a.Kind)
}

// Reply words an answer: "accept", "decline", "error -1", "answered".
func Reply(reply []byte) string {
	if action := rpc.Text(reply, "action"); action != "" {
		return text.CleanLine(action)
	}
	if code := rpc.Member(reply, "code"); code != nil && rpc.Member(reply, "message") != nil {
		return "rejected, error " + text.CleanLine(string(code))
	}
	return "answered"
}

// end tells how a call that has no last response ended, or what it waits for.
func (b *builder) end() {
	c := b.c
	switch {
	case c.Status == trace.Holding:
		b.add(Step{From: Client, To: Client, Tone: Asking, Label: "the retry is held", Who: Client, Timed: false})
	case c.Wait != nil:
		label := text.CleanLine(c.Wait.Note)
		if c.Wait.Until > 0 {
			label += ", " + text.Left(c.Wait.Until-b.now)
		}
		b.add(Step{From: Client, To: Client, Tone: Quiet, Label: label})
	case c.Status.Final() && (c.Note != "" || !b.answered()):
		b.open = false
		for _, seq := range c.Frames {
			if row := b.row(seq); row.Why == trace.WhyCancel {
				b.add(Step{Seq: seq, From: Client, To: Server, Tone: Quiet, Label: text.CleanLine(row.Method), Short: "cancelled"})
			}
		}
		words := Ended(c)
		tone := Bad
		if c.Status == trace.Done {
			tone = Good
		}
		b.add(Step{From: Client, To: Client, Tone: tone, Label: words[0], Short: words[len(words)-1]})
	}
	for _, seq := range c.Late {
		b.add(Step{Seq: seq, From: Server, To: Client, Tone: Quiet, Label: "came too late"})
	}
}

// Ended words how a call ended and why, in full and then ever shorter: what names
// the call again goes first, then what need not be said, then what the reason
// tells, too. All of it is clean.
func Ended(c *session.Call) []string {
	status, note := string(c.Status), text.CleanLine(c.Note)
	if note == "" {
		return []string{status}
	}
	out := []string{status + ": " + note}
	if rest, ok := strings.CutPrefix(note, strings.TrimSpace(text.CleanLine(c.Method+" "+c.Name))+" (id "); ok {
		if _, why, ok := strings.Cut(rest, "): "); ok {
			note = why
			out = append(out, status+": "+note)
		}
	}
	if why, _, ok := strings.Cut(note, "; "); ok {
		note = why
	}
	note = strings.TrimPrefix(strings.TrimSuffix(note, " before it answered"), "the server ")
	if short := status + ": " + note; short != out[len(out)-1] {
		out = append(out, short)
	}
	if c.Status == trace.Lost {
		out = append(out, note)
	}
	return out
}

func (b *builder) answered() bool {
	r := b.c.LastRound()
	return r != nil && r.Response != 0
}
