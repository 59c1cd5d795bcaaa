package ask

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// guard keeps what was typed before a person can have seen what it would be
// taken for: the second of two presses must not answer the next question. What
// only types is taken again once the pause has passed since the panel came into
// sight, and is always taken beside a reason that is shown. What sends, chooses
// or presses a button needs a pause without any key, so that neither a key that
// repeats nor the end of a word that is half typed answers.
type guard struct {
	clock func() time.Duration // nil guards nothing
	pause time.Duration
	began time.Duration
	since time.Duration // when it began, or when a key came last
	on    bool
	seen  bool   // it began once: the panel was opened before
	what  string // what has just come into sight
	lost  lost
}

// lost is what was not taken.
type lost struct {
	text []rune   // what would have been typed
	keys []string // what else was pressed, each once
}

// What a panel says while it does not take every key yet.
const (
	JustOpened = "just opened" // at its title
	JustShown  = "just shown"  // there, where something speaks against what was to be sent
)

// Watch gives the panel the time, and the pause after which it takes keys.
func (p *Panel) Watch(clock func() time.Duration, pause time.Duration) {
	p.guard.clock, p.guard.pause = clock, pause
}

// Opened says that the panel has just come into sight.
func (p *Panel) Opened() { p.guard.begin(JustOpened) }

// Seen reports whether the panel was opened before.
func (p *Panel) Seen() bool { return p.guard.seen }

// Settling returns for how long the panel does not take every key yet, 0 where it
// does, provided that none comes meanwhile.
func (p *Panel) Settling() time.Duration {
	g := &p.guard
	if !g.on {
		return 0
	}
	return max(0, g.since+g.pause-g.clock())
}

// Swallowed says what was not taken, "" where all was, and where the panel takes
// keys again.
func (p *Panel) Swallowed() string {
	g := &p.guard
	if !g.on || g.lost.none() {
		return ""
	}
	return g.again() + " what was not taken: " + g.lost.String()
}

// pasted is what is said of text that came all at once.
const pasted = "what was pasted"

// Lost reports whether text was not taken, which has to be typed anew.
func (p *Panel) Lost() bool {
	l := &p.guard.lost
	return len(l.text) > 0 || slices.Contains(l.keys, pasted)
}

func (g *guard) again() string { return g.what + ": press again" }

func (g *guard) begin(what string) {
	if g.clock == nil {
		return
	}
	g.on, g.what, g.lost = true, what, lost{}
	g.began = g.clock()
	g.since = g.began
	g.seen = g.seen || what == JustOpened
}

// keeps reports whether what was pressed came too early; types is that it
// answers nothing, whatever it meets.
func (g *guard) keeps(types bool) bool {
	if !g.on {
		return false
	}
	now := g.clock()
	if now-g.since >= g.pause {
		g.on, g.lost = false, lost{}
		return false
	}
	g.since = now
	return !types || g.what == JustOpened && now-g.began < g.pause
}

// keepsKey is keeps of a key.
func (g *guard) keepsKey(k tea.KeyPressMsg, types bool) bool {
	if !g.keeps(types) {
		return false
	}
	if types && k.Text != "" {
		g.lost.text = append(g.lost.text, []rune(k.Text)...)
	} else {
		g.lost.key(keys.Name(k.String()))
	}
	return true
}

// keepsOther is keeps of what is no key, by its name.
func (g *guard) keepsOther(name string, types bool) bool {
	if !g.keeps(types) {
		return false
	}
	g.lost.key(name)
	return true
}

func (l *lost) none() bool { return len(l.text)+len(l.keys) == 0 }

func (l *lost) key(name string) {
	if !slices.Contains(l.keys, name) {
		l.keys = append(l.keys, name)
	}
}

// String lists what was lost, as much as a footer has room for.
func (l *lost) String() string {
	const most, room = 3, 20
	var out []string
	if typed := l.text; len(typed) > room {
		out = append(out, `"`+text.CleanLine(string(typed[:room]))+`…"`)
	} else if len(typed) > 0 {
		out = append(out, `"`+text.CleanLine(string(typed))+`"`)
	}
	if len(l.keys) > most {
		return strings.Join(append(out, l.keys[:most]...), ", ") + ", …"
	}
	return strings.Join(append(out, l.keys...), ", ")
}

// looksOnly reports whether an intent changes and sends nothing.
func looksOnly(i keys.Intent) bool {
	switch i {
	case keys.Later, keys.Escape, keys.HeadUp, keys.HeadDown, keys.Help:
		return true
	}
	return false
}

// moves reports whether an intent leads to another field, or helps to type.
func moves(i keys.Intent) bool {
	switch i {
	case keys.NextField, keys.PrevField, keys.Complete:
		return true
	}
	return false
}

// types reports whether a key only types or moves the cursor where it goes to.
func (p *Panel) types(k tea.KeyPressMsg) bool {
	if p.at < 0 && p.Edit != nil {
		if e, ok := p.Edit.(interface{ Types(tea.KeyPressMsg) bool }); ok {
			return e.Types(k)
		}
	}
	switch k.String() {
	case "enter", "space", keys.Of(keys.Copy):
		return false
	}
	return true
}

// aLetter stands for what is typed many at once.
var aLetter = tea.KeyPressMsg{Code: 'x', Text: "x"}

// scrolls reports whether a key moves what is in sight, and nothing else.
func scrolls(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "pgup", "pgdown":
		return true
	}
	return false
}
