package form

import (
	"fmt"
	"os"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"mcptui/client/schema"
	"mcptui/ui/draw"
	"mcptui/ui/internal/screentest"
	"mcptui/ui/text"
)

// host is a program that is nothing but a form. What comes of the form is
// shown, since a test reads the screen and not the program.
type host struct {
	form    *Form
	w, h    int
	outcome string
}

func (m *host) Init() tea.Cmd { return nil }

func (m *host) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		return m, nil
	case completed:
		m.form.SetCompletions(msg.name, msg.value, msg.values, msg.err)
		return m, nil
	case outside:
		m.form.SetText(string(msg))
		return m, nil
	}
	out, cmd := m.form.Handle(msg)
	switch out.Act {
	case Send:
		m.outcome = fmt.Sprintf("SENT %s", out.Value)
		if n := len(out.Problems); n > 0 {
			m.outcome += fmt.Sprintf(" with %d problems", n)
		}
	case Decline:
		m.outcome = "DECLINED"
	case Cancel:
		m.outcome = "CANCELLED"
	case Later:
		m.outcome = "LATER"
	case Outside:
		m.outcome = "OUTSIDE " + out.Text
	}
	return m, cmd
}

func (m *host) View() tea.View {
	s := draw.NewScreen(m.w, m.h, nil, text.Wc)
	if m.outcome != "" {
		row := ""
		for y, rest := 0, text.CleanLine(m.outcome); rest != ""; y++ {
			row, rest = s.Width.Cut(rest, m.w)
			s.Text(draw.Row(s.Bounds(), y), draw.Style{}, row)
		}
		return s.View()
	}
	m.form.Draw(s, s.Bounds())
	return s.View()
}

type (
	completed struct {
		name, value string
		values      []string
		err         error
	}
	outside string
)

func ask() []Button {
	return []Button{{Send, "Send"}, {Decline, "Decline"}, {Cancel, "Cancel"}, {Later, "Later"}}
}

// open runs a form for a schema on a screen.
func open(t *testing.T, schemaJSON string, w, h int, o Options) *screentest.Screen {
	t.Helper()
	return screentest.Start(t, &host{form: New(schema.Parse([]byte(schemaJSON)), o)}, w, h)
}

func asked(t *testing.T, schemaJSON string, w, h int) *screentest.Screen {
	return open(t, schemaJSON, w, h, Options{Title: "demo asks", Message: "Please fill this in.", Buttons: ask(), Ask: true})
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(raw)
}
