package config

import "path/filepath"

// Place is a file that may name servers, and whose it is.
type Place struct {
	Product string
	File    string
}

// Places lists where the known products keep their files, whether or not they
// exist: the project's first, then the user's. A folder that is not given as an
// absolute path is not known, and nothing is looked for in it.
func Places(project, home, configDir, goos string) []Place {
	var out []Place
	in := func(folder, product string, parts ...string) {
		if filepath.IsAbs(folder) {
			out = append(out, Place{product, filepath.Join(append([]string{folder}, parts...)...)})
		}
	}
	in(project, "project", ".mcp.json")
	in(project, "VS Code (project)", ".vscode", "mcp.json")
	in(project, "Cursor (project)", ".cursor", "mcp.json")
	if goos == "darwin" {
		configDir = ""
		if home != "" {
			configDir = filepath.Join(home, "Library", "Application Support")
		}
	}
	in(configDir, "Claude Desktop", "Claude", "claude_desktop_config.json")
	in(home, "Claude Code", ".claude.json")
	in(home, "Cursor", ".cursor", "mcp.json")
	in(configDir, "VS Code", "Code", "User", "mcp.json")
	in(home, "Windsurf", ".codeium", "windsurf", "mcp_config.json")
	return out
}
