package form

import (
	"encoding/json"
	"math/rand"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"mcptui/client/schema"
	"mcptui/ui/keys"
)

// The names below say what is wrong with a form of the library whose fields
// are hosted here; each shows that this form has it not.

func TestFilterWithoutMatchPanics(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"m":{"type":"array","items":{"enum":["a","b"]}},"s":{"enum":["a","b","c","d","e","f","g"]}}}`)
	d.keys("space", "zzz", "down", "up", "pgdown", "space").sees("nothing matches").sends(`{}`)
	d.keys("enter", "zzz", "down", "up", "pgup").sees("nothing matches").sends(`{}`)
	d.keys("backspace", "backspace", "backspace", "down").sends(`{"s":"b"}`)
}

func TestEqualTitlesToggleTogether(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"m":{"type":"array","items":{"anyOf":[{"const":"x","title":"same"},{"const":"y","title":"same"}]}},"n":{"type":"array","items":{"anyOf":[{"const":"x","title":"a\u200b"},{"const":"y","title":"a\\u200b"}]}}}}`)
	d.keys("space", "space").sends(`{"m":["x"]}`)
	d.keys("tab", "space", "down", "space").sends(`{"m":["x"],"n":["y"]}`)
}

func TestFirstOptionIsTakenForOneThatNobodyChose(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"s":{"enum":["a","b","c","d","e","f","g"]},"t":{"type":"string"}},"required":["s"]}`)
	d.keys("enter", "tab").sends(`{}`)
	d.keys("shift+tab", "enter", "esc").sends(`{}`)
	d.keys("enter", "enter").sends(`{"s":"a"}`)
	d = begin(t, `{"type":"object","properties":{"s":{"enum":["a","b"],"default":"z"}}}`)
	d.keys("tab", "shift+tab")
	require.NotContains(t, string(must(d.f.Value())), `"a"`)
}

func must(raw []byte, _ []schema.Problem) []byte { return raw }

func TestInvalidFieldTrapsTheFocus(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"m":{"type":"array","minItems":2,"items":{"enum":["a","b"]}},"i":{"type":"integer"}},"required":["m"]}`)
	d.seesNot("✖")
	d.keys("space", "space", "tab").sees("> ", "✖").keys("x").sees("> ")
	d.keys("shift+tab").sees("✖ ").keys("tab", "tab").sees("[>Send")
}

func TestErrorShowsBeforeAnythingWasTyped(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"a":{"type":"string","minLength":3},"b":{"type":"string"}},"required":["a","b"]}`)
	d.keys("tab", "tab", "tab").seesNot("✖")
	d.f.focusOn(0)
	d.keys("x").sees("✖").keys("yz").seesNot("✖")
}

func TestSelectStaysLowAfterShrinkAndGrow(t *testing.T) {
	d := begin(t, wideChoice)
	d.keys("enter")
	lines := func() int { return strings.Count(d.screen(), "( ) value") }
	before := lines()
	d.h = 9
	require.Less(t, lines(), before)
	d.h = 24
	require.Equal(t, before, lines())
}

func TestChosenOptionIsNotInSightAtFirst(t *testing.T) {
	d := begin(t, strings.Replace(wideChoice, `"type":"string",`, `"type":"string","default":"value 150",`, 1))
	d.keys("enter").sees("> (●) value 150")
}

func TestTextIsChangedOnItsWayThroughAField(t *testing.T) {
	for _, text := range []string{"line1\nline2", "tab\there", "esc \x1b]0;x\x07", "end  ", "\u202ebidi\u200b", "é 日本 👩‍👩‍👧", "bad \ufffd", strings.Repeat("many\n", 300), "cr\r\nlf", " ", "\n"} {
		raw, err := json.Marshal(text)
		require.NoError(t, err)
		for _, kind := range []string{`"default":` + string(raw), `"format":"markdown","default":` + string(raw)} {
			d := begin(t, `{"type":"object","properties":{"a":{"type":"string",`+kind+`},"b":{"type":"string"}}}`)
			sent := `{"a":` + string(raw) + `}`
			d.keys("tab", "shift+tab", "left", "tab").sends(sent)
			d.keys("shift+tab", "end").keys("X", "backspace")
			var got struct{ A string }
			require.NoError(t, json.Unmarshal(must(d.f.Value()), &got))
			require.Equal(t, text, got.A)
			require.NotRegexp(t, "[\x00-\x09\x0b-\x1f\x7f\u0080-\u009f\u202e\u200b]", d.screen())
		}
	}
}

func TestPastedTextIsChanged(t *testing.T) {
	for _, text := range []string{"p1\np2", "a\tb", "c\x1b[31mred", strings.Repeat("x", 2000), strings.Repeat("y\n", 200), "\u202e"} {
		d := begin(t, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`)
		d.keys("[]", "left").paste(text).keys("tab", "shift+tab")
		var got struct{ A string }
		require.NoError(t, json.Unmarshal(must(d.f.Value()), &got))
		require.Equal(t, "["+text+"]", got.A)
	}
	d := begin(t, `{"type":"object","properties":{"n":{"type":"integer"}}}`)
	d.paste(" 42\n").sends(`{"n":42}`)
}

