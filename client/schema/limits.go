package schema

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// limits fills in what a field's schema says beside its kind.
func (fm *Form) limits(f *Field) {
	w := f.view
	f.Format, f.Pattern = w.text("format"), w.text("pattern")
	f.ReadOnly, f.Old = w.flag("readOnly"), w.flag("deprecated")
	if e := w.first("examples", '['); e != nil {
		for _, v := range e.items[:min(len(e.items), 20)] {
			f.Examples = append(f.Examples, v.raw)
		}
	}
	f.MinLength, f.MaxLength = w.count("minLength", "maxLength")
	f.MinItems, f.MaxItems = w.count("minItems", "maxItems")
	f.Unique = w.flag("uniqueItems")
	if f.Kind == Integer || f.Kind == Number {
		f.Min = w.bound("minimum", "exclusiveMinimum", 1)
		f.Max = w.bound("maximum", "exclusiveMaximum", -1)
		if v := w.first("multipleOf", '0'); v != nil {
			f.MultipleOf = json.Number(v.raw)
		}
	}
	if f.Kind == String {
		f.Multiline = multiline(f, w)
	}
	f.Secret = f.Kind == String && (f.Format == "password" || secretName(f) != "")
}

// count returns the narrowest of a pair of non-negative limits: 0 and -1 where
// there is none.
func (w view) count(least, most string) (int, int) {
	low, high := 0, -1
	for _, p := range w.parts {
		if n, ok := natural(p.get(least)); ok && n > low {
			low = n
		}
		if n, ok := natural(p.get(most)); ok && (high < 0 || n < high) {
			high = n
		}
	}
	return low, high
}

func natural(v *value) (int, bool) {
	if !v.is('0') {
		return 0, false
	}
	n, err := strconv.ParseFloat(string(v.raw), 64)
	if err != nil || n < 0 || n != math.Trunc(n) || n > math.MaxInt32 {
		return 0, false
	}
	return int(n), true
}

// bound returns the narrowest limit of one side; sign is 1 for a lower one.
func (w view) bound(inclusive, exclusive string, sign int) *Bound {
	var best *Bound
	offer := func(v *value, isExclusive bool) {
		if !v.is('0') || exact(string(v.raw)) == nil {
			return
		}
		b := &Bound{json.Number(v.raw), isExclusive}
		if best == nil {
			best = b
			return
		}
		c := exact(string(b.Value)).Cmp(exact(string(best.Value))) * sign
		if c > 0 || c == 0 && isExclusive {
			best = b
		}
	}
	for _, p := range w.parts {
		// In draft-04 the exclusive keyword is a switch for the other.
		offer(p.get(inclusive), p.get(exclusive).is('t'))
		offer(p.get(exclusive), true)
	}
	return best
}

// longText are names of members that usually hold more than a line.
var longText = []string{
	"body", "text", "content", "contents", "message", "prompt", "description", "code", "query", "sql", "script",
	"markdown", "notes", "note", "comment", "summary", "instructions", "template", "source", "snippet", "patch", "diff",
}

func multiline(f *Field, w view) bool {
	switch f.Format {
	case "textarea", "multiline", "multi-line", "markdown", "text", "html":
		return true
	case "":
	default:
		return false
	}
	if w.any("contentMediaType") != nil || f.MaxLength > 200 {
		return true
	}
	if d := w.any("default"); d.is('"') && strings.Contains(d.text, "\n") {
		return true
	}
	if f.MaxLength >= 0 || f.Pattern != "" {
		return false
	}
	parts := words(f.Name)
	return len(parts) > 0 && slices.Contains(longText, parts[len(parts)-1])
}

// words splits a name in camelCase, snake_case or with spaces into lower-case
// words.
func words(name string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]) ||
			i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1])):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return out
}

// wireType says what goes on the wire, for people.
func (f *Field) wireType(types []string) string {
	name := ""
	switch f.Kind {
	case String, Integer, Number, Boolean, Object, Array:
		name = f.Kind.String()
	case MultiChoice:
		name = "array"
	case Choice:
		name = optionTypes(f.Options)
	case Variant:
		name = "one of several"
		if list, _, _ := f.form.source.union(f.view); list == nil {
			name = strings.Join(types, " or ")
		}
	case JSON:
		name = "any"
		if len(types) > 0 {
			name = strings.Join(types, " or ")
		}
		if f.view.never {
			name = "nothing"
		}
	}
	if f.Nullable {
		name += " or null"
	}
	return name
}

func optionTypes(options []Option) string {
	var names []string
	for _, o := range options {
		name := "number"
		switch o.Value[0] {
		case '"':
			name = "string"
		case 't', 'f':
			name = "boolean"
		case 'n':
			name = "null"
		case '[':
			name = "array"
		case '{':
			name = "object"
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " or ")
}
