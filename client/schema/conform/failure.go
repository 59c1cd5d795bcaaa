package conform

import (
	"fmt"
	"strings"
)

// Failure is one keyword that a value breaks.
type Failure struct {
	Path    []string // of the value, as the tokens of a JSON Pointer
	Keyword string   // "" for a schema that is false, "$ref" for one that refers to itself without end

	// Want is what the schema says: for type a []string, for enum a []any, for
	// const any value, for a limit of a number a *big.Rat, for a limit of a length
	// an int, for format and pattern a string.
	Want any
	// Got is what there is: for type its name, for a length an int, for uniqueItems
	// and a oneOf of which several fit a [2]int of their indices.
	Got any
	// Names are members: those missing for required and the dependencies, where Got
	// is the member that wants them, and those unknown or misnamed.
	Names []string
	// Variants tells why each variant of an anyOf or oneOf does not fit.
	Variants [][]*Failure
}

// Error implements error, for callers with no words of their own.
func (f *Failure) Error() string {
	var b strings.Builder
	for _, token := range f.Path {
		b.WriteString("/" + token)
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	b.WriteString("breaks " + f.Keyword)
	if f.Keyword == "" {
		b.WriteString("the schema: nothing is allowed")
	}
	switch {
	case len(f.Names) > 0:
		fmt.Fprintf(&b, " %q", f.Names)
	case f.Want != nil:
		fmt.Fprintf(&b, " %v", f.Want)
	}
	return b.String()
}

// at is the place of a value, from the inside out.
type at struct {
	up    *at
	token string
}

func (a *at) below(token string) *at { return &at{a, token} }

func (a *at) path() []string {
	n := 0
	for p := a; p != nil; p = p.up {
		n++
	}
	out := make([]string, n)
	for p := a; p != nil; p = p.up {
		n--
		out[n] = p.token
	}
	return out
}
