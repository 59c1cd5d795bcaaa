// Package form is a form on the screen: a list of rows over the draft of
// client/schema, for the arguments of tools and prompts, the variables of a
// template, and what a server asks for. It edits a draft and says what the
// person wants done with it; it sends nothing, opens no editor of the system
// and starts no goroutine.
//
// # Rows, and one hosted field
//
// The form owns its rows. The focused row has an editor, which is one huh field
// hosted directly, never a huh.Form: an Input or a Text for what is typed, an
// Input as the filter of a list for what is chosen. That is the way round what
// huh gets wrong:
//
//   - A list of choices is drawn here, by option index: no panic on a filter
//     without a match, no limit passed by filtering, no two options that
//     toggle together, no first option taken for one that nobody chose, no
//     chosen option out of sight, and 300 options cost what is visible.
//   - The field writes into a text of its own. The draft changes only when a
//     key changed that text, so an untouched default goes back byte for byte.
//   - A field that would alter a text (a control or an invisible character, too
//     many lines) does not get it: the value is then edited as JSON text, in
//     which all of them have an escape. For a tab the field gets a stand-in.
//   - Errors are the form's: none before anything was typed, no field that
//     cannot be left, all of them in sight when sending.
//   - Keys are taken at once; no command of a field runs, so that no key typed
//     ahead can land in the field before.
//   - Heights are given anew in each frame, and the description stands below
//     the input, so the input is in sight on the smallest screen.
package form

import (
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/schema"
	"mcptui/ui/editor"
	"mcptui/ui/keys"
)

// Act is what a person chose to do with the form.
type Act int

// The acts. None means that the form goes on.
const (
	None Act = iota
	Send
	Decline
	Cancel
	Later
	Outside // edit Outcome.Text in $EDITOR, then call Form.SetText
)

// Outcome is what came of a message.
type Outcome struct {
	Act      Act
	Value    []byte           // of Send: the JSON, exactly as it is to be sent
	Problems []schema.Problem // of Send: what is wrong with it, sent on purpose
	Text     string           // of Outside: the document
}

// Button is an act with its words.
type Button struct {
	Act   Act
	Label string
}

// Options say what a form is for. All are optional.
type Options struct {
	Title   string   // one line: who asks, or which tool
	Message string   // what is asked, in full; shown above the fields
	Notes   []string // warnings, shown below the message
	Buttons []Button // acts at the foot; without any, the form has only fields
	Ask     bool     // it answers a server: decline and cancel have keys

	// Complete asks for completions of a field's text, where the server
	// declared that it can; the answer comes by Form.SetCompletions. Nil means
	// that Tab always moves on.
	Complete func(name, value string, draft *schema.Draft) tea.Cmd
	// Preview replaces the JSON in view, as for an expanded URI template.
	Preview func(value []byte) string
	// Recent are values that were sent before, newest first.
	Recent [][]byte
}

// Form is a form with what is filled in so far.
type Form struct {
	schema *schema.Form
	draft  *schema.Draft
	opt    Options

	rows      []row
	focus     int // a row, or len(rows) + a button
	edit      input
	collapsed map[*schema.Node]bool
	entries   map[*schema.Field][]entry

	problems map[*schema.Node][]schema.Problem
	left     map[*schema.Node]bool // rows that had the focus and lost it
	tried    bool                  // sending was tried: every problem is shown
	armed    bool                  // sending again sends a wrong value
	edited   bool                  // a document was typed and taken over
	note     string                // what the last key led to
	bad      bool                  // the note is a problem

	asJSON  *editor.JSON // the whole form as text, or nil
	beside  int          // the focused button beside that text, from 1; 0 for the text
	outside string       // a long document that came back from outside and is no JSON
	recent  int          // which of Options.Recent is filled in, from 1
	first   []byte       // the draft before the first of them

	completions completions
	view        view
}

