package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// field makes the field of what w says, without its nested fields.
func (fm *Form) field(w view, name string, checks []*value) *Field {
	s := fm.source
	f := &Field{Name: name, form: fm, checks: checks, MaxLength: -1, MaxItems: -1}
	if len(w.parts) > 0 {
		f.Place = s.place(w.parts[0])
	}
	f.Title, f.Description = w.text("title"), w.text("description")
	if d := w.any("default"); d != nil {
		f.Default = d.raw
	}
	w = s.collapse(f, w)
	f.view = w
	types := w.types()
	if slices.Contains(types, "null") && len(types) > 1 {
		f.Nullable = true
		types = slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "null" })
	}
	fm.classify(f, types)
	fm.limits(f)
	f.Type = f.wireType(types)
	return f
}

// collapse takes the unions of w apart that are no real choice: a union with
// null is a nullable field, and a union with one other member is that member.
func (s *source) collapse(f *Field, w view) view {
	for range 16 {
		list, branches, null := s.union(w)
		if list == nil {
			return w
		}
		f.Nullable = f.Nullable || null
		if len(branches) != 1 {
			return w
		}
		spent := append(slices.Clone(w.spent), list)
		w = s.with(w, branches[0])
		w.spent = spent
		if f.Title == "" {
			f.Title = w.text("title")
		}
		if f.Description == "" {
			f.Description = w.text("description")
		}
		if d := w.any("default"); d != nil && f.Default == nil {
			f.Default = d.raw
		}
	}
	return w
}

// union returns the first oneOf or anyOf of w that is not yet taken apart, its
// members without those that only allow null, and whether there were such.
func (s *source) union(w view) (list *value, branches []*value, null bool) {
	for _, p := range w.parts {
		for _, keyword := range []string{"oneOf", "anyOf"} {
			list = p.get(keyword)
			if !list.is('[') || len(list.items) == 0 || slices.Contains(w.spent, list) {
				continue
			}
			for _, b := range list.items {
				if s.onlyNull(b) {
					null = true
				} else {
					branches = append(branches, b)
				}
			}
			if len(branches) == 0 { // null and nothing else: not a union with null
				branches, null = list.items, false
			}
			return list, branches, null
		}
	}
	return nil, nil, false
}

func (s *source) onlyNull(v *value) bool {
	w := s.view(v)
	if types := w.types(); len(types) == 1 && types[0] == "null" {
		return true
	}
	if c := w.any("const"); c.is('n') {
		return true
	}
	e := w.first("enum", '[')
	return e != nil && len(e.items) == 1 && e.items[0].is('n')
}

func (fm *Form) classify(f *Field, types []string) {
	s, w := fm.source, f.view
	if options, null, ok := s.options(w); ok {
		f.Kind, f.Options = Choice, options
		f.Nullable = f.Nullable || null
		if booleans(options) {
			f.Kind = Boolean
		}
		return
	}
	if branches := w.branches(s); len(branches) > 1 {
		f.Kind = Variant
		return
	}
	f.Note = s.constraintNote(w)
	if types == nil {
		if implied := w.impliedType(); implied != "" && !w.never {
			types = []string{implied}
		}
	}
	if len(types) != 1 || w.never {
		f.Kind = JSON
		return
	}
	switch types[0] {
	case "string":
		f.Kind = String
	case "integer":
		f.Kind = Integer
	case "number":
		f.Kind = Number
	case "boolean":
		f.Kind, f.Options = Boolean, booleanOptions()
	case "null":
		f.Kind, f.Options = Choice, []Option{{"null", json.RawMessage("null")}}
	case "object":
		f.Kind = Object
	case "array":
		f.Kind = Array
		fm.multiChoice(f)
	}
}

func (fm *Form) multiChoice(f *Field) {
	for _, p := range f.view.parts {
		if p.get("prefixItems") != nil {
			return
		}
		items := p.get("items")
		if !items.is('{') {
			continue
		}
		if options, null, ok := fm.source.options(fm.source.view(items)); ok && !null {
			f.Kind, f.Options = MultiChoice, options
			return
		}
	}
}

