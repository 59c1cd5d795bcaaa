package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/session"
	"mcptui/ui/catalogue"
	"mcptui/ui/compare"
	"mcptui/ui/draw"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// comparing is what was marked to compare with, and which comparison is due.
type comparing struct {
	mark   compare.Place
	entry  *markedEntry
	known  int           // the newest call that was looked at
	due    int           // the call whose end opens its comparison, 0 for none
	branch compare.Place // the round of a branch that has left and was not answered yet
}

// markedEntry is a marked entry of the catalogue.
type markedEntry struct {
	kind catalogue.Kind
	item session.Item
}

// markOrCompare does what m and = mean where the person is.
func (m *Model) markOrCompare(i keys.Intent) tea.Cmd {
	if m.place == atHome && m.tab == tabCatalogue {
		return m.markOrCompareEntry(i)
	}
	at, ok := m.marking()
	if !ok {
		return nil
	}
	if i == keys.Mark {
		m.setMark(at)
		return nil
	}
	c := m.sess.Call(at.Call)
	with, at := m.compareWith(c, at)
	if with == at || m.sess.Call(with.Call) == nil {
		m.say(keys.Of(keys.Mark) + " marks a call or a round; " + keys.Of(keys.Compare) + " then compares another one with it")
		return nil
	}
	return m.compare(with, at)
}

// marking is the call or the round that the selection stands for.
func (m *Model) marking() (compare.Place, bool) {
	if m.place != atCall {
		id := m.calls.Selected(m.sess)
		return compare.Place{Call: id}, m.tab == tabCalls && id != 0
	}
	c := m.openCall()
	if c == nil || m.round(c) == nil {
		return compare.Place{}, false
	}
	return compare.Place{Call: c.ID, Round: m.round(c).N}, true
}

// setMark marks a place. Marking a round again marks its whole call, and marking
// that again takes the mark away.
func (m *Model) setMark(at compare.Place) {
	mark := &m.compared.mark
	switch {
	case *mark == at && !at.Whole():
		at.Round = 0
	case mark.Whole() && mark.Call == at.Call:
		*mark = compare.Place{}
		m.say("nothing is marked any more")
		return
	}
	*mark = at
	more := ""
	if !at.Whole() {
		more = "; " + keys.Of(keys.Mark) + " again marks the whole call"
	}
	m.say(at.String() + " is marked, " + keys.Of(keys.Compare) + " compares with it" + more)
}

// compareWith says what the selection is compared with: the mark, as far as it
// goes; else the call that this one runs again; else the round before. A marked
// round is compared with a round, a marked call with a call.
func (m *Model) compareWith(c *session.Call, at compare.Place) (with, what compare.Place) {
	mark := m.compared.mark
	switch {
	case mark.Call != 0 && mark.Whole() && mark.Call != at.Call:
		return mark, compare.Place{Call: at.Call}
	case mark.Call != 0 && !mark.Whole() && mark != at:
		if at.Whole() {
			at.Round = min(mark.Round, len(c.Rounds))
		}
		return mark, at
	case c.Again != 0:
		return compare.Place{Call: c.Again}, compare.Place{Call: at.Call}
	case !at.Whole() && branchedFrom(c, at.Round) != 0:
		return compare.Place{Call: at.Call, Round: branchedFrom(c, at.Round)}, at
	case !at.Whole() && c.Round(at.Round).Parent != 0:
		return compare.Place{Call: at.Call, Round: c.Round(at.Round).Parent}, at
	}
	return at, at
}

// branchedFrom returns the round that carried the answers which this one gave
// another way: what a branch is compared with; 0 where it is none.
func branchedFrom(c *session.Call, n int) int {
	r := c.Round(n)
	if r == nil || r.Parent == 0 {
		return 0
	}
	for _, other := range c.Rounds {
		if other.Parent == r.Parent && other.N < n {
			return other.N
		}
	}
	return 0
}

func (m *Model) markOrCompareEntry(i keys.Intent) tea.Cmd {
	kind, it, _, ok := m.catalogue.Selected(m.sess)
	if !ok {
		return nil
	}
	marked := m.compared.entry
	if i == keys.Mark {
		m.compared.entry = &markedEntry{kind, it}
		m.say(text.CleanLine(it.Key()) + " is marked, " + keys.Of(keys.Compare) + " compares with it")
		return nil
	}
	if marked == nil {
		m.say(keys.Of(keys.Mark) + " marks an entry; " + keys.Of(keys.Compare) + " then compares another one with it")
		return nil
	}
	m.overlay = &comparison{view: compare.NewView(text.CleanLine(marked.item.Key()), text.CleanLine(it.Key()),
		compare.JSON("entry", marked.item.Raw, it.Raw))}
	return nil
}

