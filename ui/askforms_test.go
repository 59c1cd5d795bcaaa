package ui_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui"
	. "mcptui/ui/internal/screentest"
)

// storedSchema reads a schema of a real server, or one of the specification's.
func storedSchema(t *testing.T, name string) (message, requestedSchema string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("../client/schema/testdata", name))
	require.NoError(t, err)
	var e struct {
		Message         string
		RequestedSchema json.RawMessage
	}
	require.NoError(t, json.Unmarshal(raw, &e))
	if e.RequestedSchema == nil { // a schema of one property
		return "Please fill this in.", `{"type":"object","properties":{"p":` + string(raw) + `}}`
	}
	return e.Message, string(e.RequestedSchema)
}

// TestRealFormsAreFilledInAndSent answers what real servers ask for, by keys
// alone and through the whole UI, and looks at what came at the server.
func TestRealFormsAreFilledInAndSent(t *testing.T) {
	erase := func(n int) string { return strings.Repeat(Backspace, n) }
	for _, c := range []struct {
		file string
		keys []string
		want string
	}{
		{"everything-elicitation.json", []string{
			"Ada Lovelace", Tab, Right, Tab, Tab, "ada@example.org", Tab, "https://example.org/", Tab, "1815-12-10", Tab,
			erase(2), "7", Tab, Tab, "pho", Tab, " ", Down, " ", Tab, "green", Tab, " ", "sal", " ", Tab, "dog",
		}, `{"name":"Ada Lovelace","check":true,"firstLine":"It was a dark and stormy night.","email":"ada@example.org","homepage":"https://example.org/","birthdate":"1815-12-10","integer":7,"number":3.14,"untitledSingleSelectEnum":"Phoebe","untitledMultipleSelectEnum":["Guitar","Piano"],"titledSingleSelectEnum":"hero-2","titledMultipleSelectEnum":["fish-1","fish-2"],"legacyTitledEnum":"pet-2"}`},
		{"sep1034.json", nil, `{"age":30,"name":"John Doe","score":95.5,"status":"active","verified":true}`},
		{"sep1330.json", []string{Right, Tab, " ", Down, " ", Down, " ", Tab, "third", Tab, " ", " ", Tab, Left, Left},
			`{"legacyEnum":"opt1","titledMulti":["value2","value3"],"titledSingle":"value3","untitledMulti":["option1"],"untitledSingle":"option2"}`},
		{"signup.json", []string{
			"Zoë", Tab, "z@example.org", Tab, Tab, Tab, "2026-12-04T18:30:00+01:00", Tab, erase(2), "41", Tab, Tab, Right, Tab, Tab,
			"eur", Tab, " ", Down, " ", Tab, " ", "type", " ", Tab, Alt("n"),
		}, `{"name":"Zoë","email":"z@example.org","at":"2026-12-04T18:30:00+01:00","age":41,"score":0.5,"agree":true,"plan":"pro","region":"eu","tags":["a","b"],"langs":["ts"],"legacyEnum":"x"}`},
		{"spec/form-elicit-multiple-fields.json", []string{"Ada", Tab, "ada@example.org", Tab, "36.5"}, `{"name":"Ada","email":"ada@example.org","age":36.5}`},
		{"spec/form-elicit-single-field.json", []string{"octocat"}, `{"name":"octocat"}`},
		{"spec/StringSchema.json", []string{erase(16), "a@b.example"}, `{"p":"a@b.example"}`},
		{"spec/NumberSchema.json", []string{erase(2), "1.50"}, `{"p":1.50}`},
		{"spec/BooleanSchema.json", []string{Left}, `{"p":true}`},
		{"spec/UntitledSingleSelectEnumSchema.json", []string{Right}, `{"p":"Green"}`},
		{"spec/TitledSingleSelectEnumSchema.json", []string{"blue"}, `{"p":"#0000FF"}`},
		{"spec/UntitledMultiSelectEnumSchema.json", []string{" ", " "}, `{"p":["Green"]}`},
		{"spec/TitledMultiSelectEnumSchema.json", []string{" ", " ", Down, Down, " "}, `{"p":["#00FF00","#0000FF"]}`},
	} {
		for i, size := range [][2]int{{80, 24}, {40, 12}} {
			for j, era := range []trace.Era{trace.Modern, trace.Legacy} {
				if testing.Short() && i != j {
					continue
				}
				t.Run(fmt.Sprintf("%s/%dx%d/%s", strings.TrimSuffix(filepath.Base(c.file), ".json"), size[0], size[1], era), func(t *testing.T) {
					message, schema := storedSchema(t, c.file)
					a := newAsker(t, era, rpc.Field{Name: "it", Raw: fmt.Appendf(nil,
						`{"method":"elicitation/create","params":{"message":%s,"requestedSchema":%s}}`, rpc.Quote(message), schema)})
					sc := a.open(size[0], size[1], ui.Options{})
					sc.Type(Enter)
					sc.WaitFor("asker asks you", "> ", "[ Send")
					require.Contains(t, sc.Text(), strings.Join(strings.Fields(message)[:2], " "), "what is asked is in sight")
					sc.Type(c.keys...)
					sc.Type(CtrlS)
					sc.WaitFor("all is well")
					require.Equal(t, []string{`{"action":"accept","content":` + c.want + `}`}, a.answers("it"))
				})
			}
		}
	}
}
