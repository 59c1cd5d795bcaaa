package schema

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUntouchedDefaultsKeepTheirBytes(t *testing.T) {
	d := newDraft(t, object(`{"a":{"type":"string","default":"caf\u00e9 \/"},"n":{"type":"number","default":1.50},
		"o":{"type":"object","default":{"z":1E2, "a":[ 1 ]},"properties":{"a":{}}},"l":{"type":"array","items":{"enum":["\u0061","b"]},"default":["a"]}}`))
	want := `{"a":"caf\u00e9 \/","n":1.50,"o":{"z":1E2, "a":[ 1 ]},"l":["a"]}`
	require.Equal(t, want, rendered(t, d))
	a := d.Root.Child("a")
	require.Equal(t, "café /", a.Text())
	a.SetText("café /x")
	require.Contains(t, rendered(t, d), `"a":"café /x"`)
	a.SetText("café /")
	require.Equal(t, want, rendered(t, d), "typed and taken back: as it came")
	require.NoError(t, d.Root.Child("l").Load([]byte(`["b"]`)))
	d.Root.Child("l").Reset()
	require.Equal(t, want, rendered(t, d))
}

func TestLineBreaksAreRemovedBetweenTokensOnly(t *testing.T) {
	d := newDraft(t, object(`{"a":{}}`))
	require.NoError(t, d.Load([]byte("{ \"a\": 1 }")))
	require.Equal(t, `{ "a": 1 }`, rendered(t, d))
	require.NoError(t, d.Load([]byte("{\n  \"a\": \"x  y\",\r\n  \"b\": 1.0\n}\n")))
	require.Equal(t, `{"a":"x  y","b":1.0}`, rendered(t, d))
}

func TestMemberOrderOfLoadedJSONSurvivesAnEdit(t *testing.T) {
	d := newDraft(t, object(`{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}}`))
	require.NoError(t, d.Load([]byte(`{"z":{"k":1.0},"c":"3","a":"1"}`)))
	require.True(t, d.Root.Child("z").Unknown())
	d.Root.Child("a").SetText("2")
	require.Equal(t, `{"z":{"k":1.0},"c":"3","a":"2"}`, rendered(t, d))
	d.Root.Child("b").SetText("new")
	require.Equal(t, `{"z":{"k":1.0},"c":"3","a":"2","b":"new"}`, rendered(t, d))
}

func TestElements(t *testing.T) {
	d := newDraft(t, object(`{"l":{"type":"array","minItems":1,"items":{"type":"object","properties":{"n":{"type":"integer","default":7}}}}}`))
	l := d.Root.Child("l")
	require.Equal(t, `{}`, rendered(t, d))
	l.Fill()
	require.Equal(t, `{"l":[{"n":7}]}`, rendered(t, d), "as many as the schema wants")
	c, err := l.Append()
	require.NoError(t, err)
	c.Child("n").SetText("8")
	require.Equal(t, "/l/1/n", c.Child("n").Path())
	require.Same(t, c.Child("n"), d.Find("/l/1/n"))
	require.Same(t, l, d.Find("/l/9/n"), "the nearest there is")
	require.NoError(t, l.Move(1, 0))
	require.Equal(t, `{"l":[{"n":8},{"n":7}]}`, rendered(t, d))
	require.NoError(t, l.Remove(1))
	require.Equal(t, `{"l":[{"n":8}]}`, rendered(t, d))
	require.Error(t, l.Remove(1))
	require.Error(t, l.Move(0, 3))
	require.NoError(t, l.Remove(0))
	require.Equal(t, []Problem{{Path: "/l", Message: "has 0 of at least 1 element", Keyword: "minItems"}}, d.Check())
}

func TestTuples(t *testing.T) {
	d := newDraft(t, object(`{"p":{"type":"array","prefixItems":[{"type":"number"},{"type":"string"}],"items":false}}`))
	p := d.Root.Child("p")
	p.Fill()
	require.Len(t, p.Children(), 2)
	_, err := p.Append()
	require.ErrorIs(t, err, ErrNoElement)
	p.Children()[0].SetText("1")
	p.Children()[1].SetText("2")
	require.Equal(t, `{"p":[1,"2"]}`, rendered(t, d))
	require.NoError(t, p.Move(0, 1))
	require.Equal(t, `{"p":["2",1]}`, rendered(t, d))
	require.Len(t, d.Check(), 2)
}

func TestMembersBesideTheDeclaredOnes(t *testing.T) {
	d := newDraft(t, []byte(`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"number"}}`))
	c, err := d.Root.AddMember("x y")
	require.NoError(t, err)
	require.Equal(t, Number, c.Field.Kind)
	c.SetText("1.0")
	require.Equal(t, `{"x y":1.0}`, rendered(t, d))
	require.Equal(t, "/x y", c.Path())
	require.NoError(t, d.Root.Remove(1))
	require.Equal(t, `{}`, rendered(t, d))

	closed := newDraft(t, []byte(`{"type":"object","properties":{"a":{}},"additionalProperties":false}`))
	_, err = closed.Root.AddMember("b")
	require.ErrorIs(t, err, ErrNoMember)
	a, err := closed.Root.AddMember("a")
	require.NoError(t, err, "a declared one is there already")
	require.Equal(t, Set, a.State())
	require.NoError(t, closed.Load([]byte(`{"q":1}`)))
	require.Equal(t, `{"q":1}`, rendered(t, closed), "what the schema forbids is kept and named")
	require.Equal(t, "/q", closed.Check()[0].Path)
}

