package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Scalar is a value as someone wrote it outside of JSON: name=value on a
// command line, a scalar of a YAML file.
type Scalar struct {
	Text string
	// JSON is what the notation itself takes it for, or nil where it says
	// nothing: a plain 5 in YAML is the number 5, on a command line it is text.
	JSON json.RawMessage
}

// Coerce makes text a JSON value of the type declared for the member name of
// the root. Where none is declared, text is a string.
func (f *Form) Coerce(name, text string) (json.RawMessage, error) {
	fields := f.Members(name)
	if len(fields) == 0 {
		return quote(text), nil
	}
	var failed error
	for _, field := range fields {
		raw, err := field.Coerce(Scalar{Text: text})
		if err == nil {
			return raw, nil
		}
		if failed == nil {
			failed = fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil, failed
}

// Members returns the fields that a member of the root may have: one for an
// Object, one a variant for a Variant. There is none for a name that the
// schema does not declare and says nothing about.
func (f *Form) Members(name string) []*Field { return f.Root.members(name, 0) }

func (f *Field) members(name string, depth int) []*Field {
	switch f.Kind {
	case Object:
		if c := f.Child(name); c != nil {
			return []*Field{c}
		}
		if extra := f.Extra(); extra != nil && len(extra.view.parts) > 0 {
			return []*Field{extra}
		}
	case Variant:
		var all []*Field
		if depth < 4 {
			for _, v := range f.Variants() {
				all = append(all, v.members(name, depth+1)...)
			}
		}
		return all
	}
	return nil
}

// Element returns the field of element i of an Array, or nil where there may
// be none.
func (f *Field) Element(i int) *Field {
	if prefix := f.Prefix(); i < len(prefix) {
		return prefix[i]
	}
	return f.Item()
}

// Check returns why raw does not fit the field, by its own schema alone.
func (f *Field) Check(raw []byte) []Problem {
	v, err := parse(raw)
	if err != nil {
		return []Problem{{Message: err.Error(), Kind: Unfinished}}
	}
	return f.form.fieldProblems(f, v)
}

// Coerce makes s a JSON value of the field's kind. The error says what would
// fit, without the field's name.
func (f *Field) Coerce(s Scalar) (json.RawMessage, error) {
	if f.Nullable && f.null(s) {
		return json.RawMessage("null"), nil
	}
	switch f.Kind {
	case String:
		return quote(s.Text), nil
	case Integer, Number:
		return f.coerceNumber(strings.TrimSpace(s.Text))
	case Boolean:
		return f.coerceBoolean(s)
	case Choice:
		return f.CoerceOption(s)
	case MultiChoice:
		return f.coerceChoices(s)
	case Object, Array:
		return f.coerceJSON(s)
	case Variant:
		return f.coerceVariant(s)
	}
	if s.JSON != nil {
		return s.JSON, nil
	}
	return quote(s.Text), nil
}

// null reports whether s says null: by its notation, or on a command line by
// the word, where it cannot be text.
func (f *Field) null(s Scalar) bool {
	if s.JSON != nil {
		return string(s.JSON) == "null"
	}
	return s.Text == "null" && f.Kind != String && f.Kind != JSON && f.Kind != Variant
}

func (f *Field) coerceNumber(text string) (json.RawMessage, error) {
	if err := checkNumber(text); err != nil {
		return nil, fmt.Errorf("must be %s: %w", article(f.Kind.String()), err)
	}
	if f.Kind == Integer && !isInteger(text) {
		return nil, fmt.Errorf("must be an integer: %s is not a whole number", text)
	}
	return json.RawMessage(text), nil
}

func (f *Field) coerceBoolean(s Scalar) (json.RawMessage, error) {
	var want string
	switch strings.ToLower(strings.TrimSpace(s.Text)) {
	case "true", "yes", "on", "y":
		want = "true"
	case "false", "no", "off", "n":
		want = "false"
	default:
		return nil, fmt.Errorf("must be true or false, not %s", clip(s.Text))
	}
	return json.RawMessage(want), nil
}

// CoerceOption returns the option that s names: by its value, its label, or
// its JSON. It serves Choice, and the elements of MultiChoice.
func (f *Field) CoerceOption(s Scalar) (json.RawMessage, error) {
	if i := f.optionFor(s); i >= 0 {
		return f.Options[i].Value, nil
	}
	labels := make([]string, 0, len(f.Options))
	for _, o := range f.Options {
		labels = append(labels, label(mustParse(o.Value)))
	}
	if near := Nearest(s.Text, labels); near != "" {
		return nil, fmt.Errorf("%s is not among the choices; did you mean %s?", clip(s.Text), clip(near))
	}
	more := ""
	if len(labels) > 8 {
		more = fmt.Sprintf(" and %d more", len(labels)-8)
		labels = labels[:8]
	}
	return nil, fmt.Errorf("%s is not among the choices: %s%s", clip(s.Text), strings.Join(labels, ", "), more)
}

func (f *Field) optionFor(s Scalar) int {
	var own *value
	if s.JSON != nil {
		if own = mustParse(s.JSON); !own.is('"') {
			if i := f.option(own); i >= 0 {
				return i
			}
		}
	}
	if i := f.option(&value{kind: '"', raw: quote(s.Text), text: s.Text}); i >= 0 {
		return i
	}
	for i, o := range f.Options {
		if o.Label == s.Text {
			return i
		}
	}
	if v, err := parse([]byte(s.Text)); err == nil {
		return f.option(v)
	}
	return -1
}

// coerceChoices takes a JSON array, one choice, or choices between commas.
func (f *Field) coerceChoices(s Scalar) (json.RawMessage, error) {
	if v, err := parse([]byte(s.Text)); err == nil && v.is('[') {
		return v.raw, nil
	}
	if strings.TrimSpace(s.Text) == "" {
		return json.RawMessage("[]"), nil
	}
	parts := []string{s.Text}
	if f.optionFor(s) < 0 {
		parts = strings.Split(s.Text, ",")
	}
	out := []byte{'['}
	for i, part := range parts {
		choice := Scalar{Text: part}
		if f.optionFor(choice) < 0 {
			choice.Text = strings.TrimSpace(part)
		}
		raw, err := f.CoerceOption(choice)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, raw...)
	}
	return append(out, ']'), nil
}

var errNotObjectText = errors.New(`must be an object, as JSON: {"name": "value"}`)

func (f *Field) coerceJSON(s Scalar) (json.RawMessage, error) {
	v, err := parse([]byte(s.Text))
	switch {
	case f.Kind == Object && (err != nil || !v.is('{')):
		return nil, errNotObjectText
	case f.Kind == Array && (err != nil || !v.is('[')):
		return nil, fmt.Errorf("must be an array, as JSON: [%s]", quote(clipPlain(s.Text)))
	}
	return v.raw, nil
}

func clipPlain(text string) string {
	if len(text) > 40 {
		return "value"
	}
	return text
}

// coerceVariant takes the first variant that s becomes a valid value of.
// Variants that are text come last, for any text fits them.
func (f *Field) coerceVariant(s Scalar) (json.RawMessage, error) {
	variants := slices.Clone(f.Variants())
	slices.SortStableFunc(variants, func(a, b *Field) int { return textLast(a) - textLast(b) })
	if quoted := len(s.JSON) > 0 && s.JSON[0] == '"'; quoted {
		slices.Reverse(variants)
	}
	var failed error
	for _, v := range variants {
		raw, err := v.Coerce(s)
		if err == nil && len(Blocking(v.Check(raw))) == 0 {
			return raw, nil
		}
		if failed == nil {
			failed = err
		}
	}
	if s.JSON != nil {
		return s.JSON, nil // the validator says what is wrong with it
	}
	if failed == nil {
		failed = fmt.Errorf("%s fits none of the variants", clip(s.Text))
	}
	return nil, failed
}

func textLast(f *Field) int {
	switch f.Kind {
	case String:
		return 1
	case JSON:
		return 2
	}
	return 0
}

// Nearest returns the one of names that text most likely meant, or "".
func Nearest(text string, names []string) string {
	best, distance := "", max(1, min(3, len([]rune(text))/3))+1
	for _, name := range names {
		if len(name) > 200 || len(text) > 200 {
			continue
		}
		if strings.EqualFold(name, text) {
			return name
		}
		if d := editDistance([]rune(strings.ToLower(text)), []rune(strings.ToLower(name))); d < distance {
			best, distance = name, d
		}
	}
	return best
}

// editDistance counts the letters to insert, delete, replace or swap.
func editDistance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
