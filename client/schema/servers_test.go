package schema

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOfficialElicitationSchemas(t *testing.T) {
	tests := []struct {
		file, kind, label, seed, edit, want string
	}{
		{"BooleanSchema", "boolean", "Display Name", `false`, `true`, `true`},
		{"NumberSchema", "number", "Display Name", `50`, `62.50`, `62.50`},
		{"StringSchema", "string", "Display Name", `"user@example.com"`, `"ada@example.org"`, `"ada@example.org"`},
		{"TitledMultiSelectEnumSchema", "choices", "Color Selection", `["#FF0000", "#00FF00"]`, `["#0000FF"]`, `["#0000FF"]`},
		{"TitledSingleSelectEnumSchema", "choice", "Color Selection", `"#FF0000"`, `"#0000FF"`, `"#0000FF"`},
		{"UntitledMultiSelectEnumSchema", "choices", "Color Selection", `["Red", "Green"]`, `["Blue","Red"]`, `["Blue","Red"]`},
		{"UntitledSingleSelectEnumSchema", "choice", "Color Selection", `"Red"`, `"Blue"`, `"Blue"`},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			raw, err := os.ReadFile(filepath.Join("testdata/spec", tt.file+".json"))
			require.NoError(t, err)
			d := Parse(object(`{"field":` + string(raw) + `}`)).New()
			require.Empty(t, d.Form.Findings)
			require.Empty(t, d.Form.Elicitation())
			n := d.Root.Child("field")
			require.Equal(t, tt.kind, n.Field.Kind.String())
			require.Equal(t, tt.label, n.Field.Label())
			require.Equal(t, `{"field":`+tt.seed+`}`, rendered(t, d), "an untouched default goes back as it came")
			require.Empty(t, d.Check())

			edit := mustParse([]byte(tt.edit))
			switch n.Field.Kind {
			case Boolean, Choice:
				n.Choose(n.Field.option(edit))
			case MultiChoice:
				for _, i := range append([]int{}, n.Chosen()...) {
					n.Toggle(i)
				}
				for _, e := range edit.items {
					n.Toggle(n.Field.option(e))
				}
			case String:
				n.SetText(edit.text)
			default:
				n.SetText(tt.edit)
			}
			require.Empty(t, d.Check())
			require.Equal(t, `{"field":`+tt.want+`}`, rendered(t, d))
		})
	}
}

// TestSpecificationExamples reads the official files themselves, where they
// lie beside the repository.
func TestSpecificationExamples(t *testing.T) {
	files, err := filepath.Glob("../../../shared/spec/2026-07-28/examples/*/*.json")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("the official examples are not beside the repository")
	}
	read := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		var example struct {
			InputSchema     json.RawMessage `json:"inputSchema"`
			RequestedSchema json.RawMessage `json:"requestedSchema"`
		}
		if json.Unmarshal(raw, &example) != nil {
			continue
		}
		for _, schema := range []json.RawMessage{example.InputSchema, example.RequestedSchema} {
			if schema == nil {
				continue
			}
			read++
			f := Parse(schema)
			require.Empty(t, f.Findings, file)
			require.NotNil(t, f.New())
			if example.RequestedSchema != nil {
				require.Empty(t, f.Elicitation(), file)
			}
		}
	}
	require.Greater(t, read, 5)
}

func TestConformanceEnums(t *testing.T) {
	d := Parse(testParams(t, "sep1330.json")).New()
	require.Empty(t, d.Form.Findings)
	require.Equal(t, `{}`, rendered(t, d))
	for name, kind := range map[string]Kind{
		"untitledSingle": Choice, "titledSingle": Choice, "legacyEnum": Choice, "untitledMulti": MultiChoice, "titledMulti": MultiChoice,
	} {
		require.Equal(t, kind, d.Root.Child(name).Field.Kind, name)
		require.Len(t, d.Root.Child(name).Field.Options, 3, name)
	}
	require.Equal(t, "Option Two", d.Root.Child("legacyEnum").Field.Options[1].Label)
	require.Equal(t, "Second Option", d.Root.Child("titledMulti").Field.Options[1].Label)
	for _, n := range d.Root.Children() {
		n.Choose(1)
	}
	require.JSONEq(t, `{"untitledSingle":"option2","titledSingle":"value2","legacyEnum":"opt2","untitledMulti":["option2"],"titledMulti":["value2"]}`, rendered(t, d))
	require.Empty(t, d.Check())
}

func TestConformanceDefaults(t *testing.T) {
	d := Parse(testParams(t, "sep1034.json")).New()
	require.Empty(t, d.Check())
	require.JSONEq(t, `{"name":"John Doe","age":30,"score":95.5,"status":"active","verified":true}`, rendered(t, d))
	require.Empty(t, d.Form.Elicitation())
}

