package form

import (
	"strings"
	"testing"

	"mcptui/ui/internal/screentest"
)

const nested = `{"type":"object","properties":{
 "who":{"type":"object","title":"Guest","properties":{"name":{"type":"string"},"vip":{"type":"boolean"}},"required":["name"]},
 "dates":{"type":"array","title":"Dates","description":"Days that would do.","minItems":1,"items":{"type":"string","format":"date"}},
 "pay":{"title":"Payment","oneOf":[{"title":"Card","type":"object","properties":{"kind":{"const":"card"},"number":{"type":"string"}},"required":["kind","number"]},{"title":"Invoice","type":"object","properties":{"kind":{"const":"invoice"},"to":{"type":"string"}},"required":["kind","to"]}]},
 "labels":{"type":"object","additionalProperties":{"type":"number"}},
 "extra":{}},"required":["who"]}`

// TestLook holds what the parts of a form look like, at two sizes.
func TestLook(t *testing.T) {
	long := `{"type":"object","properties":{"text":{"type":"string","description":"` + strings.Repeat("What to say about it, in full. ", 30) + `"},"next":{"type":"string"}}}`
	for _, c := range []struct {
		name, schema string
		keys         []string
	}{
		{"list of 300", wideChoice, []string{"enter", "down", "down"}},
		{"filter", wideChoice, []string{"e 29"}},
		{"no match", wideChoice, []string{"zzz"}},
		{"choices", string(`{"type":"object","properties":{"m":{"type":"array","minItems":1,"maxItems":2,"items":{"enum":["red","green","blue"]}},"n":{"type":"string"}}}`), []string{"space", "down", "space"}},
		{"nested", nested, []string{"tab", "Ada", "tab", "right", "tab", "enter", "2026-12-04", "tab", "tab", "right", "tab", "tab", "4111", "tab", "enter", "x"}},
		{"member", nested, []string{"tab", "tab", "tab", "tab", "tab", "enter", "weight", "enter", "1.5"}},
		{"missing", booking, []string{"ctrl+s"}},
		{"wrong", booking, []string{"soon", "tab", "backspace", "99", "tab"}},
		{"sent all the same", booking, []string{"x", "ctrl+s"}},
		{"null and left out", `{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"type":["integer","null"]},"c":{"type":"string","default":""}}}`, []string{"alt+n", "alt+n", "tab", "5", "alt+n", "tab", "alt+n", "alt+n"}},
		{"lines", `{"type":"object","properties":{"t":{"type":"string"},"u":{"type":"string"}}}`, []string{"one", "alt+enter", "two"}},
		{"as JSON text", `{"type":"object","properties":{"t":{"type":"string","default":"a\tb\u001b[31m"},"u":{"type":"string"}}}`, []string{"end"}},
		{"document", booking, []string{"2026-12-04", "ctrl+e"}},
		{"document and buttons", booking, []string{"ctrl+e", "shift+tab", "left"}},
		{"broken document", booking, []string{"ctrl+e", "x", "esc"}},
		{"long description", long, []string{"hello", "pgdown"}},
		{"secret", `{"type":"object","properties":{"password":{"type":"string","title":"Password"}}}`, nil},
		{"buttons", booking, []string{"shift+tab", "left"}},
	} {
		for _, size := range [][2]int{{80, 24}, {40, 12}} {
			t.Run(strings.ReplaceAll(c.name, " ", "-")+"/"+itoa(size[0])+"x"+itoa(size[1]), func(t *testing.T) {
				d := begin(t, c.schema, Options{Title: "demo asks", Message: "Please fill this in.", Buttons: ask(), Ask: true})
				d.w, d.h = size[0], size[1]
				d.screen()
				d.keys(c.keys...)
				screentest.Golden(t, "screen", d.screen()+"\n")
			})
		}
	}
}
