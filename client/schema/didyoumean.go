package schema

import "fmt"

// DidYouMean is the clause that names the nearest right name, "" where none is like
// what was written.
func DidYouMean(written string, names []string) string {
	if near := Nearest(written, names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}
