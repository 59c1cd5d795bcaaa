package schema

import "encoding/json"

// Kind says how a field is filled in.
type Kind int

const (
	// JSON is a field for which no better editor is known: its text is JSON.
	JSON Kind = iota
	// String is free text, perhaps of a Format and Multiline.
	String
	// Integer is a number without a fraction, of any size.
	Integer
	// Number is a number, kept as it was typed.
	Number
	// Boolean has the two options true and false.
	Boolean
	// Choice is one of Options.
	Choice
	// MultiChoice is any of Options, in the order chosen.
	MultiChoice
	// Object has Children, and Extra where it takes further members.
	Object
	// Array has elements like Item, after those of Prefix.
	Array
	// Variant is one of Variants.
	Variant
)

var kindNames = [...]string{"JSON", "string", "integer", "number", "boolean", "choice", "choices", "object", "array", "variant"}

func (k Kind) String() string { return kindNames[k] }

// Option is one value that can be chosen.
type Option struct {
	Label string          // the schema's title for it, else the value itself; unique within the field
	Value json.RawMessage // as written in the schema
}

// Bound is a limit of a number.
type Bound struct {
	Value     json.Number // as written in the schema
	Exclusive bool        // the limit itself is not allowed
}

// Field is one place of a form: what may stand there and how to ask for it. It
// does not know its value, which is in a [Node]. Nested fields are made when
// they are first asked for, so that a recursive schema costs no more than what
// is looked at; a Form may be read from several goroutines.
type Field struct {
	Name        string // member name within the parent; "" for the root, elements and variants
	Title       string // the schema's title, or ""
	Description string
	Kind        Kind
	Type        string // what goes on the wire, for people: "integer or null"
	Required    bool   // the parent must have this member
	Nullable    bool   // null is a value of its own here
	Conditional bool   // only some combinations of other members ask for it (then, else, dependentSchemas)
	Place       string // JSON Pointer of its subschema within the schema
	Note        string // what a combination of schemas asks for beside the fields, for people; or ""

	Format    string // as the schema says: email, uri, date, date-time or another
	Multiline bool   // text that likely has several lines
	Secret    bool   // it seems to ask for a secret; see Secrets
	Pattern   string
	MinLength int // characters; 0 where there is none
	MaxLength int // characters; -1 where there is none

	Min, Max   *Bound
	MultipleOf json.Number

	Options []Option // of Choice, MultiChoice and Boolean

	MinItems int // elements or choices; 0 where there is none
	MaxItems int // -1 where there is none
	Unique   bool

	Default  json.RawMessage // as written in the schema, or nil
	Examples []json.RawMessage
	ReadOnly bool
	Old      bool // deprecated

	form   *Form
	view   view
	checks []*value // the subschemas that its value is checked against

	children, prefix, variants []*Field
	item, extra                *Field
	made                       bool // the five above are filled in
}

// Label is the title, or the name where there is none.
func (f *Field) Label() string {
	if f.Title != "" {
		return f.Title
	}
	return f.Name
}

// Children returns the declared members of an Object, in the schema's order.
func (f *Field) Children() []*Field { f.make(); return f.children }

// Extra returns the field that members without a declaration have, or nil
// where the schema allows none.
func (f *Field) Extra() *Field { f.make(); return f.extra }

// Open reports whether the schema itself says that there may be members without a
// declaration, where others only do not forbid them.
func (f *Field) Open() bool {
	if f.Extra() == nil {
		return false
	}
	for _, p := range f.view.parts {
		for _, keyword := range []string{"additionalProperties", "unevaluatedProperties", "patternProperties"} {
			if v := p.get(keyword); v.is('t') || v.is('{') {
				return true
			}
		}
	}
	return false
}

// Item returns the field of an Array's elements (those after Prefix), or nil
// where none are allowed.
func (f *Field) Item() *Field { f.make(); return f.item }

// Prefix returns the fields of an Array's first elements, for a tuple.
func (f *Field) Prefix() []*Field { f.make(); return f.prefix }

// Variants returns the alternatives of a Variant. Each is complete: it has
// what holds for all variants too.
func (f *Field) Variants() []*Field { f.make(); return f.variants }

// Child returns the declared member of that name, or nil.
func (f *Field) Child(name string) *Field {
	for _, c := range f.Children() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

func (f *Field) make() {
	f.form.mu.Lock()
	defer f.form.mu.Unlock()
	if !f.made {
		f.made = true
		f.form.build(f)
	}
}
