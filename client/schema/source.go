package schema

import (
	"fmt"
	"net/url"
	"strings"
)

// Limits on the schema itself. A schema beyond them is edited as one text.
const (
	maxSchemaBytes = 8 << 20
	maxSchemas     = 40000
)

// holds says how a keyword holds subschemas.
type holds byte

const (
	noSchema holds = iota
	oneSchema
	schemaList
	schemaMap
	schemaOrList // items, which was both
	schemaOrNames
)

func heldBy(keyword string) holds {
	switch keyword {
	case "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else",
		"unevaluatedProperties", "unevaluatedItems", "additionalItems", "contentSchema":
		return oneSchema
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return schemaList
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		return schemaMap
	case "items":
		return schemaOrList
	case "dependencies":
		return schemaOrNames
	}
	return noSchema
}

// source is a schema document with its references resolved. Subschemas are
// known by the identity of their *value, which is also what guards against
// cycles.
type source struct {
	root      *value
	draft     int               // 4, 6, 7, 2019 or 2020
	order     []*value          // every subschema, as found
	places    map[*value]string // JSON Pointer of every subschema
	bases     map[*value]string // base URI of every subschema
	resources map[string]*value // $id → subschema
	anchors   map[string]*value // base#anchor → subschema
	targets   map[*value]*value // subschema with a $ref → what it points to
	extra     []*value          // targets outside of all known keywords
	findings  []Finding
	told      map[string]bool
	endlessAt map[*value]bool // a cycle through it was told
	full      bool            // maxSchemas was reached
}

func newSource(root *value) *source {
	s := &source{
		root: root, places: map[*value]string{}, bases: map[*value]string{}, resources: map[string]*value{},
		anchors: map[string]*value{}, targets: map[*value]*value{}, told: map[string]bool{}, endlessAt: map[*value]bool{},
	}
	s.dialect()
	s.index(root, "", "")
	s.resolveAll()
	return s
}

// dialect reads $schema. Without it, MCP means 2020-12 (Base Protocol, "JSON
// Schema Usage").
func (s *source) dialect() {
	s.draft = 2020
	v := s.root.get("$schema")
	if v == nil {
		return
	}
	name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(v.str(), "https://"), "http://"), "#")
	switch name {
	case "json-schema.org/draft/2020-12/schema":
	case "json-schema.org/draft/2019-09/schema":
		s.draft = 2019
	case "json-schema.org/draft-07/schema":
		s.draft = 7
	case "json-schema.org/draft-06/schema":
		s.draft = 6
	case "json-schema.org/draft-04/schema":
		s.draft = 4
	default:
		s.find(Note, "", "the dialect %s is not known: read as 2020-12", clip(v.str()))
	}
}

func (s *source) find(level Level, place, format string, args ...any) {
	f := Finding{Level: level, Place: place, Message: fmt.Sprintf(format, args...)}
	key := f.Place + "\x00" + f.Message
	if s.told[key] || len(s.findings) >= 200 {
		return
	}
	s.told[key] = true
	s.findings = append(s.findings, f)
}

func (s *source) place(v *value) string { return s.places[v] }

// index visits every subschema below v, noting where it is and what can be
// referred to.
func (s *source) index(v *value, place, base string) {
	if _, seen := s.places[v]; seen || s.full {
		return
	}
	if len(s.places) >= maxSchemas {
		s.full = true
		s.find(Warning, "", "the schema has more than %d parts: the rest is edited as JSON", maxSchemas)
		return
	}
	s.places[v] = place
	s.order = append(s.order, v)
	if !v.is('{') {
		s.bases[v] = base
		return
	}
	base = s.identify(v, base)
	s.bases[v] = base
	for _, m := range v.members {
		at := place + "/" + Escape(m.name)
		switch heldBy(m.name) {
		case oneSchema:
			s.index(m.value, at, base)
		case schemaList:
			s.indexList(m.value, at, base)
		case schemaOrList:
			if m.value.is('[') {
				s.indexList(m.value, at, base)
			} else {
				s.index(m.value, at, base)
			}
		case schemaMap:
			s.indexMap(m.value, at, base, func(*value) bool { return true })
		case schemaOrNames:
			s.indexMap(m.value, at, base, func(v *value) bool { return !v.is('[') })
		}
	}
}

