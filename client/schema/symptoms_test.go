package schema

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each test here is named for a fault that people have met in other clients.

func object(properties string, required ...string) []byte {
	names, _ := json.Marshal(required)
	if required == nil {
		names = []byte("[]")
	}
	return []byte(fmt.Sprintf(`{"type":"object","properties":%s,"required":%s}`, properties, names))
}

func newDraft(t *testing.T, schema []byte) *Draft {
	t.Helper()
	d := Parse(schema).New()
	require.NotNil(t, d.Root)
	return d
}

func rendered(t *testing.T, d *Draft) string {
	t.Helper()
	raw, _ := d.JSON()
	require.True(t, json.Valid(raw), "%s", raw)
	return string(raw)
}

func TestNullableEnumFallsToRawText(t *testing.T) {
	d := newDraft(t, object(`{"size":{"anyOf":[{"type":"string","enum":["s","m"]},{"type":"null"}]}}`))
	n := d.Root.Child("size")
	require.Equal(t, Choice, n.Field.Kind)
	require.True(t, n.Field.Nullable)
	require.Equal(t, "string or null", n.Field.Type)
	require.Equal(t, `{}`, rendered(t, d))
	n.Cycle()
	require.Equal(t, `{"size":"s"}`, rendered(t, d))
	n.Cycle()
	require.Equal(t, `{"size":null}`, rendered(t, d))
	require.Empty(t, d.Check())
	n.Cycle()
	require.Equal(t, `{}`, rendered(t, d))
}

func TestEditingADefaultNullAddsEscapes(t *testing.T) {
	d := newDraft(t, object(`{"filter":{"default":null}}`))
	n := d.Root.Child("filter")
	require.Equal(t, Null, n.State())
	require.Equal(t, `{"filter":null}`, rendered(t, d))
	for _, text := range []string{"n", "nu", "nul", "null"} {
		n.SetText(text)
		require.Equal(t, text, n.Text())
		rendered(t, d)
		require.Equal(t, text, n.Text(), "the draft is not written back")
	}
	require.Equal(t, `{"filter":null}`, rendered(t, d))
}

func TestTypingJSONIsRewrittenInTheMiddle(t *testing.T) {
	d := newDraft(t, object(`{"tags":{}}`))
	n := d.Root.Child("tags")
	for _, text := range []string{`[`, `["`, `["a`, `["a"`, `["a"]`} {
		n.SetText(text)
		raw, problems := d.JSON()
		require.True(t, json.Valid(raw))
		require.Equal(t, text, n.Text())
		if text != `["a"]` {
			require.Len(t, problems, 1)
			require.Equal(t, "/tags", problems[0].Path)
			require.Equal(t, Unfinished, problems[0].Kind)
			continue
		}
		require.Empty(t, problems)
	}
	require.Equal(t, `{"tags":["a"]}`, rendered(t, d))
	n.SetText(`["a"`)
	require.Equal(t, `["a"`, n.Text(), "backspace takes one character and no more")
}

func TestRootUnionRendersNoInputs(t *testing.T) {
	for _, keyword := range []string{"oneOf", "anyOf"} {
		d := newDraft(t, []byte(`{"type":"object","`+keyword+`":[
			{"title":"By id","properties":{"id":{"type":"integer"}},"required":["id"]},
			{"properties":{"by":{"const":"name"},"name":{"type":"string"}},"required":["by","name"]}],
			"properties":{"dry":{"type":"boolean"}}}`))
		require.Equal(t, Variant, d.Root.Field.Kind)
		variants := d.Root.Field.Variants()
		require.Equal(t, "By id", variants[0].Title)
		require.Equal(t, "by name", variants[1].Title)
		d.Root.SetVariant(0)
		form := d.Root.Children()[0]
		require.NotNil(t, form.Child("dry"), "what holds for all variants is in each")
		form.Child("id").SetText("7")
		require.Equal(t, `{"id":7}`, rendered(t, d))
		form.Child("dry").Choose(0)
		d.Root.SetVariant(1)
		d.Root.Children()[0].Child("name").SetText("x")
		require.JSONEq(t, `{"dry":true,"by":"name","name":"x"}`, rendered(t, d), "what both variants have is kept")
		require.Empty(t, d.Check())
	}
}

