package form

import (
	"strings"
	"sync"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"

	"mcptui/client/schema"
	"mcptui/ui/draw"
	"mcptui/ui/editor"
	"mcptui/ui/text"
)

// input is the editor of the focused row.
type input interface {
	// key returns false for a key that it has no use for.
	key(tea.KeyPressMsg) bool
	paste(string)
	// press is a click on entry i of a list, or on the value itself for -1.
	press(i int)
	wheel(n int)
	// open says that a list lies open below the row; close closes it and keeps
	// what is chosen, undo takes back what was chosen in it.
	open() bool
	close()
	undo()
	// inline draws the value into the row itself, height and below what stands
	// under the row.
	inline(s *draw.Screen, area draw.Rect, place func(entry int, at draw.Rect))
	height(width, atMost int) int
	below(s *draw.Screen, area draw.Rect, place func(entry int, at draw.Rect))
}

// longest is the most text, in bytes, that a hosted field gets; what is longer
// is edited as JSON.
const longest = 64 << 10

// theme is made once, when it is needed: huh asks for it many times in each frame.
var theme = sync.OnceValue(func() huh.Theme {
	st := huh.ThemeBase(true)
	for _, fs := range []*huh.FieldStyles{&st.Focused, &st.Blurred} {
		fs.Base = lipgloss.NewStyle()
		fs.TextInput.Placeholder = lipgloss.NewStyle().Faint(true)
	}
	return huh.ThemeFunc(func(bool) *huh.Styles { return st })
})

// keymap leaves the fields nothing but typing.
func keymap() *huh.KeyMap { return &huh.KeyMap{} }

// typed is a hosted huh field: an Input, or a Text where lines is true.
type typed struct {
	f     *Form
	node  *schema.Node // nil for a name that is not a member yet
	host  huh.Field
	lines bool
	enter func(string) // Enter, where it does not go on
}

// editorOf makes the editor of a row, or nil where it has none.
func (f *Form) editorOf(r row) input {
	switch {
	case r.kind == addMember:
		t := &typed{f: f}
		t.enter = func(name string) { f.addMember(r.node, name) }
		t.build("", "name, then Enter")
		return t
	case r.kind == group && r.node.Field.Kind == schema.Variant:
		return f.choiceOf(r.node)
	case r.kind != field:
		return nil
	}
	if !r.node.AsJSON() {
		switch r.node.Field.Kind {
		case schema.Boolean, schema.Choice, schema.MultiChoice:
			return f.choiceOf(r.node)
		}
	}
	return f.typedOf(r.node, nil)
}

// typedOf makes the text editor of a node. Text replaces what the node holds
// where it is not nil.
func (f *Form) typedOf(n *schema.Node, with *string) input {
	t := &typed{f: f, node: n}
	content := ""
	if n.State() == schema.Set {
		content = n.Text()
	}
	if with != nil {
		content = *with
	}
	if len(content) > longest {
		if with != nil {
			n.SetText(content)
		}
		return nil // shown as its size
	}
	json := n.AsJSON() || n.Field.Kind == schema.JSON
	if !json && !typable(content) {
		// No field can hold this text unchanged: its JSON can be typed.
		if with != nil {
			n.SetText(content)
		}
		if n.EditAsJSON(true) != nil {
			return nil
		}
		json, content = true, n.Text()
	} else if with != nil {
		n.SetText(content)
	}
	if json {
		content = escaped(content)
	}
	t.lines = strings.Contains(content, "\n") || !json && n.Field.Multiline || n.Field.Kind == schema.JSON
	if !t.build(content, placeholder(n)) {
		return nil
	}
	return t
}

// build hosts a field and says whether it holds the text as it was given.
func (t *typed) build(content, hint string) bool {
	value := withStandIns(content)
	if t.lines {
		t.host = huh.NewText().Value(&value).ShowLineNumbers(false).ExternalEditor(false).Placeholder(hint)
	} else {
		t.host = huh.NewInput().Value(&value).Prompt("").Placeholder(hint)
	}
	t.host = t.host.WithTheme(theme()).WithKeyMap(keymap()).WithPosition(huh.FieldPosition{})
	t.host.Init()
	t.host.Focus() // its command would blink the cursor
	t.send(nil)    // the field's own reading of the text comes back only now
	return t.value() == content
}