// New returns a form with the schema's defaults filled in.
func New(s *schema.Form, o Options) *Form {
	f := &Form{
		schema: s, draft: s.New(), opt: o,
		collapsed: map[*schema.Node]bool{}, left: map[*schema.Node]bool{},
		entries: map[*schema.Field][]entry{},
	}
	f.rebuild()
	f.check()
	f.focusOn(0)
	return f
}

// Load fills in a value, as for a rerun or an answer that is edited.
func (f *Form) Load(raw []byte) error {
	if err := f.draft.Load(raw); err != nil {
		return err
	}
	f.asJSON, f.beside = nil, 0
	f.reset()
	return nil
}

// reset is for a draft whose nodes are new.
func (f *Form) reset() {
	f.edit = nil
	f.collapsed, f.left = map[*schema.Node]bool{}, map[*schema.Node]bool{}
	f.rebuild()
	f.check()
	f.focusOn(0)
}

// Draft returns what is filled in; it may be read until the next message.
func (f *Form) Draft() *schema.Draft { return f.draft }

// Changed reports whether a person changed anything.
func (f *Form) Changed() bool {
	return f.edited || f.draft.Root.Touched() || f.asJSON != nil && f.asJSON.Changed()
}

// Value returns the JSON as it would be sent and what is wrong with it.
func (f *Form) Value() ([]byte, []schema.Problem) {
	if f.asJSON != nil {
		raw, err := f.asJSON.Value()
		if err != nil {
			return []byte(f.asJSON.Text()), []schema.Problem{{Message: err.Error(), Kind: schema.Unfinished}}
		}
		return raw, f.schema.Validate(raw)
	}
	raw, _ := f.draft.JSON()
	return raw, f.draft.Check()
}

// Busy reports whether Esc would close something within the form.
func (f *Form) Busy() bool { return f.edit != nil && f.edit.open() || f.completions.shown() }

// Scope is what the form's keys apply to.
func (f *Form) Scope() keys.Scope {
	if f.opt.Ask {
		return keys.Form | keys.Ask
	}
	return keys.Form
}

func (f *Form) say(note string, bad bool) { f.note, f.bad = note, bad }

// send is the act of sending: the first time with a problem it goes there, the
// second time it sends all the same.
func (f *Form) send() Outcome {
	if err := f.unmatched(); err != nil {
		f.say(err.Error(), true)
		return Outcome{}
	}
	f.leave()
	raw, problems := f.Value()
	if f.asJSON != nil && !json.Valid(raw) {
		f.say(problems[0].Message, true)
		return Outcome{}
	}
	if blocking := schema.Blocking(problems); len(blocking) > 0 && !f.armed {
		f.tried, f.armed = true, true
		f.check()
		f.toFirst(blocking)
		return Outcome{}
	}
	f.focusOn(f.focus) // it may have to be sent again
	return Outcome{Act: Send, Value: raw, Problems: problems}
}

// changed is called after every change of the draft.
func (f *Form) changed() {
	f.armed = false
	f.say("", false)
	f.check()
}

func (f *Form) check() {
	f.problems = map[*schema.Node][]schema.Problem{}
	for _, p := range f.draft.Check() {
		n := f.draft.Find(p.Path)
		f.problems[n] = append(f.problems[n], p)
	}
	f.view.stale = true
}

// Zone identities within the form.
type (
	rowZone    int
	optionZone struct{ row, entry int }
	buttonZone int
)

// Handle takes a message: keys, pastes, clicks and the wheel. Anything else
// is not the form's. What Ctrl+C and F1 mean is up to the caller.
func (f *Form) Handle(msg tea.Msg) (Outcome, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return f.key(msg)
	case tea.PasteMsg:
		f.paste(msg.Content)
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			return f.click(msg.X, msg.Y), nil
		}
	case tea.MouseWheelMsg:
		switch msg.Button {
		case tea.MouseWheelUp:
			f.wheel(msg.X, msg.Y, -3)
		case tea.MouseWheelDown:
			f.wheel(msg.X, msg.Y, 3)
		}
	}
	return Outcome{}, nil
}
