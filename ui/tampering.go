package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/session"
	"mcptui/ui/draw"
	"mcptui/ui/palette"
	"mcptui/ui/tamper"
	"mcptui/ui/text"
)

// damage is a round that was sent damaged.
type damage struct {
	call, round int
	preset      tamper.Preset
	told        bool
}

// offerTampers lists the presets; the chosen one changes the draft, which can
// be looked at and undone before it leaves.
func (m *Model) offerTampers(h *heldDraft) {
	var rows []palette.Row
	for _, p := range tamper.Presets {
		rows = append(rows, palette.Row{Name: p.Name, Key: string(p.Level)})
	}
	m.overlay = &chooser{list: palette.New("Tamper", rows), pick: func(m *Model, i int) tea.Cmd {
		m.tamper(h, tamper.Presets[i])
		return nil
	}}
}

func (m *Model) tamper(h *heldDraft, p tamper.Preset) {
	c := m.sess.Call(h.draft.Call)
	raw, _, err := h.doc.Value()
	if err != nil || c == nil {
		m.say("the retry is not JSON as it stands")
		return
	}
	d, err := h.edited(raw)
	if err != nil {
		m.fail(err)
		return
	}
	changed, err := p.Apply(tamper.With{Session: m.sess, Call: c, Draft: d, Keys: m.opts.Keys})
	if err != nil {
		m.fail(err)
		return
	}
	h.set(changed)
	h.draft.Twice = changed.Twice
	h.preset = &p
	m.focus = paneNow
	m.say(fmt.Sprintf("%s: %s %s", p.Name, p.Level, p.Says))
}

// judge tells what came of damaged rounds, once each.
func (m *Model) judge() {
	for i := range m.damaged {
		d := &m.damaged[i]
		c := m.sess.Call(d.call)
		if d.told || c == nil || c.Round(d.round) == nil {
			continue
		}
		if came, ok := tamper.Read(m.sess, c, c.Round(d.round)); ok {
			d.told = true
			m.say(fmt.Sprintf("%s: %s (%s)", d.preset.Judge(came), d.preset.Name, d.preset.Level))
		}
	}
}

// damageLines says what came of the damaged rounds of a call.
func (m *Model) damageLines(c *session.Call, t *draw.Theme) []draw.Line {
	var out []draw.Line
	for _, d := range m.damaged {
		r := c.Round(d.round)
		if d.call != c.ID || r == nil {
			continue
		}
		outcome := tamper.Waiting
		if came, ok := tamper.Read(m.sess, c, r); ok {
			outcome = d.preset.Judge(came)
		}
		mark, st := "● ", t.Note
		switch outcome {
		case tamper.Kept:
			mark, st = "✓ ", t.Good
		case tamper.Broken:
			mark, st = "✖ ", t.Bad
		}
		out = append(out, draw.L(st, mark+string(outcome)).With(t.Bold, fmt.Sprintf("  round %d: %s", d.round, d.preset.Name)),
			draw.L(t.Text, text.CleanLine("the specification "+d.preset.Says)), draw.L(t.Faint, tamper.Section), draw.Line{})
	}
	return out
}
