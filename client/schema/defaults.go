package schema

// goodDefault reports whether a field's default fits the field, by a cheap
// check first. A default that does not fit is not filled in: it would make
// a form wrong that nobody has touched.
func (f *Form) goodDefault(field *Field) bool { return f.defaultProblem(field) == "" }

func (f *Form) defaultProblem(field *Field) string {
	if len(field.checks) == 0 || field.Default == nil {
		return ""
	}
	v := mustParse(field.Default)
	if field.plainly(v) {
		return ""
	}
	for _, p := range f.fieldProblems(field, v) {
		if p.Kind != Unchecked {
			return p.String()
		}
	}
	return ""
}

// plainly reports whether v certainly fits the field. It says no where only
// the validator can know.
func (f *Field) plainly(v *value) bool {
	if len(f.view.parts) != 1 || f.Pattern != "" || f.Format != "" || f.view.any("not") != nil || f.view.any("if") != nil {
		return false
	}
	if v.is('n') {
		return false
	}
	switch f.Kind {
	case Boolean, Choice:
		return f.option(v) >= 0
	case String:
		return v.is('"') && len(v.text) >= f.MinLength*4 && (f.MaxLength < 0 || len(v.text) <= f.MaxLength)
	case Integer, Number:
		return v.is('0') && f.MultipleOf == "" && checkNumber(string(v.raw)) == nil &&
			(f.Kind == Number || isInteger(string(v.raw))) && f.Min.allows(v, 1) && f.Max.allows(v, -1)
	}
	return false
}

// allows reports whether v certainly lies on the right side of b; sign is 1
// for a lower bound.
func (b *Bound) allows(v *value, sign int) bool {
	if b == nil {
		return true
	}
	number, limit := exact(string(v.raw)), exact(string(b.Value))
	if number == nil || limit == nil {
		return false
	}
	c := number.Cmp(limit) * sign
	return c > 0 || c == 0 && !b.Exclusive
}

// checkDefaults finds defaults that their own schema refuses, among the fields
// of the root and of the groups below it.
func (f *Form) checkDefaults() {
	left := 400
	var walk func(field *Field, depth int)
	walk = func(field *Field, depth int) {
		if left--; left < 0 || depth > 6 {
			return
		}
		if problem := f.defaultProblem(field); problem != "" {
			f.source.find(Warning, field.Place, "the default %s breaks the schema (%s): not filled in", clip(string(field.Default)), problem)
		}
		if field.Kind == Object {
			for _, c := range field.Children() {
				walk(c, depth+1)
			}
		}
	}
	walk(f.Root, 0)
}