func (s *source) indexList(v *value, place, base string) {
	if !v.is('[') {
		return
	}
	for i, e := range v.items {
		s.index(e, fmt.Sprintf("%s/%d", place, i), base)
	}
}

func (s *source) indexMap(v *value, place, base string, isSchema func(*value) bool) {
	if !v.is('{') {
		return
	}
	for _, m := range v.members {
		if isSchema(m.value) {
			s.index(m.value, place+"/"+Escape(m.name), base)
		}
	}
}

// identify notes the $id and anchors of v, and returns the base URI below it.
func (s *source) identify(v *value, base string) string {
	id := v.get("$id").str()
	if id == "" && s.draft == 4 {
		id = v.get("id").str()
	}
	switch {
	case strings.HasPrefix(id, "#"): // a draft-06 and draft-07 way to write an anchor
		s.anchor(base, strings.TrimPrefix(id, "#"), v)
	case id != "":
		if absolute, ok := resolveURI(base, id); ok {
			base, _, _ = strings.Cut(absolute, "#")
		}
	}
	if _, taken := s.resources[base]; !taken {
		s.resources[base] = v
	}
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if name := v.get(keyword).str(); name != "" {
			s.anchor(base, name, v)
		}
	}
	return base
}

func (s *source) anchor(base, name string, v *value) {
	if _, taken := s.anchors[base+"#"+name]; !taken {
		s.anchors[base+"#"+name] = v
	}
}

func resolveURI(base, ref string) (string, bool) {
	b, err := url.Parse(base)
	if err != nil {
		return "", false
	}
	r, err := b.Parse(ref)
	if err != nil {
		return "", false
	}
	return r.String(), true
}

// resolveAll finds the target of every reference. A target outside of the known
// keywords is indexed as it is found, so the list grows while it is walked.
func (s *source) resolveAll() {
	for i := 0; i < len(s.order); i++ {
		if s.order[i].is('{') {
			s.resolve(s.order[i])
		}
	}
}

func (s *source) resolve(v *value) {
	for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		ref := v.get(keyword)
		if ref == nil {
			continue
		}
		place := s.place(v)
		if !ref.is('"') {
			s.find(Warning, place, "%s is not a string: ignored", keyword)
			continue
		}
		target, remote := s.target(s.bases[v], ref.text)
		switch {
		case target != nil:
			if s.targets[v] == nil {
				s.targets[v] = target
			}
		case remote:
			s.find(Warning, place, "%s %s lies outside of the schema and is not fetched: any value is taken", keyword, clip(ref.text))
		default:
			s.find(Warning, place, "%s %s points to nothing: any value is taken", keyword, clip(ref.text))
		}
	}
}

// target follows one reference. remote says that it leads out of the document.
func (s *source) target(base, ref string) (target *value, remote bool) {
	resource, fragment := s.resources[base], ""
	if strings.HasPrefix(ref, "#") {
		fragment = ref[1:]
	} else {
		absolute, ok := resolveURI(base, ref)
		if !ok {
			return nil, false
		}
		base, fragment, _ = strings.Cut(absolute, "#")
		if resource = s.resources[base]; resource == nil {
			return nil, true
		}
	}
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	if fragment != "" && fragment[0] != '/' {
		return s.anchors[base+"#"+fragment], false
	}
	if resource == nil {
		resource = s.root
	}
	found := resource.lookup(fragment)
	if found == nil && resource != s.root {
		// Generators that nest an $id often still mean the document's root.
		resource, found = s.root, s.root.lookup(fragment)
	}
	if found == nil || (!found.is('{') && !found.isBool()) {
		return nil, false
	}
	if _, known := s.places[found]; !known && !s.full {
		s.extra = append(s.extra, found)
		s.index(found, s.places[resource]+fragment, base)
	}
	return found, false
}
