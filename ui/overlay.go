package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/ui/ask"
	"mcptui/ui/draw"
	"mcptui/ui/keys"
	"mcptui/ui/palette"
)

// overlay lies on top of the screen and has the keyboard.
type overlay interface {
	draw(m *Model, s *draw.Screen, area draw.Rect)
	key(m *Model, k tea.KeyPressMsg) tea.Cmd
	click(m *Model, x, y int) tea.Cmd
	wheel(n int)
	paste(m *Model, s string)
}

// hinted is an overlay with keys for the footer. What has buttons needs none.
type hinted interface{ hints() []keys.Hint }

// confirm asks before something that cannot be undone.
type confirm struct {
	text  string
	yes   func(*Model) tea.Cmd
	save  func(*Model) tea.Cmd // saves the log and does it then; nil where there is nothing to save
	zones draw.Zones
	at    int  // of its buttons, the one that has the focus
	quits bool // the question is whether to quit: the key that led here means it
}

// What the buttons of a confirm say.
const (
	sayYes = iota
	saySave
	sayNo
)

func (c *confirm) buttons() []draw.Button {
	if !c.quits {
		return []draw.Button{{ID: sayYes, Label: "Yes", Key: "y"}, {ID: sayNo, Label: "No", Key: "Esc"}}
	}
	out := []draw.Button{{ID: sayYes, Label: "Quit", Key: "y"}, {ID: sayNo, Label: "Stay", Key: "Esc"}}
	if c.save != nil {
		out = slices.Insert(out, 1, draw.Button{ID: saySave, Label: "Save and quit", Key: keys.Of(keys.Record)})
	}
	return out
}

// focus puts the focus on one of its buttons.
func (c *confirm) focus(what int) {
	c.at = slices.IndexFunc(c.buttons(), func(b draw.Button) bool { return b.ID == what })
}

func (c *confirm) draw(m *Model, s *draw.Screen, area draw.Rect) {
	columns := min(60, area.Dx())
	buttons := c.buttons()
	buttons[c.at].Hot = true
	foot := s.ButtonRows(columns-4, buttons)
	rows, _ := s.Width.Wrap(c.text, max(1, columns-4), 5)
	box := draw.Center(area, columns, min(max(6, len(rows)+foot+2), area.Dy()))
	s.Clear(box)
	pane := draw.Pane{Title: "Sure?", Focus: true}
	inner := draw.Inset(pane.Inner(box), 1, 0)
	body, bottom := draw.CutBottom(inner, foot)
	s.Wrapped(body, s.Theme.Text, c.text)
	c.zones.Reset()
	s.Buttons(bottom, &c.zones, buttons)
	pane.Right, pane.Foot = m.justOpened()
	pane.Draw(s, box)
}

// decides reports whether a key answers; Ctrl+C is not asked about.
func (c *confirm) decides(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "y", "Y", "enter", "space":
		return true
	case "q":
		return c.quits
	case keys.Of(keys.Record):
		return c.save != nil
	}
	return false
}

func (c *confirm) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	buttons := c.buttons()
	n := len(buttons)
	switch k.String() {
	case "y", "Y":
		return c.say(m, sayYes)
	case "enter", "space":
		return c.say(m, buttons[c.at].ID.(int))
	case "right", "tab":
		c.at = (c.at + 1) % n
	case "left", "shift+tab":
		c.at = (c.at + n - 1) % n
	case "q":
		if c.quits {
			return c.say(m, sayYes)
		}
		return c.say(m, sayNo)
	case keys.Of(keys.Record):
		if c.save != nil {
			return c.say(m, saySave)
		}
	case "n", "N", "esc":
		return c.say(m, sayNo)
	}
	return nil
}

// say does what was chosen.
func (c *confirm) say(m *Model, what int) tea.Cmd {
	m.overlay = nil
	switch what {
	case sayYes:
		return c.yes(m)
	case saySave:
		return c.save(m)
	}
	return nil
}

func (c *confirm) click(m *Model, x, y int) tea.Cmd {
	if what, ok := c.zones.Hit(x, y).(int); ok {
		return c.say(m, what)
	}
	return nil
}

func (c *confirm) wheel(int)            {}
func (c *confirm) paste(*Model, string) {}

