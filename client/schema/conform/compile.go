package conform

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Options say how a document is read. The zero value reads the draft from the
// document's $schema, 2020-12 where there is none.
type Options struct {
	Draft   int                                // 4, 6, 7, 2019 or 2020
	Pattern func(text string) (Pattern, error) // nil for Go's own engine
	Step    func()                             // called for each schema that a value is judged by; a panic ends the judging
}

// Document is a JSON document that holds schemas.
type Document struct {
	root    any
	o       Options
	schemas map[string]*Schema // by place
	tracks  bool               // some schema asks what the others have evaluated
}

// New reads a document as encoding/json decodes it, with numbers as json.Number.
func New(root any, o Options) *Document {
	if o.Draft == 0 {
		o.Draft = draftOf(root)
	}
	if o.Pattern == nil {
		o.Pattern = func(text string) (Pattern, error) { return regexp.Compile(text) }
	}
	return &Document{root: root, o: o, schemas: map[string]*Schema{}, tracks: o.Draft >= 2019 && mentions(root)}
}

// Compile is New and the schema at the document's root.
func Compile(root any, o Options) (*Schema, error) { return New(root, o).Schema("") }

func draftOf(root any) int {
	m, _ := root.(map[string]any)
	uri, _ := m["$schema"].(string)
	for name, draft := range map[string]int{"draft-04": 4, "draft-06": 6, "draft-07": 7, "2019-09": 2019} {
		if strings.Contains(uri, "json-schema.org/") && strings.Contains(uri, name) {
			return draft
		}
	}
	return 2020
}

// mentions reports whether one of the unevaluated keywords is anywhere.
func mentions(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for name, e := range v {
			if name == "unevaluatedProperties" || name == "unevaluatedItems" || mentions(e) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, mentions)
	}
	return false
}

// Schema returns the schema at a place of the document, a JSON Pointer. The
// error names the place of what is no schema, and why.
func (d *Document) Schema(place string) (*Schema, error) {
	if s, ok := d.schemas[place]; ok {
		return s, nil
	}
	raw, ok := lookup(d.root, place)
	if !ok {
		return nil, fmt.Errorf("there is nothing at #%s", place)
	}
	s := &Schema{doc: d}
	d.schemas[place] = s // before it is read: it may refer to itself
	if err := d.read(s, raw, place); err != nil {
		delete(d.schemas, place)
		return nil, err
	}
	return s, nil
}

func lookup(v any, pointer string) (any, bool) {
	if pointer == "" {
		return v, true
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[strings.NewReplacer("~1", "/", "~0", "~").Replace(token)]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(at) {
				return nil, false
			}
			v = at[i]
		default:
			return nil, false
		}
	}
	return v, true
}

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

// reading is one schema while it is read: the first error counts.
type reading struct {
	*Document
	m     map[string]any
	place string
	err   error
}

func (d *Document) read(s *Schema, raw any, place string) error {
	switch raw := raw.(type) {
	case bool:
		s.always = &raw
		return nil
	case map[string]any:
		r := &reading{Document: d, m: raw, place: place}
		r.reference(s)
		r.values(s)
		r.object(s)
		r.array(s)
		r.logic(s)
		return r.err
	}
	return fmt.Errorf("#%s is no schema: an object or a boolean is one", place)
}

func (r *reading) fail(keyword, want string) {
	if r.err == nil {
		r.err = fmt.Errorf("#%s/%s must be %s", r.place, escaper.Replace(keyword), want)
	}
}

// has returns a keyword's value, where the draft knows the keyword.
func (r *reading) has(keyword string, since int) (any, bool) {
	if r.o.Draft < since {
		return nil, false
	}
	v, ok := r.m[keyword]
	return v, ok
}

func (r *reading) reference(s *Schema) {
	s.refOnly = r.o.Draft < 2019
	for _, keyword := range []string{"$ref", "$recursiveRef", "$dynamicRef"} {
		v, ok := r.m[keyword]
		if !ok || s.ref != nil || keyword != "$ref" && s.refOnly {
			continue
		}
		text, _ := v.(string)
		place, inside := strings.CutPrefix(text, "#")
		if !inside || place != "" && place[0] != '/' {
			r.fail(keyword, "a JSON Pointer within the document, such as #/$defs/name")
			return
		}
		if place, err := url.PathUnescape(place); err == nil {
			s.ref = r.schemaAt(place)
		} else {
			r.fail(keyword, "a URI fragment")
		}
	}
}

func (r *reading) schemaAt(place string) *Schema {
	s, err := r.Schema(place)
	if err != nil && r.err == nil {
		r.err = err
	}
	return s
}

// sub reads the subschema that a keyword holds.
func (r *reading) sub(keyword string, since int) *Schema {
	if _, ok := r.has(keyword, since); !ok {
		return nil
	}
	return r.schemaAt(r.place + "/" + escaper.Replace(keyword))
}

func (r *reading) list(keyword string, since int) []*Schema {
	v, ok := r.has(keyword, since)
	if !ok {
		return nil
	}
	list, _ := v.([]any)
	if len(list) == 0 {
		r.fail(keyword, "a list of schemas, not an empty one")
	}
	out := make([]*Schema, len(list))
	for i := range list {
		out[i] = r.schemaAt(r.place + "/" + keyword + "/" + strconv.Itoa(i))
	}
	return out
}

// members reads the keyword's subschemas, in the order of their names.
func (r *reading) members(keyword string, since int) []named {
	v, ok := r.has(keyword, since)
	if !ok {
		return nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		r.fail(keyword, "an object of schemas")
	}
	var out []named
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if _, list := m[name].([]any); list && keyword == "dependencies" {
			continue
		}
		out = append(out, named{name, r.schemaAt(r.place + "/" + keyword + "/" + escaper.Replace(name))})
	}
	return out
}

func (r *reading) strings(keyword string, v any) []string {
	list, ok := v.([]any)
	if !ok {
		r.fail(keyword, "a list of strings")
	}
	out := make([]string, 0, len(list))
	for _, e := range list {
		text, ok := e.(string)
		if !ok {
			r.fail(keyword, "a list of strings")
		}
		out = append(out, text)
	}
	return out
}

func (r *reading) count(keyword string, since int) int {
	v, ok := r.has(keyword, since)
	if !ok {
		return -1
	}
	n := number(v)
	if n == nil || !n.IsInt() || n.Sign() < 0 {
		r.fail(keyword, "a whole number from 0 up")
		return -1
	}
	if !n.Num().IsInt64() || n.Num().Int64() > math.MaxInt32 {
		return math.MaxInt32
	}
	return int(n.Num().Int64())
}

func (r *reading) limit(keyword string, since int) *big.Rat {
	v, ok := r.has(keyword, since)
	if !ok {
		return nil
	}
	n := number(v)
	if n == nil || keyword == "multipleOf" && n.Sign() <= 0 {
		r.fail(keyword, "a number")
	}
	return n
}

// Decode reads JSON as New wants it.
func Decode(raw []byte) (any, error) {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON value")
	}
	return v, nil
}
