package inspect

import (
	"mcptui/client/lint"
	"mcptui/client/state"
	"mcptui/ui/draw"
)

// Sign is the mark of a severity and its colour, the same wherever one is shown.
func Sign(t *draw.Theme, s lint.Severity) (string, draw.Style) {
	switch s {
	case lint.Error:
		return "✖", t.Bad
	case lint.Warning:
		return "⚠", t.Warn
	}
	return "●", t.Note
}

// gravity is how much it matters what is doubtful about a state: as much as in
// the findings, where one of them says the same.
func gravity(k state.WarningKind) lint.Severity {
	switch k {
	case state.WarnUnsafe:
		return lint.Error
	case state.WarnNoExpiry, state.WarnNoPerson, state.WarnNoRequest:
		return lint.Info
	}
	return lint.Warning
}