// compare shows how b differs from a. Bodies are read on the way.
func (m *Model) compare(a, b compare.Place) tea.Cmd {
	x, ok := compare.Gather(m.sess, a)
	y, ok2 := compare.Gather(m.sess, b)
	if !ok || !ok2 {
		m.say("what was marked is not there any more")
		return nil
	}
	log, stateKeys := m.opts.Log, m.opts.Keys
	return m.run(func() doneMsg {
		rows := compare.Diff(x, y, log, stateKeys...)
		return doneMsg{then: func(m *Model) tea.Cmd {
			before := m.named(a)
			if a.Call == b.Call && !a.Whole() && !b.Whole() {
				before = fmt.Sprintf("round %d", a.Round) // of the same call
			}
			m.overlay = &comparison{view: compare.NewView(before, m.named(b), rows)}
			return nil
		}}
	})
}

// named words a place with the name of what is called.
func (m *Model) named(p compare.Place) string {
	c := m.sess.Call(p.Call)
	if c == nil {
		return p.String()
	}
	return fmt.Sprintf("%s %s", p, calledName(c))
}

// rerunBegan notices calls that run another one again, whoever began them: a file
// that changed does.
func (m *Model) rerunBegan() {
	n := len(m.sess.Calls)
	if n == 0 || m.sess.Calls[n-1].ID <= m.compared.known {
		return
	}
	c := m.sess.Calls[n-1]
	m.compared.known = c.ID
	if c.Again != 0 && m.opts.Control != nil {
		m.compared.due = c.ID
	}
}

// rerunEnded opens the comparison of a call with the one that it ran again, once
// it has ended. Where the person is elsewhere by then, or types, it only says so.
func (m *Model) rerunEnded() tea.Cmd {
	c := m.sess.Call(m.compared.due)
	if c == nil || !c.Status.Final() {
		return nil
	}
	of := c.Again
	m.compared.due = 0
	open := m.openCall()
	_, compares := m.overlay.(*comparison)
	if p, _ := m.typing(); p == nil && m.place == atCall && open != nil && (open.ID == of || open.Again == of) && (m.overlay == nil || compares) && m.entry == nil {
		m.overlay = nil
		m.enterCall(c.ID) // who looks at an earlier run goes with the newest one
	}
	if p, _ := m.typing(); p != nil || m.place != atCall || m.call != c.ID || m.overlay != nil || m.entry != nil {
		m.say(fmt.Sprintf("call %d has ended: on it, %s compares it with call %d", c.ID, keys.Of(keys.Compare), of))
		return nil
	}
	return m.compare(compare.Place{Call: of}, compare.Place{Call: c.ID})
}

// branchEnded says what a branch can be compared with, once the server has
// answered its first request.
func (m *Model) branchEnded() {
	at := m.compared.branch
	c := m.sess.Call(at.Call)
	if c == nil || c.Round(at.Round) == nil || c.Round(at.Round).Response == 0 {
		return
	}
	m.compared.branch = compare.Place{}
	if with := branchedFrom(c, at.Round); with != 0 {
		m.say(fmt.Sprintf("round %d answers round %d another way: on it, %s compares it with round %d", at.Round, c.Round(at.Round).Parent, keys.Of(keys.Compare), with))
	}
}

// comparison is a comparison on top of the screen.
type comparison struct{ view *compare.View }

func (c *comparison) draw(_ *Model, s *draw.Screen, area draw.Rect) { c.view.Draw(s, area) }

func (c *comparison) hints() []keys.Hint {
	return []keys.Hint{{Key: "↑ ↓", Short: "select"}, {Key: keys.Of(keys.NextPane), Short: "before, after"}, {Key: keys.Of(keys.Copy), Short: "copy"},
		{Key: keys.Of(keys.Save), Short: "save"}, {Key: keys.Of(keys.Escape), Short: "back"}}
}

func (c *comparison) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	switch i := keys.Lookup(keys.List|keys.Panes, k); i {
	case keys.Escape, keys.Back:
		m.overlay = nil
	case keys.Copy:
		return m.clip("the comparison", []byte(c.view.Text()))
	case keys.Save:
		return m.saveAs("comparison.diff", []byte(c.view.Text()))
	default:
		c.view.Do(i)
	}
	return nil
}

func (c *comparison) click(_ *Model, x, y int) tea.Cmd { c.view.Click(x, y); return nil }
func (c *comparison) wheel(n int)                      { c.view.Wheel(n) }
func (c *comparison) paste(*Model, string)             {}

// saveAs writes bytes to a file.
func (m *Model) saveAs(hint string, body []byte) tea.Cmd {
	if m.opts.Save == nil {
		m.say("nothing can be saved here")
		return nil
	}
	return m.run(func() doneMsg {
		path, err := m.opts.Save(hint, body)
		return doneMsg{err: err, file: path}
	})
}
