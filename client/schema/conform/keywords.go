package conform

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

var typeNames = []string{"null", "boolean", "object", "array", "number", "string", "integer"}

// values reads what judges single values.
func (r *reading) values(s *Schema) {
	if v, ok := r.m["type"]; ok {
		if one, ok := v.(string); ok {
			s.types = []string{one}
		} else {
			s.types = r.strings("type", v)
		}
		for _, t := range s.types {
			if !slices.Contains(typeNames, t) {
				r.fail("type", "one of "+strings.Join(typeNames, ", ")+", or several")
			}
		}
	}
	if v, ok := r.m["enum"]; ok {
		if s.enum, s.hasEnum = v.([]any); !s.hasEnum {
			r.fail("enum", "a list")
		}
	}
	s.konst, s.hasConst = r.has("const", 6)
	if v, ok := r.m["format"]; ok {
		if s.format, ok = v.(string); !ok {
			r.fail("format", "a string")
		}
	}
	s.minimum, s.maximum, s.multipleOf = r.limit("minimum", 4), r.limit("maximum", 4), r.limit("multipleOf", 4)
	if r.o.Draft == 4 { // switches, for the limits beside them
		if r.m["exclusiveMinimum"] == true {
			s.minimum, s.above = nil, s.minimum
		}
		if r.m["exclusiveMaximum"] == true {
			s.maximum, s.below = nil, s.maximum
		}
	} else {
		s.above, s.below = r.limit("exclusiveMinimum", 6), r.limit("exclusiveMaximum", 6)
	}
	s.minLength, s.maxLength = r.count("minLength", 4), r.count("maxLength", 4)
	if v, ok := r.m["pattern"]; ok {
		s.patternText, ok = v.(string)
		if !ok {
			r.fail("pattern", "a string")
		}
		s.pattern = r.regexp("pattern", s.patternText)
	}
}

func (r *reading) regexp(keyword, text string) Pattern {
	p, err := r.o.Pattern(text)
	if err != nil {
		r.fail(keyword, fmt.Sprintf("a regular expression: %v", err))
	}
	return p
}

func (r *reading) object(s *Schema) {
	s.minProperties, s.maxProperties = r.count("minProperties", 4), r.count("maxProperties", 4)
	if v, ok := r.m["required"]; ok {
		s.required = r.strings("required", v)
	}
	if properties := r.members("properties", 4); properties != nil {
		s.properties = make(map[string]*Schema, len(properties))
		for _, p := range properties {
			s.properties[p.member] = p.schema
		}
	}
	for _, p := range r.members("patternProperties", 4) {
		s.patternProperties = append(s.patternProperties, patterned{r.regexp("patternProperties", p.member), p.schema})
	}
	s.additional, s.names = r.sub("additionalProperties", 4), r.sub("propertyNames", 6)
	s.unknownProperties = r.sub("unevaluatedProperties", 2019)
	r.need(s, "dependencies", 4) // 2019-09 split it in two, and took nothing away
	r.need(s, "dependentRequired", 2019)
	s.wants = append(r.members("dependencies", 4), r.members("dependentSchemas", 2019)...)
}

func (r *reading) need(s *Schema, keyword string, since int) {
	v, _ := r.has(keyword, since)
	m, _ := v.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if _, list := m[name].([]any); list || keyword == "dependentRequired" {
			s.needs = append(s.needs, needs{name, r.strings(keyword, m[name]), keyword})
		}
	}
}

func (r *reading) array(s *Schema) {
	s.minItems, s.maxItems = r.count("minItems", 4), r.count("maxItems", 4)
	if v, ok := r.m["uniqueItems"]; ok {
		if s.unique, ok = v.(bool); !ok {
			r.fail("uniqueItems", "true or false")
		}
	}
	s.itemsKeyword = "items"
	if _, list := r.m["items"].([]any); list && r.o.Draft < 2020 {
		if len(r.m["items"].([]any)) > 0 {
			s.prefix = r.list("items", 4)
		}
		s.items, s.itemsKeyword = r.sub("additionalItems", 4), "additionalItems"
	} else {
		s.items = r.sub("items", 4)
		s.prefix = r.list("prefixItems", 2020)
	}
	s.contains = r.sub("contains", 6)
	s.minContains, s.maxContains = r.count("minContains", 2019), r.count("maxContains", 2019)
	s.containsCounts = r.o.Draft >= 2020
	s.unknownItems = r.sub("unevaluatedItems", 2019)
}

func (r *reading) logic(s *Schema) {
	s.allOf, s.anyOf, s.oneOf = r.list("allOf", 4), r.list("anyOf", 4), r.list("oneOf", 4)
	s.not, s.when = r.sub("not", 4), r.sub("if", 7)
	if s.when != nil {
		s.then, s.otherwise = r.sub("then", 7), r.sub("else", 7)
	}
}
