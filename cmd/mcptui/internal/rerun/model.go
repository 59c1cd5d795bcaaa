package rerun

import (
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcptui/ui/text"
)

// Changed tells the model that a file has changed.
type Changed struct{ File string }

// Failed tells the model that the call could not be run again.
type Failed struct{ Err error }

// key is what consents: no letter, since the person may be writing.
const key = "ctrl+r"

// Model is the UI with the question in its last line. Asked once: who agrees
// agrees to later changes too, and who does not is not asked again about the same
// change.
type Model struct {
	tea.Model
	again  func() error // restarts the server and runs the last call again; waits
	file   string       // that changed; "" while nothing is asked
	agreed bool
	failed string
	width  int
}

// NewModel returns a model that draws and handles everything as inner does.
func NewModel(inner tea.Model, again func() error) Model { return Model{Model: inner, again: again} }

// Update implements tea.Model.
func (m Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case Changed:
		m.failed = ""
		if m.agreed {
			return m, m.run
		}
		m.file = msg.File
		return m, nil
	case Failed:
		m.failed = msg.Err.Error()
		return m, nil
	case tea.KeyPressMsg:
		if m.file != "" && msg.String() == key {
			m.file, m.agreed = "", true
			return m, m.run
		}
		m.failed = "" // read, or not
	case tea.WindowSizeMsg:
		m.width = msg.Width
	}
	inner, cmd := m.Model.Update(msg)
	m.Model = inner
	return m, cmd
}

func (m Model) run() tea.Msg {
	if err := m.again(); err != nil {
		return Failed{err}
	}
	return nil
}

// View implements tea.Model.
func (m Model) View() tea.View {
	v := m.Model.View()
	line := ""
	switch {
	case m.failed != "":
		line = "✖ not run again: " + text.CleanLine(m.failed)
	case m.file != "":
		line = "◆ " + text.CleanLine(filepath.Base(m.file)) + " changed · Ctrl+R restarts the server and runs the last call again, now and at later changes"
	default:
		return v
	}
	above, _ := cutLast(v.Content)
	v.Content = above + "\x1b[m" + ansi.Truncate(line, m.width, "…")
	return v
}

// cutLast parts a screen before its last line.
func cutLast(content string) (above, last string) {
	i := strings.LastIndexByte(content, '\n') + 1
	return content[:i], content[i:]
}
