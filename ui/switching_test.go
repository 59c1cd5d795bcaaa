package ui_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
	"mcptui/ui/picker"
)

var choices = []picker.Entry{
	{ID: "demo", Name: "demo", What: "built-in server, in-process", Source: "mcptui"},
	{ID: "town", Name: "town", What: "stdio npx -y town-server --port 3000", Source: "/home/ada/project/.mcp.json"},
	{ID: "far", Name: "far\x1b[31m", What: "http https://ada:***@example.com/mcp", Source: "/home/ada/.cursor/mcp.json", Off: true},
	{ID: "broken", Name: "mcp.json", Source: "/home/ada/.config/Code/User/mcp.json", Broken: "VS Code: line 3, column 7: invalid character"},
}

// holds is a controller that remembers whether retries are held.
type holds struct {
	deaf
	mu sync.Mutex
	on bool
}

func (h *holds) Hold(_ int, on bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.on = on
	return nil
}

func (h *holds) held() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.on
}

// switchable is a UI on one scripted connection that can be switched to another.
type switchable struct {
	first, second *script.Script
	control       *holds // of the second
	mu            sync.Mutex
	chosen        []string
	fails         error
}

func newSwitchable(first *script.Script) *switchable {
	second := script.New()
	second.Ready(trace.Legacy)
	second.List("tools/list", "tools", `{"name":"toll_the_bell","inputSchema":{"type":"object"}}`)
	return &switchable{first: first, second: second, control: &holds{}}
}

func (s *switchable) options(here string) ui.Options {
	o := ui.Options{Settle: -1, Start: script.Start, Timeout: time.Minute, Switching: &ui.Switching{
		Servers: func() []picker.Entry { return choices }, Here: here,
		Switch: func(_ context.Context, id string) (ui.Options, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.chosen = append(s.chosen, id)
			if s.fails != nil {
				return ui.Options{}, s.fails
			}
			s.first.Log.Close() // as the end of a connection does
			o := s.options(id)
			o.Log, o.Control, o.Note = s.second.Log, s.control, "welcome to "+id
			return o, nil
		},
	}}
	if here != "" {
		o.Log, o.Control = s.first.Log, deaf{}
	}
	return o
}

func (s *switchable) choices() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.chosen...)
}

func TestTheListOfServers(t *testing.T) {
	for _, size := range []struct{ columns, rows int }{{80, 24}, {40, 12}} {
		t.Run(fmt.Sprintf("%dx%d", size.columns, size.rows), func(t *testing.T) {
			sw := newSwitchable(ready(trace.Modern))
			sc := screentest.Start(t, ui.New(sw.options("demo")), size.columns, size.rows)
			sc.WaitFor("book_table")
			sc.Type("S")
			sc.WaitFor("● demo", ">   town", "Enter connect")
			sc.Golden("list")
			sc.Type(screentest.Down, screentest.Down)
			sc.WaitFor("> ✖")
			sc.Golden("broken")
			sc.Type("cursor")
			sc.WaitForGone("● demo")
			sc.WaitFor("> cursor", "disabled")
			sc.Golden("filtered")
		})
	}
}

func TestServersAreSwitchedWithoutLeaving(t *testing.T) {
	sw := newSwitchable(ready(trace.Modern))
	sc := screentest.Start(t, ui.New(sw.options("demo")), 80, 24)
	sc.WaitFor("book_table", "modern")
	sc.Type("S")
	sc.WaitFor(">   town")
	sc.Type("S") // types: it is not a key here
	sc.WaitFor("> S")
	sc.Type("\x7f", screentest.Enter)
	sc.WaitFor("toll_the_bell", "legacy", "welcome to town")
	require.Equal(t, []string{"town"}, sw.choices())
	sw.second.List("prompts/list", "prompts", `{"name":"peal"}`) // the new log is read
	sc.WaitFor("peal")
	require.NotContains(t, sc.Text(), "book_table")
	sc.Type("S")
	sc.WaitFor("● town")
	sc.Type(screentest.Esc)
	sc.WaitForGone("Switch to")
	require.False(t, sw.control.held())
}

func TestASwitchAsksOnceWhereSomethingWouldBeLost(t *testing.T) {
	s := ready(trace.Modern)
	s.Book(1)
	sw := newSwitchable(s)
	sc := screentest.Start(t, ui.New(sw.options("demo")), 80, 24)
	sc.WaitFor("you: ")
	sc.Type(screentest.Enter)
	sc.WaitFor("How many seats")
	sc.Type("4")
	sc.WaitFor(`"seats":4`)
	sc.Type(screentest.Esc)
	sc.WaitFor("set aside")
	sc.Type("S")
	sc.WaitFor(">   town")
	sc.Type(screentest.Enter)
	sc.WaitFor("was begun. Switch all the same?", "is dropped")
	sc.Type("n")
	sc.WaitForGone("Sure?")
	require.Empty(t, sw.choices())
	sc.Type("S")
	sc.WaitFor(">   town")
	sc.Type(screentest.Enter)
	sc.WaitFor("Switch all the same?")
	sc.Type("y")
	sc.WaitFor("toll_the_bell")
}

func TestHoldingGoesOnAfterASwitch(t *testing.T) {
	s := ready(trace.Modern)
	s.Act(trace.Act{Kind: trace.ActHold})
	sw := newSwitchable(s)
	sc := screentest.Start(t, ui.New(sw.options("demo")), 80, 24)
	sc.WaitFor("in-process", " held") // at the end of the first line
	sc.Type("S")
	sc.WaitFor(">   town")
	sc.Type(screentest.Enter)
	sc.WaitFor("toll_the_bell")
	require.Eventually(t, sw.control.held, screentest.Patience, time.Millisecond)
}

