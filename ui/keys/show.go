package keys

import (
	"fmt"
	"strings"
)

// Name returns a key as it is shown to a person: "Ctrl+S", "Alt+D", "Esc",
// "n".
func Name(key string) string {
	if len([]rune(key)) == 1 {
		return key
	}
	parts := strings.Split(key, "+")
	for i, p := range parts {
		switch p {
		case "":
			parts[i] = "+"
		case "pgup":
			parts[i] = "PgUp"
		case "pgdown":
			parts[i] = "PgDn"
		case "up", "down", "left", "right":
			parts[i] = map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→"}[p]
		default:
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "+")
}

// Names returns every key of the binding, for help: "PgUp, Ctrl+U", or
// "1 … 9" for a row of them.
func (b Binding) Names() string {
	if len(b.Keys) > 4 {
		return Name(b.Keys[0]) + " … " + Name(b.Keys[len(b.Keys)-1])
	}
	var out []string
	for _, k := range b.Keys {
		if k != "ctrl+@" { // another name of ctrl+space on older terminals
			out = append(out, Name(k))
		}
	}
	return strings.Join(out, ", ")
}

// Hint is one item of the footer.
type Hint struct {
	Key, Short string
	Intent     Intent // what the key means; None for one of a screen's own
}

// Footer returns the hints for the given scopes, most useful first; the screen
// draws as many as fit.
func Footer(in Scope) []Hint {
	var out []Hint
	for _, b := range For(in) {
		if b.Short != "" {
			out = append(out, Hint{Name(b.Keys[0]), b.Short, b.Intent})
		}
	}
	return out
}

// Markdown returns the table for the README: browsing first, then the form.
func Markdown() string {
	var b strings.Builder
	section := func(title string, in func(Binding) bool) {
		fmt.Fprintf(&b, "| %s | |\n| --- | --- |\n", title)
		for _, k := range table {
			if in(k) {
				var names []string
				for _, n := range strings.Split(k.Names(), ", ") {
					names = append(names, "`"+n+"`")
				}
				fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(names, ", "), k.Help)
			}
		}
	}
	section("Browsing", func(k Binding) bool { return k.Scope&(Form|Ask) == 0 })
	b.WriteString("\n")
	section("In a form, letters type", func(k Binding) bool { return k.Scope&(Form|Ask) != 0 })
	return b.String()
}
