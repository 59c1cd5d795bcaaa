// Package keys is the one table of keys. A screen asks [Lookup] what a key
// means where the person is; help, footer and README are made from the same
// table ([For], [Footer], [Markdown]), so none of them can say something that
// does not work.
//
// The package handles nothing itself and knows no screen: a screen says in
// which scopes it is, and switches on the [Intent].
package keys

import (
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// Scope is a set of places where keys apply. A screen is in several at once:
// Browse|List|Call, say.
type Scope uint

// The scopes. Form excludes the others: there letters type.
const (
	Always    Scope = 1 << iota // also while a form has the keyboard
	Browse                      // any screen but a form
	List                        // a list has the focus
	Document                    // a text that scrolls has the focus
	Tabs                        // a pane with tabs is on the screen
	Panes                       // more than one pane is on the screen
	Search                      // what has the focus can be filtered or searched
	Call                        // a call is open, or selected in the list of calls
	Held                        // a retry is held
	Catalogue                   // tools, prompts and resources
	Live                        // a server is connected, or could be again
	Overlay                     // help, palette or a question lies on top
	Form                        // a form has the keyboard
	Ask                         // the form answers a server
)

// Intent is what a person wants by a key.
type Intent int

// The intents, in the order of the table.
const (
	None Intent = iota

	Help
	Palette
	Filter
	NextMatch
	PrevMatch
	NextPane
	PrevPane
	PrevTab
	NextTab
	TabNumber // the key is the digit
	ZoomIn
	ZoomOut
	Open
	Up
	Down
	PageUp
	PageDown
	First
	Last
	Left
	Right
	Fold
	Escape
	Back
	NextAsk
	Copy
	Save
	Record
	Follow
	Edit
	Rerun
	Restart
	Servers
	Hold
	SendOne
	SendAll
	Drop
	Branch
	Mark
	Compare
	Tamper
	CancelCall
	Extend
	Redraw
	Suspend
	Quit

	NextField
	PrevField
	HeadUp
	HeadDown
	Send
	Decline
	Cancel
	Later
	AsJSON
	State // value, null, left out
	AddItem
	RemoveItem
	Complete
	Recent
)

// Binding is one row of the table.
type Binding struct {
	Intent Intent
	Keys   []string // as Bubble Tea names them; the first is the one that is shown
	Scope  Scope
	Short  string // for the footer; empty where the footer does not show it
	Help   string
}

// Lookup returns what a key means in the given scopes, or None.
func Lookup(in Scope, key tea.KeyPressMsg) Intent {
	if in&Form == 0 {
		in |= Browse
	}
	in |= Always
	if i := byKey()[key.String()].in(in); i != None {
		return i
	}
	// On a layout without Latin letters the key is the one in that place of a
	// Latin one, where the terminal tells. In a form a bare letter types.
	if key.BaseCode != 0 && key.BaseCode != key.Code && (in&Form == 0 || key.Mod&(tea.ModCtrl|tea.ModAlt) != 0) {
		base := tea.Key{Code: key.BaseCode, Mod: key.Mod}
		if key.Mod&^tea.ModShift == 0 {
			base.Text = string(key.BaseCode)
			if key.Mod&tea.ModShift != 0 {
				base.Text = strings.ToUpper(base.Text)
			}
		}
		return byKey()[base.String()].in(in)
	}
	return None
}

// candidates are the bindings of one key.
type candidates []*Binding

func (c candidates) in(s Scope) Intent {
	for _, b := range c {
		if b.applies(s) {
			return b.Intent
		}
	}
	return None
}

func (b *Binding) applies(s Scope) bool {
	if b.Scope&Always != 0 {
		return true
	}
	if s&Form != 0 {
		if b.Scope == Ask {
			return s&Ask != 0
		}
		return b.Scope&Form != 0
	}
	return b.Scope&s&^(Form|Ask) != 0
}

var byKey = sync.OnceValue(func() map[string]candidates {
	m := map[string]candidates{}
	for i := range table {
		for _, k := range table[i].Keys {
			m[k] = append(m[k], &table[i])
		}
	}
	return m
})

// For returns the bindings that apply in the given scopes, in the order of
// the table; it is what the help lists.
func For(in Scope) []Binding {
	if in&Form == 0 {
		in |= Browse
	}
	var out []Binding
	for _, b := range table {
		if b.applies(in) {
			out = append(out, b)
		}
	}
	return out
}

// Of returns the key that is shown for an intent, or "".
func Of(i Intent) string {
	for _, b := range table {
		if b.Intent == i {
			return Name(b.Keys[0])
		}
	}
	return ""
}
