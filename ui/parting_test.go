package ui_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
)

// recorder remembers what was saved as a recording.
type recorder struct {
	mu    sync.Mutex
	files int
	fails error
}

func (r *recorder) record(hint string, keep func(trace.Event) bool) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fails != nil {
		return "", r.fails
	}
	if keep != nil {
		return "", errors.New("the whole session was to be saved")
	}
	r.files++
	return "mcptui-" + hint, nil
}

func (r *recorder) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.files
}

func TestASwitchAsksWhatBecomesOfTheLog(t *testing.T) {
	for name, tt := range map[string]struct {
		calls, recorded, saved, fails bool
		keys                          []string
		asks, switches                bool
		files                         int
		says                          string
	}{
		"no call":            {asks: false, switches: true},
		"recorded":           {calls: true, recorded: true, switches: true},
		"saved a moment ago": {calls: true, saved: true, switches: true, files: 1},
		"saved":              {calls: true, keys: []string{"W"}, asks: true, switches: true, files: 1, says: "welcome to town; the session before is saved to mcptui-d"},
		"saved by Enter":     {calls: true, keys: []string{screentest.Enter}, asks: true, switches: true, files: 1},
		"not saved":          {calls: true, keys: []string{"y"}, asks: true, switches: true},
		"by the arrows":      {calls: true, keys: []string{screentest.Right, screentest.Enter}, asks: true, switches: true},
		"stayed":             {calls: true, keys: []string{screentest.Esc}, asks: true},
		"cannot be saved":    {calls: true, fails: true, keys: []string{"W"}, asks: true, says: "✖ the disk is full"},
	} {
		t.Run(name, func(t *testing.T) {
			s := ready(trace.Modern)
			if tt.calls {
				s.Book(3)
			}
			sw, rec := newSwitchable(s), &recorder{}
			if tt.fails {
				rec.fails = errors.New("the disk is full")
			}
			o := sw.options("demo")
			o.Record = rec.record
			if tt.recorded {
				o.Unrecorded = func(ctx context.Context) error { <-ctx.Done(); return nil }
			}
			sc := screentest.Start(t, ui.New(o), 80, 24)
			sc.WaitFor("Catalogue")
			if tt.saved {
				sc.Type("2", "W")
				sc.WaitFor("the whole session")
				sc.Type(screentest.Down, screentest.Enter)
				sc.WaitFor("saved to mcptui-demo-")
			}
			sc.Type("S")
			sc.WaitFor(">   town")
			sc.Type(screentest.Enter)
			if tt.asks {
				sc.WaitFor("The log of this session is dropped unless it is saved.", "Save and switch W", "Switch y", "Stay Esc")
				sc.Type(tt.keys...)
				sc.WaitForGone("Sure?")
			}
			if tt.says != "" {
				sc.WaitFor(tt.says)
			}
			if tt.switches {
				sc.WaitFor("toll_the_bell")
			} else {
				require.Empty(t, sw.choices())
			}
			require.Equal(t, tt.files, rec.count())
		})
	}
}

func TestTheChoicesOfASwitchAreClicked(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(1)
	sw, rec := newSwitchable(s), &recorder{}
	o := sw.options("demo")
	o.Record = rec.record
	sc := screentest.Start(t, ui.New(o), 40, 12)
	sc.WaitFor("Calls")
	sc.Type("S")
	sc.WaitFor(">   town")
	sc.Type(screentest.Enter)
	sc.WaitFor("An ask waits for an answer.", "[ Stay ]")
	sc.ClickOn("[ Stay ]")
	sc.WaitForGone("Sure?")
	require.Zero(t, rec.count())
	require.Empty(t, sw.choices())
}

// opener is a controller that counts how often the connection was made anew.
type opener struct {
	deaf
	mu sync.Mutex
	n  int
}

func (o *opener) Restart() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.n++
	return nil
}

func (o *opener) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.n
}

var _ control.Controller = (*opener)(nil)

