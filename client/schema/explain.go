package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// explainer turns the library's tree of errors into a list of problems that
// each have one place and read well beside a field.
type explainer struct {
	at       string
	problems []Problem
}

var english = message.NewPrinter(language.English)

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

func (e *explainer) all(causes []*jsonschema.ValidationError) {
	for _, c := range causes {
		e.explain(c)
	}
}

func (e *explainer) explain(v *jsonschema.ValidationError) {
	at := v.InstanceLocation
	switch k := v.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.AllOf, *kind.Reference:
		e.all(v.Causes)
	case *kind.AnyOf:
		e.union(v, "anyOf")
	case *kind.OneOf:
		if len(k.Subschemas) > 1 {
			e.add(at, "oneOf", Invalid, "fits more than one of the variants, where exactly one is wanted")
			return
		}
		e.union(v, "oneOf")
	case *kind.Required:
		for _, name := range k.Missing {
			e.add(append(slices.Clone(at), name), "required", Missing, "is required")
		}
	case *kind.Dependency:
		e.needs(at, k.Prop, k.Missing)
	case *kind.DependentRequired:
		e.needs(at, k.Prop, k.Missing)
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			e.add(append(slices.Clone(at), name), "additionalProperties", Invalid, "is not a member that the schema knows")
		}
	case *kind.PropertyNames:
		e.add(append(slices.Clone(at), k.Property), "propertyNames", Invalid, "is not a name that the schema allows")
	case *kind.RefCycle:
		e.add(at, "$ref", Unchecked, "not checked: the schema refers to itself without end")
	default:
		keyword := ""
		if path := v.ErrorKind.KeywordPath(); len(path) > 0 {
			keyword = path[0]
		}
		e.add(at, keyword, Invalid, "%s", say(v.ErrorKind))
	}
}

func (e *explainer) needs(at []string, because string, missing []string) {
	for _, name := range missing {
		e.add(append(slices.Clone(at), name), "dependentRequired", Missing, "is required, since %s is given", clip(because))
	}
}

// union explains why no member of an anyOf or oneOf fits. Members that are of
// another type altogether were hardly meant; where one is left, its reasons
// are the ones to tell.
func (e *explainer) union(v *jsonschema.ValidationError, keyword string) {
	var meant []*jsonschema.ValidationError
	var options []any
	for _, c := range v.Causes {
		leaf, depth := first(c)
		_, wrongType := leaf.ErrorKind.(*kind.Type)
		if wrongType && len(leaf.InstanceLocation) == len(v.InstanceLocation) && depth < 8 {
			continue
		}
		if k, ok := leaf.ErrorKind.(*kind.Const); ok && len(leaf.InstanceLocation) == len(v.InstanceLocation) {
			options = append(options, k.Want)
			continue
		}
		meant = append(meant, c)
	}
	if len(meant) == 1 {
		e.explain(meant[0])
		return
	}
	if len(meant) > 1 {
		// A member whose constant (shape: "circle") differs was not meant either.
		left := slices.DeleteFunc(slices.Clone(meant), differs)
		if len(left) == 1 {
			e.explain(left[0])
			return
		}
		var reasons []string
		for _, c := range meant[:min(len(meant), 4)] {
			sub := explainer{at: e.at}
			sub.explain(c)
			if len(sub.problems) > 0 {
				reasons = append(reasons, strings.TrimPrefix(sub.problems[0].String(), e.at+pointer(v.InstanceLocation)+": "))
			}
		}
		e.add(v.InstanceLocation, keyword, Invalid, "fits none of the %d variants (%s)", len(v.Causes), strings.Join(reasons, "; or "))
		return
	}
	if len(options) > 0 {
		e.add(v.InstanceLocation, keyword, Invalid, "must be %s", choices(options))
		return
	}
	sub := explainer{at: e.at}
	var wants []string
	for _, c := range v.Causes {
		leaf, _ := first(c)
		if k, ok := leaf.ErrorKind.(*kind.Type); ok {
			for _, w := range k.Want {
				if w = article(w); !slices.Contains(wants, w) {
					wants = append(wants, w)
				}
			}
		}
	}
	if len(wants) > 0 {
		e.add(v.InstanceLocation, "type", Invalid, "must be %s", strings.Join(wants, " or "))
		return
	}
	sub.all(v.Causes)
	e.problems = append(e.problems, sub.problems...)
}

// first descends through errors that only pass others on.
func first(v *jsonschema.ValidationError) (*jsonschema.ValidationError, int) {
	depth := 0
	for len(v.Causes) > 0 && depth < 64 {
		switch v.ErrorKind.(type) {
		case *kind.Group, *kind.Reference, *kind.AllOf, *kind.Schema:
			v = v.Causes[0]
			depth++
		default:
			return v, depth
		}
	}
	return v, depth
}

// differs reports whether v fails for a constant one level down.
func differs(v *jsonschema.ValidationError) bool {
	if _, ok := v.ErrorKind.(*kind.Const); ok {
		return true
	}
	return slices.ContainsFunc(v.Causes, differs)
}

// say is the message of one broken keyword.
func say(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		want := make([]string, len(k.Want))
		for i, w := range k.Want {
			want[i] = article(w)
		}
		return fmt.Sprintf("must be %s, not %s", strings.Join(want, " or "), article(k.Got))
	case *kind.Enum:
		return "must be " + choices(k.Want)
	case *kind.Const:
		return "must be " + choices([]any{k.Want})
	case *kind.Format:
		return fmt.Sprintf("is not %s", formatName(k.Want))
	case *kind.MinLength:
		if k.Got == 0 {
			return fmt.Sprintf("is empty: at least %s", plural(k.Want, "character"))
		}
		return fmt.Sprintf("is too short: %d of at least %s", k.Got, plural(k.Want, "character"))
	case *kind.MaxLength:
		return fmt.Sprintf("is too long: %d of at most %s", k.Got, plural(k.Want, "character"))
	case *kind.Pattern:
		return fmt.Sprintf("does not match the pattern %s", k.Want)
	case *kind.Minimum:
		return "must be at least " + decimal(k.Want)
	case *kind.Maximum:
		return "must be at most " + decimal(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be more than " + decimal(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be less than " + decimal(k.Want)
	case *kind.MultipleOf:
		return "must be a multiple of " + decimal(k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("has %d of at least %s", k.Got, plural(k.Want, "element"))
	case *kind.MaxItems:
		return fmt.Sprintf("has %d of at most %s", k.Got, plural(k.Want, "element"))
	case *kind.MinProperties:
		return fmt.Sprintf("has %d of at least %s", k.Got, plural(k.Want, "member"))
	case *kind.MaxProperties:
		return fmt.Sprintf("has %d of at most %s", k.Got, plural(k.Want, "member"))
	case *kind.AdditionalItems:
		return fmt.Sprintf("has %s too many", plural(k.Count, "element"))
	case *kind.UniqueItems:
		return fmt.Sprintf("elements %d and %d are equal", k.Duplicates[0]+1, k.Duplicates[1]+1)
	case *kind.Contains, *kind.MinContains:
		return "lacks an element that the schema asks for"
	case *kind.FalseSchema:
		return "is not allowed by the schema"
	case *kind.Not:
		return "is what the schema excludes"
	}
	return k.LocalizedString(english)
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