// askOnce asks before a call's effects happen again, once a call, and not at
// all where its tool says that it only reads.
func (m *Model) askOnce(text string, c *session.Call, then func() tea.Cmd) tea.Cmd {
	if m.unreachable() {
		return nil
	}
	if m.again[c.ID] || m.readsOnly(c) {
		return then()
	}
	m.overlay = &confirm{text: text, yes: func(m *Model) tea.Cmd {
		if m.again == nil {
			m.again = map[int]bool{}
		}
		m.again[c.ID] = true
		return then()
	}}
	return nil
}

func (m *Model) readsOnly(c *session.Call) bool {
	if c.Method != "tools/call" {
		return true
	}
	it, ok := m.sess.Catalogue.Tools.Item(c.Name)
	return ok && string(rpc.Member(it.Raw, "annotations", "readOnlyHint")) == "true"
}

// chooser is a list of which one is chosen: the palette, or the help.
type chooser struct {
	list palette.List
	pick func(m *Model, i int) tea.Cmd // nil where choosing only closes
}

func (c *chooser) draw(_ *Model, s *draw.Screen, area draw.Rect) {
	c.list.Draw(s, draw.Center(area, min(76, area.Dx()), min(28, area.Dy())))
}

func (c *chooser) hints() []keys.Hint {
	out := []keys.Hint{{Key: "↑ ↓", Short: "select"}, {Key: keys.Of(keys.Escape), Short: "close"}}
	if c.pick != nil {
		out = append([]keys.Hint{{Key: keys.Of(keys.Open), Short: "choose"}}, out...)
	}
	return append(out, keys.Hint{Key: "letters", Short: "filter"})
}

func (c *chooser) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	switch c.list.Key(k) {
	case palette.Closed:
		m.overlay = nil
	case palette.Chosen:
		return c.choose(m)
	}
	return nil
}

func (c *chooser) choose(m *Model) tea.Cmd {
	i, ok := c.list.Selected()
	m.overlay = nil
	if !ok || c.pick == nil {
		return nil
	}
	return c.pick(m, i)
}

func (c *chooser) click(m *Model, x, y int) tea.Cmd {
	if c.list.Click(x, y) {
		return c.choose(m)
	}
	return nil
}

func (c *chooser) wheel(n int)              { c.list.Wheel(n) }
func (c *chooser) paste(_ *Model, s string) { c.list.Paste(s) }

// newHelp lists what applies where the person is; p has the keyboard, if any.
func newHelp(in keys.Scope, p *ask.Panel) *chooser {
	var rows []palette.Row
	for _, b := range keys.For(in) {
		if p != nil && !p.Takes(b.Intent) {
			continue
		}
		rows = append(rows, palette.Row{Name: b.Help, Key: b.Names()})
	}
	return &chooser{list: palette.New("What applies here", rows)}
}

// newPalette lists every act by name: what the keys do here, and the tools.
func newPalette(m *Model) *chooser {
	in := m.scope()
	var rows []palette.Row
	var acts []func(*Model) tea.Cmd
	for _, b := range keys.For(in) {
		switch b.Intent {
		case keys.Up, keys.Down, keys.PageUp, keys.PageDown, keys.Left, keys.Right, keys.TabNumber, keys.Palette:
			continue
		}
		rows = append(rows, palette.Row{Name: b.Help, Key: keys.Name(b.Keys[0])})
		acts = append(acts, func(m *Model) tea.Cmd { return m.intent(b.Intent) })
	}
	for i, name := range tabNames {
		rows = append(rows, palette.Row{Name: "go to " + name})
		acts = append(acts, func(m *Model) tea.Cmd { m.place, m.tab, m.focus = atHome, tab(i), paneList; return nil })
	}
	rows, acts = m.changeActs(rows, acts)
	if m.opts.Control != nil {
		rows, acts = m.connectionActs(m.resendActs(m.fillingActs(rows, acts)))
	}
	return &chooser{list: palette.New("Do", rows), pick: func(m *Model, i int) tea.Cmd { return acts[i](m) }}
}

// intent does what a key would do.
func (m *Model) intent(i keys.Intent) tea.Cmd {
	switch i {
	case keys.Quit:
		return m.quit()
	case keys.Redraw:
		return tea.ClearScreen
	case keys.Suspend:
		return m.suspend()
	case keys.Help:
		p, _ := m.typing()
		m.overlay = newHelp(m.scope(), p)
		return nil
	}
	return m.browse(i, tea.KeyPressMsg{})
}
