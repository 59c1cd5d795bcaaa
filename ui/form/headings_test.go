package form

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
)

// headings are rows without an editor of every kind, each the first of its form, and
// what a letter typed there leads to.
var headings = map[string]struct {
	field string
	begin []string // what leads to the row
	sends string   // what is sent once "ab" was typed; "" where it is typed nowhere
	says  string
}{
	"array of texts":          {field: `{"type":"array","items":{"type":"string"}}`, sends: `{"x":["ab"]}`},
	"array of texts, open":    {field: `{"type":"array","items":{"type":"string"}}`, begin: []string{"right", "tab", "shift+tab"}, sends: `{"x":["ab"]}`},
	"array of texts, folded":  {field: `{"type":"array","items":{"type":"string"},"default":["q"]}`, begin: []string{"left"}, sends: `{"x":["q","ab"]}`},
	"array that needs one":    {field: `{"type":"array","minItems":1,"items":{"type":"string"}}`, sends: `{"x":["ab"]}`},
	"array with some":         {field: `{"type":"array","items":{"type":"string"},"default":["q"]}`, sends: `{"x":["q","ab"]}`},
	"add":                     {field: `{"type":"array","items":{"type":"string"},"default":["q"]}`, begin: []string{"tab", "tab"}, sends: `{"x":["q","ab"]}`},
	"array of objects":        {field: `{"type":"array","items":{"type":"object","properties":{"u":{"type":"string"},"v":{"type":"string"}}}}`, begin: []string{"right"}, says: "Enter adds an item"},
	"array of objects, a row": {field: `{"type":"array","items":{"type":"object","properties":{"u":{"type":"string"},"v":{"type":"string"}}},"default":[{"u":"1"}]}`, begin: []string{"tab"}, says: "Tab goes on"},
	"array of arrays":         {field: `{"type":"array","items":{"type":"array","items":{"type":"integer"}}}`, begin: []string{"right", "tab", "shift+tab", "shift+tab"}, says: "Alt+A adds an item"},
	"full":                    {field: `{"type":"array","prefixItems":[{"type":"string"}],"items":false,"default":["q"]}`, says: "takes no more items"},
	"object with a field":     {field: `{"type":"object","properties":{"u":{"type":"string"}},"additionalProperties":false}`, sends: `{"x":{"u":"ab"}}`},
	"object with two":         {field: `{"type":"object","properties":{"u":{"type":"string"},"v":{"type":"string"}}}`, says: "Enter opens it"},
	"object with two, open":   {field: `{"type":"object","properties":{"u":{"type":"string"},"v":{"type":"string"}}}`, begin: []string{"right", "shift+tab"}, says: "Tab goes on"},
}

// TestNothingThatIsTypedVanishes types on every kind of heading: it is there to be
// sent, or it is said what to press.
func TestNothingThatIsTypedVanishes(t *testing.T) {
	for name, tt := range headings {
		for _, how := range []string{"typed", "pasted"} {
			t.Run(name+" "+how, func(t *testing.T) {
				d := begin(t, `{"type":"object","properties":{"x":`+tt.field+`}}`)
				d.keys(tt.begin...)
				before, _ := d.f.Value()
				if how == "typed" {
					d.keys("ab")
				} else {
					d.paste("ab")
				}
				if tt.sends == "" {
					if how == "typed" {
						d.sees("nothing was typed: ", tt.says)
					} else {
						d.sees("nothing was pasted")
					}
					d.sends(string(before))
					return
				}
				d.seesNot("nothing was")
				d.sends(tt.sends)
			})
		}
	}
	d := begin(t, `{"type":"object","properties":{"x":{"type":"object","additionalProperties":{"type":"integer"}}}}`)
	d.keys("size", "enter", "7").sends(`{"x":{"size":7}}`)
}

// TestTypingOnAHeadingOnlyTypes: it is taken beside a question that has just opened,
// unless it chooses.
func TestTypingOnAHeadingOnlyTypes(t *testing.T) {
	letter := tea.KeyPressMsg{Code: 'f', Text: "f"}
	for items, types := range map[string]bool{`{"type":"string"}`: true, `{"type":"object"}`: true, `{"type":"boolean"}`: false} {
		p := NewPart([]byte(`{"type":"object","properties":{"x":{"type":"array","items":`+items+`}}}`), nil, Options{})
		require.Nil(t, p.edit)
		require.Equal(t, types, p.Types(letter), items)
		for _, code := range []rune{tea.KeyEnter, tea.KeySpace, tea.KeyRight, tea.KeyDelete} {
			require.False(t, p.Types(tea.KeyPressMsg{Code: code}))
		}
		if !types {
			p.Key(letter)
			raw, _, err := p.Value()
			require.NoError(t, err)
			require.Equal(t, `{"x":[false]}`, string(raw))
		}
	}
}

// TestANewObjectIsFilledInFromItsFirstField adds one from everywhere in its list.
func TestANewObjectIsFilledInFromItsFirstField(t *testing.T) {
	const roots = `{"type":"object","properties":{"roots":{"type":"array","items":{"type":"object","properties":{"uri":{"type":"string","default":"file:///"},"name":{"type":"string"}},"required":["uri"]}}}}`
	for name, keys := range map[string][]string{
		"by its heading": {"alt+a"}, "by the row that adds": {"right", "enter"}, "in another one": {"alt+a", "alt+x", "alt+a", "shift+tab", "alt+x", "alt+a"},
	} {
		d := begin(t, roots)
		d.keys(keys...).keys("tmp").sends(`{"roots":[{"uri":"file:///tmp"}]}`)
		require.Equal(t, 1, strings.Count(d.screen(), ">"), name)
	}
	d := begin(t, roots)
	d.keys("alt+a", "one", "tab", "alt+a", "two").sends(`{"roots":[{"uri":"file:///one"},{"uri":"file:///two"}]}`)
}

// TestNestedNamesAreWhole draws a recursive object in forms of several widths: a name
// of a field is cut only where there is no room.
func TestNestedNamesAreWhole(t *testing.T) {
	const tree = `{"type":"object","properties":{"tree":{"$ref":"#/$defs/node"}},"$defs":{"node":{"type":"object","properties":{"name":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}}`
	for _, width := range []int{53, 40, 80, 120} {
		d := begin(t, tree, Options{})
		d.w = width
		d.keys("right").sees("▾ tree", "  name ", "  ▸ kids ")
		d.keys("tab", "tab", "alt+a", "tab").sees("    ▾ #1", "      name ", "      ▸ kids ")
		d.seesNot("…")
	}
}

// TestWhatIsLeftOutIsNoChoice counts the choices of a list.
func TestWhatIsLeftOutIsNoChoice(t *testing.T) {
	for _, field := range []string{
		`{"type":"array","items":{"enum":["p","q","r"]}}`, `{"type":"array","maxItems":5,"items":{"enum":["p","q","r"]}}`,
		`{"enum":["p","q","r"],"title":"` + strings.Repeat("long ", 9) + `"}`, `{"type":["string","null"],"enum":["p","q","r",null]}`,
	} {
		d := begin(t, `{"type":"object","properties":{"m":`+field+`}}`)
		d.w = 44 // too narrow for a line of them
		d.keys("z").sees("0 of 3")
		d.keys("backspace").sees("3 of 3")
	}
}
