package lint_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/lint"
)

func TestHeaders(t *testing.T) {
	schema := []byte(`{"type":"object","properties":{
		"region":{"type":"string","x-mcp-header":"Region"},
		"limit":{"type":"integer","x-mcp-header":"Limit"},
		"deep":{"type":"object","properties":{"dry":{"type":"boolean","x-mcp-header":"Dry"}}}}}`)
	body := func(name, arguments string) string {
		return request("1", "tools/call", `"name":`+name+`,"arguments":`+arguments+`,`)
	}
	const version = "MCP-Protocol-Version: 2026-07-28"
	for name, c := range map[string]struct {
		headers, body string
		schema        []byte
		want          map[string]lint.Match
	}{
		"all right": {version + "|Mcp-Method: tools/call|Mcp-Name: =?base64?w6k=?=|Mcp-Param-Region: eu|Mcp-Param-Limit: 42.0|Mcp-Param-Dry: true",
			body(`"é"`, `{"region":"eu","limit":42,"deep":{"dry":true}}`), schema,
			map[string]lint.Match{"MCP-Protocol-Version": lint.Matches, "Mcp-Method": lint.Matches, "Mcp-Name": lint.Matches,
				"Mcp-Param-Region": lint.Matches, "Mcp-Param-Limit": lint.Matches, "Mcp-Param-Dry": lint.Matches}},
		"in lower case": {"mcp-protocol-version: 2026-07-28|mcp-method: tools/call|mcp-name: a", body(`"a"`, `{}`), nil,
			map[string]lint.Match{"MCP-Protocol-Version": lint.Matches, "Mcp-Method": lint.Matches, "Mcp-Name": lint.Matches}},
		"all wrong": {"MCP-Protocol-Version: 2025-11-25|Mcp-Method: TOOLS/CALL|Mcp-Name: =?base64?*?=|Mcp-Param-Limit: 43|Mcp-Param-Dry: false",
			body(`"a"`, `{"region":"eu","limit":42}`), schema,
			map[string]lint.Match{"MCP-Protocol-Version": lint.Differs, "Mcp-Method": lint.Differs, "Mcp-Name": lint.Malformed,
				"Mcp-Param-Region": lint.Missing, "Mcp-Param-Limit": lint.Differs, "Mcp-Param-Dry": lint.Unexpected}},
		"nothing": {"", body(`"a"`, `{}`), schema, map[string]lint.Match{"MCP-Protocol-Version": lint.Missing, "Mcp-Method": lint.Missing, "Mcp-Name": lint.Missing}},
		"a name where there is none": {version + "|Mcp-Method: tools/list|Mcp-Name: x", request("1", "tools/list", ""), nil,
			map[string]lint.Match{"MCP-Protocol-Version": lint.Matches, "Mcp-Method": lint.Matches, "Mcp-Name": lint.Unexpected}},
		"the tool is not known": {version + "|Mcp-Method: tools/call|Mcp-Name: a|Mcp-Param-X: y", body(`"a"`, `{}`), nil,
			map[string]lint.Match{"MCP-Protocol-Version": lint.Matches, "Mcp-Method": lint.Matches, "Mcp-Name": lint.Matches, "Mcp-Param-X": lint.Unchecked}},
		"twice": {version + "|Mcp-Method: tools/call|Mcp-Method: tools/call|Mcp-Name: a\x01", body(`"a"`, `{}`), nil,
			map[string]lint.Match{"MCP-Protocol-Version": lint.Matches, "Mcp-Method": lint.Differs, "Mcp-Name": lint.Malformed}},
		"legacy": {"MCP-Protocol-Version: 2025-11-25", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}`, schema,
			map[string]lint.Match{"MCP-Protocol-Version": lint.Unchecked}},
		"no message": {version, `what`, nil, map[string]lint.Match{"MCP-Protocol-Version": lint.Unchecked}},
		"numbers as numbers, text as text": {version + "|Mcp-Method: tools/call|Mcp-Name: 1.0|Mcp-Param-Region: 1e2|Mcp-Param-Limit: 1e2", body(`"1"`, `{"region":"100","limit":100}`), schema,
			map[string]lint.Match{"MCP-Protocol-Version": lint.Matches, "Mcp-Method": lint.Matches, "Mcp-Name": lint.Differs, "Mcp-Param-Region": lint.Differs, "Mcp-Param-Limit": lint.Matches}},
	} {
		t.Run(name, func(t *testing.T) {
			got := map[string]lint.Match{}
			for _, v := range lint.Headers(headerList(c.headers), []byte(c.body), c.schema) {
				got[v.Name] = v.Match
				require.Equal(t, v.Match == lint.Matches || v.Match == lint.Unchecked, v.Match.OK())
				if v.Match != lint.Matches {
					require.NotEmpty(t, v.Note)
				}
			}
			require.Equal(t, c.want, got)
		})
	}
	v := lint.Headers(headerList("Mcp-Name: =?base64?w6k=?="), []byte(body(`"é"`, `{}`)), nil)
	require.Equal(t, "é", v[2].Decoded)
	require.True(t, v[2].Encoded)
	require.Equal(t, "/params/name", v[2].Source)
}
