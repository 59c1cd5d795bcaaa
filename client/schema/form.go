package schema

import (
	"sync"
)

// Form is what a schema asks for.
type Form struct {
	// Root is the value as a whole: for tool arguments and elicitations an
	// Object, or a Variant of objects.
	Root *Field
	// Findings are what is wrong with the schema, in the order of its text.
	Findings []Finding

	source *source
	mu     sync.Mutex // guards the making of nested fields

	validator     *validator
	validatorOnce sync.Once
}

// Parse makes a form of a schema. It never fails: a schema that is missing or
// cannot be read gives an object that takes any members, and a finding.
func Parse(raw []byte) *Form {
	root, findings := parseSchema(raw)
	s := newSource(root)
	s.findings = append(findings, s.findings...)
	f := &Form{source: s}
	s.check()
	f.Root = f.rootField()
	f.checkDefaults()
	f.Findings = s.findings
	return f
}

func parseSchema(raw []byte) (*value, []Finding) {
	open := &value{kind: '{', raw: []byte(`{}`)}
	bad := func(message string) (*value, []Finding) {
		return open, []Finding{{Level: Warning, Message: message}}
	}
	if len(raw) > maxSchemaBytes {
		return bad("the schema is larger than 8 MB: any object is taken")
	}
	if len(raw) == 0 {
		return bad("there is no schema: any object is taken")
	}
	v, err := parse(raw)
	switch {
	case err != nil:
		return bad("the schema cannot be read: " + err.Error())
	case v.is('n'):
		return bad("the schema is null: any object is taken")
	case !v.is('{') && !v.isBool():
		return bad("the schema is not an object but " + article(v.typeName()) + ": any object is taken")
	}
	return v, nil
}

func article(noun string) string {
	switch noun {
	case "null":
		return noun
	case "object", "array", "integer":
		return "an " + noun
	}
	return "a " + noun
}

// rootField makes the root. Arguments and content are always an object, so a
// root that says nothing about its type is one that takes any members.
func (f *Form) rootField() *Field {
	w := f.source.view(f.source.root)
	root := f.field(w, "", []*value{f.source.root})
	root.Required = true
	if root.Kind == JSON && w.types() == nil && w.impliedType() == "" {
		root.Kind, root.Type = Object, "object"
	}
	return root
}

// Empty reports whether the form asks for nothing: a plain question, to be
// accepted, declined or cancelled as it is.
func (f *Form) Empty() bool {
	return f.Root.Kind == Object && len(f.Root.Children()) == 0 && len(f.Root.view.required()) == 0
}

// build fills in the nested fields of f; the form's lock is held.
func (fm *Form) build(f *Field) {
	switch f.Kind {
	case Object:
		fm.buildObject(f)
	case Array:
		fm.buildArray(f)
	case Variant:
		fm.buildVariants(f)
	}
}

func (fm *Form) buildObject(f *Field) {
	s, required := fm.source, f.view.required()
	byName := map[string][]*value{}
	var names []string
	conditional := map[string]bool{}
	collect := func(parts []*value, maybe bool) {
		for _, p := range parts {
			properties := p.get("properties")
			if !properties.is('{') {
				continue
			}
			for _, m := range properties.unique() {
				if _, known := byName[m.name]; !known {
					names = append(names, m.name)
					conditional[m.name] = maybe
				} else if maybe && !conditional[m.name] {
					continue // the branch only narrows what is declared anyway
				}
				byName[m.name] = append(byName[m.name], m.value)
			}
		}
	}
	collect(f.view.parts, false)
	collect(f.view.maybe, true)
	for _, name := range names {
		var w view
		for _, v := range byName[name] {
			w = s.with(w, v)
		}
		child := fm.field(w, name, byName[name])
		child.Required = required[name]
		child.Conditional = conditional[name]
		if child.Conditional {
			child.checks = nil // only its branch knows when it applies
		}
		f.children = append(f.children, child)
	}
	// A member that is required but not declared still needs a place to be
	// typed in.
	for _, p := range f.view.parts {
		if list := p.get("required"); list.is('[') {
			for _, e := range list.items {
				if e.is('"') && byName[e.text] == nil {
					byName[e.text] = []*value{}
					child := fm.extraField(f.view, e.text)
					if child == nil {
						child = fm.field(view{}, e.text, nil)
					}
					child.Required = true
					f.children = append(f.children, child)
				}
			}
		}
	}
	f.extra = fm.extraField(f.view, "")
}

// extraField is the field of a member that no properties keyword declares, or
// nil where none may be added.
func (fm *Form) extraField(w view, name string) *Field {
	s := fm.source
	var all view
	var checks []*value
	for _, p := range w.parts {
		for _, keyword := range []string{"additionalProperties", "unevaluatedProperties"} {
			v := p.get(keyword)
			if v.is('f') {
				if patterns := p.get("patternProperties"); patterns.is('{') && len(patterns.members) > 0 {
					continue
				}
				return nil
			}
			if v.is('{') {
				all = s.with(all, v)
				checks = append(checks, v)
			}
		}
		if patterns := p.get("patternProperties"); patterns.is('{') && len(patterns.members) == 1 {
			all = s.with(all, patterns.members[0].value)
			checks = append(checks, patterns.members[0].value)
		}
	}
	return fm.field(all, name, checks)
}

func (fm *Form) buildArray(f *Field) {
	s := fm.source
	var all view
	var checks []*value
	closed := false
	for _, p := range f.view.parts {
		prefix, rest := p.get("prefixItems"), p.get("items")
		if rest.is('[') { // the tuple of draft-07
			prefix, rest = rest, p.get("additionalItems")
		}
		if prefix.is('[') && len(f.prefix) == 0 {
			for _, v := range prefix.items {
				element := fm.field(s.view(v), "", []*value{v})
				element.Required = true
				f.prefix = append(f.prefix, element)
			}
		}
		switch {
		case rest.is('f'):
			closed = true
		case rest.is('{'):
			all = s.with(all, rest)
			checks = append(checks, rest)
		}
	}
	if !closed {
		f.item = fm.field(all, "", checks)
		f.item.Required = true
	}
}

func (fm *Form) buildVariants(f *Field) {
	for i, b := range f.view.branches(fm.source) {
		v := fm.field(b.view, "", append(append([]*value{}, f.checks...), b.schema...))
		v.Required = true
		if v.Title == f.Title || v.Title == "" {
			v.Title = variantTitle(b, v, i)
		}
		f.variants = append(f.variants, v)
	}
}

// anyField is the field of a value about which the schema says nothing.
func (f *Form) anyField() *Field {
	return f.field(view{}, "", nil)
}