func TestKeyTypedRightAfterEnterHitsTheOldField(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`)
	d.keys("one", "enter", "two").sends(`{"a":"one","b":"two"}`)
}

func TestCompletionsOfTheServer(t *testing.T) {
	var asked []string
	d := begin(t, `{"type":"object","properties":{"lang":{"type":"string"},"b":{"type":"string"}}}`, Options{
		Buttons: ask(),
		Complete: func(name, value string, _ *schema.Draft) tea.Cmd {
			asked = append(asked, name+"="+value)
			return func() tea.Msg { return nil }
		},
	})
	d.keys("tab").sees("> ", "b")
	require.Empty(t, asked, "an untouched field is passed by")
	d.keys("shift+tab", "p", "tab")
	require.Equal(t, []string{"lang=p"}, asked)
	require.NotNil(t, d.cmd)
	d.f.SetCompletions("lang", "p", []string{"python", "pyret", "pylon"}, nil)
	d.sees("python", "pyret").sends(`{"lang":"py"}`)
	d.keys("down", "down", "enter").sends(`{"lang":"pyret"}`)
	d.keys("tab", "x").sends(`{"lang":"pyret","b":"x"}`)
	require.Len(t, asked, 1, "what was filled in is not asked for again")

	d.keys("shift+tab", "!", "tab")
	d.f.SetCompletions("lang", "old", []string{"late"}, nil)
	d.sends(`{"lang":"pyret!","b":"x"}`)
	d.f.SetCompletions("lang", "pyret!", nil, nil)
	d.sees("knows no completion").keys("tab", "y").sends(`{"lang":"pyret!","b":"xy"}`)
}

func TestMouse(t *testing.T) {
	d := begin(t, booking)
	d.click("Note").keys("hi").sends(`{"seats":2,"note":"hi"}`)
	d.click("Agreed").click("( ) false").sends(`{"seats":2,"note":"hi","ok":false}`)
	d.click("Area").sees("( ) terrace").click("( ) terrace").sends(`{"seats":2,"area":"terrace","note":"hi","ok":false}`)
	d.click("[ Send")
	require.Equal(t, None, d.last.Act)
	d.sees("> *Date", "is required")
	d.click("[ Send all the same")
	require.Equal(t, Send, d.last.Act)
	d.click("[ Decline")
	require.Equal(t, Decline, d.last.Act)
	d.click("[ Cancel")
	require.Equal(t, Cancel, d.last.Act)
	d.click("[ Later")
	require.Equal(t, Later, d.last.Act)
}

func TestWheelScrollsWithoutMovingTheFocus(t *testing.T) {
	d := begin(t, string(wide()))
	d.handle(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelDown})
	d.handle(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelDown})
	d.sees("more above").seesNot("> ")
	d.keys("enter").sees("> ", "field_00")
}

func TestActsHaveKeys(t *testing.T) {
	d := begin(t, booking)
	for key, want := range map[string]Act{"alt+d": Decline, "alt+c": Cancel, "esc": Later} {
		d.keys("typed "+key, key)
		require.Equal(t, want, d.last.Act, key)
	}
	d = begin(t, booking, Options{Buttons: []Button{{Send, "Call"}}})
	d.keys("alt+d", "alt+c")
	require.Equal(t, None, d.last.Act, "arguments cannot be declined")
}

func TestRecentValues(t *testing.T) {
	d := begin(t, booking, Options{Recent: [][]byte{[]byte(`{"seats":4}`), []byte(`{"seats":5.0,"x":1}`)}})
	d.keys("ctrl+r").sends(`{"seats":4}`).sees("recent value 1 of 2")
	d.keys("ctrl+r").sends(`{"seats":5.0,"x":1}`)
	d.keys("ctrl+r").sends(`{"seats":2}`)
}

// TestRandomKeys presses keys at random on hard schemas: no panic, always a
// frame, always JSON.
func TestRandomKeys(t *testing.T) {
	names := []string{"enter", "tab", "shift+tab", "up", "down", "left", "right", "esc", "space", "backspace", "delete", "pgup", "pgdown", "home", "end",
		"/", "z", "1", "é", "[", `"`, "{", "x", "alt+n", "alt+a", "alt+x", "alt+enter", "ctrl+e", "ctrl+s", "ctrl+u", "ctrl+a", "ctrl+w", "ctrl+r", "ctrl+t", "alt+q"}
	schemas := []string{booking, wideChoice,
		`{"type":"object","properties":{"m":{"type":"array","minItems":1,"maxItems":2,"items":{"enum":["a","b","c"]}},"t":{"type":"array","items":{"type":"object","properties":{"k":{"type":"string"},"v":{"type":["integer","null"]}}}},"v":{"oneOf":[{"title":"A","type":"object","properties":{"kind":{"const":"a"},"x":{"type":"string"}},"required":["kind","x"]},{"title":"B","type":"integer"}]},"j":{},"map":{"type":"object","additionalProperties":{"type":"number"}}}}`,
		`{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"v":{"type":"string","default":"a\tb"},"kids":{"type":"array","items":{"$ref":"#/$defs/n"}}}}}}`,
		`{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"boolean"}},{"type":"null"}]}`, `true`, `{"type":"array","items":{"type":"integer"}}`}
	rounds := 2
	for at, s := range schemas {
		for seed := range rounds {
			r := rand.New(rand.NewSource(int64(100*at + seed)))
			d := begin(t, s, Options{Buttons: ask(), Ask: true, Recent: [][]byte{[]byte(`{"v":7}`)}})
			var pressed []string
			func() {
				defer func() {
					if p := recover(); p != nil {
						t.Fatalf("panic %v on %s after %v", p, s, pressed)
					}
				}()
				for range 80 {
					k := names[r.Intn(len(names))]
					pressed = append(pressed, k)
					switch r.Intn(25) {
					case 0:
						d.w, d.h = r.Intn(130), r.Intn(40)
					case 1:
						d.handle(tea.MouseClickMsg{X: r.Intn(80), Y: r.Intn(24), Button: tea.MouseLeft})
					case 2:
						d.handle(tea.MouseWheelMsg{X: r.Intn(80), Y: r.Intn(24), Button: tea.MouseWheelDown})
					case 3:
						d.paste("a\n\tb\x1b")
					}
					d.keys(k)
					if strings.ContainsFunc(d.shot, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
						t.Fatalf("a control character on the screen:\n%q", d.shot)
					}
				}
			}()
			for range 3 { // out of a document that is no JSON, or out of a list
				d.keys("esc")
			}
			if d.f.asJSON == nil {
				require.True(t, json.Valid(must(d.f.Value())), "after %v", pressed)
			}
		}
	}
}

func TestFilterMeansTheNearest(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"b":{"type":["boolean","null"]},"c":{"enum":["metal","tea","oolong tea","team","x","y","z"]}}}`)
	d.keys("l", "tab").sends(`{}`) // "left out", not "false"
	d.keys("shift+tab", "f", "tab").sends(`{"b":false}`)
	d.keys("te").sends(`{"b":false,"c":"tea"}`)
	d.keys("am").sends(`{"b":false,"c":"team"}`)
	d.keys("esc").paste("oolong").sends(`{"b":false,"c":"oolong tea"}`)
	d.paste("\t\x1b").sees("cannot be typed here").sends(`{"b":false,"c":"oolong tea"}`)
}

func TestButtonsBesideTheDocument(t *testing.T) {
	d := begin(t, booking)
	d.keys("ctrl+e", "tab").sees("[>Send").keys("right", "enter")
	require.Equal(t, Decline, d.last.Act)
	d.keys("up").seesNot("[>").keys("esc").sees("> *Date").sends(`{"seats":2}`)
	d = begin(t, booking, Options{})
	d.keys("ctrl+e")
	_, done := d.f.Do(keys.NextField)
	require.False(t, done, "a form without buttons is left")
}

func TestLongDocumentFreezesTheForm(t *testing.T) {
	long := `{"type":"object","properties":{"a":{"type":"string","default":"` + strings.Repeat("x", longestDocument) + `"},"b":{"type":"string"}}}`
	d := begin(t, long)
	d.keys("z").sees("too long to type in").keys("ctrl+e").sees("it goes to $EDITOR")
	require.Equal(t, Outside, d.last.Act)
	broken := strings.Replace(d.last.Text, "{", "{ oops", 1)
	d.f.SetText(broken)
	d.sees("✖").keys("ctrl+e")
	require.Equal(t, broken, d.last.Text, "nothing is lost")
	d.f.SetText(strings.Replace(d.last.Text, " oops", `"b":"new",`, 1))
	d.sees("new").keys("ctrl+s")
	require.Equal(t, Send, d.last.Act)
	require.Len(t, d.last.Value, longestDocument+len(`{"b":"new","a":""}`))
	d.f.SetText(`{"b":"short"}`)
	d.keys("esc").sends(`{"b":"short"}`)
}

func TestSendingWhatMatchesNoChoiceSendsTheOneBefore(t *testing.T) {
	const branches = `{"type":"object","properties":{"branch":{"type":"string","enum":["feature/old-menu","release/2019"],"default":"feature/old-menu"}}}`
	d := begin(t, branches).keys("main", "ctrl+s")
	require.Equal(t, None, d.last.Act, "what was typed is no choice: nothing leaves")
	require.Contains(t, d.shot, `"main" is none of the choices`)
	d.keys("esc", "ctrl+s")
	require.Equal(t, Send, d.last.Act)
	require.JSONEq(t, `{"branch":"feature/old-menu"}`, string(d.last.Value))

	part := NewPart([]byte(branches), nil, Options{})
	for _, r := range "main" {
		part.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	_, _, err := part.Value()
	require.ErrorContains(t, err, `"main" is none of the choices`)
}

func TestPastedLineEndLocksTheField(t *testing.T) {
	const one = `{"type":"object","properties":{"d":{"type":"string","format":"date"},"n":{"type":"integer"}},"required":["d"]}`
	for _, end := range []string{"\r", "\r\n", "\n", "\r\r", "\n\r\n"} {
		d := begin(t, one).paste("2026-12-24"+end).sends(`{"d":"2026-12-24"}`).seesNot("JSON", "✖")
		d.keys("ctrl+u", "2027-01-0").paste("1" + end).sends(`{"d":"2027-01-01"}`)
		d.keys("tab").paste("42" + end).sends(`{"d":"2027-01-01","n":42}`)
		d.keys("ctrl+e", "ctrl+a").paste("\r\n" + end).keys("esc").sends(`{"d":"2027-01-01","n":42}`)
	}
	for _, end := range []string{"\r", "\r\n", "\n"} { // what has lines keeps them
		begin(t, `{"type":"object","properties":{"a":{"type":"string"}}}`).
			paste("one" + end + "two" + end).sends(`{"a":"one\ntwo\n"}`).seesNot("JSON")
		begin(t, `{"type":"object","properties":{"a":{"type":"string","format":"markdown"}}}`).
			paste("one" + end).sends(`{"a":"one\n"}`).seesNot("JSON")
		begin(t, `{"type":"object","properties":{"a":{"type":"object","additionalProperties":{"type":"string"}}}}`).
			keys("enter", "tab").paste("name" + end).seesNot("cannot be typed")
		begin(t, `{"type":"object","properties":{"c":{"enum":["metal","tea"]}}}`).paste("tea" + end).sends(`{"c":"tea"}`)
	}
}

func TestJSONInAFieldHasNoWayOut(t *testing.T) {
	kinds := map[string]string{
		`{"type":"string"}`: `"x"`, `{"type":"integer"}`: `7`, `{"type":"number"}`: `7`, `{"type":["string","null"]}`: `"x"`,
		`{"type":"boolean"}`: `true`, `{"enum":["x","y"]}`: `"x"`,
	}
	typed := map[string]string{`"x"`: "x", `7`: "7", `true`: "t"}
	for kind, want := range kinds {
		for _, required := range []string{"", `,"required":["a"]`} {
			d := begin(t, `{"type":"object","properties":{"a":`+kind+`}`+required+`}`)
			require.NoError(t, d.f.Load([]byte(`{"a":[1]}`)))
			d.f.focusOn(0)
			d.sees("typed as JSON", "ordinary field").keys("end")
			for range len(d.f.draft.Root.Children()[0].Text()) {
				d.keys("backspace")
			}
			d.seesNot("typed as JSON", "not JSON").keys(typed[want]).sends(`{"a":` + want + `}`)
		}
	}
	d := begin(t, `{"type":"object","properties":{"a":{"type":"string"}}}`)
	d.paste("a\x1bb").sees("typed as JSON").keys("end", "ctrl+u").sends(`{}`).keys("c").sends(`{"a":"c"}`)
	d = begin(t, `{"type":"object","properties":{"a":{"type":"object"}}}`)
	require.NoError(t, d.f.Load([]byte(`{"a":[1]}`)))
	d.f.focusOn(0)
	d.sees("typed as JSON").seesNot("ordinary field").keys("ctrl+u", `{"b":2}`).sends(`{"a":{"b":2}}`)
}
