package conform

import (
	"slices"
	"unicode/utf8"
)

// Validate returns what is wrong with a value, as encoding/json decodes it with
// numbers as json.Number: nil where nothing is. Failures come in no order of
// their places; a value of a wrong type is told as that and nothing more.
func (s *Schema) Validate(v any) []*Failure {
	j := judging{schema: s}
	j.judge(v)
	return j.failures
}

// judging is one schema on one value.
type judging struct {
	schema   *Schema
	place    *at
	up       *judging // whose value this is too: a schema that comes back to itself has no end
	quick    bool     // only whether it fits is asked
	failures []*Failure
	seen     seen
}

// seen is what has been evaluated of an object or a list, for the unevaluated
// keywords.
type seen struct {
	all     bool
	members map[string]bool
	first   int // elements from the start
	items   map[int]bool
}

func (s *seen) member(name string) {
	if s.members == nil {
		s.members = map[string]bool{}
	}
	s.members[name] = true
}

func (s *seen) item(i int) {
	if s.items == nil {
		s.items = map[int]bool{}
	}
	s.items[i] = true
}

func (s *seen) add(o *seen) {
	s.all = s.all || o.all
	s.first = max(s.first, o.first)
	for name := range o.members {
		s.member(name)
	}
	for i := range o.items {
		s.item(i)
	}
}

func (j *judging) fail(f Failure) {
	f.Path = j.place.path()
	j.failures = append(j.failures, &f)
}

// over reports whether there is nothing more to find out.
func (j *judging) over() bool { return j.quick && len(j.failures) > 0 }

// fits judges a value below this one, and only whether it fits.
func (j *judging) fits(s *Schema, v any) bool {
	below := judging{schema: s, place: j.place, quick: true}
	below.judge(v)
	return len(below.failures) == 0
}

// below judges a member or an element, and takes over what is wrong with it.
func (j *judging) below(s *Schema, v any, token string) {
	below := judging{schema: s, place: j.place.below(token), quick: j.quick}
	below.judge(v)
	j.failures = append(j.failures, below.failures...)
}

// beside judges the same value by another schema.
func (j *judging) beside(s *Schema, v any, quick bool) *judging {
	o := &judging{schema: s, place: j.place, up: j, quick: quick}
	o.judge(v)
	return o
}

// too judges the same value by a schema that has to hold as well.
func (j *judging) too(s *Schema, v any) {
	if s == nil || j.over() {
		return
	}
	o := j.beside(s, v, j.quick)
	if len(o.failures) == 0 {
		j.seen.add(&o.seen)
	}
	j.failures = append(j.failures, o.failures...)
}

func (j *judging) judge(v any) {
	s := j.schema
	if s.doc.o.Step != nil {
		s.doc.o.Step()
	}
	if s.always != nil {
		if !*s.always {
			j.fail(Failure{})
		}
		return
	}
	for o := j.up; o != nil; o = o.up {
		if o.schema == s {
			j.fail(Failure{Keyword: "$ref"})
			return
		}
	}
	if s.ref != nil && s.refOnly {
		j.too(s.ref, v)
		return
	}
	if !j.value(v) {
		return
	}
	j.too(s.ref, v)
	switch v := v.(type) {
	case map[string]any:
		j.object(v)
	case []any:
		j.array(v)
	case string:
		j.text(v)
	default:
		if typeOf(v) == "number" {
			j.number(v)
		}
	}
	if j.over() {
		return
	}
	j.logic(v)
	if j.over() || !s.doc.tracks {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		j.unknownMembers(v)
	case []any:
		j.unknownItems(v)
	}
}

// value judges by what holds for values of each type. What does not fit here is
// another value altogether, of which nothing more need be said.
func (j *judging) value(v any) bool {
	s := j.schema
	got := typeOf(v)
	if s.types != nil && !slices.Contains(s.types, got) && !(got == "number" && slices.Contains(s.types, "integer") && isInteger(v)) {
		j.fail(Failure{Keyword: "type", Want: s.types, Got: got})
		return false
	}
	if s.hasConst && !equal(v, s.konst) {
		j.fail(Failure{Keyword: "const", Want: s.konst})
		return false
	}
	if s.hasEnum && !slices.ContainsFunc(s.enum, func(option any) bool { return equal(v, option) }) {
		j.fail(Failure{Keyword: "enum", Want: s.enum})
		return false
	}
	if text, ok := v.(string); ok && s.format != "" && !s.doc.formatted(s.format, text) {
		j.fail(Failure{Keyword: "format", Want: s.format})
		return false
	}
	return true
}

