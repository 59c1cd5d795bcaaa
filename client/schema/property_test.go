package schema

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// gen makes random schemas of the supported kinds, and random values that fit
// them, as text.
type gen struct{ *rand.Rand }

// made is a schema with a source of valid values.
type made struct {
	schema string
	value  func() string
}

func (g gen) pick(from ...string) string { return from[g.IntN(len(from))] }

func (g gen) word() string {
	letters := []rune("abcxyz éß漢🙂\"\\/\n\t<&>'0")
	var b strings.Builder
	for range g.IntN(6) {
		b.WriteRune(letters[g.IntN(len(letters))])
	}
	return b.String()
}

func (g gen) any(depth int) made {
	kinds := []func(int) made{g.text, g.format, g.integer, g.number, g.boolean, g.choice, g.titled, g.choices, g.nullable, g.constant, g.null}
	if depth > 0 {
		kinds = append(kinds, g.object, g.object, g.array, g.tuple, g.union, g.allOf, g.typeList)
	}
	return kinds[g.IntN(len(kinds))](depth)
}

func (g gen) text(int) made {
	low := g.IntN(3)
	return made{fmt.Sprintf(`{"type":"string","minLength":%d,"maxLength":%d}`, low, low+8), func() string {
		return string(quote(strings.Repeat("a", low) + g.word()))
	}}
}

func (g gen) format(int) made {
	formats := map[string][]string{
		"email": {"a@example.com", "x.y+z@example.org"}, "uri": {"https://example.com/?q=1&r=2", "urn:isbn:0451450523"},
		"date": {"2026-07-28", "2000-02-29"}, "date-time": {"2026-07-28T09:30:00Z", "1999-12-31T23:59:59.5+02:00"},
	}
	format := g.pick("email", "uri", "date", "date-time")
	return made{`{"type":"string","format":"` + format + `"}`, func() string { return string(quote(g.pick(formats[format]...))) }}
}

func (g gen) integer(int) made {
	return made{`{"type":"integer","minimum":-5}`, func() string {
		return g.pick("0", "-5", "7", "3.0", "2e3", "9007199254740993", "123456789012345678901234567890")
	}}
}

func (g gen) number(int) made {
	return made{`{"type":"number","exclusiveMaximum":1e30}`, func() string {
		return g.pick("0", "-0", "1.50", "0.1", "1E5", "-2.5e-10", "1.0", "0.30000000000000004", "9007199254740993.5")
	}}
}

func (g gen) boolean(int) made {
	return made{`{"type":"boolean"}`, func() string { return g.pick("true", "false") }}
}

func (g gen) choice(int) made {
	options := []string{`"a"`, `"b c"`, `"\u00e9"`, `1`, `"1"`, `true`, `{"k":[1]}`, `[2]`, `1.50`}
	g.Shuffle(len(options), func(i, j int) { options[i], options[j] = options[j], options[i] })
	options = options[:1+g.IntN(len(options)-1)]
	return made{`{"enum":[` + strings.Join(options, ",") + `]}`, func() string { return g.pick(options...) }}
}

func (g gen) titled(int) made {
	return made{`{"type":"string","` + g.pick("oneOf", "anyOf") + `":[{"const":"x","title":"Same"},{"const":"y","title":"Same"},{"const":"z"}]}`,
		func() string { return g.pick(`"x"`, `"y"`, `"z"`) }}
}

func (g gen) choices(int) made {
	return made{`{"type":"array","items":{"enum":["a","b","c",4]},"uniqueItems":true}`, func() string {
		all := []string{`"a"`, `"b"`, `"c"`, `4`}
		g.Shuffle(4, func(i, j int) { all[i], all[j] = all[j], all[i] })
		return "[" + strings.Join(all[:g.IntN(5)], ",") + "]"
	}}
}

