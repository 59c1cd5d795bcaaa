package conform

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// The library that this package is held to compiles metaschemas when a program
// starts, which is why it is not used outside of tests.

var dialects = map[int]*jsonschema.Draft{4: jsonschema.Draft4, 6: jsonschema.Draft6, 7: jsonschema.Draft7, 2019: jsonschema.Draft2019, 2020: jsonschema.Draft2020}

// library compiles a schema with the library, nil where it refuses it.
func library(t testing.TB, draft int, schema string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	require.NoError(t, err, schema)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(dialects[draft])
	c.AssertFormat()
	require.NoError(t, c.AddResource("s.json", doc))
	s, err := c.Compile("s.json")
	if err != nil {
		return nil
	}
	return s
}

// agree judges values by both, and says how many fit; -1 where the library
// refuses the schema.
func agree(t testing.TB, draft int, schema string, values ...string) (fit int) {
	t.Helper()
	doc, err := Decode([]byte(schema))
	require.NoError(t, err, schema)
	theirs := library(t, draft, schema)
	ours, err := Compile(doc, Options{Draft: draft})
	if theirs == nil {
		return -1
	}
	require.NoError(t, err, "draft %d: %s", draft, schema)
	for _, value := range values {
		v, err := Decode([]byte(value))
		require.NoError(t, err, value)
		want := theirs.Validate(v)
		got := ours.Validate(v)
		require.Equal(t, want == nil, len(got) == 0, "draft %d: %s by %s: %v, the library %v", draft, value, schema, got, want)
		if want == nil {
			fit++
		}
	}
	return fit
}

// gen makes random schemas out of every keyword, and random values.
type gen struct{ *rand.Rand }

func (g gen) pick(from ...string) string { return from[g.IntN(len(from))] }

func (g gen) value(depth int) string {
	switch n := g.IntN(9); {
	case n < 2 && depth > 0:
		var members []string
		for range g.IntN(4) {
			members = append(members, fmt.Sprintf(`"%s":%s`, g.pick("a", "b", "c", "x1"), g.value(depth-1)))
		}
		return "{" + strings.Join(members, ",") + "}"
	case n < 4 && depth > 0:
		var items []string
		for range g.IntN(4) {
			items = append(items, g.value(depth-1))
		}
		return "[" + strings.Join(items, ",") + "]"
	case n < 5:
		return g.pick("null", "true", "false")
	case n < 7:
		return g.pick("0", "1", "1.0", "2", "3", "-1", "0.5", "1e1", "2.50", "10")
	}
	return g.pick(`""`, `"a"`, `"b"`, `"ab"`, `"日本"`, `"1"`, `"2026-07-28"`)
}