func TestEditingAGroupAsJSON(t *testing.T) {
	d := newDraft(t, object(`{"o":{"type":"object","properties":{"n":{"type":"integer"}}}}`))
	o := d.Root.Child("o")
	o.Fill()
	o.Child("n").SetText("1")
	require.NoError(t, o.EditAsJSON(true))
	require.Equal(t, `{"n":1}`, o.Text())
	o.SetText(`{"n":2,"x":[`)
	require.Error(t, o.EditAsJSON(false), "unfinished text stays text")
	require.True(t, o.AsJSON())
	require.Equal(t, Unfinished, d.Check()[0].Kind)
	require.Contains(t, d.Check()[0].Message, "line 1, column")
	o.SetText(`{"n":2,"x":[]}`)
	require.NoError(t, o.EditAsJSON(false))
	require.Equal(t, "2", o.Child("n").Text())
	require.Equal(t, `{"o":{"n":2,"x":[]}}`, rendered(t, d))
}

func TestEditingWhatIsLeftOutAsJSONBringsItIn(t *testing.T) {
	d := newDraft(t, object(`{"a":{},"o":{"type":"object","required":["n"],"properties":{"n":{"type":"integer","minimum":3}}}}`))
	require.NoError(t, d.Load([]byte(`{"a":1}`)))
	require.NoError(t, d.Root.Child("o").EditAsJSON(true))
	require.Equal(t, `{"a":1,"o":{"n":3}}`, rendered(t, d))
}

func TestValuesThatDoNotFitTheFieldAreEditedAsJSON(t *testing.T) {
	d := newDraft(t, object(`{"s":{"type":"string"},"e":{"enum":["a"]},"o":{"type":"object"}}`))
	text := `{"s":5,"e":"b","o":[1]}`
	require.NoError(t, d.Load([]byte(text)))
	require.Equal(t, text, rendered(t, d))
	for _, n := range d.Root.Children() {
		require.True(t, n.AsJSON(), n.Name)
	}
	require.Len(t, d.Check(), 3)
	require.Equal(t, "must be a string, not a number", d.Check()[0].Message)
	d.Root.Child("e").Choose(0)
	require.False(t, d.Root.Child("e").AsJSON())
	require.Equal(t, `{"s":5,"e":"a","o":[1]}`, rendered(t, d))
}

func TestNestedGroupsOpenWhenSomethingInThemIsSet(t *testing.T) {
	d := newDraft(t, object(`{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"string"},"d":{"type":"boolean","default":true}}}}}}`))
	require.Equal(t, `{}`, rendered(t, d))
	a := d.Root.Child("a")
	a.Fill()
	b := a.Child("b")
	require.Equal(t, `{"a":{}}`, rendered(t, d))
	b.Fill()
	require.Equal(t, `{"a":{"b":{"d":true}}}`, rendered(t, d))
	a.Unset()
	require.Equal(t, `{}`, rendered(t, d))
	b.Child("c").SetText("x")
	require.Equal(t, `{"a":{"b":{"c":"x","d":true}}}`, rendered(t, d), "typing into a group that is left out brings it in")
}

func TestVariants(t *testing.T) {
	d := newDraft(t, object(`{"shape":{"oneOf":[
		{"type":"object","properties":{"type":{"const":"circle"},"r":{"type":"number"}},"required":["type","r"]},
		{"type":"object","properties":{"type":{"const":"rect"},"w":{"type":"number"}},"required":["type","w"]},
		{"type":"string"}]}}`))
	n := d.Root.Child("shape")
	n.SetVariant(1)
	require.Equal(t, "/shape/w", n.Children()[0].Child("w").Path())
	require.Equal(t, []string{"/shape/w"}, paths(d.Check()), "the reasons of the variant that is meant")
	n.Children()[0].Child("w").SetText("3")
	require.Equal(t, `{"shape":{"type":"rect","w":3}}`, rendered(t, d))
	require.Empty(t, d.Check())
	require.NoError(t, n.Load([]byte(`{"r":1,"type":"circle"}`)))
	require.Equal(t, 0, n.Variant())
	require.NoError(t, n.Load([]byte(`"square"`)))
	require.Equal(t, 2, n.Variant())
	require.Equal(t, `{"shape":"square"}`, rendered(t, d))
	require.NoError(t, n.Load([]byte(`[1]`)))
	require.True(t, n.AsJSON())
	require.Equal(t, "must be an object or a string", d.Check()[0].Message)
}

func paths(problems []Problem) []string {
	var out []string
	for _, p := range problems {
		out = append(out, p.Path)
	}
	return out
}

func TestConditionalMembersHaveAPlace(t *testing.T) {
	d := newDraft(t, []byte(`{"type":"object","properties":{"kind":{"enum":["a","b"]}},"required":["kind"],
		"if":{"properties":{"kind":{"const":"b"}}},"then":{"properties":{"size":{"type":"integer"}},"required":["size"]}}`))
	size := d.Root.Child("size")
	require.True(t, size.Field.Conditional)
	d.Root.Child("kind").Choose(0)
	require.Empty(t, d.Check())
	d.Root.Child("kind").Choose(1)
	require.Equal(t, []string{"/size"}, paths(d.Check()))
	size.SetText("4")
	require.Empty(t, d.Check())
	require.Equal(t, `{"kind":"b","size":4}`, rendered(t, d))
}