func TestOptionalFieldCannotBeSetOrCleared(t *testing.T) {
	d := newDraft(t, object(`{"note":{"type":["string","null"]}}`))
	n := d.Root.Child("note")
	n.SetNull()
	require.Equal(t, `{"note":null}`, rendered(t, d))
	n.SetText("x")
	require.Equal(t, `{"note":"x"}`, rendered(t, d))
	n.Unset()
	require.Equal(t, `{}`, rendered(t, d))
	n.Fill()
	require.Equal(t, `{"note":"x"}`, rendered(t, d), "what was typed comes back")
}

func TestUnsetOptionalIsSentAsNull(t *testing.T) {
	d := newDraft(t, object(`{"a":{"type":"string"},"b":{"type":"integer"},"c":{"type":"object","properties":{"d":{"type":"string"}}},
		"e":{"type":"array","items":{"type":"string"}},"f":{"enum":["x"]},"g":{"oneOf":[{"type":"string"},{"type":"number"}]},"h":{}}`))
	require.Equal(t, `{}`, rendered(t, d))
	require.Empty(t, d.Check())
}

func TestRefEnumInAUnionIsNotResolvedOrCannotBeCleared(t *testing.T) {
	d := newDraft(t, []byte(`{"type":"object","properties":{"level":{"anyOf":[{"$ref":"#/$defs/Level"},{"type":"null"}],"default":null}},
		"$defs":{"Level":{"type":"string","enum":["low","high"],"title":"Level"}}}`))
	n := d.Root.Child("level")
	require.Equal(t, Choice, n.Field.Kind)
	require.Equal(t, "Level", n.Field.Title)
	require.Len(t, n.Field.Options, 2)
	require.Equal(t, `{"level":null}`, rendered(t, d))
	n.Choose(1)
	require.Equal(t, `{"level":"high"}`, rendered(t, d))
	n.Unset()
	require.Equal(t, `{}`, rendered(t, d))
	require.Empty(t, d.Check())
}

func TestEnumIsShownAsFreeText(t *testing.T) {
	d := newDraft(t, object(`{"c":{"enum":["one","two"]},"d":{"type":"integer","enum":[1,2]},"e":{"type":"string","const":"only"}}`, "e"))
	for _, n := range d.Root.Children() {
		require.Equal(t, Choice, n.Field.Kind, n.Name)
	}
	require.Equal(t, `{"e":"only"}`, rendered(t, d), "the only value there can be is filled in")
	d.Root.Child("d").Choose(1)
	require.Equal(t, `{"d":2,"e":"only"}`, rendered(t, d))
}

func TestNumbersCannotBeTypedOrAreRounded(t *testing.T) {
	d := newDraft(t, object(`{"n":{"type":"number"},"i":{"type":"integer"}}`))
	n := d.Root.Child("n")
	for _, text := range []string{"-", "1.", "1.0", "1.50", "1e", "1e3", "0.1000000000000000055511151231257827"} {
		n.SetText(text)
		require.Equal(t, text, n.Text())
		raw, problems := d.JSON()
		require.True(t, json.Valid(raw))
		if IsNumber(text) {
			require.Empty(t, problems, text)
			require.Equal(t, `{"n":`+text+`}`, string(raw))
		} else {
			require.Contains(t, problems[0].Message, "is not finished", text)
		}
	}
	n.Unset()
	for _, text := range []string{"9007199254740993", "123456789012345678901234567890", "-9223372036854775809"} {
		d.Root.Child("i").SetText(text)
		require.Equal(t, `{"i":`+text+`}`, rendered(t, d))
		require.Empty(t, d.Check())
	}
}

func TestBoundsBeyondDoublesAreRounded(t *testing.T) {
	d := newDraft(t, object(`{"i":{"type":"integer","maximum":9007199254740993},"m":{"type":"number","multipleOf":0.01}}`))
	d.Root.Child("i").SetText("9007199254740993")
	d.Root.Child("m").SetText("4.35")
	require.Empty(t, d.Check())
	d.Root.Child("i").SetText("9007199254740994")
	require.Equal(t, []Problem{{Path: "/i", Message: "must be at most 9007199254740993", Keyword: "maximum"}}, d.Check())
}

