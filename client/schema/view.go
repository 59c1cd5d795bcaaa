package schema

import "slices"

// view is the schema that applies at one place: the subschema itself, what it
// refers to, and the members of allOf, taken together. A form cares for what
// holds, not for how it was spelled.
type view struct {
	parts []*value // objects only, the nearest first
	maybe []*value // then, else and dependentSchemas: they may hold
	spent []*value // oneOf and anyOf lists that were already taken apart
	only  string   // one type of several, chosen by a variant
	never bool     // false is among the parts
}

func (s *source) view(v *value) view {
	var w view
	s.add(&w, v, false)
	return w
}

// with returns w and the subschema v taken together.
func (s *source) with(w view, v *value) view {
	w.parts, w.maybe, w.spent = slices.Clone(w.parts), slices.Clone(w.maybe), slices.Clone(w.spent)
	s.add(&w, v, false)
	return w
}

func (s *source) add(w *view, v *value, maybe bool) {
	const limit = 64
	if v.is('f') && !maybe {
		w.never = true
	}
	if !v.is('{') || slices.Contains(w.parts, v) || slices.Contains(w.maybe, v) || len(w.parts)+len(w.maybe) >= limit {
		return
	}
	if maybe {
		w.maybe = append(w.maybe, v)
	} else {
		w.parts = append(w.parts, v)
	}
	if target := s.targets[v]; target != nil {
		s.add(w, target, maybe)
	}
	if all := v.get("allOf"); all.is('[') {
		for _, e := range all.items {
			s.add(w, e, maybe)
		}
	}
	if v.get("if") != nil {
		for _, keyword := range []string{"then", "else"} {
			if e := v.get(keyword); e.is('{') {
				s.add(w, e, true)
			}
		}
	}
	if dependent := v.get("dependentSchemas"); dependent.is('{') {
		for _, m := range dependent.members {
			s.add(w, m.value, true)
		}
	}
}

// first returns the nearest value of a keyword that has the wanted kind, or nil.
func (w view) first(keyword string, kind byte) *value {
	for _, p := range w.parts {
		if v := p.get(keyword); v.is(kind) {
			return v
		}
	}
	return nil
}

// any returns the nearest value of a keyword, or nil.
func (w view) any(keyword string) *value {
	for _, p := range w.parts {
		if v := p.get(keyword); v != nil {
			return v
		}
	}
	return nil
}

// text returns the nearest value of a keyword that is a string, or "".
func (w view) text(keyword string) string { return w.first(keyword, '"').str() }

// flag reports whether any part sets keyword to true.
func (w view) flag(keyword string) bool { return w.first(keyword, 't') != nil }

// required returns the names that must be present.
func (w view) required() map[string]bool {
	names := map[string]bool{}
	for _, p := range w.parts {
		if list := p.get("required"); list.is('[') {
			for _, e := range list.items {
				if e.is('"') {
					names[e.text] = true
				}
			}
		}
	}
	return names
}

var typeNames = []string{"string", "integer", "number", "boolean", "object", "array", "null"}

// types returns the types that all parts allow, or nil where any type will do.
func (w view) types() []string {
	var types []string
	for _, p := range w.parts {
		own := declaredTypes(p)
		switch {
		case own == nil:
		case types == nil:
			types = own
		default:
			types = bothTypes(types, own)
		}
	}
	if w.only != "" && (types == nil || slices.Contains(types, w.only)) {
		return []string{w.only}
	}
	return types
}

// bothTypes is what two lists of types have in common; an integer is a number.
func bothTypes(a, b []string) []string {
	both := []string{}
	for _, t := range a {
		switch {
		case slices.Contains(b, t), t == "integer" && slices.Contains(b, "number"):
			both = append(both, t)
		case t == "number" && slices.Contains(b, "integer"):
			both = append(both, "integer")
		}
	}
	return both
}

// declaredTypes returns the known types that a subschema names, or nil.
func declaredTypes(p *value) []string {
	v := p.get("type")
	if v.is('"') && slices.Contains(typeNames, v.text) {
		types := []string{v.text}
		if p.get("nullable").is('t') && v.text != "null" {
			types = append(types, "null") // OpenAPI's way, which generators leave in
		}
		return types
	}
	if !v.is('[') {
		return nil
	}
	var types []string
	for _, e := range v.items {
		if e.is('"') && slices.Contains(typeNames, e.text) && !slices.Contains(types, e.text) {
			types = append(types, e.text)
		}
	}
	return types
}

// impliedType guesses the type of a subschema that names none by the keywords
// that it uses.
func (w view) impliedType() string {
	for _, p := range w.parts {
		for _, m := range p.members {
			switch m.name {
			case "properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties":
				return "object"
			case "items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains":
				return "array"
			case "minLength", "maxLength", "pattern", "format":
				return "string"
			case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
				return "number"
			}
		}
	}
	return ""
}