func TestARestartAsksWhereACallWouldBeLost(t *testing.T) {
	for name, tt := range map[string]struct {
		era   trace.Era
		begin func(*script.Script)
		asks  string
	}{
		"nothing open":              {trace.Modern, func(s *script.Script) { s.Book(3) }, ""},
		"a call runs":               {trace.Modern, func(s *script.Script) { s.Call("sleep", nil) }, "Call 1 sleep is open and would be lost."},
		"two run":                   {trace.Modern, func(s *script.Script) { s.Call("sleep", nil); s.Call("doze", nil) }, "Call 1 sleep and 1 other are open"},
		"a modern ask waits":        {trace.Modern, func(s *script.Script) { s.Book(0) }, ""}, // its round stays
		"a legacy ask waits":        {trace.Legacy, func(s *script.Script) { s.Book(0) }, "Call 1 book_table is open and would be lost."},
		"the server has ended, too": {trace.Modern, func(s *script.Script) { s.Call("sleep", nil); exits(s, 3) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := ready(tt.era)
			tt.begin(s)
			k := &opener{}
			sc := startWith(t, s, k, 80, 24)
			sc.WaitFor("Calls")
			sc.Type("R")
			if tt.asks != "" {
				sc.WaitFor(tt.asks, "Restart all")
				sc.Type(screentest.Esc)
				sc.WaitForGone("Sure?")
				require.Zero(t, k.count())
				sc.Type("R")
				sc.WaitFor(tt.asks)
				sc.Type("y")
			}
			sc.WaitFor("connecting anew")
			require.Equal(t, 1, k.count())
			s.Phase(trace.Phase{Name: trace.PhaseReconnecting})
			s.Phase(trace.Phase{Name: trace.PhaseExited}) // the old server's end
			s.Phase(trace.Phase{Name: trace.PhaseStarting, Transport: "stdio"})
			sc.WaitFor("connecting anew", "● starting")
			s.Phase(trace.Phase{Name: trace.PhaseReady, Era: tt.era})
			sc.WaitForGone("connecting anew")
		})
	}
}

func TestConnectingAnewIsNotSaidAnyMoreOnceItFailed(t *testing.T) {
	for _, end := range []trace.PhaseName{trace.PhaseFailed, trace.PhaseExited} {
		s := ready(trace.Modern)
		sc := startWith(t, s, &opener{}, 80, 24)
		sc.WaitFor("book_table")
		sc.Type("R")
		sc.WaitFor("connecting anew")
		s.Phase(trace.Phase{Name: trace.PhaseStarting, Transport: "stdio"})
		s.Phase(trace.Phase{Name: end, Reason: "no such file"})
		sc.WaitForGone("connecting anew")
		sc.WaitFor("✖ " + string(end))
	}
}

func TestWhatGivesARunningCallUpComesFirstInTheFooter(t *testing.T) {
	s := ready(trace.Modern)
	c := s.Call("sleep", nil)
	sc := start(t, s, 80, 24)
	footer := func() string { lines := strings.Split(sc.Text(), "\n"); return lines[len(lines)-1] }
	sc.WaitFor("● the server works", "x give up")
	require.True(t, strings.HasPrefix(footer(), " x give up"), footer())
	sc.Type(screentest.Enter)
	sc.WaitFor("x gives the call up")
	require.True(t, strings.HasPrefix(footer(), " x give up"), footer())
	c.Done("slept")
	sc.WaitForGone("x give up")
}

func TestASavedFileCanBeFound(t *testing.T) {
	long := strings.Repeat("x", 60)
	for name, tt := range map[string]struct {
		path    string
		columns int
		want    []string
	}{
		"short":     {"mcptui-demo.jsonl", 80, []string{"saved to mcptui-demo.jsonl, in the working directory"}},
		"long":      {"mcptui-" + long + "-103850.jsonl", 80, []string{"saved to mcptui-xx", "…", "-103850.jsonl, in the working directory"}},
		"narrow":    {"mcptui-" + long + "-103850.jsonl", 40, []string{"saved to mcptui-", "-103850.jsonl"}},
		"elsewhere": {"/tmp/" + long + "/a.jsonl", 60, []string{"saved to /tmp/xxx", "…", "xx/a.jsonl"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := ready(trace.Modern)
			m := ui.New(ui.Options{Settle: -1, Log: s.Log, Control: deaf{}, Start: script.Start,
				Record: func(string, func(trace.Event) bool) (string, error) { return tt.path, nil }})
			sc := screentest.Start(t, m, tt.columns, 24)
			sc.WaitFor("book_table")
			sc.Type("W")
			sc.WaitFor(tt.want...)
		})
	}
}

func TestARecordingSaysThatItHasNoServerToRestartOrSwitch(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(1)
	s.Come(rpc.Encode("", "notifications/message", []byte(`{"level":"info","data":"x"}`), nil, nil))
	s.Log.Close()
	sc := screentest.Start(t, ui.New(ui.Options{Settle: -1, Log: s.Log, Start: script.Start}), 80, 24)
	sc.WaitFor("recording", "book_table")
	for _, key := range []string{"R", "S"} {
		sc.Type(key)
		sc.WaitFor("this is a recording: nothing can be sent")
		sc.Type("F")
		sc.WaitForGone("this is a recording")
	}
}
