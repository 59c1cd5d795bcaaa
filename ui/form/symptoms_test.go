package form

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/schema"
)

// Each name says what people saw in other clients; here it cannot happen.

func TestNullableEnumFallsToARawTextArea(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"p":{"anyOf":[{"enum":["low","high"]},{"type":"null"}]}}}`)
	d.sees("( ) low  ( ) high  ( ) null  (●) left out").sends(`{}`)
	d.keys("right").sends(`{"p":"low"}`)
	d.keys("right", "right").sends(`{"p":null}`)
	d.keys("right").sends(`{}`)
}

func TestEditingADefaultNullAddsEscapesAtEachKey(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"p":{"type":["string","null"],"default":null}}}`)
	d.sends(`{"p":null}`).sees("null")
	d.keys(`a"b`).sends(`{"p":"a\"b"}`)
	d.keys(`\`).sends(`{"p":"a\"b\\"}`)
}

func TestTypingAnOpenBracketIsRewrittenAsAString(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"p":{}}}`)
	d.keys(`["a"`).sees(`["a"`)
	d.keys("backspace", "backspace", "backspace").sees("\n    [\n")
	d.keys(`1, 2`, "tab").sees("✖").seesNot("SENT")
	d.keys("shift+tab", "]").sends(`{"p":[1, 2]}`)
}

func TestRootAnyOfRendersNoInputs(t *testing.T) {
	d := begin(t, `{"anyOf":[{"title":"By name","type":"object","properties":{"name":{"type":"string"}},"required":["name"]},{"title":"By id","type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}]}`)
	d.sees("( ) By name  ( ) By id")
	d.keys("right", "right").sees("(●) By id", "*  id").seesNot("✖")
	d.keys("tab", "7").sends(`{"id":7}`)
	d.keys("shift+tab", "left").sees("(●) By name", "*  name")
}

func TestOptionalFieldCannotBeClearedAgain(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"s":{"type":"string"},"n":{"type":"integer"},"c":{"enum":["a","b"]},"x":{"type":["string","null"]}}}`)
	d.sends(`{}`)
	d.keys("abc").sends(`{"s":"abc"}`)
	d.keys("alt+n").sends(`{}`)
	d.keys("alt+n").sends(`{"s":"abc"}`)
	d.keys("backspace", "backspace", "backspace").sends(`{}`)
	d.keys("tab", "12").sends(`{"n":12}`)
	d.keys("backspace", "backspace").sends(`{}`)
	d.keys("tab", "right").sends(`{"c":"a"}`)
	d.keys("delete").sends(`{}`)
	d.keys("tab", "alt+n").sends(`{"x":""}`).sees("empty text")
	d.keys("alt+n").sends(`{"x":null}`)
	d.keys("alt+n").sends(`{}`)
}

func TestUnsetOptionalIsSentAsNullOrFalse(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"s":{"type":"string"},"b":{"type":"boolean"},"a":{"type":"array","items":{"type":"string"}},"o":{"type":"object","properties":{"x":{"type":"string"}}}}}`)
	d.keys("tab", "tab", "tab", "tab", "shift+tab").sends(`{}`)
}

func TestRefEnumInAnyOfIsNotResolved(t *testing.T) {
	d := begin(t, `{"type":"object","$defs":{"c":{"enum":["red","green"]}},"properties":{"p":{"anyOf":[{"$ref":"#/$defs/c"},{"type":"null"}]}}}`)
	d.sees("( ) red  ( ) green  ( ) null")
}

func TestLongEnumIsFreeText(t *testing.T) {
	d := begin(t, wideChoice)
	d.keys("150").sends(`{"p":"value 150"}`).sees("1 of 300")
	d.keys("esc").sends(`{}`)
	require.Equal(t, None, d.last.Act, "Esc closes the list first")
	d.keys("esc")
	require.Equal(t, Later, d.last.Act)
}

var wideChoice = `{"type":"object","properties":{"p":{"type":"string","enum":["` + strings.Join(numbered(300), `","`) + `"]}}}`

func numbered(n int) (out []string) {
	for i := range n {
		out = append(out, "value "+itoa(i))
	}
	return out
}

func TestNumbersAreRoundedOrCannotBeTyped(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"n":{"type":"number"},"i":{"type":"integer"}}}`)
	for _, n := range []string{"1.0", "1.50", "-0.5", "1e3"} {
		d.f.focusOn(0)
		d.keys("ctrl+u", n).sends(`{"n":` + n + `}`)
	}
	d.keys("ctrl+u", "-").sees("> ", "-")
	d.keys("ctrl+u", "tab", "9007199254740993").sends(`{"i":9007199254740993}`)
	d = begin(t, `{"type":"object","properties":{"id":{"type":"integer","default":9007199254740993}}}`)
	d.sees("9007199254740993").sends(`{"id":9007199254740993}`)
}

func TestFractionIsTakenForAnInteger(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"i":{"type":"integer"}},"required":["i"]}`)
	d.keys("0.5", "ctrl+s").sees("✖", "send again to send it all the same")
	require.Equal(t, None, d.last.Act)
}

func TestObjectIsABareTextAreaAndArrivesAsAString(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"o":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":"integer"}}}}}}`)
	d.sees("▸ o", "left out", "object")
	d.keys("enter").sends(`{"o":{}}`).sees("▾ o", ">    a", "▸ b")
	d.keys("x", "tab", "enter").sees("+ add")
	d.keys("enter", "5", "tab", "enter", "6").sends(`{"o":{"a":"x","b":[5,6]}}`)
	d.keys("shift+tab", "alt+x").sends(`{"o":{"a":"x","b":[6]}}`)
	d.keys("alt+a", "7").sends(`{"o":{"a":"x","b":[6,7]}}`)
}

