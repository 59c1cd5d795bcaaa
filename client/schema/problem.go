package schema

// ProblemKind says how a problem came about.
type ProblemKind int

const (
	// Invalid: the value breaks its schema. It can be sent on purpose.
	Invalid ProblemKind = iota
	// Missing: a required member is left out. It can be left out on purpose.
	Missing
	// Unfinished: the text is no value of its kind.
	Unfinished
	// Unchecked: whether the value is right could not be found out, for a
	// pattern or a schema takes too long. It stops nothing.
	Unchecked
)

// Problem is one reason why a value does not fit its schema.
type Problem struct {
	Path    string // JSON Pointer of the value, or of the missing member
	Message string // without the path; lower case
	Kind    ProblemKind
	Keyword string // the schema keyword that is broken, or ""
}

func (p Problem) String() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}

// Blocking returns the problems that should stop a value from being sent
// unless a person insists.
func Blocking(problems []Problem) []Problem {
	var out []Problem
	for _, p := range problems {
		if p.Kind != Unchecked {
			out = append(out, p)
		}
	}
	return out
}