// tab stands for a tab in a hosted field, which would make blanks of it, and is
// drawn as what it stands for. A text that holds it is not typable.
const (
	tab      = "\uf8fe"
	tabDrawn = "⇥"
)

func withStandIns(s string) string { return strings.ReplaceAll(s, "\t", tab) }
func withTabs(s string) string     { return strings.ReplaceAll(s, tab, "\t") }

func (t *typed) send(msg tea.Msg) {
	m, _ := t.host.Update(msg) // commands of a field blink, or read the clipboard
	if h, ok := m.(huh.Field); ok {
		t.host = h
	}
}

func (t *typed) value() string {
	s, _ := t.host.GetValue().(string)
	return withTabs(s)
}

// mostLines is how many lines of a text are typed in a field; more are edited as
// JSON, or as a document.
const mostLines = 1000

// typable says whether a text goes through a field and over the screen as it
// is.
func typable(s string) bool {
	return text.Clean(strings.ReplaceAll(s, "\t", " ")) == strings.ReplaceAll(s, "\t", " ") && strings.Count(s, "\n") < mostLines
}

// escaped writes what cannot be seen inside a JSON text as its escapes, which
// mean the same there.
func escaped(s string) string {
	if typable(s) {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(editor.Pretty([]byte(s)), "\t", "  "), "\r", "")
}

func placeholder(n *schema.Node) string {
	switch n.State() {
	case schema.Null:
		return "null"
	case schema.Unset:
		if n.Field.Required {
			return ""
		}
		return "left out"
	}
	return ""
}

func (t *typed) key(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "enter":
		if t.enter != nil {
			t.enter(t.value())
			return true
		}
		if !t.lines {
			return false
		}
		return t.newline()
	case "alt+enter", "ctrl+j":
		if t.lines {
			return t.newline()
		}
		if t.node != nil && t.node.Field.Kind == schema.String {
			t.insert("\n")
			return true
		}
	case "up", "down", "pgup", "pgdown":
		if !t.lines {
			return false
		}
		before := t.host.View()
		t.send(k)
		return t.host.View() != before // at the first or last line it goes on
	}
	if k.Text == "" && k.Mod&^(tea.ModShift) == tea.ModAlt {
		return true // no act of the form, and nothing to type
	}
	before := t.value()
	t.send(k)
	t.took(before)
	return true
}

// newline begins a line. By a key of the field's own it would be refused from the
// hundredth on.
func (t *typed) newline() bool {
	before := t.value()
	t.send(tea.PasteMsg{Content: "\n"})
	t.took(before)
	return true
}

func (t *typed) paste(s string) {
	if !t.lines {
		// What was copied with its line end is still one line.
		if one := strings.TrimRight(s, "\n"); !strings.Contains(one, "\n") {
			s = one
		}
	}
	if t.node != nil && (t.node.Field.Kind == schema.Integer || t.node.Field.Kind == schema.Number) {
		s = strings.TrimSpace(s)
	}
	room := t.lines && typable(t.value()+s) || !strings.Contains(s, "\n") // a field cuts lines off beyond its number of them
	if typable(s) && room && (t.node != nil || !strings.Contains(s, "\t")) {
		before := t.value()
		t.send(tea.PasteMsg{Content: withStandIns(s)})
		t.took(before)
		return
	}
	if t.node == nil { // a filter, or a name
		t.f.say("that text cannot be typed here; Ctrl+E edits the whole as JSON", false)
		return
	}
	t.insert(s)
}

// mark stands for the cursor while a text is put in that the field would
// alter; it is of no use in a text.
const mark = "\uf8ff"

