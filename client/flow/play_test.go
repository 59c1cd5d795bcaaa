package flow

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/client/wire"
)

var update = flag.Bool("update", false, "write what comes out into the playbook")

// TestPlaybook plays the scripts in testdata. A line that begins with "<" is an
// effect, with the number that it got in the log; every other line is an input.
// "==" begins a new connection, with its configuration. What a script may say is
// in (*play).input.
func TestPlaybook(t *testing.T) {
	files, err := filepath.Glob("testdata/*.play")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".play"), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			got := perform(t, string(raw))
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
				return
			}
			require.Equal(t, string(raw), got)
		})
	}
}

func perform(t *testing.T, script string) string {
	var out strings.Builder
	var p *play
	for n, line := range strings.Split(strings.TrimRight(script, "\n"), "\n") {
		if strings.HasPrefix(line, "<") {
			continue
		}
		fmt.Fprintln(&out, line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "=="):
			p = newPlay(t, line)
			out.WriteString(p.effects())
		default:
			require.NotNil(t, p, "line %d: no connection", n+1)
			p.line = n + 1
			p.input(line)
			p.agree()
			out.WriteString(p.effects())
		}
	}
	return out.String()
}

// play is a connection on a stage: a clock that only the script moves, and a log
// that numbers what happens.
type play struct {
	t        *testing.T
	line     int
	flow     *Flow
	now      time.Duration
	seq      int
	exchange int
	http     bool
	meta     bool // show all of _meta
	labels   map[string]int
	drafts   map[int]control.Draft
	out      strings.Builder
	fold     *session.Session
	apart    bool
}

func newPlay(t *testing.T, line string) *play {
	cfg := Config{
		Transport: Stdio, Info: json.RawMessage(`{"name":"c","version":"1"}`),
		Capabilities: json.RawMessage(`{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}`),
		Lists:        []string{},
	}
	// == what the scene is about | transport era=… version=… rounds=… lists=… tool=… cap=… ask-roots meta
	p := &play{t: t, now: time.Second, fold: session.New(), labels: map[string]int{}, drafts: map[int]control.Draft{}}
	// up=ERA takes the connection to where it is ready; serves=… are the server's
	// capabilities then.
	_, settings, _ := strings.Cut(line, "|")
	up, serves := "", "{}"
	for _, word := range strings.Fields(settings) {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case Stdio, HTTP, SSE, InProcess:
			cfg.Transport = name
		case "era":
			cfg.Era = trace.Era(value)
		case "version":
			cfg.Version = value
		case "rounds":
			cfg.Rounds, _ = strconv.Atoi(value)
		case "lists":
			cfg.Lists = strings.Split(value, ",")
			if value == "all" {
				cfg.Lists = nil
			}
		case "tool":
			cfg.Tool = value
		case "log":
			cfg.LogLevel = value
		case "cap":
			cfg.Capabilities = json.RawMessage(value)
		case "ask-roots":
			cfg.AskRoots = true
		case "root":
			cfg.Roots = append(cfg.Roots, control.Root{URI: value})
		case "meta":
			p.meta = true
		case "apart": // the fold does not follow this scene yet
			p.apart = true
		case "up":
			up = value
		case "serves":
			serves = value
		default:
			t.Fatalf("unknown setting %q", word)
		}
	}
	p.flow, p.http = New(cfg), cfg.Transport == HTTP || cfg.Transport == SSE
	if up != "" {
		p.up(trace.Era(up), serves)
	}
	return p
}

func (p *play) up(era trace.Era, serves string) {
	answer := `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":` + serves + `}`
	if era == trace.Legacy {
		p.flow.cfg.Era = era
		answer = `{"protocolVersion":"2025-11-25","capabilities":` + serves + `,"serverInfo":{}}`
	}
	p.input("start")
	p.input("opened")
	p.input(`in {"jsonrpc":"2.0","id":1,"result":` + answer + `}`)
	p.flow.cfg.Era = ""
	for p.seq < 9 { // so that a scene begins with the same number in both eras
		p.log(trace.Event{Act: &trace.Act{Who: trace.Client, Kind: trace.ActNote}})
	}
	out := strings.Split(p.effects(), "\n")
	if i := slices.Index(out, "< ready"); i >= 0 {
		p.out.WriteString(strings.Join(out[i+1:], "\n"))
	}
}

