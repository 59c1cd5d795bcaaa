package ui

import (
	tea "charm.land/bubbletea/v2"

	"mcptui/client/rpc"
	"mcptui/client/session"
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
	zones draw.Zones
	no    bool // the button that has the focus
	quits bool // the question is whether to quit: the key that led here means it
}

func (c *confirm) draw(_ *Model, s *draw.Screen, area draw.Rect) {
	box := draw.Center(area, min(60, area.Dx()), 6)
	s.Clear(box)
	pane := draw.Pane{Title: "Sure?", Focus: true}
	inner := draw.Inset(pane.Inner(box), 1, 0)
	body, foot := draw.CutBottom(inner, 1)
	s.Wrapped(body, s.Theme.Text, c.text)
	c.zones.Reset()
	s.Buttons(foot, &c.zones, []draw.Button{{ID: true, Label: "Yes", Key: "y", Hot: !c.no}, {ID: false, Label: "No", Key: "Esc", Hot: c.no}})
	pane.Draw(s, box)
}

func (c *confirm) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "y", "Y":
		m.overlay = nil
		return c.yes(m)
	case "enter", "space":
		m.overlay = nil
		if !c.no {
			return c.yes(m)
		}
	case "left", "right", "tab", "shift+tab":
		c.no = !c.no
	case "q":
		m.overlay = nil
		if c.quits {
			return c.yes(m)
		}
	case "n", "N", "esc":
		m.overlay = nil
	}
	return nil
}

func (c *confirm) click(m *Model, x, y int) tea.Cmd {
	yes, ok := c.zones.Hit(x, y).(bool)
	if !ok {
		return nil
	}
	m.overlay = nil
	if yes {
		return c.yes(m)
	}
	return nil
}

func (c *confirm) wheel(int)            {}
func (c *confirm) paste(*Model, string) {}

// askOnce asks before a call's effects happen again, once a call, and not at
// all where its tool says that it only reads.
func (m *Model) askOnce(text string, c *session.Call, then func() tea.Cmd) tea.Cmd {
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

// newHelp lists what applies where the person is.
func newHelp(in keys.Scope) *chooser {
	var rows []palette.Row
	for _, b := range keys.For(in) {
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
		m.overlay = newHelp(m.scope())
		return nil
	}
	return m.browse(i, tea.KeyPressMsg{})
}
