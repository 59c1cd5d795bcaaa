package schema

import (
	"encoding/json"
	"fmt"
	"testing"
)

// wideSchema has 80 fields, ten of them choices of 300.
func wideSchema() []byte {
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
			properties[name] = map[string]any{"type": "string", "format": "email"}
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

func BenchmarkParseAndJSON(b *testing.B) {
	schema := wideSchema()
	b.ReportAllocs()
	for b.Loop() {
		if raw, problems := Parse(schema).New().JSON(); len(raw) == 0 || len(problems) > 0 {
			b.Fatal(string(raw), problems)
		}
	}
}

func BenchmarkFirstCheck(b *testing.B) {
	schema := wideSchema()
	for b.Loop() {
		if problems := Parse(schema).New().Check(); len(problems) > 0 {
			b.Fatal(problems)
		}
	}
}

func BenchmarkKey(b *testing.B) {
	d := Parse(wideSchema()).New()
	n := d.Root.Child("field_03")
	texts := []string{"a", "ab"}
	i := 0
	for b.Loop() {
		n.SetText(texts[i%2])
		i++
		if problems := d.Check(); len(problems) > 0 {
			b.Fatal(problems)
		}
	}
}
