package conform

import (
	"maps"
	"slices"
)

func (j *judging) object(v map[string]any) {
	s := j.schema
	j.atLeast("minProperties", len(v), s.minProperties)
	j.atMost("maxProperties", len(v), s.maxProperties)
	j.missing(Failure{Keyword: "required"}, s.required, v)
	for _, n := range s.needs {
		if _, there := v[n.member]; there {
			j.missing(Failure{Keyword: n.keyword, Got: n.member}, n.others, v)
		}
	}
	for _, w := range s.wants {
		if _, there := v[w.member]; there {
			j.too(w.schema, v)
		}
	}
	if s.properties == nil && s.patternProperties == nil && s.additional == nil && s.names == nil {
		return
	}
	var unknown []string
	for _, name := range slices.Sorted(maps.Keys(v)) { // so that the same failures come every time
		if j.over() {
			return
		}
		if !j.member(name, v[name]) {
			unknown = append(unknown, name)
		}
		if s.names != nil && !j.fits(s.names, name) {
			j.fail(Failure{Keyword: "propertyNames", Names: []string{name}})
		}
	}
	if unknown != nil {
		j.fail(Failure{Keyword: "additionalProperties", Names: unknown})
	}
}

func (j *judging) missing(f Failure, names []string, v map[string]any) {
	for _, name := range names {
		if _, there := v[name]; !there {
			f.Names = append(f.Names, name)
		}
	}
	if f.Names != nil {
		j.fail(f)
	}
}

// member judges one member; false means that none may be there.
func (j *judging) member(name string, v any) bool {
	s := j.schema
	known := false
	if one, ok := s.properties[name]; ok {
		known = true
		j.below(one, v, name)
	}
	for _, p := range s.patternProperties {
		if p.pattern.MatchString(name) {
			known = true
			j.below(p.schema, v, name)
		}
	}
	if !known && s.additional != nil {
		if s.additional.always != nil && !*s.additional.always {
			return false
		}
		known = true
		j.below(s.additional, v, name)
	}
	if known && s.doc.tracks {
		j.seen.member(name)
	}
	return true
}

func (j *judging) unknownMembers(v map[string]any) {
	s := j.schema
	if s.unknownProperties == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if !j.seen.all && !j.seen.members[name] {
			j.below(s.unknownProperties, v[name], name)
		}
	}
	j.seen.all = true
}
