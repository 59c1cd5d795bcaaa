package config

import (
	"fmt"
	"slices"
	"strings"

	"mcptui/client/schema"
)

// Count is how many servers the file names, bad entries among them.
func (f File) Count() int { return len(f.Servers) + len(f.Bad) }

// Pick chooses a server by name; an empty name takes the only one. A bad entry is
// an error where it is chosen, and is told of where one has to be chosen.
func (f File) Pick(name string) (Server, error) {
	alone := name == "" && f.Count() == 1
	for _, s := range f.Servers {
		if s.Name == name || alone {
			return s, nil
		}
	}
	for _, b := range f.Bad {
		if b.Name == name || alone {
			return Server{}, b.Err
		}
	}
	var names, reasons []string
	for _, s := range f.Servers {
		names = append(names, s.Name)
	}
	for _, b := range f.Bad {
		reasons = append(reasons, b.Err.Error())
	}
	switch {
	case f.Count() == 0:
		return Server{}, fmt.Errorf("%s: the file names no server", f.Name)
	case name == "" && len(names) == 0:
		return Server{}, fmt.Errorf("%s: none of the file's servers can be used: %s", f.Name, strings.Join(reasons, "; "))
	case name == "" && len(reasons) > 0:
		return Server{}, fmt.Errorf("%s: the file names several servers; choose one with --server: %s; what cannot be chosen: %s", f.Name, strings.Join(names, ", "), strings.Join(reasons, "; "))
	case name == "":
		return Server{}, fmt.Errorf("%s: the file names several servers; choose one with --server: %s", f.Name, strings.Join(names, ", "))
	}
	for _, b := range f.Bad {
		names = append(names, b.Name)
	}
	slices.Sort(names)
	return Server{}, fmt.Errorf("%s: no server is named %q; the file has %s%s", f.Name, name, strings.Join(names, ", "), schema.DidYouMean(name, names))
}