func (p *play) input(line string) {
	verb, rest, _ := strings.Cut(line, " ")
	verb, label, _ := strings.Cut(verb, ":")
	f := p.flow
	var err error
	switch verb {
	case "start": // the connection begins, and its transport opens
		f.Start(p.now)
	case "opened": // the transport is open, or says why not
		if rest != "" {
			f.Opened(p.now, errors.New(rest))
		} else {
			f.Opened(p.now, nil)
		}
	case "in": // a frame comes; in:NAME names it for asks; "@7 " in front is its exchange
		exchange := 0
		if strings.HasPrefix(rest, "@") {
			var n string
			n, rest, _ = strings.Cut(rest[1:], " ")
			exchange = p.number(n)
		}
		p.event(trace.Event{Frame: &trace.Frame{Dir: trace.In, Exchange: exchange, Bytes: []byte(rest)}})
		if label != "" {
			p.labels[label] = p.seq
		}
	case "http": // EXCHANGE STAGE STATUS [lost] [expired] [Name: value] [# note]
		p.httpEvent(rest)
	case "noise":
		n, why, _ := strings.Cut(rest, " ")
		why, line, _ := strings.Cut(why, " | ")
		p.event(trace.Event{Noise: &trace.Noise{Exchange: p.number(n), Why: why, Bytes: []byte(line)}})
	case "exit": // the server ends: a code, or a signal
		phase := &trace.Phase{Name: trace.PhaseExited, Transport: Stdio}
		if code, err := strconv.Atoi(rest); err == nil {
			phase.Code = &code
		} else {
			phase.Signal = rest
		}
		p.event(trace.Event{Phase: phase})
	case "tick": // time passes, and what is due is done at its time
		d, parse := time.ParseDuration(rest)
		require.NoError(p.t, parse)
		for end := p.now + d; ; {
			at, ok := f.Next()
			if !ok || at > end {
				p.now = end
				return
			}
			p.now = max(at, p.now)
			f.Tick(p.now)
			p.drain()
		}
	case "unsent": // the transport refuses a message, being at its end
		f.Unsent(p.now, rest, fmt.Errorf("send: %w", wire.ErrClosed))
	case "refused": // the server has closed its input, but lives
		f.Unsent(p.now, rest, errors.New("the server has closed its input"))
	case "call":
		var r control.Request
		p.read(rest, &r)
		_, err = f.Call(p.now, r)
	case "answer", "reject", "later":
		name, value, _ := strings.Cut(rest, " ")
		id := p.ask(name)
		switch verb {
		case "answer":
			err = f.Answer(p.now, id, control.Reply{Result: json.RawMessage(value)}, "")
		case "reject":
			err = f.Answer(p.now, id, control.Reply{Error: &control.Error{Code: -1, Message: value}}, trace.Script)
		default:
			err = f.Later(p.now, id)
		}
	case "hold":
		n, on, _ := strings.Cut(rest, " ")
		err = f.Hold(p.now, p.number(n), on == "on")
	case "draft":
		d, e := f.Draft(p.now, p.number(rest))
		p.keep(d, e)
		err = e
	case "branch":
		n, round, _ := strings.Cut(rest, " ")
		d, e := f.Branch(p.now, p.number(n), p.number(round))
		p.keep(d, e)
		err = e
	case "send": // CALL [draft members to change, as JSON]
		n, change, _ := strings.Cut(rest, " ")
		d := p.drafts[p.number(n)]
		if change != "" {
			p.read(change, &d)
		}
		err = f.Send(p.now, d)
	case "drop":
		err = f.Drop(p.now, p.number(rest))
	case "cancel":
		err = f.Cancel(p.now, p.number(rest), "the person gave up")
	case "rerun":
		_, err = f.Rerun(p.now, p.number(rest))
	case "restart":
		err = f.Restart(p.now)
	case "reconnect":
		err = f.Reconnect(p.now)
	case "refresh":
		err = f.Refresh(p.now)
	case "set":
		var s control.Setting
		p.read(rest, &s)
		err = f.Set(p.now, s)
	case "listen":
		var s control.Subscription
		p.read(rest, &s)
		err = f.Listen(p.now, s)
	case "notify":
		method, params, _ := strings.Cut(rest, " ")
		var raw json.RawMessage
		if params != "" {
			raw = json.RawMessage(params)
		}
		err = f.Notify(p.now, method, raw)
	case "close":
		f.Close(p.now)
	default:
		p.t.Fatalf("line %d: unknown input %q", p.line, verb)
	}
	p.drain()
	if err != nil {
		require.ErrorIs(p.t, err, control.ErrNo)
		fmt.Fprintf(&p.out, "< error: %v\n", err)
	}
}

