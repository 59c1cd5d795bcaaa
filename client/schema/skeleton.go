package schema

import (
	"encoding/json"
	"fmt"
)

// maxSkeleton bounds the size of a skeleton.
const maxSkeleton = 16 << 10

// Skeleton is a value of the field's shape to start typing from: its default
// or first example where there is one, else required members only, with the
// plainest value of each type. It need not be valid.
func (f *Field) Skeleton() json.RawMessage {
	raw := f.skeleton(0)
	if len(raw) > maxSkeleton {
		return json.RawMessage(f.bareSkeleton())
	}
	return raw
}

func (f *Field) bareSkeleton() string {
	switch f.Kind {
	case String:
		return `""`
	case Integer, Number:
		return "0"
	case Boolean:
		return "false"
	case MultiChoice, Array:
		return "[]"
	case Object, Variant:
		return "{}"
	case Choice:
		if len(f.Options) > 0 {
			return string(f.Options[0].Value)
		}
	}
	return "null"
}

func (f *Field) skeleton(depth int) json.RawMessage {
	const deepest = 8
	switch {
	case f.Default != nil:
		return f.Default
	case len(f.Examples) > 0:
		return f.Examples[0]
	case depth >= deepest:
		return json.RawMessage(f.bareSkeleton())
	}
	switch f.Kind {
	case Integer, Number:
		if f.Min != nil && !f.Min.Exclusive {
			return json.RawMessage(f.Min.Value)
		}
	case Object:
		out := []byte{'{'}
		for _, c := range f.Children() {
			if !c.Required || len(out) > maxSkeleton {
				continue
			}
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(out, quote(c.Name)...), ':')
			out = append(out, c.skeleton(depth+1)...)
		}
		return append(out, '}')
	case Array:
		out := []byte{'['}
		for i := range min(max(f.MinItems, len(f.Prefix())), 20) {
			element := f.Item()
			if prefix := f.Prefix(); i < len(prefix) {
				element = prefix[i]
			}
			if element == nil || len(out) > maxSkeleton {
				break
			}
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, element.skeleton(depth+1)...)
		}
		return append(out, ']')
	case Variant:
		if variants := f.Variants(); len(variants) > 0 {
			return variants[0].skeleton(depth + 1)
		}
	}
	return json.RawMessage(f.bareSkeleton())
}

// Skeleton is a value of the schema's shape to start typing from.
func Skeleton(schema []byte) json.RawMessage { return Parse(schema).Root.Skeleton() }

// Range says in words what limits the field has, or "": "18 to 120", "at most
// 40 characters".
func (f *Field) Range() string {
	switch f.Kind {
	case String:
		return countRange(f.MinLength, f.MaxLength, "character")
	case Array:
		return countRange(f.MinItems, f.MaxItems, "element")
	case MultiChoice:
		return countRange(f.MinItems, f.MaxItems, "choice")
	case Integer, Number:
		return f.numberRange()
	}
	return ""
}

func countRange(low, high int, noun string) string {
	switch {
	case low > 0 && low == high:
		return "exactly " + plural(low, noun)
	case low > 0 && high >= 0:
		return fmt.Sprintf("%d to %s", low, plural(high, noun))
	case low > 0:
		return "at least " + plural(low, noun)
	case high >= 0:
		return "at most " + plural(high, noun)
	}
	return ""
}

func (f *Field) numberRange() string {
	text := ""
	switch {
	case f.Min != nil && f.Max != nil && !f.Min.Exclusive && !f.Max.Exclusive:
		text = fmt.Sprintf("%s to %s", f.Min.Value, f.Max.Value)
	case f.Min != nil && f.Max != nil:
		text = f.Min.words("at least ", "more than ") + ", " + f.Max.words("at most ", "less than ")
	case f.Min != nil:
		text = f.Min.words("at least ", "more than ")
	case f.Max != nil:
		text = f.Max.words("at most ", "less than ")
	}
	if f.MultipleOf != "" {
		if text != "" {
			text += ", "
		}
		text += "a multiple of " + string(f.MultipleOf)
	}
	return text
}

func (b *Bound) words(inclusive, exclusive string) string {
	if b.Exclusive {
		return exclusive + string(b.Value)
	}
	return inclusive + string(b.Value)
}