func (j *judging) text(v string) {
	s := j.schema
	if s.minLength >= 0 || s.maxLength >= 0 {
		n := utf8.RuneCountInString(v)
		j.atLeast("minLength", n, s.minLength)
		j.atMost("maxLength", n, s.maxLength)
	}
	if s.pattern != nil && !j.over() && !s.pattern.MatchString(v) {
		j.fail(Failure{Keyword: "pattern", Want: s.patternText})
	}
}

func (j *judging) atLeast(keyword string, n, least int) {
	if least >= 0 && n < least {
		j.fail(Failure{Keyword: keyword, Want: least, Got: n})
	}
}

func (j *judging) atMost(keyword string, n, most int) {
	if most >= 0 && n > most {
		j.fail(Failure{Keyword: keyword, Want: most, Got: n})
	}
}

func (j *judging) number(v any) {
	s := j.schema
	if s.minimum == nil && s.maximum == nil && s.above == nil && s.below == nil && s.multipleOf == nil {
		return
	}
	n := number(v)
	switch {
	case n == nil: // beyond the limits of exact arithmetic: nothing can be said for it
		j.fail(Failure{Keyword: "type", Want: []string{"number"}, Got: "number"})
		return
	case s.minimum != nil && n.Cmp(s.minimum) < 0:
		j.fail(Failure{Keyword: "minimum", Want: s.minimum})
	case s.above != nil && n.Cmp(s.above) <= 0:
		j.fail(Failure{Keyword: "exclusiveMinimum", Want: s.above})
	}
	switch {
	case s.maximum != nil && n.Cmp(s.maximum) > 0:
		j.fail(Failure{Keyword: "maximum", Want: s.maximum})
	case s.below != nil && n.Cmp(s.below) >= 0:
		j.fail(Failure{Keyword: "exclusiveMaximum", Want: s.below})
	}
	if s.multipleOf != nil && !n.Quo(n, s.multipleOf).IsInt() {
		j.fail(Failure{Keyword: "multipleOf", Want: s.multipleOf})
	}
}

func (j *judging) logic(v any) {
	s := j.schema
	if s.not != nil && len(j.beside(s.not, v, true).failures) == 0 {
		j.fail(Failure{Keyword: "not"})
	}
	for _, one := range s.allOf {
		j.too(one, v)
	}
	if len(s.anyOf) > 0 && !j.over() {
		j.union("anyOf", s.anyOf, v)
	}
	if len(s.oneOf) > 0 && !j.over() {
		j.union("oneOf", s.oneOf, v)
	}
	if s.when != nil && !j.over() {
		if o := j.beside(s.when, v, true); len(o.failures) == 0 {
			j.seen.add(&o.seen)
			j.too(s.then, v)
		} else {
			j.too(s.otherwise, v)
		}
	}
}

// union judges by variants of which one has to fit, for oneOf only one.
func (j *judging) union(keyword string, variants []*Schema, v any) {
	var fit []int
	var why [][]*Failure
	for i, one := range variants {
		o := j.beside(one, v, j.quick)
		if len(o.failures) > 0 {
			why = append(why, o.failures)
			continue
		}
		fit = append(fit, i)
		if keyword == "oneOf" {
			if len(fit) > 1 {
				j.fail(Failure{Keyword: keyword, Got: [2]int{fit[0], fit[1]}})
				return
			}
		} else if !j.schema.doc.tracks {
			return // any will do, and nobody asks what the others see
		}
		j.seen.add(&o.seen)
	}
	if len(fit) == 0 {
		j.fail(Failure{Keyword: keyword, Variants: why})
	}
}
