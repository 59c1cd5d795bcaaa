package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/lint"
	"mcptui/client/session"
	"mcptui/client/state"
	"mcptui/ui/draw"
	"mcptui/ui/palette"
	"mcptui/ui/tamper"
	"mcptui/ui/text"
)

// damage is a tampered retry that was sent, and what it showed.
type damage struct {
	call     int
	rounds   []int // one, or the two that left at once
	tampered state.Tampered
	said     state.Judgement // once there is an answer
}

// offerTampers lists the presets; the chosen one changes the draft, which can
// be looked at and undone before it leaves.
func (m *Model) offerTampers(h *heldDraft) {
	var rows []palette.Row
	presets := state.Presets()
	for _, p := range presets {
		rows = append(rows, palette.Row{Name: p.Title, Key: string(p.Demand)})
	}
	m.overlay = &chooser{list: palette.New("Tamper", rows), pick: func(m *Model, i int) tea.Cmd {
		m.tamper(h, presets[i])
		return nil
	}}
}

func (m *Model) tamper(h *heldDraft, p state.Preset) {
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
	changed, t, err := tamper.Apply(p, tamper.With{
		Session: m.sess, Call: c, Draft: d, Keys: m.opts.Keys, Principal: m.opts.Principal, Now: m.wall(),
	})
	if err != nil {
		m.fail(fmt.Errorf("%s: %w", p.Title, err))
		return
	}
	h.take(changed, t)
	m.focus = paneNow
	m.say(t.Change)
}

// recall takes from the session which retries were tampered with since.
func (m *Model) recall() {
	for _, k := range m.sess.Tampers[m.recalled:] {
		m.recalled++
		t, err := state.Recall(k.Preset, k.Change, k.Basis)
		if err != nil {
			continue // a preset of another version: its act stands in the wire, a verdict cannot be given
		}
		d := damage{call: k.Call, rounds: []int{k.Round}, tampered: t}
		if t.Twice {
			d.rounds = append(d.rounds, k.Round+1)
		}
		m.damaged = append(m.damaged, d)
	}
}

// judge tells what came of tampered retries, once each. Which were tampered with,
// and how, is in the log: a recording shows the same verdicts.
func (m *Model) judge() {
	m.recall()
	for i := range m.damaged {
		d := &m.damaged[i]
		if d.said.Verdict != state.Waiting {
			continue
		}
		if d.said = d.tampered.Judge(m.outcomes(d)...); d.said.Verdict != state.Waiting {
			if d.said.Verdict == state.Broken {
				m.count(lint.Finding{Severity: severityOf(d.tampered.Preset)})
			}
			if m.opts.Control == nil {
				continue // a recording: this is no news
			}
			p := d.tampered.Preset
			m.say(fmt.Sprintf("%s: %s (%s): %s", d.said.Verdict, p.Title, p.Demand, d.said.Text))
		}
	}
}

// judged counts the verdicts.
func (m *Model) judged() (n int) {
	for _, d := range m.damaged {
		if d.said.Verdict != state.Waiting {
			n++
		}
	}
	return n
}

// outcomes are what came of a tampered retry, as far as it is here.
func (m *Model) outcomes(d *damage) []state.Outcome {
	out := make([]state.Outcome, len(d.rounds))
	c := m.sess.Call(d.call)
	for i, n := range d.rounds {
		r := c.Round(n)
		if r == nil {
			continue
		}
		out[i] = tamper.Outcome(m.sess, c, r)
		if b, ok := m.bodies.get(r.Response); ok && b.err == nil {
			out[i].Message = b.body
		} else if ok {
			out[i].Lost = b.err.Error()
		}
	}
	return out
}

// unjudged are the frames that verdicts wait for.
func (m *Model) unjudged() (seqs []int) {
	for _, d := range m.damaged {
		c := m.sess.Call(d.call)
		if d.said.Verdict != state.Waiting || c == nil {
			continue
		}
		for _, n := range d.rounds {
			if r := c.Round(n); r != nil {
				seqs = append(seqs, r.Response)
			}
		}
	}
	return seqs
}

// verdictOf words a verdict.
func verdictOf(v state.Verdict, t *draw.Theme) (string, draw.Style) {
	switch v {
	case state.Kept:
		return "✓ kept", t.Good
	case state.Broken:
		return "✖ broken", t.Bad
	case state.Waiting:
		return "● waiting", t.Note
	}
	return "● " + string(v), t.Note
}

// verdicts are what tampering with a call showed, by the rounds that the tampered
// requests began.
func (m *Model) verdicts(c *session.Call, t *draw.Theme) map[int]draw.Run {
	var out map[int]draw.Run
	for _, d := range m.damaged {
		if d.call != c.ID {
			continue
		}
		if out == nil {
			out = map[int]draw.Run{}
		}
		word, style := verdictOf(d.said.Verdict, t)
		out[d.rounds[0]] = draw.Run{Text: word, Style: style}
	}
	return out
}

// damageLines says what came of the tampered retries of a call, the newest first.
func (m *Model) damageLines(c *session.Call, t *draw.Theme) []draw.Line {
	var out []draw.Line
	for i := len(m.damaged) - 1; i >= 0; i-- {
		d := m.damaged[i]
		if d.call != c.ID {
			continue
		}
		verdict, style := verdictOf(d.said.Verdict, t)
		p := d.tampered.Preset
		out = append(out,
			draw.L(style, verdict).With(t.Bold, fmt.Sprintf("  round %d: %s", d.rounds[0], p.Title)),
			draw.L(style, text.CleanLine(d.said.Text)),
			draw.L(t.Text, text.CleanLine(d.tampered.Change)),
			draw.L(t.Text, asked(p)),
			draw.L(t.Faint, p.Section), draw.Line{})
	}
	return out
}

// broken are the findings that tampering led to: what the server did not keep.
// The lint cannot find them, as it does not know what a retry was meant to be.
func (m *Model) broken() (out []lint.Finding) {
	for _, d := range m.damaged {
		c := m.sess.Call(d.call)
		if d.said.Verdict != state.Broken || c == nil {
			continue
		}
		p := d.tampered.Preset
		title, revision, _ := strings.Cut(strings.TrimSuffix(p.Section, ")"), " (")
		f := lint.Finding{Rule: "tamper-" + p.ID, Severity: severityOf(p), Against: lint.Server, Call: d.call,
			Message: fmt.Sprintf("tampered with, %s: %s (%s)", p.Title, d.said.Text, p.Demand),
			Section: lint.Section{Revision: revision, Page: p.Page(), Title: title}}
		if r := c.Round(d.rounds[0]); r != nil {
			f.Frame = r.Response
		}
		out = append(out, f)
	}
	return out
}

// severityOf is how much it matters that a server did not keep what a preset tries.
func severityOf(p state.Preset) lint.Severity {
	if p.Demand == state.Must {
		return lint.Error
	}
	return lint.Warning
}

// asked says what the specification asks of a server that gets such a retry.
func asked(p state.Preset) string {
	if p.Demand == state.Silent {
		return "the specification is silent: " + p.Says
	}
	return "the specification, " + string(p.Demand) + ": " + p.Says
}
