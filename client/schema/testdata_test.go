package schema

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// testParams returns the requestedSchema of stored elicitation parameters.
func testParams(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	var params struct {
		RequestedSchema json.RawMessage `json:"requestedSchema"`
	}
	require.NoError(t, json.Unmarshal(raw, &params))
	require.NotEmpty(t, params.RequestedSchema)
	return params.RequestedSchema
}

type tool struct {
	Name        string          `json:"name"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

func testTools(t testing.TB, name string) []tool {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	var tools []tool
	require.NoError(t, json.Unmarshal(raw, &tools))
	require.NotEmpty(t, tools)
	return tools
}

// allSchemas is every schema in testdata, by name.
func allSchemas(t testing.TB) map[string][]byte {
	all := map[string][]byte{}
	for _, name := range []string{"zoo.json", "everything-tools.json", "conformance-tools.json"} {
		for _, tool := range testTools(t, name) {
			all[name+" "+tool.Name] = tool.InputSchema
		}
	}
	for _, name := range []string{"sep1034.json", "sep1330.json", "signup.json", "everything-elicitation.json"} {
		all[name] = testParams(t, name)
	}
	files, err := filepath.Glob("testdata/spec/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.HasPrefix(filepath.Base(file), "form-") {
			raw = testParams(t, filepath.Join("spec", filepath.Base(file)))
		}
		all[filepath.Base(file)] = raw
	}
	return all
}