func TestComplexObjectIsABareTextArea(t *testing.T) {
	f := Parse(object(`{"job":{"type":"object","required":["name","steps"],"properties":{"name":{"type":"string"},
		"steps":{"type":"array","minItems":1,"items":{"type":"object","required":["run"],"properties":{"run":{"type":"string"},"n":{"type":"integer","minimum":3}}}}}},
		"odd":{"type":["object","array","string","number","boolean","null"],"default":{"a":1}}}`))
	job := f.Root.Child("job")
	require.Equal(t, Object, job.Kind)
	require.Equal(t, `{"name":"","steps":[{"run":""}]}`, string(job.Skeleton()))
	require.Equal(t, Array, job.Child("steps").Kind)
	require.Equal(t, Object, job.Child("steps").Item().Kind)
	odd := f.Root.Child("odd")
	require.Equal(t, `{"a":1}`, string(odd.Skeleton()))
}

func TestObjectArgumentArrivesAsAString(t *testing.T) {
	d := newDraft(t, object(`{"o":{"type":"object"},"a":{"type":"array","items":{"type":"number"}},"any":{}}`))
	n := d.Root.Child("o")
	require.Equal(t, "object", n.Field.Type)
	require.NoError(t, n.Load([]byte(`{"k":[1]}`)))
	item, err := d.Root.Child("a").Append()
	require.NoError(t, err)
	item.SetText("2.50")
	d.Root.Child("any").SetText(`{"x":1}`)
	require.Equal(t, `{"o":{"k":[1]},"a":[2.50],"any":{"x":1}}`, rendered(t, d))
}

func TestMultiSelectMakesTheWholeFormFail(t *testing.T) {
	d := newDraft(t, object(`{"pets":{"type":"array","minItems":1,"maxItems":2,"items":{"anyOf":[{"const":"cat","title":"Cat"},{"const":"dog","title":"Dog"},{"const":"emu","title":"Emu"}]}},
		"odd":{"type":"array","items":{"enum":["a"]},"minItems":"one"}}`))
	n := d.Root.Child("pets")
	require.Equal(t, MultiChoice, n.Field.Kind)
	require.Equal(t, []Option{{"Cat", json.RawMessage(`"cat"`)}, {"Dog", json.RawMessage(`"dog"`)}, {"Emu", json.RawMessage(`"emu"`)}}, n.Field.Options)
	require.Equal(t, "1 to 2 choices", n.Field.Range())
	require.NotEmpty(t, d.Form.Findings, "the schema's own fault is told beside the form")
	n.Toggle(2)
	n.Toggle(0)
	require.Equal(t, `{"pets":["emu","cat"]}`, rendered(t, d))
	require.Empty(t, d.Check())
	n.Toggle(1)
	require.Equal(t, "has 3 of at most 2 elements", d.Check()[0].Message)
	n.Toggle(2)
	n.Toggle(0)
	n.Toggle(1)
	require.Equal(t, `{"pets":[]}`, rendered(t, d))
	require.Equal(t, "has 0 of at least 1 element", d.Check()[0].Message)
}

func TestEnumNamesTripTheValidator(t *testing.T) {
	d := newDraft(t, object(`{"c":{"type":"string","enum":["r","g"],"enumNames":["Red","Green"]}}`))
	n := d.Root.Child("c")
	require.Equal(t, "Green", n.Field.Options[1].Label)
	n.Choose(1)
	require.Equal(t, `{"c":"g"}`, rendered(t, d))
	require.Empty(t, d.Check())
}

func TestFormIgnoresTitleDefaultBoundsAndFormats(t *testing.T) {
	f := Parse(object(`{
		"s":{"type":"string","title":"S","description":"D","minLength":3,"maxLength":50,"format":"email","pattern":"x","default":"user@example.com"},
		"n":{"type":"number","minimum":0.5,"exclusiveMaximum":100,"default":50},
		"c":{"type":"string","oneOf":[{"const":"#F00","title":"Red"},{"const":"#0F0","title":"Green"}],"default":"#0F0"}}`))
	s, n, c := f.Root.Child("s"), f.Root.Child("n"), f.Root.Child("c")
	require.Equal(t, []any{"S", "D", 3, 50, "email", "x", `"user@example.com"`},
		[]any{s.Label(), s.Description, s.MinLength, s.MaxLength, s.Format, s.Pattern, string(s.Default)})
	require.Equal(t, "at least 0.5, less than 100", n.Range())
	require.Equal(t, "50", string(n.Default))
	require.Equal(t, "Red", c.Options[0].Label)
	raw, _ := f.New().JSON()
	require.Contains(t, string(raw), `"c":"#0F0"`)
}