// slow is a controller whose Restart ends when the test says so.
type slow struct {
	deaf
	begun, end chan struct{}
}

func (s slow) Restart() error { close(s.begun); <-s.end; return nil }

// TestWhatTheOldConnectionStillSaysReachesNobody ends an act on a connection
// after another one has taken its place.
func TestWhatTheOldConnectionStillSaysReachesNobody(t *testing.T) {
	sw := newSwitchable(ready(trace.Modern))
	o := sw.options("demo")
	k := slow{begun: make(chan struct{}), end: make(chan struct{})}
	o.Control = k
	sc := screentest.Start(t, ui.New(o), 80, 24)
	sc.WaitFor("book_table")
	sc.Type("R")
	<-k.begun
	sc.Type("S")
	sc.WaitFor(">   town")
	sc.Type(screentest.Enter)
	sc.WaitFor("welcome to town")
	close(k.end)
	sw.second.List("prompts/list", "prompts", `{"name":"peal"}`)
	sc.WaitFor("peal", "welcome to town") // and not that it connects anew
	sc.Type("i")
	sc.WaitFor("retries are held") // the acts of the new one do not wait for the old one's
	require.True(t, sw.control.held())
}

// TestNothingIsDoneWhileServersAreSwitched types while an old connection takes its
// time to end; only quitting means something then, and ends the switch.
func TestNothingIsDoneWhileServersAreSwitched(t *testing.T) {
	sw := newSwitchable(ready(trace.Modern))
	o := sw.options("demo")
	ended := make(chan struct{})
	o.Switching.Switch = func(ctx context.Context, _ string) (ui.Options, error) {
		defer close(ended)
		<-ctx.Done()
		return ui.Options{}, ctx.Err()
	}
	sc := screentest.Start(t, ui.New(o), 80, 24)
	sc.WaitFor("book_table")
	sc.Type("S")
	sc.WaitFor(">   town")
	sc.Type(screentest.Enter)
	sc.WaitFor("● switching to town")
	sc.Type("zz", screentest.Esc, screentest.Enter)
	sc.Paste("zz")
	sc.Click(10, 5)
	sc.Resize(90, 24) // comes after them
	sc.WaitFor("● switching to town", ">   town", strings.Repeat("━", 88))
	require.NotContains(t, sc.Text(), "zz")
	sc.Type("\x03")
	sc.WaitEnd()
	<-ended
}

func TestAServerIsChosenByMouse(t *testing.T) {
	sw := newSwitchable(ready(trace.Modern))
	sc := screentest.Start(t, ui.New(sw.options("demo")), 80, 24)
	sc.WaitFor("book_table")
	sc.Type(":", "switch to another")
	sc.WaitFor("> switch to another", "> S  ")
	sc.Type(screentest.Enter)
	sc.WaitFor(">   town")
	sc.ClickOn("far␛[31m  ")
	sc.WaitFor(">   far", "far␛[31m (disabled") // selected, and its details
	require.Empty(t, sw.choices())
	sc.ClickOn("far␛[31m  ")
	sc.WaitFor("toll_the_bell")
	require.Equal(t, []string{"far"}, sw.choices())
}

func TestWhatCannotBeSwitchedToIsSaid(t *testing.T) {
	sw := newSwitchable(ready(trace.Modern))
	sw.fails = errors.New("/home/ada/project/.mcp.json: server \"town\": env KEY: ${NOT_SET_ANYWHERE} is not set in the environment")
	sc := screentest.Start(t, ui.New(sw.options("demo")), 80, 24)
	sc.WaitFor("book_table")
	sc.Type("S")
	sc.WaitFor(">   town")
	sc.Type(screentest.Enter)
	sc.WaitFor("✖ /home/ada/project/.mcp.json", "${NOT_SET_ANYWHERE}", "not set in the environment")
	sc.Type("VS", screentest.Enter) // a file that cannot be read
	sc.WaitFor("✖ VS Code: line 3, column 7")
	sc.Type("\x7f", "\x7f", "demo", screentest.Enter)
	sc.WaitFor("this is the server that is connected; R connects anew")
	require.Equal(t, []string{"town"}, sw.choices())
	sc.Type(screentest.Esc)
	sc.WaitForGone("Switch to")
	sc.WaitFor("book_table", "[2 Catalogue]")
}

func TestWithoutAServerTheListIsTheScreen(t *testing.T) {
	sw := newSwitchable(script.New())
	sc := screentest.Start(t, ui.New(sw.options("")), 80, 24)
	sc.WaitFor("Connect to", "Esc quit", ">   demo")
	sc.Golden("start")
	sc.Type("town", screentest.Enter)
	sc.WaitFor("toll_the_bell")

	sc = screentest.Start(t, ui.New(newSwitchable(script.New()).options("")), 80, 24)
	sc.WaitFor("Connect to")
	sc.Type(screentest.Esc)
	sc.WaitEnd()
}

func TestWhereThereIsOneServerNoneIsSwitchedTo(t *testing.T) {
	sc := start(t, ready(trace.Modern), 80, 24)
	sc.WaitFor("book_table")
	sc.Type("S")
	sc.WaitFor("the server cannot be switched here")
}
