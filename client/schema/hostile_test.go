package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHostileSchemasDoNotHang passes by ending.
func TestHostileSchemasDoNotHang(t *testing.T) {
	chain := func(link string) string { // 40 definitions that each use the next twice
		var b strings.Builder
		b.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
		for i := range 40 {
			ref := fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1)
			fmt.Fprintf(&b, `"d%d":%s,`, i, strings.ReplaceAll(link, "NEXT", ref))
		}
		b.WriteString(`"d40":{"type":"object","properties":{"s":{"type":"string"}}}}}`)
		return b.String()
	}
	var unions []string
	for i := range 40 {
		unions = append(unions, fmt.Sprintf(`{"anyOf":[{"properties":{"a%d":{"type":"string"}}},{"properties":{"b%d":{"type":"number"}}}]}`, i, i))
	}
	schemas := map[string]string{
		"allOf doubles":      chain(`{"allOf":[NEXT,NEXT]}`),
		"anyOf doubles":      chain(`{"anyOf":[{"allOf":[NEXT,{"required":["x"]}]},NEXT]}`),
		"oneOf doubles":      chain(`{"oneOf":[NEXT,NEXT]}`),
		"not doubles":        chain(`{"not":{"anyOf":[NEXT,{"not":NEXT}]}}`),
		"required doubles":   chain(`{"type":"object","required":["l","r"],"properties":{"l":NEXT,"r":NEXT}}`),
		"items double":       chain(`{"type":"array","minItems":2,"items":NEXT}`),
		"unions multiply":    `{"allOf":[` + strings.Join(unions, ",") + `]}`,
		"requires itself":    `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","required":["n"],"properties":{"n":{"$ref":"#/$defs/n"}}}}}`,
		"refers to itself":   `{"allOf":[{"$ref":"#"}],"anyOf":[{"$ref":"#"},{"$ref":"#"}]}`,
		"element of itself":  `{"type":"array","minItems":1,"items":{"$ref":"#"}}`,
		"deep":               strings.Repeat(`{"properties":{"a":`, 390) + `{}` + strings.Repeat(`}}`, 390),
		"too deep":           strings.Repeat(`[`, 5000) + strings.Repeat(`]`, 5000),
		"huge limits":        `{"properties":{"n":{"minimum":1e999999,"multipleOf":1e-999999,"maxLength":1e99},"a":{"type":"array","minItems":1000000000,"items":{"type":"object"}}},"required":["a"]}`,
		"many":               `{"properties":{` + strings.TrimSuffix(strings.Repeat(`"p":{"type":"string"},`, 60000), ",") + `}}`,
		"default of wrong":   `{"properties":{"p":{"$ref":"#/$defs/d0","default":5}},` + chain(`{"allOf":[NEXT,NEXT]}`)[len(`{"$ref":"#/$defs/d0",`):],
		"pattern of a books": `{"properties":{"p":{"pattern":"` + strings.Repeat("(a*)*", 8000) + `"}}}`,
	}
	for name, schema := range schemas {
		t.Run(name, func(t *testing.T) {
			form := Parse([]byte(schema))
			d := form.New()
			for _, value := range []string{`{}`, `{"l":{"l":{},"r":{}},"r":{}}`, `[[[[]]]]`, `{"n":{"n":{}},"a0":1,"b1":"x"}`, `7`, `{"p":5}`} {
				require.NoError(t, d.Load([]byte(value)))
				raw, _ := d.JSON()
				require.Equal(t, value, string(raw))
				d.Check()
			}
			form.Secrets()
			form.Elicitation()
			require.True(t, json.Valid(form.Root.Skeleton()))
			fresh := form.New()
			raw, _ := fresh.JSON()
			require.True(t, json.Valid(raw))
			require.Less(t, fresh.made, 2*maxSeeded)
			fresh.Check()
			d.Root.Unset()
			d.Root.Fill()
		})
	}
}

func TestSlowPatternIsUncheckedNotWrong(t *testing.T) {
	problems := Validate([]byte(`{"properties":{"p":{"pattern":"^(?=a)(a+)+$"}}}`), []byte(`{"p":"`+strings.Repeat("a", 64)+`!"}`))
	require.Len(t, problems, 1)
	require.Equal(t, Unchecked, problems[0].Kind)
	require.Contains(t, problems[0].Message, "takes too long")
	require.Empty(t, Blocking(problems))
}

func TestPatterns(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		linear, match bool
	}{
		{`^(a+)+$`, strings.Repeat("a", 64) + "!", true, false},
		{`^[0-9]{5}$`, "01234", true, true},
		{`^\w+@\w+\.(?:com|org)$`, "a@b.org", true, true},
		{`^(?=.*\d)(?=.*[a-z]).{8,}$`, "abcdefg1", false, true},
		{`^(?=.*\d)(?=.*[a-z]).{8,}$`, "abcdefgh", false, false},
		{`(?<y>\d{4})-\k<y>`, "2026-2026", false, true},
		{`(?<y>\d{4})-\k<y>`, "2026-2025", false, false},
		{`^\p{Lu}\p{Ll}+$`, "Ödön", false, true},
		{`^\p{Lu}\p{Ll}+$`, "ödön", false, false},
		{`^a.c$`, "a\rc", false, false},
		{`^[^.]$`, ".", true, false},
		{`^\d$`, "٣", true, false},
	} {
		require.Equal(t, tt.linear, sameInGo(tt.pattern), tt.pattern)
		problems := Validate([]byte(`{"properties":{"p":{"pattern":`+string(quote(tt.pattern))+`}}}`), []byte(`{"p":`+string(quote(tt.text))+`}`))
		require.Equal(t, tt.match, len(problems) == 0, "%s on %s: %v", tt.pattern, tt.text, problems)
	}
}