func (p *play) number(s string) int {
	n, err := strconv.Atoi(s)
	require.NoError(p.t, err, "line %d", p.line)
	return n
}

func (p *play) read(raw string, into any) {
	require.NoError(p.t, json.Unmarshal([]byte(raw), into), "line %d", p.line)
}

func (p *play) ask(name string) trace.AskID {
	frame, key, _ := strings.Cut(name, ":")
	if n, ok := p.labels[frame]; ok {
		return trace.AskID{Frame: n, Key: key}
	}
	return trace.AskID{Frame: p.number(frame), Key: key}
}

func (p *play) keep(d control.Draft, err error) {
	if err != nil {
		return
	}
	p.drafts[d.Call] = d
	fmt.Fprintf(&p.out, "< draft call %d round %d: #%s %s %s%s\n", d.Call, d.Round, d.ID, d.Method, p.params(d.Params), headers(d.Headers))
}

// log gives an event its number, and folds it.
func (p *play) log(e trace.Event) trace.Event {
	p.seq++
	e.Seq, e.At = p.seq, p.now
	p.fold.Apply(e)
	return e
}

// event is one that a transport puts into the log.
func (p *play) event(e trace.Event) { p.flow.Event(p.now, p.log(e)) }

// agree holds the two readings of a call against each other: what the flow does
// next, and what the fold shows of it.
func (p *play) agree() {
	if p.apart {
		return
	}
	for id, c := range p.flow.calls {
		shown := p.fold.Call(id)
		require.NotNil(p.t, shown, "line %d: call %d is not shown", p.line, id)
		require.Equal(p.t, c.status, shown.Status, "line %d: call %d", p.line, id)
	}
	for id, a := range p.flow.asks {
		shown := p.fold.Ask(id)
		if id.Key != "" && id.Key[0] == '#' || shown == nil && a.closed != "" {
			continue
		}
		require.NotNil(p.t, shown, "line %d: ask %s is not shown", p.line, id)
		require.Equal(p.t, !a.sent && a.closed == "", shown.Status.Waiting() || shown.Status == session.Staged, "line %d: ask %s is %s", p.line, id, shown.Status)
	}
}

func (p *play) httpEvent(rest string) {
	spec, note, _ := strings.Cut(rest, " # ")
	words := strings.Fields(spec)
	h := &trace.HTTP{Exchange: p.number(words[0]), Stage: trace.HTTPStage(words[1]), Status: p.number(words[2]), Note: note}
	for i := 3; i < len(words); i++ {
		switch {
		case words[i] == "lost":
			h.Lost = true
		case words[i] == "expired":
			h.Expired = true
		default:
			h.Headers = append(h.Headers, trace.Header{Name: strings.TrimSuffix(words[i], ":"), Value: strings.Join(words[i+1:], " ")})
			i = len(words)
		}
	}
	p.event(trace.Event{HTTP: h})
}

func (p *play) effects() string {
	out := p.out.String()
	p.out.Reset()
	return out
}

// drain does what the flow wants done, as its owner would.
func (p *play) drain() {
	for effects := p.flow.Take(); len(effects) > 0; effects = p.flow.Take() {
		for _, e := range effects {
			p.show(e)
		}
	}
}

