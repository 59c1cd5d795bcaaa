package schema

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// cleaner makes the copy of a schema that is compiled for validation. The
// compiler of package conform refuses a whole schema for one bad keyword; here the keyword goes
// and the rest holds. The copy keeps every subschema at its place, so that the
// place finds it; references are rewritten to places.
type cleaner struct {
	s      *source
	places map[*value]string // targets outside of all known keywords, moved below $defs
}

// movedDefs is the name below $defs for targets that lie outside of it.
const movedDefs = "moved by mcptui "

var dialects = map[int]string{
	4: "http://json-schema.org/draft-04/schema#", 6: "http://json-schema.org/draft-06/schema#",
	7: "http://json-schema.org/draft-07/schema#", 2019: "https://json-schema.org/draft/2019-09/schema",
	2020: "https://json-schema.org/draft/2020-12/schema",
}

func newCleaner(s *source) *cleaner {
	c := &cleaner{s: s, places: map[*value]string{}}
	for i, v := range s.extra {
		c.places[v] = "/$defs/" + movedDefs + fmt.Sprint(i)
	}
	return c
}

func (c *cleaner) root() any {
	s := c.s
	root := c.schema(s.root)
	m, ok := root.(map[string]any)
	if !ok {
		return root
	}
	m["$schema"] = dialects[s.draft]
	if len(s.extra) > 0 {
		defs, ok := m["$defs"].(map[string]any)
		if !ok {
			defs = map[string]any{}
			m["$defs"] = defs
		}
		for i, v := range s.extra {
			defs[movedDefs+fmt.Sprint(i)] = c.schema(v)
		}
	}
	return root
}

// placeOf is where a subschema lies within the clean copy.
func (c *cleaner) placeOf(v *value) string {
	if place, ok := c.places[v]; ok {
		return place
	}
	place := c.s.place(v)
	for _, e := range c.s.extra { // a part of something that was moved
		if rest, below := strings.CutPrefix(place, c.s.place(e)+"/"); below {
			return c.places[e] + "/" + rest
		}
	}
	return place
}

// fragment makes a JSON Pointer a URI fragment.
func fragment(pointer string) string {
	var b strings.Builder
	b.WriteByte('#')
	for i, token := range strings.Split(pointer, "/") {
		if i > 0 {
			b.WriteByte('/')
		}
		b.WriteString(url.PathEscape(token))
	}
	return b.String()
}

func (c *cleaner) schema(v *value) any {
	if _, known := c.s.places[v]; !known {
		return true // beyond the limit on subschemas
	}
	switch v.kind {
	case 't':
		return true
	case 'f':
		if c.s.draft == 4 {
			return map[string]any{"not": map[string]any{}}
		}
		return false
	case '{':
		out := make(map[string]any, len(v.members))
		for _, m := range v.members {
			c.keyword(out, v, m)
		}
		c.reference(out, v)
		c.nullable(out, v)
		return out
	}
	return true
}

func (c *cleaner) keyword(out map[string]any, owner *value, m member) {
	switch heldBy(m.name) {
	case oneSchema:
		out[m.name] = c.schema(m.value)
	case schemaList:
		if m.value.is('[') && len(m.value.items) > 0 {
			out[m.name] = c.list(m.value)
		}
	case schemaOrList:
		c.items(out, owner, m.value)
	case schemaMap:
		c.mapping(out, m)
	case schemaOrNames:
		c.dependencies(out, m.value)
	default:
		if clean, ok := c.plain(owner, m.name, m.value); ok {
			out[m.name] = clean
		}
	}
}

func (c *cleaner) list(v *value) []any {
	out := make([]any, len(v.items))
	for i, e := range v.items {
		out[i] = c.schema(e)
	}
	return out
}

// items of draft-07 may be a list, which 2020-12 calls prefixItems. Schemas
// without $schema use either.
func (c *cleaner) items(out map[string]any, owner, v *value) {
	if !v.is('[') {
		out["items"] = c.schema(v)
		return
	}
	if len(v.items) == 0 {
		return
	}
	if c.s.draft < 2020 {
		out["items"] = c.list(v)
		return
	}
	out["prefixItems"] = c.list(v)
	if rest := owner.get("additionalItems"); rest != nil {
		out["items"] = c.schema(rest)
	}
}

func (c *cleaner) mapping(out map[string]any, m member) {
	if !m.value.is('{') {
		return
	}
	clean := make(map[string]any, len(m.value.members))
	for _, e := range m.value.members {
		if m.name == "patternProperties" && compilePattern(e.name) != nil {
			continue
		}
		clean[e.name] = c.schema(e.value)
	}
	if have, ok := out[m.name].(map[string]any); ok { // a moved target may come first
		for k, v := range have {
			clean[k] = v
		}
	}
	out[m.name] = clean
}

