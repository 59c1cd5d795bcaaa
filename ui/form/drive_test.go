package form

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/schema"
	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// drive fills in a form without a program round it. After each key a frame is
// drawn, as in a program.
type drive struct {
	t    *testing.T
	f    *Form
	w, h int
	last Outcome
	cmd  tea.Cmd
	shot string // the frame after the last message
}

func begin(t *testing.T, schemaJSON string, o ...Options) *drive {
	t.Helper()
	opt := Options{Buttons: ask(), Ask: true}
	if len(o) > 0 {
		opt = o[0]
	}
	d := &drive{t: t, f: New(schema.Parse([]byte(schemaJSON)), opt), w: 80, h: 24}
	d.screen()
	return d
}

// keys presses keys by name; what is no name of a key is typed.
func (d *drive) keys(names ...string) *drive {
	for _, n := range names {
		if p := press(n); p.Text == "" || n == "space" {
			d.handle(p)
			continue
		}
		for _, r := range n {
			d.handle(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
	return d
}

func (d *drive) handle(msg tea.Msg) {
	d.last, d.cmd = d.f.Handle(msg)
	d.shot = d.screen()
}

func (d *drive) paste(s string) *drive { d.handle(tea.PasteMsg{Content: s}); return d }

func (d *drive) click(on string) *drive {
	d.t.Helper()
	for y, line := range strings.Split(d.screen(), "\n") {
		if i := strings.Index(line, on); i >= 0 {
			d.handle(tea.MouseClickMsg{X: text.Wc.Of(line[:i]), Y: y, Button: tea.MouseLeft})
			return d
		}
	}
	d.t.Fatalf("%q is not on the screen:\n%s", on, d.screen())
	return d
}

func (d *drive) screen() string {
	s := draw.NewScreen(d.w, d.h, nil, text.Wc)
	d.f.Draw(s, s.Bounds())
	return s.Plain()
}

func (d *drive) sends(want string) *drive {
	d.t.Helper()
	raw, _ := d.f.Value()
	require.Equal(d.t, want, string(raw), d.screen())
	return d
}

func (d *drive) sees(subs ...string) *drive {
	d.t.Helper()
	for _, sub := range subs {
		require.Contains(d.t, d.screen(), sub)
	}
	return d
}

func (d *drive) seesNot(subs ...string) *drive {
	d.t.Helper()
	for _, sub := range subs {
		require.NotContains(d.t, d.screen(), sub)
	}
	return d
}

// text is the value of a member, where that is a string.
func (d *drive) text(name string) string {
	d.t.Helper()
	raw, _ := d.f.Value()
	v, ok := rpc.String(rpc.Member(raw, name))
	require.True(d.t, ok, "%s", raw)
	return v
}
