package compare

import "mcptui/client/state"

// JSON lists how two JSON documents differ, such as an entry of a list before
// and after it changed; nil is not there.
func JSON(group string, before, after []byte) []Difference {
	var d differ
	d.json(group, "", before, after, nil)
	return d.out
}

// Entry is an entry of a list by its key.
type Entry struct {
	Key string
	Raw []byte
}

// Lists lists how two lists of entries differ: which are new, which are gone,
// and what changed in those that stayed.
func Lists(group string, before, after []Entry) []Difference {
	var d differ
	now := map[string][]byte{}
	for _, e := range after {
		now[e.Key] = e.Raw
	}
	was := map[string]bool{}
	for _, e := range before {
		was[e.Key] = true
		if _, ok := now[e.Key]; !ok {
			d.out = append(d.out, Difference{Group: group, Path: e.Key, Op: state.Removed, Before: e.Raw, JSON: true})
			continue
		}
		d.json(group, e.Key, e.Raw, now[e.Key], nil)
	}
	for _, e := range after {
		if !was[e.Key] {
			d.out = append(d.out, Difference{Group: group, Path: e.Key, Op: state.Added, After: e.Raw, JSON: true})
		}
	}
	return d.out
}