func TestSignupForm(t *testing.T) {
	d := Parse(testParams(t, "signup.json")).New()
	require.Empty(t, d.Form.Findings)
	require.JSONEq(t, `{"age":30,"score":0.5,"agree":false,"plan":"pro","tags":["a"]}`, rendered(t, d))
	missing := d.Check()
	require.Len(t, missing, 2)
	require.Equal(t, "/email", missing[0].Path)
	require.Equal(t, "/name", missing[1].Path)

	set := func(name, text string) { d.Root.Child(name).SetText(text) }
	set("name", "A")
	set("email", "nobody")
	set("site", "example.com")
	set("born", "2026-02-30")
	set("at", "noon")
	set("age", "17")
	set("score", "1.01")
	d.Root.Child("tags").Toggle(1)
	d.Root.Child("tags").Toggle(2)
	messages := map[string]string{}
	for _, p := range d.Check() {
		messages[p.Path] = p.Message
	}
	require.Equal(t, map[string]string{
		"/name": "is too short: 1 of at least 2 characters", "/email": "is not an e-mail address",
		"/site": "is not a URI with its scheme, such as https://example.com", "/born": "is not a date such as 2026-07-28",
		"/at": "is not a date and time such as 2026-07-28T09:30:00Z", "/age": "must be at least 18", "/score": "must be at most 1",
		"/tags": "has 3 of at most 2 elements",
	}, messages)
	for _, n := range d.Root.Children() {
		if messages[n.Path()] != "" {
			require.Equal(t, messages[n.Path()], n.Check()[0].Message, "the field says what the form says")
		} else {
			require.Empty(t, n.Check(), n.Name)
		}
	}

	set("name", "Zoë 日本")
	set("email", "zoe@example.com")
	set("site", "https://example.com/a?b=c&d")
	set("born", "2000-02-29")
	set("at", "2026-07-28T09:30:00+02:00")
	set("age", "120")
	set("score", "1")
	d.Root.Child("tags").Toggle(2)
	d.Root.Child("agree").Choose(0)
	d.Root.Child("region").Choose(1)
	d.Root.Child("langs").Toggle(1)
	d.Root.Child("legacyEnum").Choose(1)
	require.Empty(t, d.Check())
	require.Equal(t, `{"name":"Zoë 日本","email":"zoe@example.com","site":"https://example.com/a?b=c&d","born":"2000-02-29",`+
		`"at":"2026-07-28T09:30:00+02:00","age":120,"score":1,"agree":true,"plan":"pro","region":"us","tags":["a","b"],"langs":["ts"],"legacyEnum":"y"}`,
		rendered(t, d))
}

func TestEverythingForm(t *testing.T) {
	d := Parse(testParams(t, "everything-elicitation.json")).New()
	kinds := map[string]int{}
	for _, n := range d.Root.Children() {
		kinds[n.Field.Kind.String()]++
		require.NotEmpty(t, n.Field.Label())
		require.NotEqual(t, JSON, n.Field.Kind, n.Name)
	}
	require.Greater(t, kinds["choice"], 2)
	require.Greater(t, kinds["choices"], 1)
	require.Equal(t, 1, kinds["boolean"])
	d.Root.Child("name").SetText("Ada")
	require.Empty(t, d.Check())
	require.Contains(t, rendered(t, d), `"firstLine":"It was a dark and stormy night."`)
}

// TestEveryToolCanBeCalled opens every stored form, and makes arguments from
// it by filling in what is required.
func TestEveryToolCanBeCalled(t *testing.T) {
	impossible := map[string]bool{"zoo.json contradictions": true}
	typed := map[string]map[string]string{ // what a plain fill does not get right
		"zoo.json combinators":                            {"card": "4111"},
		"conformance-tools.json json_schema_2020_12_tool": {"email": "ada@example.com"},
		"signup.json":                      {"name": "Ada", "email": "ada@example.com"},
		"form-elicit-multiple-fields.json": {"email": "ada@example.com"},
	}
	for name, raw := range allSchemas(t) {
		t.Run(name, func(t *testing.T) {
			f := Parse(raw)
			d := f.New()
			form := d.Root
			if form.Field.Kind == Variant {
				form.SetVariant(0)
				form = form.Children()[0]
			}
			for member, text := range typed[name] {
				form.Child(member).SetText(text)
			}
			fillRequired(form)
			raw, unfinished := d.JSON()
			require.True(t, json.Valid(raw), "%s", raw)
			require.Empty(t, unfinished)
			if impossible[name] {
				require.NotEmpty(t, f.Findings)
				require.NotEmpty(t, d.Check())
				return
			}
			require.Empty(t, Blocking(d.Check()), "%s", raw)
		})
	}
}

func fillRequired(n *Node) {
	if n.State() == Unset && n.Field.Required {
		switch n.Fill(); n.Field.Kind {
		case Integer, Number:
			n.SetText("11")
		case JSON:
			n.SetText(`"x"`)
		}
	}
	for _, c := range n.Children() {
		fillRequired(c)
	}
}

func TestBrokenSchemasAreNamed(t *testing.T) {
	want := map[string][]string{
		"no_schema":    {"there is no schema: any object is taken"},
		"self_ref":     {"it refers to itself without end: nothing is checked by it"},
		"remote_ref":   {`/properties/p: $ref "http://127.0.0.1:9/canary.json" lies outside of the schema and is not fetched: any value is taken`},
		"dangling_ref": {`/properties/p: $ref "#/$defs/nope" points to nothing: any value is taken`},
		"patterns":     {"/properties/invalid: the pattern \"([unclosed\" is not a regular expression (unterminated [] set in `([unclosed`): ignored"},
		"contradictions": {
			`"ghost" is required but not declared`,
			"/properties/n: minimum 10 and maximum 5 contradict each other: no value fits",
			"/properties/s: minLength 10 and maxLength 2 contradict each other: no value fits",
			"/properties/e: enum is empty: no value is allowed",
			`/properties/c: const "\"a\"" is not in enum: no value fits`,
			`/properties/d: the default "\"not a number\"" breaks the schema (must be an integer, not a string): not filled in`,
		},
		"bignum":        {`/properties/exp: the default "null" breaks the schema (must be a number, not null): not filled in`},
		"recursive_ref": nil, "anchor_ref": nil, "local_ref": nil, "discriminated": nil, "fields80": nil, "draft7": nil,
	}
	for _, tool := range testTools(t, "zoo.json") {
		expected, known := want[tool.Name]
		if !known {
			continue
		}
		var got []string
		for _, f := range Parse(tool.InputSchema).Findings {
			got = append(got, f.String())
		}
		require.Equal(t, expected, got, tool.Name)
		delete(want, tool.Name)
	}
	require.Empty(t, want)
}