func TestRequiredBooleanWithDefaultTrueSubmitsFalse(t *testing.T) {
	d := newDraft(t, object(`{"ok":{"type":"boolean","default":true},"open":{"type":"boolean"}}`, "ok", "open"))
	require.Equal(t, `{"ok":true}`, rendered(t, d))
	require.Equal(t, []Problem{{Path: "/open", Message: "is required", Kind: Missing, Keyword: "required"}}, d.Check(),
		"a boolean that nobody chose is neither true nor false")
}

func TestUntouchedBooleanIsSentAsFalseAndHugeNumbersAsNull(t *testing.T) {
	d := newDraft(t, object(`{"b":{"type":"boolean"},"n":{"type":"number"}}`))
	require.Equal(t, `{}`, rendered(t, d))
	for _, text := range []string{"1e999", "-1e999", "NaN", "Infinity", "-Infinity"} {
		d.Root.Child("n").SetText(text)
		raw, problems := d.JSON()
		require.NotContains(t, string(raw), "null", text)
		require.Len(t, problems, 1, text)
		require.Len(t, d.Check(), 1, text)
	}
	require.NotEmpty(t, Validate(object(`{"n":{"type":"number"}}`), []byte(`{"n":1e999}`)), "also in JSON from a file")
}

func TestAcceptWithoutValuesLosesTheDefaults(t *testing.T) {
	d := Parse(testParams(t, "sep1034.json")).New()
	raw, problems := d.JSON()
	require.Empty(t, problems)
	require.JSONEq(t, `{"name":"John Doe","age":30,"score":95.5,"status":"active","verified":true}`, string(raw))
}

func TestMessageOnlyFormDemandsText(t *testing.T) {
	for _, schema := range []string{`{}`, `{"type":"object"}`, `{"type":"object","properties":{}}`, `true`, ``, `null`, `{"type":"object","additionalProperties":false}`} {
		f := Parse([]byte(schema))
		require.True(t, f.Empty(), schema)
		raw, problems := f.New().JSON()
		require.Empty(t, problems)
		require.Equal(t, `{}`, string(raw), schema)
		require.Empty(t, f.New().Check(), schema)
	}
	require.False(t, Parse(object(`{"a":{}}`)).Empty())
	require.False(t, Parse([]byte(`{"type":"object","required":["a"]}`)).Empty())
}

func TestAcceptThoughARequiredFieldHasNoInput(t *testing.T) {
	d := newDraft(t, object(`{"a":{"type":"string"}}`, "ghost", "a"))
	require.Len(t, d.Root.Children(), 2)
	ghost := d.Root.Child("ghost")
	require.True(t, ghost.Field.Required, "what is required has a place, declared or not")
	require.Len(t, d.Check(), 2)
	ghost.SetText(`1`)
	d.Root.Child("a").SetText("x")
	require.Empty(t, d.Check())
	require.Equal(t, `{"a":"x","ghost":1}`, rendered(t, d))
}

func TestFractionIsTakenForAnInteger(t *testing.T) {
	schema := object(`{"i":{"type":"integer"}}`)
	d := newDraft(t, schema)
	n := d.Root.Child("i")
	n.SetText("0.5")
	_, problems := d.JSON()
	require.Equal(t, "0.5 is not a whole number", problems[0].Message)
	require.Len(t, d.Check(), 1)
	require.NotEmpty(t, Validate(schema, []byte(`{"i":0.5}`)))
	_, err := Parse(schema).Coerce("i", "0.5")
	require.ErrorContains(t, err, "not a whole number")
	n.SetText("2.0")
	require.Empty(t, d.Check(), "2.0 is an integer in JSON Schema")
	require.Equal(t, `{"i":2.0}`, rendered(t, d))
}
