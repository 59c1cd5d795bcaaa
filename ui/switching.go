package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/control"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/keys"
	"mcptui/ui/palette"
	"mcptui/ui/picker"
	"mcptui/ui/text"
)

// Switching lets the person go from one server to another without leaving.
type Switching struct {
	// Servers lists what there is to switch to. It may read files; it starts
	// and dials nothing.
	Servers func() []picker.Entry
	// Switch ends the connection that is there and begins one to the entry with
	// this ID. It waits for the one to end before the other begins. Whatever can
	// be told beforehand to fail does so while the old connection is still there.
	Switch func(ctx context.Context, id string) (Options, error)
	// Here is the ID of the entry that is connected; "" for none, and then the
	// UI opens on the list.
	Here string
}

// errNoSwitch is told where there is one server only.
var errNoSwitch = errors.New("the server cannot be switched here: with --watch it is the one that is watched")

// switching is a switch that is under way.
type switching struct {
	list *serverList
	name string
	file string // where the session that is left was saved, "" for nowhere
}

// switchedMsg brings the connection that was switched to.
type switchedMsg struct {
	opts Options
	err  error
}

// fromMsg is a message of a command's, with the model that it is meant for: one
// that is still under way when the server is switched must not reach the model
// of another connection.
type fromMsg struct {
	of  *Model
	msg tea.Msg
}

// own marks what a command brings as meant for this model.
func (m *Model) own(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			for i := range msg {
				msg[i] = m.own(msg[i])
			}
			return msg
		case feedMsg, tickMsg, bodyMsg, doneMsg, switchedMsg, settledMsg:
			return fromMsg{m, msg}
		default: // what is Bubble Tea's own
			return msg
		}
	}
}

// unconnected reports whether no server was chosen yet.
func (m *Model) unconnected() bool { return m.opts.Switching != nil && m.opts.Switching.Here == "" }

// serverList is the overlay in which a server is chosen.
type serverList struct{ view picker.View }

// switchServer opens the list of servers. What has to be read for it is read
// meanwhile.
func (m *Model) switchServer() tea.Cmd {
	sw := m.opts.Switching
	if sw == nil {
		m.fail(errNoSwitch)
		return nil
	}
	list := &serverList{view: picker.View{Here: sw.Here}}
	m.overlay = list
	return func() tea.Msg {
		entries := sw.Servers()
		return doneMsg{aside: true, then: func(*Model) tea.Cmd { list.view.Set(entries); return nil }}
	}
}

func (l *serverList) draw(_ *Model, s *draw.Screen, area draw.Rect) {
	l.view.Draw(s, draw.Center(area, min(100, area.Dx()), min(28, area.Dy())))
}

func (l *serverList) hints() []keys.Hint {
	leave := "close"
	if l.view.Here == "" {
		leave = "quit" // nothing lies behind
	}
	return []keys.Hint{{Key: keys.Of(keys.Open), Short: "connect"}, {Key: "↑ ↓", Short: "select"},
		{Key: keys.Of(keys.Escape), Short: leave}, {Key: "letters", Short: "filter"}}
}

func (l *serverList) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	switch l.view.Key(k) {
	case palette.Closed:
		if m.unconnected() {
			return m.quit()
		}
		m.overlay = nil
	case palette.Chosen:
		return l.choose(m)
	}
	return nil
}

// choose switches; it asks once where something would be lost.
func (l *serverList) choose(m *Model) tea.Cmd {
	e, ok := l.view.Selected()
	switch {
	case !ok:
		return nil
	case e.Broken != "":
		m.fail(errors.New(text.CleanLine(e.Broken)))
		return nil
	case e.ID == l.view.Here:
		m.say("this is the server that is connected; " + keys.Of(keys.Restart) + " connects anew")
		return nil
	}
	return m.partFrom(l, func(m *Model) tea.Cmd { return m.switchTo(l, e) })
}

func (l *serverList) click(m *Model, x, y int) tea.Cmd {
	if l.view.Click(x, y) {
		return l.choose(m)
	}
	return nil
}

func (l *serverList) wheel(n int)              { l.view.Wheel(n) }
func (l *serverList) paste(_ *Model, s string) { l.view.Paste(s) }

// switchTo leaves the connection for another one. The list stays until that is
// there: it says what went wrong, and offers the others.
func (m *Model) switchTo(l *serverList, e picker.Entry) tea.Cmd {
	m.overlay, m.switching = l, &switching{list: l, name: text.CleanLine(e.Name), file: m.parted}
	ctx, sw := m.ctx, m.opts.Switching
	return func() tea.Msg {
		opts, err := sw.Switch(ctx, e.ID)
		return switchedMsg{opts, err}
	}
}

// switched is the UI on the connection that was switched to: a new one, which
// keeps of the old one what is the person's.
func (m *Model) switched(msg switchedMsg) (tea.Model, tea.Cmd) {
	if msg.err != nil {
		m.switching.list.view.Failed = msg.err.Error()
		if m.switching.file != "" {
			m.note = note{text: "saved to", file: m.switching.file}
		}
		m.switching = nil
		return m, nil
	}
	m.stop() // whatever still waits for the old log
	next := New(msg.opts)
	next.size, next.width = m.size, m.width
	if file := m.switching.file; file != "" {
		next.note = note{text: "saved to", file: file}
		if msg.opts.Note != "" {
			next.note.text = msg.opts.Note + "; the session before is saved to"
		}
	}
	cmds := []tea.Cmd{next.Init()}
	if m.sess.Conn.HoldAll {
		cmds = append(cmds, next.own(next.do(func(c control.Controller) doneMsg { return doneMsg{err: c.Hold(0, true)} })))
	}
	return next, tea.Batch(cmds...)
}

// nothing is the log of no connection.
type nothing struct{}

var errNoEvent = errors.New("no server is connected")

func (nothing) Next(ctx context.Context, _ int) ([]trace.Event, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}
func (nothing) Since(int) []trace.Event       { return nil }
func (nothing) Event(int) (trace.Event, bool) { return trace.Event{}, false }
func (nothing) Body(int) ([]byte, error)      { return nil, errNoEvent }
func (nothing) Now() time.Duration            { return 0 }
