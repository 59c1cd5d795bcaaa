package conform

import "math/big"

// Schema is a schema that is ready to judge values. It may be used by several
// goroutines at once, unless the options' functions may not.
type Schema struct {
	doc    *Document
	always *bool // of a schema that is true or false

	ref     *Schema
	refOnly bool // up to draft-07, what stands beside a $ref counts for nothing

	types    []string
	enum     []any
	konst    any
	hasEnum  bool
	hasConst bool
	format   string

	minimum, maximum, above, below, multipleOf *big.Rat

	minLength, maxLength         int // -1 where there is none, as below
	minItems, maxItems           int
	minProperties, maxProperties int
	minContains, maxContains     int
	pattern                      Pattern
	patternText                  string
	unique                       bool

	required          []string
	needs             []needs // dependencies and dependentRequired
	wants             []named // dependencies and dependentSchemas
	properties        map[string]*Schema
	patternProperties []patterned
	additional        *Schema
	names             *Schema
	unknownProperties *Schema // unevaluatedProperties
	prefix            []*Schema
	items             *Schema // of the elements behind the prefix
	itemsKeyword      string  // what it is called: items or additionalItems
	contains          *Schema
	unknownItems      *Schema // unevaluatedItems
	allOf, anyOf      []*Schema
	oneOf             []*Schema
	not, when         *Schema
	then, otherwise   *Schema
	containsCounts    bool // 2020-12: what contains finds counts as evaluated
}

type needs struct {
	member  string
	others  []string
	keyword string
}

type named struct {
	member string
	schema *Schema
}

type patterned struct {
	pattern Pattern
	schema  *Schema
}

// Pattern is a compiled pattern.
type Pattern interface {
	MatchString(s string) bool
}
