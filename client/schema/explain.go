package schema

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"mcptui/client/schema/conform"
)

// explainer turns what a value breaks into a list of problems that each have one
// place and read well beside a field.
type explainer struct {
	at       string
	problems []Problem
}

func (e *explainer) add(location []string, keyword string, k ProblemKind, format string, args ...any) {
	if len(e.problems) >= maxProblems {
		return
	}
	p := Problem{Path: e.at + pointer(location), Message: fmt.Sprintf(format, args...), Kind: k, Keyword: keyword}
	if !slices.Contains(e.problems, p) {
		e.problems = append(e.problems, p)
	}
}

func pointer(location []string) string {
	var b strings.Builder
	for _, token := range location {
		b.WriteByte('/')
		b.WriteString(Escape(token))
	}
	return b.String()
}

func (e *explainer) all(failures []*conform.Failure) {
	for _, f := range failures {
		e.explain(f)
	}
}

func (e *explainer) explain(f *conform.Failure) {
	at := f.Path
	switch f.Keyword {
	case "anyOf":
		e.union(f)
	case "oneOf":
		if f.Variants == nil {
			e.add(at, "oneOf", Invalid, "fits more than one of the variants, where exactly one is wanted")
			return
		}
		e.union(f)
	case "required":
		for _, name := range f.Names {
			e.add(append(slices.Clone(at), name), "required", Missing, "is required")
		}
	case "dependencies", "dependentRequired":
		because, _ := f.Got.(string)
		for _, name := range f.Names {
			e.add(append(slices.Clone(at), name), "dependentRequired", Missing, "is required, since %s is given", clip(because))
		}
	case "additionalProperties":
		for _, name := range f.Names {
			e.add(append(slices.Clone(at), name), "additionalProperties", Invalid, "is not a member that the schema knows")
		}
	case "propertyNames":
		for _, name := range f.Names {
			e.add(append(slices.Clone(at), name), "propertyNames", Invalid, "is not a name that the schema allows")
		}
	case "$ref":
		e.add(at, "$ref", Unchecked, "not checked: the schema refers to itself without end")
	default:
		e.add(at, f.Keyword, Invalid, "%s", say(f))
	}
}

// union explains why no member of an anyOf or oneOf fits. Members that are of
// another type altogether were hardly meant; where one is left, its reasons
// are the ones to tell.
func (e *explainer) union(f *conform.Failure) {
	var meant [][]*conform.Failure
	var options []any
	for _, why := range f.Variants {
		leaf, here := why[0], len(why[0].Path) == len(f.Path)
		switch {
		case leaf.Keyword == "type" && here:
		case leaf.Keyword == "const" && here:
			options = append(options, leaf.Want)
		default:
			meant = append(meant, why)
		}
	}
	if len(meant) == 1 {
		e.all(meant[0])
		return
	}
	if len(meant) > 1 {
		// A member whose constant (shape: "circle") differs was not meant either.
		left := slices.DeleteFunc(slices.Clone(meant), differs)
		if len(left) == 1 {
			e.all(left[0])
			return
		}
		var reasons []string
		for _, why := range meant[:min(len(meant), 4)] {
			sub := explainer{at: e.at}
			sub.all(why)
			if len(sub.problems) > 0 {
				reasons = append(reasons, strings.TrimPrefix(sub.problems[0].String(), e.at+pointer(f.Path)+": "))
			}
		}
		e.add(f.Path, f.Keyword, Invalid, "fits none of the %d variants (%s)", len(f.Variants), strings.Join(reasons, "; or "))
		return
	}
	if len(options) > 0 {
		e.add(f.Path, f.Keyword, Invalid, "must be %s", choices(options))
		return
	}
	var wants []string
	for _, why := range f.Variants { // all that is left is of another type
		for _, w := range names(why[0].Want) {
			if w = article(w); !slices.Contains(wants, w) {
				wants = append(wants, w)
			}
		}
	}
	e.add(f.Path, "type", Invalid, "must be %s", strings.Join(wants, " or "))
}

// differs reports whether a variant does not fit for a constant, here or further
// down.
func differs(why []*conform.Failure) bool {
	return slices.ContainsFunc(why, func(f *conform.Failure) bool {
		return f.Keyword == "const" || slices.ContainsFunc(f.Variants, differs)
	})
}

func names(want any) []string {
	list, _ := want.([]string)
	return list
}

