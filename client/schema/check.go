package schema

import (
	"slices"
	"strings"
)

// check looks for what is wrong in each subschema: keywords with values that
// they cannot have, and limits that contradict each other.
func (s *source) check() {
	for _, v := range s.order {
		if !v.is('{') {
			if !v.isBool() {
				s.find(Warning, s.place(v), "%s stands where a schema should: any value is taken", article(v.typeName()))
			}
			continue
		}
		s.checkNames(v)
		for _, m := range v.members {
			s.checkKeyword(v, m.name, m.value)
		}
		s.checkRequired(v)
		s.contradictions(v)
	}
	s.endless()
}

func (s *source) checkNames(v *value) {
	if unique := v.unique(); len(unique) != len(v.members) {
		seen := map[string]bool{}
		for _, m := range v.members {
			if seen[m.name] {
				s.find(Warning, s.place(v), "%s is written twice: the last one counts", clip(m.name))
			}
			seen[m.name] = true
		}
	}
	if v.get("nullable").is('t') {
		s.find(Note, s.place(v), "nullable is OpenAPI's, not JSON Schema's: taken as \"or null\"")
	}
}

func (s *source) checkKeyword(owner *value, name string, v *value) {
	place := s.place(owner)
	bad := func(want string) {
		s.find(Warning, place, "%s must be %s, not %s: ignored", name, want, article(v.typeName()))
	}
	switch name {
	case "type":
		s.checkType(place, v)
	case "enum":
		if !v.is('[') {
			bad("an array")
		} else if len(v.items) == 0 {
			s.find(Warning, place, "enum is empty: no value is allowed")
		}
	case "required":
		if !v.is('[') {
			bad("an array of names")
		}
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies", "dependentRequired":
		if !v.is('{') {
			bad("an object")
		}
	case "allOf", "anyOf", "oneOf", "prefixItems":
		if !v.is('[') {
			bad("an array")
		} else if len(v.items) == 0 && name != "prefixItems" {
			s.find(Warning, place, "%s is empty: ignored", name)
		}
	case "pattern":
		if !v.is('"') {
			bad("a string")
		} else if err := compilePattern(v.text); err != nil {
			s.find(Warning, place, "the pattern %s is not a regular expression (%s): ignored", clip(v.text), patternReason(err))
		}
	case "minimum", "maximum", "multipleOf":
		s.checkLimit(place, name, v, bad)
	case "exclusiveMinimum", "exclusiveMaximum":
		if v.isBool() && s.draft > 4 {
			s.find(Note, place, "%s is a switch in draft-04 only: read as one", name)
			return
		}
		s.checkLimit(place, name, v, bad)
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		if _, ok := natural(v); !ok {
			s.find(Warning, place, "%s must be a whole number from 0 up, not %s: ignored", name, clip(string(v.raw)))
		}
	case "title", "description", "format", "$ref", "$id", "$anchor":
		if !v.is('"') {
			bad("a string")
		}
	case "uniqueItems":
		if !v.isBool() {
			bad("true or false")
		}
	case "items":
		if v.is('[') && s.draft >= 2020 {
			s.find(Note, place, "items as a list is draft-07: read as prefixItems")
		}
	}
	if name == "patternProperties" {
		for _, m := range v.members {
			if err := compilePattern(m.name); err != nil {
				s.find(Warning, place, "the pattern %s is not a regular expression (%s): ignored", clip(m.name), patternReason(err))
			}
		}
	}
}

func (s *source) checkLimit(place, name string, v *value, bad func(string)) {
	switch {
	case v.isBool() && s.draft == 4:
	case !v.is('0'):
		bad("a number")
	case exact(string(v.raw)) == nil:
		s.find(Warning, place, "%s is a number beyond reckoning: ignored", name)
	case name == "multipleOf" && exact(string(v.raw)).Sign() <= 0:
		s.find(Warning, place, "multipleOf must be more than 0: ignored")
	}
}

func (s *source) checkType(place string, v *value) {
	switch {
	case v.is('"'):
		if !slices.Contains(typeNames, v.text) {
			s.find(Warning, place, "%s is not a type of JSON Schema: any value is taken", clip(v.text))
		}
	case v.is('['):
		for _, e := range v.items {
			if !slices.Contains(typeNames, e.str()) {
				s.find(Warning, place, "%s is not a type of JSON Schema: ignored", clip(string(e.raw)))
			}
		}
	default:
		s.find(Warning, place, "type must be a string or an array, not %s: any value is taken", article(v.typeName()))
	}
}

func (s *source) checkRequired(v *value) {
	w := view{}
	for _, name := range v.get("required").elements() {
		if !name.is('"') {
			s.find(Warning, s.place(v), "required names %s, which is not a string: ignored", clip(string(name.raw)))
			continue
		}
		if w.parts == nil {
			w = s.view(v)
		}
		declared := false
		for _, p := range w.parts {
			declared = declared || p.get("properties").get(name.text) != nil
		}
		// A branch of a union may name what is declared round it.
		if !declared && v.get("properties") != nil {
			s.find(Warning, s.place(v), "%s is required but not declared", clip(name.text))
		}
	}
}