// dependencies of draft-07 were split in two in 2019-09.
func (c *cleaner) dependencies(out map[string]any, v *value) {
	if !v.is('{') {
		return
	}
	old, required, schemas := map[string]any{}, map[string]any{}, map[string]any{}
	for _, m := range v.members {
		if names, ok := stringList(m.value); ok {
			old[m.name], required[m.name] = names, names
		} else if m.value.is('{') || m.value.isBool() {
			clean := c.schema(m.value)
			old[m.name], schemas[m.name] = clean, clean
		}
	}
	if c.s.draft < 2019 {
		out["dependencies"] = old
		return
	}
	if out["dependentRequired"] == nil && len(required) > 0 {
		out["dependentRequired"] = required
	}
	if out["dependentSchemas"] == nil && len(schemas) > 0 {
		out["dependentSchemas"] = schemas
	}
}

// plain returns the clean value of a keyword that holds no subschema, or false
// where the keyword is unknown, annotates only, or has a value that it cannot
// have.
func (c *cleaner) plain(owner *value, name string, v *value) (any, bool) {
	switch name {
	case "type":
		types := declaredTypes(owner)
		if types == nil {
			return nil, false
		}
		types = slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "null" && !namesNull(v) })
		return anyList(types), len(types) > 0
	case "enum":
		if !v.is('[') || len(v.items) == 0 && c.s.draft < 2019 {
			return nil, false
		}
		return v.plain(), true
	case "const":
		return v.plain(), true
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		return c.number(owner, name, v)
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		n, ok := natural(v)
		return json.Number(fmt.Sprint(n)), ok
	case "uniqueItems":
		return v.is('t'), v.isBool()
	case "pattern":
		if !v.is('"') || compilePattern(v.text) != nil {
			return nil, false
		}
		return v.text, true
	case "format":
		return v.str(), v.is('"') && v.text != "regex"
	case "required":
		names, ok := stringList(v)
		return names, ok && (len(names) > 0 || c.s.draft > 4)
	case "dependentRequired":
		if !v.is('{') {
			return nil, false
		}
		out := map[string]any{}
		for _, m := range v.members {
			if names, ok := stringList(m.value); ok {
				out[m.name] = names
			}
		}
		return out, true
	}
	return nil, false
}

func (c *cleaner) number(owner *value, name string, v *value) (any, bool) {
	if v.is('t') && strings.HasPrefix(name, "exclusive") {
		// A draft-04 switch. Newer drafts want the limit itself.
		if c.s.draft == 4 {
			return true, true
		}
		limit := owner.get("minimum")
		if name == "exclusiveMaximum" {
			limit = owner.get("maximum")
		}
		if limit == nil {
			return nil, false
		}
		v = limit
	}
	if !v.is('0') {
		return nil, false
	}
	r := exact(string(v.raw))
	if r == nil || name == "multipleOf" && r.Sign() <= 0 {
		return nil, false
	}
	return json.Number(v.raw), true
}

// namesNull reports whether a type keyword itself says null.
func namesNull(v *value) bool {
	if v.is('"') {
		return v.text == "null"
	}
	return slices.ContainsFunc(v.elements(), func(e *value) bool { return e.str() == "null" })
}

func (c *cleaner) reference(out map[string]any, v *value) {
	target := c.s.targets[v]
	if target == nil {
		return
	}
	if place, ok := c.places[target]; ok || c.s.places[target] != "" || target == c.s.root {
		if !ok {
			place = c.placeOf(target)
		}
		out["$ref"] = fragment(place)
	}
}

// nullable is OpenAPI's word, which validators ignore: a server that wrote it
// takes null.
func (c *cleaner) nullable(out map[string]any, v *value) {
	if !v.get("nullable").is('t') {
		return
	}
	if types, ok := out["type"].([]any); ok && !slices.Contains(types, any("null")) {
		out["type"] = append(types, "null")
	}
	if enum, ok := out["enum"].([]any); ok && !slices.Contains(enum, nil) {
		out["enum"] = append(enum, nil)
	}
}

func stringList(v *value) ([]any, bool) {
	if !v.is('[') {
		return nil, false
	}
	out := make([]any, 0, len(v.items))
	for _, e := range v.items {
		if e.is('"') && !slices.Contains(out, any(e.text)) {
			out = append(out, e.text)
		}
	}
	return out, true
}

func anyList(names []string) []any {
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = n
	}
	return out
}