// say is the message of one broken keyword.
func say(f *conform.Failure) string {
	count, _ := f.Want.(int)
	got, _ := f.Got.(int)
	pair, _ := f.Got.([2]int)
	limit, _ := f.Want.(*big.Rat)
	switch f.Keyword {
	case "":
		return "is not allowed by the schema"
	case "type":
		var want []string
		for _, w := range names(f.Want) {
			want = append(want, article(w))
		}
		is, _ := f.Got.(string)
		return fmt.Sprintf("must be %s, not %s", strings.Join(want, " or "), article(is))
	case "enum":
		options, _ := f.Want.([]any)
		return "must be " + choices(options)
	case "const":
		return "must be " + choices([]any{f.Want})
	case "format":
		format, _ := f.Want.(string)
		return "is not " + formatName(format)
	case "pattern":
		return fmt.Sprintf("does not match the pattern %v", f.Want)
	case "minLength":
		if got == 0 {
			return fmt.Sprintf("is empty: at least %s", plural(count, "character"))
		}
		return fmt.Sprintf("is too short: %d of at least %s", got, plural(count, "character"))
	case "maxLength":
		return fmt.Sprintf("is too long: %d of at most %s", got, plural(count, "character"))
	case "minimum":
		return "must be at least " + decimal(limit)
	case "maximum":
		return "must be at most " + decimal(limit)
	case "exclusiveMinimum":
		return "must be more than " + decimal(limit)
	case "exclusiveMaximum":
		return "must be less than " + decimal(limit)
	case "multipleOf":
		return "must be a multiple of " + decimal(limit)
	case "minItems":
		return fmt.Sprintf("has %d of at least %s", got, plural(count, "element"))
	case "maxItems":
		return fmt.Sprintf("has %d of at most %s", got, plural(count, "element"))
	case "minProperties":
		return fmt.Sprintf("has %d of at least %s", got, plural(count, "member"))
	case "maxProperties":
		return fmt.Sprintf("has %d of at most %s", got, plural(count, "member"))
	case "items", "additionalItems":
		return fmt.Sprintf("has %s too many", plural(got, "element"))
	case "uniqueItems":
		return fmt.Sprintf("elements %d and %d are equal", pair[0]+1, pair[1]+1)
	case "contains":
		return "lacks an element that the schema asks for"
	case "maxContains":
		return fmt.Sprintf("has %d of at most %s that the schema asks for", got, plural(count, "element"))
	case "not":
		return "is what the schema excludes"
	}
	return "breaks " + f.Keyword
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func formatName(format string) string {
	switch format {
	case "email":
		return "an e-mail address"
	case "uri":
		return "a URI with its scheme, such as https://example.com"
	case "date":
		return "a date such as 2026-07-28"
	case "date-time":
		return "a date and time such as 2026-07-28T09:30:00Z"
	case "time":
		return "a time such as 09:30:00Z"
	}
	return "of the format " + clip(format)
}

func choices(options []any) string {
	var out []string
	for _, o := range options[:min(len(options), 8)] {
		out = append(out, shown(o))
	}
	if more := len(options) - len(out); more > 0 {
		return fmt.Sprintf("one of %s and %d more", strings.Join(out, ", "), more)
	}
	if len(out) == 0 {
		return "one of no values: the schema allows none"
	}
	if len(out) == 1 {
		return out[0]
	}
	return "one of " + strings.Join(out, ", ")
}

func shown(o any) string {
	switch o := o.(type) {
	case string:
		return clip(o)
	case nil:
		return "null"
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	default:
		return fmt.Sprint(o)
	}
}

// sorted brings the problems into the order of the value's text, those of
// missing members after their siblings.
func (e *explainer) sorted(val *value) []Problem {
	rank := map[string]int{}
	base := e.at
	var walk func(v *value, path string)
	walk = func(v *value, path string) {
		rank[path] = len(rank) + 1
		for _, m := range v.members {
			walk(m.value, path+"/"+Escape(m.name))
		}
		for i, c := range v.items {
			walk(c, fmt.Sprintf("%s/%d", path, i))
		}
	}
	if len(e.problems) > 1 {
		walk(val, base)
		last := len(rank) + 2
		slices.SortStableFunc(e.problems, func(a, b Problem) int {
			x, y := rank[a.Path], rank[b.Path]
			if x == 0 {
				x = last
			}
			if y == 0 {
				y = last
			}
			if x != y {
				return x - y
			}
			return strings.Compare(a.Path, b.Path)
		})
	}
	return e.problems
}