func (g gen) schema(depth int) string {
	if g.IntN(12) == 0 {
		return g.pick("{}", "{}", `{"$ref":"#/definitions/d"}`, `{"$ref":"#/definitions/e"}`)
	}
	n := 1 + g.IntN(3)
	var members []string
	seen := map[string]bool{}
	for range n {
		name, value := g.keyword(depth)
		if !seen[name] {
			seen[name] = true
			members = append(members, `"`+name+`":`+value)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func (g gen) keyword(depth int) (name, value string) {
	if depth == 0 || g.IntN(2) == 0 {
		return g.plainKeyword()
	}
	sub := func() string { return g.schema(depth - 1) }
	list := func() string { return "[" + sub() + "," + sub() + "]" }
	object := func() string {
		return fmt.Sprintf(`{"%s":%s,"%s":%s}`, g.pick("a", "x1"), sub(), g.pick("b", "c"), sub())
	}
	switch name = g.pick("properties", "properties", "patternProperties", "additionalProperties", "propertyNames", "items", "itemsList", "prefixItems", "additionalItems",
		"contains", "allOf", "anyOf", "oneOf", "not", "ifthen", "dependentSchemas", "dependencies", "unevaluatedProperties", "unevaluatedItems"); name {
	case "properties", "dependentSchemas", "dependencies":
		return name, object()
	case "patternProperties":
		return name, fmt.Sprintf(`{"%s":%s}`, g.pick("^a", "[0-9]", "b|c"), sub())
	case "itemsList":
		return "items", list()
	case "prefixItems", "allOf", "anyOf", "oneOf":
		return name, list()
	case "ifthen":
		return "if", sub() + `,"` + g.pick("then", "else") + `":` + sub()
	case "unevaluatedProperties", "unevaluatedItems", "additionalProperties", "additionalItems":
		if g.IntN(2) == 0 {
			return name, "false"
		}
	}
	return name, sub()
}

func (g gen) plainKeyword() (name, value string) {
	switch name = g.pick("type", "type", "types", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
		"pattern", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "required", "dependentRequired", "minContains", "maxContains", "format"); name {
	case "type":
		return name, g.pick(`"string"`, `"object"`, `"array"`, `"integer"`, `"number"`, `"null"`, `"boolean"`)
	case "types":
		return "type", g.pick(`["string","object"]`, `["array","null"]`, `["integer","object"]`)
	case "enum":
		return name, "[" + g.value(1) + "," + g.value(0) + "]"
	case "const":
		return name, g.value(1)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return name, g.pick("0", "1", "2", "0.5")
	case "multipleOf":
		return name, g.pick("1", "0.5", "2", "0.01")
	case "pattern":
		return name, g.pick(`"^a"`, `"b$"`, `"[0-9]"`)
	case "uniqueItems":
		return name, g.pick("true", "false")
	case "required":
		return name, g.pick(`["a"]`, `["a","b"]`, `["x1"]`)
	case "dependentRequired":
		return name, g.pick(`{"a":["b"]}`, `{"b":["c","x1"]}`)
	case "format":
		return name, g.pick(`"date"`, `"email"`, `"unknown"`)
	}
	return name, g.pick("0", "1", "2", "2.0", "3")
}

// TestItAgreesWithALibrary judges random values by random schemas of each draft.
func TestItAgreesWithALibrary(t *testing.T) {
	rounds := 600
	if testing.Short() {
		rounds = 150
	}
	judged, fit := 0, 0
	for seed := range rounds {
		g := gen{rand.New(rand.NewPCG(uint64(seed), 7))}
		for draft := range dialects {
			schema := strings.TrimSuffix(g.schema(3), "}")
			if schema != "{" {
				schema += ","
			}
			schema += `"definitions":{"d":` + g.schema(1) + `,"e":{"properties":{"a":{"$ref":"#"}}}}}`
			var values []string
			for range 6 {
				values = append(values, g.value(3))
			}
			if n := agree(t, draft, schema, values...); n >= 0 {
				judged += len(values)
				fit += n
			}
		}
	}
	t.Logf("%d of %d values fit", fit, judged)
	require.Greater(t, judged, rounds*10, "most schemas are schemas")
	require.Greater(t, fit, judged/5, "neither answer is rare")
	require.Less(t, fit, judged*4/5)
}

// TestFormatsAgreeWithALibrary holds each format to many texts.
func TestFormatsAgreeWithALibrary(t *testing.T) {
	texts := []string{
		"", "a", "2026-07-28", "2026-02-29", "2024-02-29", "2026-7-28", "26-07-28", "2026-07-28T09:30:00Z", "2026-07-28t09:30:00z", "2026-07-28 09:30:00Z",
		"2026-07-28T09:30:00", "2026-07-28T09:30:00.123456+02:00", "2026-07-28T24:00:00Z", "1998-12-31T23:59:60Z", "1998-12-31T15:59:60-08:00", "1998-12-31T22:59:60Z",
		"09:30:00Z", "9:30:00Z", "09:30:00", "09:30Z", "09:30:00.Z", "09:30:00.5Z", "09:30:00+24:00", "09:30:00+0200", "09:30:00+02:00", "23:59:60+00:00", "01:29:60+01:30", "23:29:60+23:30",
		"P", "P1D", "P1Y2M3D", "P1DT", "PT1H", "PT1H2M3S", "P1M2Y", "P4W", "PW", "P1W2D", "1D", "P1", "PT1H1H",
		"a@b", "a@b.example", "@b.example", "a.b+c@b.example", ".a@b.example", "a.@b.example", "a..b@b.example", `"a b"@b.example`, `"a\"b"@b.example`, "a b@b.example", "a@[127.0.0.1]",
		"a@[IPv6:::1]", "a@[127.0.0.300]", "a@-b.example", "a@b@c.example", "é@b.example", strings.Repeat("a", 65) + "@b.example",
		"example.com", "example.com.", "-example.com", "example-.com", "exa_mple.com", strings.Repeat("a", 64) + ".com", "a..b", "münchen.de", strings.Repeat("a.", 127) + "a",
		"127.0.0.1", "127.0.0", "127.0.0.256", "127.0.0.01", "::1", "::ffff:1.2.3.4", "1::2::3", "fe80::1%eth0", "12345::", "1:2:3:4:5:6:7:8",
		"https://example.com", "https://example.com/?q=1#f", "urn:isbn:0451450523", "//example.com/a", "/a/b", "a b", "http://[::1]/", "http://::1/", "http://[1::2::3]/", "http://a b/", `\\a\b`, "%zz", "mailto:a@b",
		"http://example.com/{id}", "http://example.com/{id", "http://example.com/id}", "/a{?x,y*}",
		"8c5e2e3e-7d51-4d9b-9f0a-0d4a6f7e0b11", "8C5E2E3E-7D51-4D9B-9F0A-0D4A6F7E0B11", "8c5e2e3e7d514d9b9f0a0d4a6f7e0b11", "8c5e2e3e-7d51-4d9b-9f0a-0d4a6f7e0b1g", "8c5e2e3e-7d514-d9b-9f0a-0d4a6f7e0b11",
		"/a/b", "/a~0b/~1", "/a~2", "/a~", "a/b", "0", "1/a", "01/a", "0#", "0a", "#", "-1/a",
	}
	differ := map[string]bool{"email @b.example": true} // RFC 5321 knows no empty local part
	for _, format := range []string{"date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "iri", "uri-reference", "iri-reference",
		"uuid", "json-pointer", "relative-json-pointer", "no-such-format"} {
		schema := `{"format":"` + format + `"}`
		doc, err := Decode([]byte(schema))
		require.NoError(t, err)
		ours, err := Compile(doc, Options{})
		require.NoError(t, err)
		theirs := library(t, 2020, schema)
		for _, text := range texts {
			want := theirs.Validate(text)
			if differ[format+" "+text] {
				continue
			}
			require.Equal(t, want == nil, len(ours.Validate(text)) == 0, "%s %q: the library %v", format, text, want)
		}
		require.Empty(t, ours.Validate(json.Number("5")), "a format is about strings only")
	}
}

var exponents = regexp.MustCompile(`[0-9][eE][-+]?[0-9]`)

func FuzzAgreement(f *testing.F) {
	for seed := range uint64(50) {
		g := gen{rand.New(rand.NewPCG(seed, 9))}
		f.Add(g.schema(3), g.value(3))
	}
	f.Fuzz(func(t *testing.T, schema, value string) {
		if doc, err := Decode([]byte(schema)); err != nil || strings.Contains(schema, `"$`) || strings.Contains(schema, `"id"`) || strings.Contains(schema, `"format"`) || len(schema) > 5000 {
			return // references within are held to tables; formats differ where they may
		} else if _, err := Compile(doc, Options{}); err != nil {
			return
		}
		if _, err := Decode([]byte(value)); err != nil || exponents.MatchString(value+schema) {
			return // the library works with numbers of any length
		}
		agree(t, 2020, schema, value)
	})
}