func booleanOptions() []Option {
	return []Option{{"true", json.RawMessage("true")}, {"false", json.RawMessage("false")}}
}

func booleans(options []Option) bool {
	if len(options) != 2 {
		return false
	}
	a, b := string(options[0].Value), string(options[1].Value)
	return a == "true" && b == "false" || a == "false" && b == "true"
}

// branch is one alternative of a union.
type branch struct {
	view   view
	schema []*value // the member of the list; empty where the alternatives are types
	only   string   // the type, where the alternatives are types
}

// branches returns the alternatives of w, each with what holds for all of
// them, or nil where there is no choice to make.
func (w view) branches(s *source) []branch {
	list, members, _ := s.union(w)
	if list != nil {
		var out []branch
		for _, m := range members {
			b := s.with(w, m)
			b.spent = append(slices.Clone(w.spent), list)
			out = append(out, branch{view: b, schema: []*value{m}})
		}
		if s.onlyConstrains(members) {
			spent := w
			spent.spent = append(slices.Clone(w.spent), list)
			return spent.branches(s)
		}
		return out
	}
	types := slices.DeleteFunc(slices.Clone(w.types()), func(t string) bool { return t == "null" })
	if len(types) == 2 && slices.Contains(types, "integer") && slices.Contains(types, "number") {
		return nil
	}
	if len(types) < 2 || len(types) > 5 {
		return nil
	}
	var out []branch
	for _, t := range types {
		b := w
		b.only = t
		out = append(out, branch{view: b, only: t})
	}
	return out
}

// onlyConstrains reports whether the members of a union say nothing about what
// to fill in, only which of the members declared elsewhere go together.
func (s *source) onlyConstrains(members []*value) bool {
	for _, m := range members {
		w := s.view(m)
		for _, p := range w.parts {
			for _, e := range p.members {
				switch e.name {
				case "required", "not", "title", "description", "$comment", "minProperties", "maxProperties", "dependentRequired":
				default:
					return false
				}
			}
		}
	}
	return true
}

// constraintNote says in words which members a union of required lists wants.
func (s *source) constraintNote(w view) string {
	var notes []string
	for _, p := range w.parts {
		for _, keyword := range []string{"oneOf", "anyOf"} {
			list := p.get(keyword)
			if !list.is('[') || len(list.items) < 2 || !s.onlyConstrains(list.items) {
				continue
			}
			var sets []string
			for _, m := range list.items {
				var names []string
				for _, e := range m.get("required").elements() {
					names = append(names, e.str())
				}
				if len(names) > 0 && len(sets) < 8 {
					sets = append(sets, strings.Join(names, " and "))
				}
			}
			if len(sets) == 0 {
				continue
			}
			how := "at least one of: "
			if keyword == "oneOf" {
				how = "exactly one of: "
			}
			notes = append(notes, how+strings.Join(sets, "; "))
		}
	}
	return strings.Join(notes, ". ")
}

func (v *value) elements() []*value {
	if v.is('[') {
		return v.items
	}
	return nil
}

func variantTitle(b branch, f *Field, i int) string {
	for _, m := range b.schema {
		if title := m.get("title").str(); title != "" {
			return title
		}
		// {type: {const: "circle"}, …}: the constant is the best name there is.
		if properties := m.get("properties"); properties.is('{') {
			for _, p := range properties.members {
				if c := p.value.get("const"); c != nil {
					return p.name + " " + label(c)
				}
			}
		}
		if ref := m.get("$ref").str(); ref != "" {
			return ref[strings.LastIndexAny(ref, "/#")+1:]
		}
		if names := m.get("required").elements(); len(names) > 0 && len(names) <= 3 && f.Kind == Object {
			var with []string
			for _, n := range names {
				with = append(with, n.str())
			}
			return "with " + strings.Join(with, ", ")
		}
	}
	if f.Kind == JSON {
		return fmt.Sprintf("variant %d", i+1)
	}
	return f.Type
}
