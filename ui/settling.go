package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"mcptui/ui/ask"
	"mcptui/ui/draw"
)

// settled is how long what has just opened takes no keys, and how long none may
// come before one that answers: longer than the second of two presses, or a key
// that repeats, needs.
const settled = time.Second / 2

// insight is the ask, or the retry that stands, that the person sees.
type insight struct {
	panel   *ask.Panel    // after the last message
	over    overlay       // after the last message, where it decides something
	since   time.Duration // when that opened, or when a key for it came last
	early   string        // what of that was not taken, "" for nothing; over takes keys where it is nil
	ticking bool          // a settledMsg is on its way
	said    string        // of keys that were not taken
}

// decider is an overlay whose answer has effects.
type decider interface {
	overlay
	// decides reports whether a key answers.
	decides(tea.KeyPressMsg) bool
}

// settledMsg says that what has opened may take keys now.
type settledMsg struct{}

// settles lets what has just come into sight take no keys for a moment, however
// it came. What the person went to, and has seen before, takes them at once.
func (m *Model) settles(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(settledMsg); ok {
		m.inView.ticking = false
	}
	pause := m.pause()
	if pause < 0 || m.switching != nil || m.size.Empty() || m.unseen() {
		return nil
	}
	if m.overlay == nil {
		if p := m.inSight(); p != m.inView.panel {
			m.inView.panel = p
			if p != nil && !(p.Seen() && byHand(msg)) {
				p.Watch(m.now, pause)
				p.Opened()
			}
		}
	}
	at, _ := m.typing()
	if f, ok := m.overlay.(*requestForm); ok {
		at = f.panel
	}
	left := m.rests(pause)
	for _, p := range []*ask.Panel{at, m.inView.panel} {
		if p != nil {
			p.Watch(m.now, pause)
			left = max(left, p.Settling())
		}
	}
	if left == 0 && m.note.text == m.inView.said {
		m.note, m.inView.said = note{}, "" // they are taken now
	}
	if left == 0 || m.inView.ticking {
		return nil
	}
	m.inView.ticking = true
	return tea.Tick(left, func(time.Time) tea.Msg { return settledMsg{} })
}

// pause is how long what has just opened takes no keys, below 0 for not at all.
func (m *Model) pause() time.Duration {
	if m.opts.Settle == 0 {
		return settled
	}
	return m.opts.Settle
}

// rests returns for how long the question on top of the screen takes no answer.
func (m *Model) rests(pause time.Duration) time.Duration {
	if _, ok := m.overlay.(decider); !ok {
		m.inView.over = nil
		return 0
	}
	if m.overlay != m.inView.over {
		m.inView.over, m.inView.since, m.inView.early = m.overlay, m.now(), ""
	}
	return max(0, m.inView.since+pause-m.now())
}

// tooEarly reports whether a question on top of the screen has only just opened,
// and takes no answer yet; each that comes too early puts it off, so that no key
// that repeats answers.
func (m *Model) tooEarly(what string) bool {
	pause := m.pause()
	if pause < 0 || m.rests(pause) == 0 {
		return false
	}
	m.inView.since, m.inView.early = m.now(), ask.JustOpened+": press again what was not taken: "+what
	m.say(m.inView.early)
	m.inView.said = m.inView.early
	return true
}

// justOpened is what a question on top of the screen says while it takes no
// answer.
func (m *Model) justOpened() (mark, foot string) {
	if m.inView.over == nil || m.rests(m.pause()) == 0 {
		return "", ""
	}
	if m.inView.early != "" {
		foot = ask.JustOpened + ": press again"
	}
	return ask.JustOpened, foot
}

// swallowed says of a panel where it took no keys.
func (m *Model) swallowed(p *ask.Panel) {
	why := p.Swallowed()
	if why == "" {
		return
	}
	m.say(why)
	if !p.Lost() { // text has to be typed anew: that stays to be read
		m.inView.said = why
	}
}

// byHand reports whether a message is the person's own.
func byHand(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.MouseClickMsg:
		return true
	}
	return false
}

// inSight is the panel of the ask, or of the retry that stands, that is drawn
// next; nil where there is none.
func (m *Model) inSight() *ask.Panel {
	if m.place != atCall && m.place != atAsk || m.opts.Control == nil {
		return nil
	}
	if m.place == atCall {
		body := m.size
		body.Max.Y -= 2 // the status line and the footer
		if m.layOut(body).now == (draw.Rect{}) {
			return nil
		}
		if d := m.drafts[m.call]; d != nil {
			return d.shown()
		}
	}
	a := m.sess.Ask(m.shown)
	if a == nil || !answerable(a) || m.place == atCall && a.Owner.Call != m.call {
		return nil
	}
	return m.panel(a)
}
