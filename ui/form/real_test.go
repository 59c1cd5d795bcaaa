package form

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "mcptui/ui/internal/screentest"
)

const stored = "../../client/schema/testdata"

type elicitation struct {
	Message         string          `json:"message"`
	RequestedSchema json.RawMessage `json:"requestedSchema"`
}

func storedAsk(t *testing.T, name string) elicitation {
	t.Helper()
	var e elicitation
	require.NoError(t, json.Unmarshal([]byte(readFile(t, filepath.Join(stored, name))), &e))
	if e.RequestedSchema == nil { // a schema of one property
		e.RequestedSchema = json.RawMessage(`{"type":"object","properties":{"p":` + readFile(t, filepath.Join(stored, name)) + `}}`)
	}
	return e
}

// TestFormsOfRealServers fills in what real servers ask for, by keys alone, and
// looks at the screen and at the JSON that is sent.
func TestFormsOfRealServers(t *testing.T) {
	erase := func(n int) string { return strings.Repeat(Backspace, n) }
	for _, c := range []struct {
		file string
		keys []string
		want string
	}{
		{"everything-elicitation.json", []string{
			"Ada Lovelace", Tab, Right, Tab, Tab, "ada@example.org", Tab, "https://example.org/", Tab, "1815-12-10", Tab,
			erase(2), "7", Tab, Tab, "pho", Tab, " ", Down, " ", Tab, "green", Tab, " ", "sal", " ", Tab, "dog", Tab,
		}, `{"name":"Ada Lovelace","check":true,"firstLine":"It was a dark and stormy night.","email":"ada@example.org","homepage":"https://example.org/","birthdate":"1815-12-10","integer":7,"number":3.14,"untitledSingleSelectEnum":"Phoebe","untitledMultipleSelectEnum":["Guitar","Piano"],"titledSingleSelectEnum":"hero-2","titledMultipleSelectEnum":["fish-1","fish-2"],"legacyTitledEnum":"pet-2"}`},
		{"sep1034.json", nil, `{"age":30,"name":"John Doe","score":95.5,"status":"active","verified":true}`},
		{"sep1330.json", []string{Right, Tab, " ", Down, " ", Down, " ", Tab, "third", Tab, " ", " ", Tab, Left, Left, Tab},
			`{"legacyEnum":"opt1","titledMulti":["value2","value3"],"titledSingle":"value3","untitledMulti":["option1"],"untitledSingle":"option2"}`},
		{"signup.json", []string{
			"Zoë", Tab, "z@example.org", Tab, Tab, Tab, "2026-12-04T18:30:00+01:00", Tab, erase(2), "41", Tab, Tab, Right, Tab, Tab,
			"eur", Tab, " ", Down, " ", Tab, " ", "type", " ", Tab, Alt("n"), Tab,
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
		for _, size := range [][2]int{{80, 24}, {40, 12}} {
			t.Run(strings.TrimSuffix(filepath.Base(c.file), ".json")+"/"+itoa(size[0])+"x"+itoa(size[1]), func(t *testing.T) {
				e := storedAsk(t, c.file)
				s := open(t, string(e.RequestedSchema), size[0], size[1], Options{Title: "server asks", Message: e.Message, Buttons: ask(), Ask: true})
				s.WaitFor("> ", "[ Later")
				s.Golden("open")
				s.Type(c.keys...)
				s.Type(Alt("z")) // means nothing; all before it has been taken once the next is
				s.Type(CtrlS)
				s.WaitFor("SENT")
				require.Equal(t, "SENT "+c.want, strings.ReplaceAll(padded(s.Text(), size[0]), "\n", ""))
			})
		}
	}
}

// padded undoes the cutting of trailing blanks from lines that were full.
func padded(screen string, width int) string {
	lines := strings.Split(screen, "\n")
	for i, l := range lines[:len(lines)-1] {
		if n := width - len([]rune(l)); n > 0 {
			lines[i] += strings.Repeat(" ", n)
		}
	}
	return strings.Join(lines, "\n")
}

// TestEveryToolOfTheZooOpens opens the form of each tool whose schema breaks
// forms, walks through it both ways at two sizes, and sends it.
func TestEveryToolOfTheZooOpens(t *testing.T) {
	for _, file := range []string{"zoo.json", "everything-tools.json", "conformance-tools.json"} {
		var tools []struct {
			Name        string
			InputSchema json.RawMessage
		}
		require.NoError(t, json.Unmarshal([]byte(readFile(t, filepath.Join(stored, file))), &tools))
		for _, tool := range tools {
			t.Run(strings.TrimSuffix(file, ".json")+"/"+tool.Name, func(t *testing.T) {
				d := begin(t, string(tool.InputSchema), Options{Title: tool.Name, Buttons: []Button{{Send, "Call"}, {Later, "Back"}}})
				for _, size := range [][2]int{{80, 24}, {40, 12}} {
					d.w, d.h = size[0], size[1]
					before, _ := d.f.Value()
					for range min(d.f.stops()+1, 15) {
						d.keys("tab")
					}
					for range min(d.f.stops()+1, 15) {
						d.keys("shift+tab")
					}
					after, _ := d.f.Value()
					require.Equal(t, string(before), string(after), "walking through changes nothing")
				}
				d.keys("ctrl+s", "ctrl+s")
				require.Equal(t, Send, d.last.Act, d.screen())
				sent := string(d.last.Value)
				require.True(t, json.Valid([]byte(sent)))
				d.keys("ctrl+e", "esc")
				after, _ := d.f.Value()
				require.Equal(t, sent, string(after))
			})
		}
	}
}

func TestNamesOfTheZooAreToldApart(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"":{"type":"string"},"a b":{"type":"string"},"\u001b[31m":{"type":"string","title":"x\u202ey","description":"d\u001b]0;t\u0007"}}}`)
	d.sees(`""`, "a b", `x\u202ey`)
	d.keys("tab", "tab").sees("␛[31m", "d␛]0;t␇").keys("v").sends(`{"\u001b[31m":"v"}`)

}