func TestMultiSelectFailsTheCall(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"m":{"type":"array","minItems":1,"maxItems":2,"items":{"anyOf":[{"const":"a","title":"Alpha"},{"const":"b","title":"Beta"},{"const":"c","title":"Gamma"}]}}},"required":["m"]}`)
	d.keys("space").sees("[ ] Alpha", "3, 0 chosen")
	d.keys("space", "gam", "space").sends(`{"m":["a","c"]}`)
	d.keys("backspace", "backspace", "backspace", "down", "space").sends(`{"m":["a","c"]}`).sees("at most 2 choices")
	d.keys("enter").sees("[Alpha, Gamma]").keys("ctrl+s")
	require.Equal(t, `{"m":["a","c"]}`, string(d.last.Value))
}

func TestEnumNamesTripTheValidator(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"p":{"type":"string","enum":["s","l"],"enumNames":["Small","Large"]}}}`)
	d.sees("Small", "Large").keys("right", "right", "ctrl+s")
	require.Equal(t, `{"p":"l"}`, string(d.last.Value))
	require.Empty(t, d.last.Problems)
}

func TestDefaultsTitlesAndBoundsAreIgnored(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"n":{"type":"integer","title":"How many","minimum":1,"maximum":9,"default":3,"description":"Pieces."},"u":{"type":"string","format":"uri","pattern":"^https"}}}`)
	d.sees("How many", "integer · 1 to 9", "Pieces.", "default 3").sends(`{"n":3}`)
	d.keys("tab").sees("format uri", "pattern ^https")
}

func TestRequiredBooleanDefaultTrueSubmitsFalse(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"b":{"type":"boolean","default":true}},"required":["b"]}`)
	d.sees("(●) true").keys("ctrl+s")
	require.Equal(t, `{"b":true}`, string(d.last.Value))
}

func TestHugeNumberBecomesNull(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"n":{"type":"number"}}}`)
	d.keys("1e999").sends(`{"n":1e999}`)
}

func TestAcceptWithoutValuesLosesTheDefaults(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"a":{"type":"string","default":"x"},"n":{"type":"number","default":1.50},"e":{"enum":["p","q"],"default":"q"}}}`)
	d.keys("ctrl+s")
	require.Equal(t, `{"a":"x","n":1.50,"e":"q"}`, string(d.last.Value))
}

func TestPlainQuestionDemandsText(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{}}`, Options{Message: "Go on?", Buttons: ask(), Ask: true})
	d.sees("Go on?", "[>Send Ctrl+S<]")
	d.keys("right", "enter")
	require.Equal(t, Decline, d.last.Act)
	d.keys("left", "enter")
	require.Equal(t, Send, d.last.Act)
	require.Equal(t, `{}`, string(d.last.Value))
}

func TestAcceptIsSentThoughARequiredFieldIsMissing(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"a":{"type":"string"},"deep":{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}},"required":["a","deep"]}`)
	d.keys("x", "ctrl+s").sees("> *  b", "is required", "send again")
	require.Equal(t, None, d.last.Act)
	d.keys("ctrl+s")
	require.Equal(t, Send, d.last.Act)
	require.Len(t, d.last.Problems, 1)
	d.keys("y", "backspace", "ctrl+s")
	require.Equal(t, None, d.last.Act, "a change takes the leave to send a wrong value back")
}

func TestFormIsClippedOnASmallTerminal(t *testing.T) {
	long := strings.Repeat("A long description that goes on. ", 40)
	d := begin(t, `{"type":"object","properties":{"a":{"type":"string","description":"`+long+`END"},"b":{"type":"string"},"c":{"type":"string"},"d":{"type":"string"},"e":{"type":"string"},"f":{"type":"string"},"g":{"type":"string"},"h":{"type":"string"},"i":{"type":"string"},"j":{"type":"string"}}}`)
	d.w, d.h = 40, 12
	d.keys("typed").sees("typed", "▼ 5 more")
	for range 30 {
		d.keys("pgdown")
		if strings.Contains(d.screen(), "END") {
			break
		}
	}
	d.sees("typed", "END")
	for range 9 {
		d.keys("tab")
	}
	d.keys("last").sees("> ", "last", "▲ 2 more")
}

func TestJSONEditorLosesWhatTheFormDoesNotKnow(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"a":{"type":"string"}}}`)
	require.NoError(t, d.f.Load([]byte(`{"z":1.50,"a":"x","y":{"q":[1]}}`)))
	d.keys("ctrl+e").sees(`"z": 1.50`)
	d.keys("esc").sends(`{"z":1.50,"a":"x","y":{"q":[1]}}`)
	d.keys("ctrl+e", "ctrl+e")
	require.Equal(t, Outside, d.last.Act)
	d.f.SetText(`{"a":"from outside","w":2}`)
	d.keys("esc").sends(`{"a":"from outside","w":2}`).sees(`from outside`)
	require.True(t, d.f.Changed())
	d.keys("ctrl+e")
	d.f.SetText(`{"a": oops`)
	d.keys("esc").sees("not JSON at line 1", "oops")
	d.keys("ctrl+s").sees("not JSON", "oops")
	require.Equal(t, None, d.last.Act)
}

func TestContradictorySchemaStillHasAForm(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"n":{"type":"integer","minimum":10,"maximum":5}}}`)
	d.sees("schema:").keys("7", "ctrl+s", "ctrl+s")
	require.Equal(t, Send, d.last.Act)
	require.NotEmpty(t, schema.Blocking(d.last.Problems))
}
