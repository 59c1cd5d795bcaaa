package form

import (
	"encoding/json"
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/schema"
	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// wide has 80 fields, ten of them choices of 300.
func wide() []byte {
	properties := map[string]any{}
	for i := range 80 {
		name := fmt.Sprintf("field_%02d", i)
		switch {
		case i%8 == 0:
			var options []string
			for o := range 300 {
				options = append(options, fmt.Sprintf("option %d of %s", o, name))
			}
			properties[name] = map[string]any{"type": "string", "enum": options, "default": options[150]}
		case i%4 == 1:
			properties[name] = map[string]any{"type": "integer", "minimum": 0, "default": i}
		case i%4 == 2:
			properties[name] = map[string]any{"type": "string", "format": "email", "description": "an address"}
		default:
			properties[name] = map[string]any{"type": "string", "minLength": 1, "default": "text"}
		}
	}
	raw, err := json.Marshal(map[string]any{"type": "object", "properties": properties})
	if err != nil {
		panic(err)
	}
	return raw
}

// frame draws a whole screen and makes the string that the renderer gets.
func frame(f *Form, w, h int) string {
	s := draw.NewScreen(w, h, nil, text.Wc)
	f.Draw(s, s.Bounds())
	return s.View().Content
}

func BenchmarkOpen(b *testing.B) {
	raw := wide()
	for b.Loop() {
		frame(New(schema.Parse(raw), Options{Buttons: ask()}), 120, 36)
	}
}

func BenchmarkKey(b *testing.B) {
	typing := func(name string, at int, keys ...string) {
		b.Run(name, func(b *testing.B) {
			f := New(schema.Parse(wide()), Options{Title: "bench", Message: "eighty fields", Buttons: ask()})
			f.focusOn(at)
			frame(f, 120, 36)
			i := 0
			for b.Loop() {
				f.Handle(press(keys[i%len(keys)]))
				frame(f, 120, 36)
				i++
			}
		})
	}
	typing("typing", 3, "a", "b", "c", "backspace", "backspace", "backspace")
	typing("filter of 300", 8, "o", "p", "1", "backspace", "backspace", "backspace")
	typing("list of 300", 16, "enter", "down", "down", "down", "down", "enter")
	typing("moving", 0, "tab", "tab", "shift+tab", "tab")
}

// press makes the message of a key by its name.
func press(name string) tea.KeyPressMsg {
	named := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift},
		"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
		"esc": {Code: tea.KeyEscape}, "backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete},
		"space": {Code: tea.KeySpace, Text: " "}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown},
		"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt},
	}
	if k, ok := named[name]; ok {
		return k
	}
	r := []rune(name)
	if len(r) > 4 && name[:4] == "alt+" {
		return tea.KeyPressMsg{Code: r[4], Mod: tea.ModAlt}
	}
	if len(r) > 5 && name[:5] == "ctrl+" {
		return tea.KeyPressMsg{Code: r[5], Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: r[0], Text: name}
}
