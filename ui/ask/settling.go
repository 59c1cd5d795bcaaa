package ask

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"mcptui/ui/keys"
)

// guard keeps what was typed before a person can have seen what it would be
// taken for: the second of two presses must not answer the next question. It
// ends with the first key after a pause, so that neither a key that repeats nor
// a word that is half typed gets through.
type guard struct {
	clock func() time.Duration // nil guards nothing
	pause time.Duration
	since time.Duration // when it began, or when a key was kept last
	on    bool
	seen  bool   // it began once: the panel was opened before
	what  string // what has just come into sight
	kept  string // what is said of the keys that were kept, "" where none was
	told  bool
}

// What a panel says while it takes no keys yet.
const (
	JustOpened = "just opened" // at its title
	JustShown  = "just shown"  // there, where something speaks against what was to be sent
)

// Watch gives the panel the time, and the pause without keys after which it
// takes them.
func (p *Panel) Watch(clock func() time.Duration, pause time.Duration) {
	p.guard.clock, p.guard.pause = clock, pause
}

// Opened says that the panel has just come into sight.
func (p *Panel) Opened() { p.guard.begin(JustOpened) }

// Seen reports whether the panel was opened before.
func (p *Panel) Seen() bool { return p.guard.seen }

// Settling returns for how long the panel still takes no keys, 0 where it does.
func (p *Panel) Settling() time.Duration {
	g := &p.guard
	if !g.on {
		return 0
	}
	return max(0, g.since+g.pause-g.clock())
}

// Swallowed says once that keys were not taken, "" where all were.
func (p *Panel) Swallowed() string {
	if p.guard.told {
		return ""
	}
	p.guard.told = true
	return p.guard.kept
}

func (g *guard) begin(what string) {
	if g.clock == nil {
		return
	}
	g.on, g.what, g.since, g.kept = true, what, g.clock(), ""
	g.seen = g.seen || what == JustOpened
}

// keeps reports whether what was typed came too early.
func (g *guard) keeps() bool {
	if !g.on {
		return false
	}
	now := g.clock()
	if now-g.since >= g.pause {
		g.on, g.kept = false, ""
		return false
	}
	g.since, g.kept, g.told = now, g.what+": press again", false
	return true
}

// looksOnly reports whether an intent changes and sends nothing.
func looksOnly(i keys.Intent) bool {
	switch i {
	case keys.Later, keys.Escape, keys.NextField, keys.PrevField, keys.HeadUp, keys.HeadDown, keys.Help:
		return true
	}
	return false
}

// scrolls reports whether a key moves what is in sight, and nothing else.
func scrolls(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "pgup", "pgdown":
		return true
	}
	return false
}
