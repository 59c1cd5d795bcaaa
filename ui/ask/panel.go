// Package ask is where a person answers: what a server asks, and by the same
// means what a tool wants as arguments. A Panel is one such question on the
// screen with what is typed so far; it decides nothing and sends nothing, but
// says which act the person chose.
package ask

import (
	"encoding/json"
	"slices"

	tea "charm.land/bubbletea/v2"

	"mcptui/ui/draw"
	"mcptui/ui/inspect"
	"mcptui/ui/keys"
)

// Act is what a person chose to do.
type Act int

// Acts. None means that the panel goes on.
const (
	None Act = iota
	Send
	Decline
	Cancel
	Later
	Reject
	Abandon
	OpenURL
	CopyURL
	Whole   // edit the whole result instead of its parts; the panel does it itself
	Canned  // an answer that is at hand, to be looked at; the panel does it itself
	Sampler // a command of the person's makes the answer
	Drop
	Unchanged // send what a conforming client would
	Twice
	Undo
	Tamper
	Request // the request that the answer leaves with
)

// Editor is where a value is typed.
type Editor interface {
	Draw(s *draw.Screen, area draw.Rect, focus bool)
	// Key types; the command, if any, is the editor's own business.
	Key(tea.KeyPressMsg)
	Paste(string)
	// Do takes the intents of a form. False for NextField and PrevField means
	// that the last field was left, false for Later that nothing was closed.
	Do(keys.Intent) bool
	Click(x, y int) bool
	Wheel(n int)
	// Value is what would be sent, and what speaks against it.
	Value() (raw json.RawMessage, problems []string, err error)
	Changed() bool
}

// Panel is a question, the place for its answer, and the acts as buttons.
type Panel struct {
	Title   string
	Head    func(*draw.Theme) []draw.Line // what is asked, in full
	Version any                           // changes when Head does
	Edit    Editor                        // nil where there is nothing to type
	Strip   func(*draw.Theme) draw.Line   // how the asks of the round stand; nil for a single one
	Buttons []Button

	wrap  func(json.RawMessage) json.RawMessage // makes the result out of what is typed; nil where they are the same
	whole func(json.RawMessage) Editor          // edits the result itself

	reads  bool            // what is asked is to be read rather than the answer is to be filled in
	canned json.RawMessage // what Canned fills in
	note   string          // what is under way

	problem string // why the last Send did not go
	bad     bool   // Send again sends all the same
	at      int    // focused button, -1 for the editor
	refused string // which key did nothing, and why; until the next one
	begun   bool
	head    inspect.Doc
	zones   draw.Zones
	edit    draw.Rect
	guard   guard
}

// Button is an act with its words.
type Button struct {
	Act   Act
	Label string
	Key   string
}

// Changed reports whether something was typed that would be lost.
func (p *Panel) Changed() bool { return p.Edit != nil && p.Edit.Changed() }

// Label is what the button with a key says, "" where there is none.
func (p *Panel) Label(key string) string {
	for _, b := range p.Buttons {
		if b.Key == key {
			return b.Label
		}
	}
	return ""
}

// Problem returns why the last Send did not go, "" where it did.
func (p *Panel) Problem() string { return p.problem }

// Fail shows why what was sent did not arrive; what was typed stays.
func (p *Panel) Fail(err error) {
	p.problem, p.bad, p.note = err.Error(), false, ""
	p.guard.begin(JustShown)
}

// Working shows what is under way.
func (p *Panel) Working(what string) { p.note, p.problem, p.bad = what, "", false }

// Review goes on with a result that was made elsewhere, to be looked at and
// changed before it is sent. Nothing is sent.
func (p *Panel) Review(result json.RawMessage) {
	p.note = ""
	if p.whole == nil {
		return
	}
	p.Edit, p.wrap, p.at = p.whole(result), nil, -1
	p.drop(Whole)
}

func (p *Panel) begin() {
	if !p.begun {
		// Nothing to type: no button has the focus yet, so that a key typed
		// ahead presses none.
		p.begun, p.at = true, -1
	}
}

// Value returns what is to be sent. Ok is false where something speaks against
// it: the panel then says what, and sends it all the same the next time unless
// it is no JSON at all.
func (p *Panel) Value() (raw json.RawMessage, ok bool) {
	if p.Edit == nil {
		return nil, true
	}
	raw, problems, err := p.Edit.Value()
	if err != nil {
		p.problem, p.bad = err.Error(), false
		p.guard.begin(JustShown)
		return nil, false
	}
	if len(problems) > 0 && !p.bad {
		p.problem, p.bad = problems[0], true
		p.guard.begin(JustShown)
		return nil, false
	}
	p.problem, p.bad = "", false
	if p.wrap != nil {
		raw = p.wrap(raw)
	}
	return raw, true
}

// Wrap makes the result out of what is typed.
func (p *Panel) Wrap(raw json.RawMessage) json.RawMessage {
	if p.wrap != nil {
		return p.wrap(raw)
	}
	return raw
}

