package ask

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestContentIsHeldToItsForm(t *testing.T) {
	for _, tt := range []struct {
		property, value string
		fits            bool
	}{
		{`"type":"string","minLength":2`, `"é日"`, true},
		{`"type":"string","minLength":2`, `"é"`, false},
		{`"type":"string","pattern":"^[a-z]+$"`, `"abc"`, true},
		{`"type":"string","pattern":"^[a-z]+$"`, `"ab1"`, false},
		{`"type":"string","format":"email"`, `"ada@example.com"`, true},
		{`"type":"string","format":"email"`, `"Ada <ada@example.com>"`, false},
		{`"type":"string","format":"uri"`, `"https://example.com/a?b"`, true},
		{`"type":"string","format":"uri"`, `"/relative"`, false},
		{`"type":"string","format":"date"`, `"2024-02-29"`, true},
		{`"type":"string","format":"date"`, `"2026-02-29"`, false},
		{`"type":"string","format":"date-time"`, `"2026-12-24T18:00:00.5+01:00"`, true},
		{`"type":"string","format":"date-time"`, `"2026-12-24t18:00:00z"`, true},
		{`"type":"string","format":"date-time"`, `"2026-12-24 18:00"`, false},
		{`"type":"string","format":"colour"`, `"anything"`, true},
		{`"type":"integer","minimum":1`, `4.0`, true},
		{`"type":"integer","minimum":1`, `4.5`, false},
		{`"type":"integer","minimum":1`, `0`, false},
		{`"type":"boolean"`, `"true"`, false},
		{`"type":"string","enum":["a","b"],"enumNames":["A","B"]`, `"b"`, true},
		{`"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]`, `"c"`, false},
		{`"type":"array","minItems":1,"items":{"enum":["a","b"]}`, `["a","b"]`, true},
		{`"type":"array","minItems":1,"items":{"enum":["a","b"]}`, `[]`, false},
		{`"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}`, `["b"]`, false},
	} {
		t.Run(tt.property+" "+tt.value, func(t *testing.T) {
			schema := fmt.Appendf(nil, `{"type":"object","properties":{"x":{%s}},"required":["x"]}`, tt.property)
			err := conforms(schema, fmt.Appendf(nil, `{"x":%s}`, tt.value))
			require.Equal(t, tt.fits, err == nil, "%v", err)
			require.Error(t, conforms(schema, []byte(`{}`)), "it is required")
		})
	}
}