// insert puts s in at the cursor, whatever it holds, with an editor that can
// hold the whole.
func (t *typed) insert(s string) {
	t.send(tea.PasteMsg{Content: mark})
	v := t.value()
	at := strings.LastIndex(v, mark)
	if at < 0 { // the field takes nothing more
		t.f.say("nothing was pasted: there is no room for it here; Ctrl+E edits the whole as JSON", true)
		return
	}
	whole := v[:at] + s + v[at+len(mark):]
	wasJSON := t.node.AsJSON() || t.node.Field.Kind == schema.JSON
	if wasJSON {
		t.node.SetText(whole)
		t.f.edit = t.f.typedOf(t.node, nil)
	} else {
		t.f.edit = t.f.typedOf(t.node, &whole)
	}
	if next, ok := t.f.edit.(*typed); ok && !wasJSON && t.node.AsJSON() {
		next.send(tea.KeyPressMsg{Code: tea.KeyLeft}) // in front of the quote that ends it: there typing goes on
	}
	t.f.changed()
}

// took carries what was typed over to the draft.
func (t *typed) took(before string) {
	v := t.value()
	if v == before || t.node == nil {
		return
	}
	unset := t.node.State() == schema.Unset
	switch {
	case v == "" && endsEmpty(t.node):
		t.f.endJSON(t.node)
	case v == "" && t.node.Optional() && !t.node.AsJSON():
		// What is erased is left out. Empty text is a value that is asked for,
		// with Alt+N.
		t.node.SetText("")
		t.node.Unset()
	case !t.node.AsJSON() && t.node.Field.Kind != schema.JSON && !typable(v):
		t.f.edit = t.f.typedOf(t.node, &v)
	default:
		t.node.SetText(v)
	}
	if unset && t.node.Parent != nil {
		t.f.rebuild()
	}
	t.f.completions.list = nil
	t.f.changed()
}

func (t *typed) press(int) {}
func (t *typed) wheel(n int) {
	code := tea.KeyDown
	if n < 0 {
		code, n = tea.KeyUp, -n
	}
	for range n {
		t.send(tea.KeyPressMsg{Code: code})
	}
}
func (t *typed) open() bool { return false }
func (t *typed) close()     {}
func (t *typed) undo()      {}

func (t *typed) inline(s *draw.Screen, area draw.Rect, _ func(int, draw.Rect)) {
	if t.lines {
		s.Text(area, s.Theme.Faint, text.Count(strings.Count(t.value(), "\n")+1, "line")+" · Tab goes on")
		return
	}
	t.show(s, area)
}

func (t *typed) height(width, atMost int) int {
	if !t.lines {
		return 0
	}
	rows, _ := text.Grapheme.Wrap(withStandIns(t.value()), max(1, width-1), atMost)
	return max(1, min(max(3, len(rows)+1), atMost))
}

func (t *typed) below(s *draw.Screen, area draw.Rect, _ func(int, draw.Rect)) { t.show(s, area) }

func (t *typed) show(s *draw.Screen, area draw.Rect) {
	if area.Empty() {
		return
	}
	t.host = t.host.WithWidth(area.Dx())
	if t.lines {
		t.host = t.host.WithHeight(area.Dy())
		t.send(nil) // puts its window round the cursor
	}
	s.Styled(area, strings.ReplaceAll(t.host.View(), tab, tabDrawn))
	s.Caret(area)
}

// memberName is the name that is typed for a member that the schema does not
// name, "" for none.
func (f *Form) memberName() string {
	r := f.current()
	t, ok := f.edit.(*typed)
	if r == nil || r.kind != addMember || !ok || strings.TrimFunc(t.value(), unicode.IsSpace) == "" {
		return ""
	}
	return t.value()
}

// addMember takes the name that was typed for a member of its own, and goes to its
// value.
func (f *Form) addMember(n *schema.Node, name string) {
	if strings.TrimFunc(name, unicode.IsSpace) == "" {
		f.move(1)
		return
	}
	if c := f.keepMember(n, name); c != nil {
		f.focusOn(f.rowOf(c))
	}
}

// keepMember makes a member of a name; nil where there can be none of it.
func (f *Form) keepMember(n *schema.Node, name string) *schema.Node {
	c, err := n.AddMember(name)
	if err != nil {
		f.say(err.Error(), true)
		return nil
	}
	f.rebuild()
	f.changed()
	return c
}
