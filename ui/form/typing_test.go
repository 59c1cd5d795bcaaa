package form

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/ui/keys"
)

// TestLinesArePastedIntoAFieldAsText pastes what has lines, tabs and blanks into a
// field of one line, and goes on typing, as a person does that knows no JSON.
func TestLinesArePastedIntoAFieldAsText(t *testing.T) {
	for _, pasted := range []string{
		"one\ntwo", "one\ntwo\n", "func f() {\n\treturn\n}", "a\tb", "\t", "one\r\n\ttwo\r\n", strings.Repeat("a line\n", 300) + "end", "⇥ \t ⇥",
	} {
		d := begin(t, `{"type":"object","properties":{"s":{"type":"string"},"t":{"type":"string"}}}`)
		want := strings.ReplaceAll("so: "+pasted+"on", "\r\n", "\n")
		d.keys("so: ").paste(pasted).seesNot("typed as JSON").keys("on").seesNot("typed as JSON", "not JSON")
		require.Equal(t, want, d.text("s"))
		d.keys("left", "left", "backspace")
		r := []rune(want)
		want = string(r[:len(r)-3]) + "on"
		require.Equal(t, want, d.text("s"))
		d.keys("tab", "shift+tab").keys("!") // the field is made anew
		require.Len(t, d.text("s"), len(want)+1)
		if strings.Contains(want, "\n") {
			d.keys("end", "enter", "last")
			require.Equal(t, strings.Count(want, "\n")+1, strings.Count(d.text("s"), "\n"), "no number of lines stops the next one")
		}
	}
}

// TestWhatIsTypedBehindAControlCharacterIsText pastes what no field can hold: of the
// JSON that stands for it, the end of the text is where typing goes on.
func TestWhatIsTypedBehindAControlCharacterIsText(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"s":{"type":"string"}}}`)
	d.keys("so: ").paste("red \x1b[31m\nline").sees("typed as JSON").keys(" on").sends(`{"s":"so: red \u001b[31m\nline on"}`)
}

// TestATypedNameOfAMemberIsKept leaves the row in which a member's name is typed, in
// every way there is.
func TestATypedNameOfAMemberIsKept(t *testing.T) {
	const typed = `{"type":"object","properties":{"k":{"type":"string"}},"additionalProperties":{"type":"integer"}}`
	for _, leave := range [][]string{{"tab"}, {"enter"}, {"shift+tab"}, {"up"}} {
		d := begin(t, typed)
		d.keys("tab").sees("+ member").keys("size").keys(leave...)
		d.sees("size ").keys("7").sends(`{"size":7}`)
		require.True(t, d.f.Changed())
	}
	d := begin(t, typed)
	d.keys("tab", "size", "ctrl+s").sees("size ")
	require.Equal(t, None, d.last.Act, "it has no value yet")
	d = begin(t, typed)
	d.keys("tab", "size").click("k  ")
	d.sees("size ").keys("x").sends(`{"k":"x","size":""}`)
	d = begin(t, typed)
	d.keys("tab", "  ", "tab").seesNot("  size").sends(`{}`)
}

// TestAMemberIsAddedWhereTheSchemaSaysSo looks for the row that adds one, and for
// what Alt+A says and does.
func TestAMemberIsAddedWhereTheSchemaSaysSo(t *testing.T) {
	for schema, row := range map[string]bool{
		`"additionalProperties":true`:               true,
		`"additionalProperties":{}`:                 true,
		`"additionalProperties":{"type":"integer"}`: true,
		`"additionalProperties":false`:              false,
		`"unevaluatedProperties":true`:              true,
		`"title":"T"`:                               false,
	} {
		d := begin(t, `{"type":"object","properties":{"k":{"type":"string"}},`+schema+`}`)
		if !row {
			d.seesNot("+ member")
			d.f.Do(keys.AddItem)
			d.sees("no list here to add to; Ctrl+E edits the whole as JSON")
			continue
		}
		d.f.Do(keys.AddItem)
		d.sees("a member is added by its name").keys("n", "tab", "7").sends(`{"n":7}`)
	}
	d := begin(t, `{"type":"object","properties":{"k":{"type":"string"}},"additionalProperties":true}`)
	d.keys("tab", "n", "tab", `{"a":[1]}`).sends(`{"n":{"a":[1]}}`)
}