// Cmd returns a command that the editor wants run, once.
func (p *Panel) Cmd() tea.Cmd {
	if e, ok := p.Edit.(interface{ Cmd() tea.Cmd }); ok {
		return e.Cmd()
	}
	return nil
}

// toWhole goes on with the result itself in the place of its parts.
func (p *Panel) toWhole() {
	raw, _, err := p.Edit.Value()
	if err != nil || p.whole == nil {
		return
	}
	p.Review(p.wrap(raw))
}

// drop takes the buttons of an act away.
func (p *Panel) drop(a Act) {
	p.Buttons = slices.DeleteFunc(p.Buttons, func(b Button) bool { return b.Act == a })
}

// press is what a button means.
func (p *Panel) press(i int) Act {
	switch p.Buttons[i].Act {
	case Whole:
		p.toWhole()
		return None
	case Canned:
		p.Review(p.canned)
		return None
	}
	return p.Buttons[i].Act
}

// acts are the intents that mean an act: each is done by its key only where a
// button for it is there to be seen. A panel that takes a button away takes the key
// away with it.
var acts = map[keys.Intent]Act{
	keys.Send: Send, keys.Decline: Decline, keys.Cancel: Cancel, keys.Later: Later, keys.Escape: Later,
}

// Takes reports whether a key that means an intent does anything here; no other is
// to be offered.
func (p *Panel) Takes(i keys.Intent) bool {
	if act, ok := acts[i]; ok {
		return p.has(act) != None
	}
	_, whole := p.Edit.(*Document)
	switch i {
	case keys.AsJSON, keys.State, keys.AddItem, keys.RemoveItem, keys.Complete, keys.Recent:
		return p.Edit != nil && !whole // they are for the fields of a form
	}
	return true
}

// Do takes an intent of a form and returns the act that it means, None where no
// button for it is on the panel.
func (p *Panel) Do(i keys.Intent) Act {
	p.begin()
	p.refused = ""
	if !p.Takes(i) {
		p.refused = keys.Of(i) + " does nothing here"
		return None
	}
	if !looksOnly(i) && p.guard.keepsOther(keys.Of(i), moves(i)) {
		return None
	}
	switch i {
	case keys.Later, keys.Escape:
		if p.at < 0 && p.Edit != nil && p.Edit.Do(keys.Later) {
			p.problem, p.bad = "", false // what it was about is gone with it
			return None                  // it closed something of its own
		}
	case keys.NextField:
		p.move(1, i)
	case keys.PrevField:
		p.move(-1, i)
	case keys.HeadUp:
		p.head.Scroll(-2)
	case keys.HeadDown:
		p.head.Scroll(2)
	default:
		if acts[i] == None && p.at < 0 && p.Edit != nil && p.Edit.Do(i) {
			p.problem, p.bad = "", false // it was of what stood there before
		}
	}
	return acts[i]
}

func (p *Panel) has(a Act) Act {
	for _, b := range p.Buttons {
		if b.Act == a {
			return a
		}
	}
	return None
}

// busy reports whether something lies open in the editor.
func (p *Panel) busy() bool {
	e, ok := p.Edit.(interface{ Busy() bool })
	return ok && e.Busy()
}

// move goes to the next or previous field or button.
func (p *Panel) move(step int, i keys.Intent) {
	if p.at < 0 && p.Edit != nil {
		open := p.busy()
		inside := p.Edit.Do(i)
		if open && !p.busy() {
			p.problem, p.bad = "", false // it was of what lay open
		}
		if inside {
			return
		}
		p.at = 0
		if step < 0 {
			p.at = len(p.Buttons) - 1
		}
		return
	}
	if p.at < 0 && step < 0 {
		p.at = 0
	}
	p.at += step
	switch n := len(p.Buttons); {
	case p.Edit == nil:
		p.at = (p.at + n) % n
	case p.at < 0 || p.at >= n:
		p.at = -1
		if e, ok := p.Edit.(interface{ Enter(step int) }); ok { // round the end
			e.Enter(step)
		}
	}
}

// Key types into the field that has the focus, or presses a button.
func (p *Panel) Key(k tea.KeyPressMsg) Act {
	p.begin()
	p.refused = ""
	if !scrolls(k) && p.guard.keepsKey(k, p.types(k)) {
		return None
	}
	if p.at < 0 && p.Edit != nil {
		p.problem, p.bad = "", false
		p.Edit.Key(k)
		return None
	}
	switch k.String() {
	case "enter", "space":
		if p.at >= 0 {
			return p.press(p.at)
		}
	case keys.Of(keys.Copy):
		if p.Edit == nil { // letters type nowhere
			return p.has(CopyURL)
		}
	case "left":
		p.at = max(0, p.at-1)
	case "right":
		p.at = min(len(p.Buttons)-1, p.at+1)
	case "up":
		if p.Edit != nil {
			p.at = -1
		}
	case "pgup":
		p.head.Do(keys.PageUp)
	case "pgdown":
		p.head.Do(keys.PageDown)
	}
	return None
}

