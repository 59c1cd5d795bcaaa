package config

import (
	"errors"
	"path/filepath"
)

// Place is a file that may name servers, and whose it is.
type Place struct {
	Product string
	File    string
	Shared  bool // it holds other settings of the product, too
}

// Read is what the file names, with an error of fs.ErrNotExist where it is not there;
// nothing where it holds only other settings.
func (p Place) Read() (File, error) {
	f, err := Read(p.File)
	if p.Shared && errors.Is(err, ErrNone) {
		return File{Name: p.File}, nil
	}
	return f, err
}

// Places lists where the known products keep their files, whether or not they
// exist: the project's first, then the user's. A folder that is not given as an
// absolute path is not known, and nothing is looked for in it.
func Places(project, home, configDir, goos string) []Place {
	var out []Place
	add := func(folder, product string, shared bool, parts []string) {
		if filepath.IsAbs(folder) {
			out = append(out, Place{product, filepath.Join(append([]string{folder}, parts...)...), shared})
		}
	}
	in := func(folder, product string, parts ...string) { add(folder, product, false, parts) }
	amongOthers := func(folder, product string, parts ...string) { add(folder, product, true, parts) }
	in(project, "project", ".mcp.json")
	in(project, "VS Code (project)", ".vscode", "mcp.json")
	in(project, "Cursor (project)", ".cursor", "mcp.json")
	if goos == "darwin" {
		configDir = ""
		if home != "" {
			configDir = filepath.Join(home, "Library", "Application Support")
		}
	}
	amongOthers(configDir, "Claude Desktop", "Claude", "claude_desktop_config.json")
	amongOthers(home, "Claude Code", ".claude.json")
	in(home, "Cursor", ".cursor", "mcp.json")
	in(configDir, "VS Code", "Code", "User", "mcp.json")
	in(home, "Windsurf", ".codeium", "windsurf", "mcp_config.json")
	return out
}
