package schema

import (
	"encoding/json"
	"fmt"
	"slices"
)

// options returns the values that w allows one by one, and whether null is
// among what it allows. ok says that there is such a list.
func (s *source) options(w view) (options []Option, null, ok bool) {
	if c := w.any("const"); c != nil {
		return label1(c, w.text("title")), false, true
	}
	if list := w.first("enum", '['); list != nil {
		values, null := s.enumerated(w, list)
		return values, null, true
	}
	list, members, _ := s.union(w)
	if list == nil {
		return nil, false, false
	}
	for _, m := range members {
		own := s.view(m)
		if c := own.any("const"); c != nil {
			options = append(options, label1(c, own.text("title"))...)
			continue
		}
		e := own.first("enum", '[')
		if e == nil {
			return nil, false, false
		}
		values, n := s.enumerated(own, e)
		if len(values) == 1 && own.text("title") != "" {
			values[0].Label = own.text("title")
		}
		options, null = append(options, values...), null || n
	}
	return distinct(options), null, true
}

func label1(c *value, title string) []Option {
	if title == "" || !c.is('"') && !c.is('0') {
		title = label(c)
	}
	return []Option{{title, json.RawMessage(c.raw)}}
}

// enumerated returns the options of an enum list that the types of w allow,
// labelled by enumNames where the lists are of one length. The latter is what
// older elicitation schemas use (LegacyTitledEnumSchema).
func (s *source) enumerated(w view, list *value) (options []Option, null bool) {
	var names []*value
	for _, keyword := range []string{"enumNames", "x-enumNames", "x-enum-varnames"} {
		if n := w.first(keyword, '['); n != nil && len(n.items) == len(list.items) {
			names = n.items
			break
		}
	}
	types := w.types()
	for i, e := range list.items {
		if e.is('n') && len(list.items) > 1 {
			null = types == nil || slices.Contains(types, "null")
			continue
		}
		title := label(e)
		if names != nil && names[i].str() != "" {
			title = names[i].str()
		}
		options = append(options, Option{title, json.RawMessage(e.raw)})
	}
	return distinct(options), null
}

// label shows a value as a person would say it: strings without quotes.
func label(v *value) string {
	if v.is('"') && v.text != "" {
		return v.text
	}
	return string(v.raw)
}

// distinct makes equal labels differ, since a list of options with two equal
// rows cannot be used: the value is added, and where that does not help, a
// number.
func distinct(options []Option) []Option {
	count := make(map[string]int, len(options))
	for _, o := range options {
		count[o.Label]++
	}
	if len(count) == len(options) {
		return options
	}
	seen := make(map[string]int, len(options))
	for i := range options {
		o := &options[i]
		if count[o.Label] > 1 && o.Label != string(o.Value) {
			o.Label += " (" + string(o.Value) + ")"
		}
		seen[o.Label]++
		if n := seen[o.Label]; n > 1 {
			o.Label = fmt.Sprintf("%s #%d", o.Label, n)
		}
	}
	return options
}