// Paste types a pasted text.
func (p *Panel) Paste(s string) {
	p.begin()
	if p.guard.keepsOther(pasted, p.types(aLetter)) {
		return
	}
	if p.at < 0 && p.Edit != nil {
		p.problem, p.bad = "", false
		p.Edit.Paste(s)
		if e, ok := p.Edit.(interface{ Refused() string }); ok {
			p.problem = e.Refused()
		}
	}
}

// Click presses what lies at a cell.
func (p *Panel) Click(x, y int) Act {
	p.begin()
	if p.guard.keepsOther("a click", false) {
		return None
	}
	if i, ok := p.zones.Hit(x, y).(int); ok {
		p.at = i
		return p.press(i)
	}
	if p.Edit != nil && inside(p.edit, x, y) {
		p.at = -1
		if p.Edit.Click(x, y) {
			p.problem, p.bad = "", false // as a key: it may have chosen something
		}
	}
	return None
}

// Wheel scrolls what lies below a cell.
func (p *Panel) Wheel(x, y, n int) {
	if p.Edit != nil && inside(p.edit, x, y) {
		p.Edit.Wheel(n)
		return
	}
	p.head.Scroll(n)
}

// headRoom is how many rows of a panel what is asked has at most. Two of them
// are worth more than a third row of the form.
func headRoom(rows int) int {
	return max(1, min(2, rows-2), min(rows/2, rows-6))
}

// headRoom is that of the panel: a question that is to be read gets what a short
// answer leaves.
func (p *Panel) headRoom(body draw.Rect) int {
	room := headRoom(body.Dy())
	if e, ok := p.Edit.(interface{ Wants(width int) int }); ok && p.reads {
		room = max(room, body.Dy()-e.Wants(body.Dx()))
	}
	return room
}

func inside(r draw.Rect, x, y int) bool {
	return x >= r.Min.X && x < r.Max.X && y >= r.Min.Y && y < r.Max.Y
}

// Draw draws the panel with its border.
func (p *Panel) Draw(s *draw.Screen, area draw.Rect, focus bool) {
	p.begin()
	pane := draw.Pane{Title: p.Title, Focus: focus}
	inner := pane.Inner(area)
	p.zones.Reset()

	buttons := make([]draw.Button, len(p.Buttons))
	for i, b := range p.Buttons {
		buttons[i] = draw.Button{ID: i, Label: b.Label, Key: b.Key, Hot: focus && p.at == i}
	}
	var probe draw.Zones // how many rows the buttons need
	rows := draw.NewScreen(inner.Dx(), 4, s.Theme, s.Width).Buttons(draw.Rect{Max: draw.Rect{}.Max.Add(inner.Size())}, &probe, buttons)
	body, foot := draw.CutBottom(inner, min(rows, 3))
	s.Buttons(foot, &p.zones, buttons)

	if p.problem != "" {
		lines, _ := s.Width.Wrap("✖ "+p.problem, max(1, body.Dx()), 3)
		var say draw.Rect
		body, say = draw.CutBottom(body, len(lines))
		for i, l := range lines {
			s.Text(draw.Row(say, i), s.Theme.Bad, l)
		}
		if p.bad {
			pane.Foot = "send again to send it all the same"
		}
	}

	if p.note != "" {
		pane.Foot = p.note
	}
	if p.refused != "" {
		pane.Foot = p.refused
	}
	if p.Settling() > 0 {
		pane.Right, pane.Vital = p.guard.what, true // however long the name of who asks
		if !p.guard.lost.none() {
			pane.Foot = p.guard.again()
		}
	}

	p.head.Lines(p.Title, p.Version, func() []draw.Line { return p.Head(s.Theme) })
	if p.Strip != nil {
		if line := p.Strip(s.Theme); len(line) > 0 {
			var strip draw.Rect
			strip, body = draw.CutTop(body, 1)
			s.Line(strip, line)
		}
	}
	head := body
	p.edit = draw.Rect{}
	if p.Edit != nil {
		want := p.head.Height(s.Width, body.Dx())
		head, p.edit = draw.CutTop(body, min(want, p.headRoom(body)))
		p.Edit.Draw(s, p.edit, focus && p.at < 0)
	}
	p.head.Draw(s, head)
	if p.Edit == nil {
		pane.Above, pane.Below = p.head.Above(), p.head.Below()
	} else if head.Dy() > 0 { // beside the text, or it would be taken for the form's
		s.Cue(draw.Row(head, 0), p.head.Above(), true)
		s.Cue(draw.Row(head, head.Dy()-1), p.head.Below(), false)
	}
	if pane.Foot == "" && p.head.Above()+p.head.Below() > 0 {
		pane.Foot = keys.Of(keys.HeadDown) + " scrolls what is asked"
	}
	pane.Draw(s, area)
}
