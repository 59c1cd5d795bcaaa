package form

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/yosida95/uritemplate/v3"
)

// Template makes the form of a URI template (RFC 6570): a schema with one text
// for each variable, a list of texts for one that is exploded, and expand,
// which makes the URI of what was filled in. It serves [Options.Preview] and
// the read itself. A variable that is left out is undefined, as the RFC has it.
// A template that is none gives a form that asks for the URI itself.
func Template(template string) (schemaJSON []byte, expand func(value []byte) (string, error)) {
	t, err := uritemplate.New(template)
	if err != nil || len(t.Varnames()) == 0 {
		return literal(template)
	}
	exploded, first := modifiers(template)
	var members []string
	for _, name := range t.Varnames() {
		property := map[string]any{"type": "string"}
		if exploded[name] {
			property = map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
		}
		if n := first[name]; n != "" {
			property["description"] = "the first " + n + " characters are used"
		}
		raw, err := json.Marshal(property)
		if err != nil { // strings always encode
			return literal(template)
		}
		members = append(members, quote(name)+":"+string(raw))
	}
	schemaJSON = []byte(`{"type":"object","properties":{` + strings.Join(members, ",") + `},"additionalProperties":false}`)
	return schemaJSON, func(value []byte) (string, error) {
		values := uritemplate.Values{}
		var given map[string]any
		if err := json.Unmarshal(value, &given); err != nil {
			return "", fmt.Errorf("expand %s: %w", template, err)
		}
		for name, v := range given {
			switch v := v.(type) {
			case string:
				values.Set(name, uritemplate.String(v))
			case []any:
				list := make([]string, len(v))
				for i, e := range v {
					list[i] = fmt.Sprint(e)
				}
				values.Set(name, uritemplate.List(list...))
			case nil:
			default:
				values.Set(name, uritemplate.String(fmt.Sprint(v)))
			}
		}
		uri, err := t.Expand(values)
		if err != nil {
			return "", fmt.Errorf("expand %s: %w", template, err)
		}
		return uri, nil
	}
}

// literal is the form of a text that is no template.
func literal(uri string) ([]byte, func([]byte) (string, error)) {
	s := `{"type":"object","properties":{"uri":{"type":"string","title":"URI","default":` + quote(uri) + `}},"required":["uri"]}`
	return []byte(s), func(value []byte) (string, error) {
		var v struct{ URI string }
		if err := json.Unmarshal(value, &v); err != nil {
			return "", fmt.Errorf("read the URI: %w", err)
		}
		return v.URI, nil
	}
}

// modifiers returns the variables of a valid template that are exploded ({x*}),
// and how many characters of a variable are used ({x:3}); the library does not
// tell.
func modifiers(template string) (exploded map[string]bool, first map[string]string) {
	exploded, first = map[string]bool{}, map[string]string{}
	for _, part := range strings.Split(template, "{")[1:] {
		expression, _, _ := strings.Cut(part, "}")
		for v := range strings.SplitSeq(strings.TrimLeft(expression, "+#./;?&"), ",") {
			name, n, _ := strings.Cut(v, ":")
			if plain, ok := strings.CutSuffix(name, "*"); ok {
				exploded[plain] = true
			} else if n != "" {
				first[name] = n
			}
		}
	}
	return exploded, first
}

func quote(s string) string {
	raw, err := json.Marshal(s)
	if err != nil { // strings always encode
		return `""`
	}
	return string(raw)
}
