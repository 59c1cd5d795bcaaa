package schema

// Level says how much a finding matters.
type Level int

const (
	// Note is worth knowing, and changes nothing.
	Note Level = iota
	// Warning says that the schema cannot mean what it says, or that part of
	// it is not used.
	Warning
)

func (l Level) String() string {
	if l == Warning {
		return "warning"
	}
	return "note"
}

// Finding is something about a schema that its author should know: a
// contradiction, a reference that leads nowhere, a default that its own schema
// refuses.
type Finding struct {
	Level   Level
	Place   string // JSON Pointer within the schema; "" is its root
	Message string
}

func (f Finding) String() string {
	if f.Place == "" {
		return f.Message
	}
	return f.Place + ": " + f.Message
}
