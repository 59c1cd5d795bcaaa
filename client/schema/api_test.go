package schema

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFormOfASchemaToJSON(t *testing.T) {
	f := Parse([]byte(`{"type":"object","required":["name"],"properties":{
		"name":{"type":"string","minLength":2},"age":{"type":"integer","default":30},
		"plan":{"$ref":"#/$defs/plan"}},"$defs":{"plan":{"enum":["free","pro"]}}}`))
	require.Empty(t, f.Findings)
	d := f.New()
	raw, problems := d.JSON()
	require.Empty(t, problems)
	require.Equal(t, `{"age":30}`, string(raw))
	require.Equal(t, []Problem{{Path: "/name", Message: "is required", Kind: Missing, Keyword: "required"}}, d.Check())

	d.Root.Child("name").SetText("Ada")
	d.Root.Child("plan").Choose(1)
	require.Empty(t, d.Check())
	raw, _ = d.JSON()
	require.Equal(t, `{"name":"Ada","age":30,"plan":"pro"}`, string(raw))
}