// contradictions finds limits that no value can keep.
func (s *source) contradictions(v *value) {
	place := s.place(v)
	for _, pair := range [][2]string{
		{"minimum", "maximum"}, {"minLength", "maxLength"}, {"minItems", "maxItems"}, {"minProperties", "maxProperties"},
		{"exclusiveMinimum", "exclusiveMaximum"}, {"exclusiveMinimum", "maximum"}, {"minimum", "exclusiveMaximum"},
	} {
		low, high := v.get(pair[0]), v.get(pair[1])
		if !low.is('0') || !high.is('0') {
			continue
		}
		l, h := exact(string(low.raw)), exact(string(high.raw))
		if l == nil || h == nil {
			continue
		}
		exclusive := strings.HasPrefix(pair[0], "ex") || strings.HasPrefix(pair[1], "ex")
		if c := l.Cmp(h); c > 0 || c == 0 && exclusive {
			s.find(Warning, place, "%s %s and %s %s contradict each other: no value fits", pair[0], low.raw, pair[1], high.raw)
		}
	}
	types := declaredTypes(v)
	if c := v.get("const"); c != nil {
		if e := v.get("enum"); e.is('[') && !contains(e, c) {
			s.find(Warning, place, "const %s is not in enum: no value fits", clip(string(c.raw)))
		}
		if types != nil && !ofType(c, types) {
			s.find(Warning, place, "const %s is not of the type %s: no value fits", clip(string(c.raw)), strings.Join(types, " or "))
		}
	}
	if e := v.get("enum"); e.is('[') {
		s.checkEnum(v, e, types)
	}
	if unique, items := v.get("uniqueItems"), v.get("items"); unique.is('t') && items.is('{') {
		if n, ok := natural(v.get("minItems")); ok {
			if e := items.get("enum"); e.is('[') && n > len(e.items) {
				s.find(Warning, place, "minItems %d of %d different values: no value fits", n, len(e.items))
			}
		}
	}
}

func (s *source) checkEnum(v, e *value, types []string) {
	place, wrong := s.place(v), 0
	seen := make(map[string]bool, len(e.items))
	for _, option := range e.items {
		if types != nil && !ofType(option, types) {
			wrong++
		}
		key := option.text // shares memory with the schema, unlike a copy of raw
		if !option.is('"') {
			key = "\x00" + string(option.raw)
		}
		if seen[key] {
			s.find(Note, place, "enum has %s twice", clip(string(option.raw)))
		}
		seen[key] = true
	}
	if wrong > 0 {
		s.find(Warning, place, "%d of the %d enum values are not of the type %s", wrong, len(e.items), strings.Join(types, " or "))
	}
	if n := v.get("enumNames"); n != nil {
		if !n.is('[') || len(n.items) != len(e.items) {
			s.find(Warning, place, "enumNames does not have one name for each enum value: not used")
		}
	}
}

func contains(list, v *value) bool {
	return slices.ContainsFunc(list.items, func(e *value) bool { return equal(e, v) })
}

func ofType(v *value, types []string) bool {
	name := v.typeName()
	return slices.Contains(types, name) ||
		name == "number" && slices.Contains(types, "integer") && isInteger(string(v.raw))
}

// endless finds subschemas that refer to themselves, or require themselves,
// without end: nothing can be checked by the former, and no value fits the
// latter.
func (s *source) endless() {
	refers := func(v *value) []*value {
		next := slices.Clone(v.get("allOf").elements())
		if t := s.targets[v]; t != nil {
			next = append(next, t)
		}
		return next
	}
	s.cycles(refers, "it refers to itself without end: nothing is checked by it")
	s.cycles(func(v *value) []*value {
		next := refers(v)
		for _, name := range v.get("required").elements() {
			if p := v.get("properties").get(name.str()); p != nil {
				next = append(next, p)
			}
		}
		return next
	}, "it requires itself without end: no value fits")
}

func (s *source) cycles(edges func(*value) []*value, message string) {
	const fresh, open, done = 0, 1, 2
	state := make(map[*value]int, len(s.order))
	var visit func(v *value, depth int)
	visit = func(v *value, depth int) {
		if state[v] != fresh || depth > maxDepth || !v.is('{') {
			return
		}
		state[v] = open
		for _, n := range edges(v) {
			if state[n] == open {
				if !s.endlessAt[n] {
					s.endlessAt[n] = true
					s.find(Warning, s.place(n), "%s", message)
				}
				continue
			}
			visit(n, depth+1)
		}
		state[v] = done
	}
	for _, v := range s.order {
		visit(v, 0)
	}
}