func (p *play) show(effect Effect) {
	say := func(format string, args ...any) { fmt.Fprintf(&p.out, "< "+format+"\n", args...) }
	switch e := effect.(type) {
	case Send:
		frame := &trace.Frame{Dir: trace.Out, Bytes: e.Bytes, Cause: e.Cause}
		where := ""
		if p.http {
			p.exchange++
			frame.Exchange = p.exchange
			where = fmt.Sprintf(" @%d", p.exchange)
		}
		p.event(trace.Event{Frame: frame})
		say("%d send%s %s%s%s", p.seq, where, strings.TrimSpace(p.message(e.Bytes)), cause(e.Cause), headers(e.Headers))
		require.True(p.t, json.Valid(e.Bytes), "%s", e.Bytes)
	case Append:
		p.log(e.Event)
		if ph := e.Event.Phase; ph != nil {
			say("%d phase %s%s", p.seq, strings.Join(slices.DeleteFunc([]string{string(ph.Name), ph.Transport, string(ph.Era), ph.Version}, func(s string) bool { return s == "" }), " "), colon(ph.Reason))
			return
		}
		say("%d %s", p.seq, p.act(e.Event.Act))
	case Abort:
		say("abort #%s", e.ID)
	case Open:
		say("open %s", []string{"first", "again", "http+sse"}[e.How])
	case Settle:
		say("settle %s", strings.TrimSpace(orElse(string(e.Era), "anew")+" "+e.Version))
	case Ready:
		say("ready")
	case Failed:
		say("failed %s: %s", e.Kind, e.Reason)
	}
}

func colon(s string) string {
	if s == "" {
		return ""
	}
	return ": " + s
}

func (p *play) act(a *trace.Act) string {
	s := string(a.Kind)
	add := func(ok bool, format string, args ...any) {
		if ok {
			s += fmt.Sprintf(" "+format, args...)
		}
	}
	add(a.Who != trace.Client, "by %s", a.Who)
	add(a.Call != 0, "call %d", a.Call)
	add(a.Round != 0, "round %d", a.Round)
	add(a.Ask.Frame != 0, "ask %s", a.Ask)
	add(a.Method != "", "%s", a.Method)
	add(a.Name != "", "%s", a.Name)
	add(a.Status != "", "%s", a.Status)
	add(a.Until != 0, "until %s", a.Until)
	add(a.Value != nil, "%s", p.params(a.Value))
	return s + colon(a.Note)
}

func cause(c trace.Cause) string {
	s := fmt.Sprintf(" (%s", c.Why)
	if c.Call != 0 {
		s += fmt.Sprintf(" %d.%d", c.Call, c.Round)
	}
	if c.Retries != 0 {
		s += fmt.Sprintf(" retries %d", c.Retries)
	}
	if c.Answers != 0 {
		s += fmt.Sprintf(" answers %d", c.Answers)
	}
	if c.Edited {
		s += " edited"
	}
	return s + ")"
}

func headers(h []trace.Header) string {
	if len(h) == 0 {
		return ""
	}
	var out []string
	for _, one := range h {
		out = append(out, one.Name+": "+one.Value)
	}
	return " [" + strings.Join(out, "; ") + "]"
}

func (p *play) message(raw []byte) string {
	m := rpc.Parse(raw)
	switch m.Kind {
	case rpc.Request:
		if m.Method == "initialize" && !p.meta {
			return fmt.Sprintf("#%s initialize at %s", m.ID, rpc.Text(m.Params, "protocolVersion"))
		}
		return fmt.Sprintf("#%s %s %s", m.ID, m.Method, p.params(m.Params))
	case rpc.Notification:
		return fmt.Sprintf("%s %s", m.Method, m.Params)
	case rpc.Result:
		return fmt.Sprintf("#%s result %s", m.ID, m.Result)
	}
	return fmt.Sprintf("#%s error %s", m.ID, m.Error)
}

// params hides what every request carries in _meta, unless the scene shows it.
func (p *play) params(raw []byte) string {
	if p.meta || rpc.Member(raw, "_meta", metaInfo) == nil {
		return string(raw)
	}
	meta := rpc.With(rpc.Member(raw, "_meta"), rpc.Field{Name: metaVersion}, rpc.Field{Name: metaInfo}, rpc.Field{Name: metaCapabilities})
	return string(rpc.With(raw, rpc.Field{Name: "_meta", Raw: meta}))
}
