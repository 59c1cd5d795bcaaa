package schema

import (
	"slices"
	"strings"
)

// Elicitation returns where the schema leaves the subset that a requestedSchema
// may use: a flat object of strings, numbers, booleans and enums (Elicitation,
// "Requested Schema"). The form is made all the same; the server's author
// should know that other clients may refuse.
func (f *Form) Elicitation() []Finding {
	e := subset{}
	root := f.source.root
	if root.get("type").str() != "object" {
		e.out(Warning, "", "type must be \"object\"")
	}
	for _, m := range root.members {
		switch m.name {
		case "type", "properties", "required", "$schema":
		case "title", "description", "$comment", "$id", "additionalProperties":
			e.out(Note, "", "%s is outside of the elicitation subset", m.name)
		default:
			e.out(Warning, "", "%s is outside of the elicitation subset", m.name)
		}
	}
	properties := root.get("properties")
	if !properties.is('{') {
		e.out(Warning, "", "properties is missing")
		return e.findings()
	}
	for _, m := range properties.unique() {
		e.property("/properties/"+Escape(m.name), m.value)
	}
	return e.findings()
}

// subset collects what lies outside of the elicitation subset.
type subset struct {
	found source // only its findings are used
}

func (e *subset) findings() []Finding { return e.found.findings }

func (e *subset) out(level Level, place, format string, args ...any) {
	if e.found.told == nil {
		e.found.told = map[string]bool{}
	}
	e.found.find(level, place, format, args...)
}

var (
	commonKeywords = []string{"type", "title", "description", "default"}
	stringKeywords = []string{"minLength", "maxLength", "format"}
	numberKeywords = []string{"minimum", "maximum"}
	listOfKeywords = []string{"items", "minItems", "maxItems"}
	subsetFormats  = []string{"email", "uri", "date", "date-time"}
)

func (e *subset) property(place string, v *value) {
	if !v.is('{') {
		e.out(Warning, place, "a property must be a schema with a type")
		return
	}
	t := v.get("type")
	if !t.is('"') {
		e.out(Warning, place, "a property must name one primitive type")
		return
	}
	switch t.text {
	case "string":
		e.text(place, v)
	case "number", "integer":
		e.keywords(place, v, numberKeywords)
	case "boolean":
		e.keywords(place, v, nil)
	case "array":
		e.choices(place, v)
	default:
		e.out(Warning, place, "%s is outside of the elicitation subset: only strings, numbers, booleans and enums may be asked for", article(t.text))
	}
}

func (e *subset) keywords(place string, v *value, extra []string) {
	for _, m := range v.members {
		if !slices.Contains(commonKeywords, m.name) && !slices.Contains(extra, m.name) {
			e.out(Warning, place, "%s is outside of the elicitation subset", m.name)
		}
	}
}

func (e *subset) text(place string, v *value) {
	switch {
	case v.get("oneOf") != nil:
		e.keywords(place, v, []string{"oneOf"})
		e.titled(place+"/oneOf", v.get("oneOf"))
	case v.get("enum") != nil:
		e.keywords(place, v, []string{"enum", "enumNames"})
		e.strings(place+"/enum", v.get("enum"))
		if v.get("enumNames") != nil {
			e.out(Note, place, "enumNames is the older form: oneOf with const and title took its place")
		}
	default:
		e.keywords(place, v, stringKeywords)
		if format := v.get("format"); format != nil && !slices.Contains(subsetFormats, format.str()) {
			e.out(Warning, place, "the format %s is outside of the elicitation subset (%s)", clip(format.str()), strings.Join(subsetFormats, ", "))
		}
	}
}

func (e *subset) choices(place string, v *value) {
	e.keywords(place, v, listOfKeywords)
	items := v.get("items")
	switch {
	case items.get("anyOf") != nil:
		e.titled(place+"/items/anyOf", items.get("anyOf"))
	case items.get("enum") != nil:
		e.strings(place+"/items/enum", items.get("enum"))
	default:
		e.out(Warning, place, "an array is in the elicitation subset only as a choice of several enum values")
	}
}

func (e *subset) titled(place string, list *value) {
	for _, o := range list.elements() {
		if !o.get("const").is('"') || !o.get("title").is('"') {
			e.out(Warning, place, "each choice must have a const and a title that are strings")
			return
		}
	}
}

func (e *subset) strings(place string, list *value) {
	for _, o := range list.elements() {
		if !o.is('"') {
			e.out(Warning, place, "enum values must be strings")
			return
		}
	}
}
