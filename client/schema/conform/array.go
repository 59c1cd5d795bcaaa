package conform

import "strconv"

func (j *judging) array(v []any) {
	s := j.schema
	j.atLeast("minItems", len(v), s.minItems)
	j.atMost("maxItems", len(v), s.maxItems)
	if s.unique && !j.over() {
		if a, b, twice := duplicates(v); twice {
			j.fail(Failure{Keyword: "uniqueItems", Got: [2]int{a, b}})
		}
	}
	n := min(len(s.prefix), len(v))
	j.seen.first = n
	for i := range n {
		j.below(s.prefix[i], v[i], strconv.Itoa(i))
	}
	switch {
	case s.items == nil:
	case s.items.always != nil && !*s.items.always:
		if more := len(v) - n; more > 0 {
			j.fail(Failure{Keyword: s.itemsKeyword, Want: n, Got: more})
		}
		j.seen.first = len(v)
	default:
		for i := n; i < len(v) && !j.over(); i++ {
			j.below(s.items, v[i], strconv.Itoa(i))
		}
		j.seen.first = len(v)
	}
	if s.contains != nil && !j.over() {
		j.contained(v)
	}
}

func (j *judging) contained(v []any) {
	s := j.schema
	found := 0
	for i, e := range v {
		if j.fits(s.contains, e) {
			found++
			if s.containsCounts && s.doc.tracks {
				j.seen.item(i)
			}
		}
	}
	least := 1
	if s.minContains >= 0 {
		least = s.minContains
	}
	if found < least {
		j.fail(Failure{Keyword: "contains", Want: least, Got: found})
	}
	j.atMost("maxContains", found, s.maxContains)
}

func (j *judging) unknownItems(v []any) {
	s := j.schema
	if s.unknownItems == nil {
		return
	}
	for i := range v {
		if !j.seen.all && i >= j.seen.first && !j.seen.items[i] {
			j.below(s.unknownItems, v[i], strconv.Itoa(i))
		}
	}
	j.seen.all = true
}

// duplicates finds two equal elements. Scalars, of which there can be many, are
// looked up; what is left is compared each with each.
func duplicates(v []any) (a, b int, twice bool) {
	scalars := map[any]int{}
	var rest []int
	for i, e := range v {
		var key any
		switch typeOf(e) {
		case "object", "array":
			for _, other := range rest {
				if equal(v[other], e) {
					return other, i, true
				}
			}
			rest = append(rest, i)
			continue
		case "number":
			key = e
			if n := number(e); n != nil {
				key = "number " + n.RatString()
			}
		case "string":
			key = "string " + e.(string)
		default:
			key = e
		}
		if other, ok := scalars[key]; ok {
			return other, i, true
		}
		scalars[key] = i
	}
	return 0, 0, false
}