func (g gen) constant(int) made {
	c := g.pick(`"only"`, `3`, `null`, `{"a":null}`)
	return made{`{"const":` + c + `}`, func() string { return c }}
}

func (g gen) null(int) made {
	return made{`{"type":"null"}`, func() string { return "null" }}
}

func (g gen) nullable(depth int) made {
	switch g.IntN(3) {
	case 0:
		return made{`{"type":["string","null"]}`, func() string { return g.pick("null", string(quote(g.word()))) }}
	case 1:
		return made{`{"anyOf":[{"type":"null"},{"enum":["p","q"]}]}`, func() string { return g.pick("null", `"p"`, `"q"`) }}
	}
	inner := g.integer(depth)
	return made{`{"oneOf":[` + inner.schema + `,{"type":"null"}]}`, func() string { return g.pick("null", inner.value()) }}
}

func (g gen) object(depth int) made {
	type prop struct {
		name     string
		required bool
		made
	}
	var properties []prop
	names := []string{"a", "b", "", "a/b~c", "ключ", "x y", "$ref", "0"}
	g.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names[:g.IntN(5)] {
		properties = append(properties, prop{name, g.IntN(2) == 0, g.any(depth - 1)})
	}
	var fields, required []string
	for _, p := range properties {
		fields = append(fields, string(quote(p.name))+":"+p.schema)
		if p.required {
			required = append(required, string(quote(p.name)))
		}
	}
	open := g.IntN(2) == 0
	schema := fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s],"additionalProperties":%v}`,
		strings.Join(fields, ","), strings.Join(required, ","), open)
	return made{schema, func() string {
		var members []string
		for _, p := range properties {
			if p.required || g.IntN(2) == 0 {
				members = append(members, string(quote(p.name))+":"+p.value())
			}
		}
		if open && g.IntN(2) == 0 {
			members = append(members, `"extra":`+g.pick(`1e2`, `{"deep":[null]}`, `"s"`))
		}
		g.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		return "{" + strings.Join(members, ",") + "}"
	}}
}

func (g gen) array(depth int) made {
	item := g.any(depth - 1)
	return made{`{"type":"array","items":` + item.schema + `,"maxItems":3}`, func() string {
		var out []string
		for range g.IntN(4) {
			out = append(out, item.value())
		}
		return "[" + strings.Join(out, ",") + "]"
	}}
}

func (g gen) tuple(depth int) made {
	a, b := g.any(depth-1), g.any(depth-1)
	return made{`{"type":"array","prefixItems":[` + a.schema + `,` + b.schema + `],"items":false,"minItems":2}`, func() string {
		return "[" + a.value() + "," + b.value() + "]"
	}}
}

func (g gen) union(depth int) made {
	a := g.any(depth - 1)
	one := `{"type":"object","properties":{"kind":{"const":"one"},"v":` + a.schema + `},"required":["kind","v"]}`
	two := `{"type":"object","properties":{"kind":{"const":"two"},"w":{"type":"integer"}},"required":["kind"],"additionalProperties":false}`
	return made{`{"oneOf":[` + one + `,` + two + `]}`, func() string {
		if g.IntN(2) == 0 {
			return `{"kind":"one","v":` + a.value() + `}`
		}
		return g.pick(`{"kind":"two"}`, `{"kind":"two","w":3}`)
	}}
}

func (g gen) allOf(depth int) made {
	a, b := g.any(depth-1), g.any(depth-1)
	return made{`{"allOf":[{"type":"object","properties":{"p":` + a.schema + `},"required":["p"]},{"properties":{"q":` + b.schema + `}}]}`, func() string {
		if g.IntN(2) == 0 {
			return `{"p":` + a.value() + `}`
		}
		return `{"q":` + b.value() + `,"p":` + a.value() + `}`
	}}
}

func (g gen) typeList(int) made {
	return made{`{"type":["string","integer","boolean"]}`, func() string { return g.pick(`"s"`, `"5"`, `5`, `true`) }}
}

// fillIn does what a person would to give n the value v.
func fillIn(t *testing.T, n *Node, v *value) {
	t.Helper()
	f := n.Field
	if v.is('n') && f.Nullable {
		n.SetNull()
		return
	}
	switch f.Kind {
	case String:
		require.Equal(t, byte('"'), v.kind)
		n.SetText(v.text)
	case Integer, Number, JSON:
		n.SetText(string(v.raw))
	case Boolean, Choice:
		require.GreaterOrEqual(t, f.option(v), 0, "%s among %v", v.raw, f.Options)
		n.Choose(f.option(v))
	case MultiChoice:
		if !n.fits(v) { // the same choice twice is for the JSON editor
			require.NoError(t, n.Load(v.raw))
			return
		}
		n.Fill()
		for _, c := range append([]int{}, n.Chosen()...) {
			n.Toggle(c)
		}
		for _, e := range v.items {
			n.Toggle(f.option(e))
		}
	case Object:
		n.Fill()
		for _, c := range n.Children() {
			c.Unset()
		}
		for _, m := range v.unique() {
			c := n.Child(m.name)
			if c == nil {
				var err error
				c, err = n.AddMember(m.name)
				require.NoError(t, err)
			}
			fillIn(t, c, m.value)
		}
	case Array:
		n.Fill()
		for len(n.Children()) > 0 {
			require.NoError(t, n.Remove(0))
		}
		for _, e := range v.items {
			c, err := n.Append()
			require.NoError(t, err)
			fillIn(t, c, e)
		}
	case Variant:
		i := f.bestVariant(v)
		require.GreaterOrEqual(t, i, 0, "a variant for %s", v.raw)
		n.SetVariant(i)
		fillIn(t, n.Children()[0], v)
	}
}

// forget drops the kept bytes of groups, so that they are written anew.
func forget(n *Node) {
	if len(n.children) > 0 {
		n.raw = nil
	}
	for _, c := range n.children {
		forget(c)
	}
}

func TestFormAndJSONAgreeOnRandomSchemas(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 300
	}
	for seed := range rounds {
		g := gen{rand.New(rand.NewPCG(uint64(seed), 1))}
		m := g.object(3)
		form := Parse([]byte(m.schema))
		require.Empty(t, form.Findings, "seed %d: %s", seed, m.schema)
		for range 2 {
			text := m.value()
			want := mustParse([]byte(text))
			require.Empty(t, form.Validate([]byte(text)), "seed %d: the generator is wrong: %s for %s", seed, text, m.schema)

			filled := form.New()
			fillIn(t, filled.Root, want)
			raw, problems := filled.JSON()
			require.Empty(t, problems, "seed %d: %s for %s", seed, text, m.schema)
			require.True(t, equal(want, mustParse(raw)), "seed %d: want %s, got %s, for %s", seed, text, raw, m.schema)
			require.Empty(t, filled.Check(), "seed %d: %s for %s", seed, raw, m.schema)

			loaded := form.New()
			require.NoError(t, loaded.Load([]byte(text)))
			raw, problems = loaded.JSON()
			require.Empty(t, problems)
			require.Equal(t, string(oneLine([]byte(text))), string(raw), "seed %d", seed)
			require.NoError(t, loaded.Root.EditAsJSON(true))
			require.NoError(t, loaded.Root.EditAsJSON(false))
			raw, _ = loaded.JSON()
			require.Equal(t, text, string(raw), "seed %d: through the JSON editor", seed)
			forget(loaded.Root)
			raw, problems = loaded.JSON()
			require.Empty(t, problems)
			require.True(t, equal(want, mustParse(raw)), "seed %d: want %s, got %s, for %s", seed, text, raw, m.schema)
		}
	}
}

// TestAnyValidJSONSurvives loads values that the form knows nothing about.
func TestAnyValidJSONSurvives(t *testing.T) {
	for _, tt := range []struct{ schema, json string }{
		{`{"type":"object"}`, `{"z":1.0,"a":{"b":[1,2,{"c":null}]},"n":1e2,"u":"\u00e9\ud83d\ude42\u2028"}`},
		{`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"a":"\u0061\/","b":"\ud800","a ":0.10}`},
		{`{"type":"object","properties":{"a":{}}}`, `{"a":{"x":-0.0,"x":1}}`},
		{`{"properties":{"l":{"type":"array","items":{"enum":["a","b"]}}}}`, `{"l":["a","a","b"]}`},
		{`{"properties":{"l":{"type":"array","prefixItems":[{"type":"string"}]}}}`, `{"l":["a",2,null]}`},
		{`{"properties":{"s":{"minLength":2}}}`, `{"s":5}`},
		{`{"properties":{"s":{"properties":{"a":{}}}}}`, `{"s":[1,2]}`},
		{`{"properties":{"s":{"anyOf":[{"type":"string"},{"minimum":3}]}}}`, `{"s":{"q":true}}`},
	} {
		form := Parse([]byte(tt.schema))
		require.Empty(t, form.Validate([]byte(tt.json)), tt.json)
		d := form.New()
		require.NoError(t, d.Load([]byte(tt.json)))
		require.Equal(t, tt.json, rendered(t, d))
		require.Empty(t, d.Check())

		require.NoError(t, d.Root.EditAsJSON(true))
		require.Equal(t, tt.json, d.Root.Text())
		require.NoError(t, d.Root.EditAsJSON(false))
		require.Equal(t, tt.json, rendered(t, d), "to JSON text and back")
	}
}

func FuzzParse(f *testing.F) {
	for _, raw := range allSchemas(f) {
		f.Add(raw, []byte(`{"a":1,"tree":{"kids":[{}]}}`))
	}
	for _, schema := range []string{
		`{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"},{"$ref":"#/$defs/b"}]},"b":{"$ref":"#/$defs/a"}}}`,
		`{"$id":"http://a/b","$defs":{"x":{"$id":"c","$anchor":"y","items":{"$ref":"b#/$defs/x"}}},"properties":{"p":{"$ref":"c#y"}}}`,
		`{"properties":{"p":{"$ref":"#/components/q"}},"components":{"q":{"type":"object","properties":{"r":{"$ref":"#/components/q"}}}}}`,
		`{"type":["object",7],"required":{"a":1},"enum":{},"minLength":-1,"pattern":"(","items":[1,"x",null]}`,
	} {
		f.Add([]byte(schema), []byte(`{"p":{"r":{}}}`))
	}
	f.Fuzz(func(t *testing.T, schema, text []byte) {
		form := Parse(schema)
		d := form.New()
		raw, _ := d.JSON()
		if _, err := parse(raw); err != nil {
			t.Fatalf("not JSON: %s", raw)
		}
		d.Check()
		form.Elicitation()
		form.Secrets()
		form.Root.Skeleton()
		if d.Load(text) == nil {
			raw, _ = d.JSON()
			if want := string(oneLine(trimSpace(text))); want != string(raw) {
				t.Fatalf("loaded %q, got %q", want, raw)
			}
			forget(d.Root)
			raw, _ = d.JSON()
			if v, err := parse(raw); err != nil || !equal(v, mustParse(text)) {
				t.Fatalf("loaded %s, got %s", text, raw)
			}
			d.Check()
		}
		for _, n := range d.Root.Children() {
			n.Fill()
			n.Cycle()
			if _, err := n.Append(); err == nil {
				_ = n.Remove(0)
			}
		}
		raw, _ = d.JSON()
		if _, err := parse(raw); err != nil {
			t.Fatalf("not JSON: %s", raw)
		}
	})
}

func trimSpace(raw []byte) []byte { return []byte(strings.Trim(string(raw), " \t\r\n")) }
