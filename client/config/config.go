// Package config reads the files in which other programs name their MCP servers:
// the mcpServers family (Claude Desktop, Cursor, Windsurf, a project's .mcp.json)
// and the servers family of VS Code. It starts nothing and writes nothing.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Server is one server as a file names it, variables not yet expanded.
type Server struct {
	Name    string            `json:"name"`
	Source  string            `json:"source"` // the file
	Type    string            `json:"type"`   // stdio, http or sse
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"-"`
	EnvFile string            `json:"envFile,omitempty"`
	Dir     string            `json:"cwd,omitempty"`
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"-"`
	Off     bool              `json:"disabled,omitempty"`
}

// entry is a server as it stands in a file, in any of the families' spellings.
type entry struct {
	Type          string            `json:"type"`
	Transport     string            `json:"transport"`
	TransportType string            `json:"transportType"`
	Command       string            `json:"command"`
	Args          []string          `json:"args"`
	Env           map[string]string `json:"env"`
	EnvFile       string            `json:"envFile"`
	Cwd           string            `json:"cwd"`
	URL           string            `json:"url"`
	ServerURL     string            `json:"serverUrl"` // Windsurf
	Headers       map[string]string `json:"headers"`
	Disabled      bool              `json:"disabled"`
}

// Read returns the servers of a file in the file's order.
func Read(file string) ([]Server, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read config: %w", err)
	}
	return Parse(file, raw)
}

// Parse is Read for bytes that were read already. Comments and trailing commas
// are accepted. Errors name file, line and column.
func Parse(file string, raw []byte) ([]Server, error) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	value, err := hujson.Parse(raw)
	if err != nil {
		return nil, notJSON(file, raw, err)
	}
	family, members, err := findServers(file, raw, value)
	if err != nil {
		return nil, err
	}
	standard, err := hujson.Standardize(bytes.Clone(raw))
	if err != nil {
		return nil, notJSON(file, raw, err)
	}
	var out []Server
	for _, m := range members {
		name := m.Name.Value.(hujson.Literal).String()
		what := fmt.Sprintf("%s %q", family, name)
		var e entry
		if err := e.read(file, raw, standard, m.Value, what); err != nil {
			return nil, err
		}
		s, err := e.server(name, file)
		if err != nil {
			return nil, broken(file, raw, m.Value.StartOffset, "%s: %w", what, err)
		}
		out = append(out, s)
	}
	return out, nil
}

// findServers finds the object that names the servers: at the top, or below
// VS Code's "mcp" setting.
func findServers(file string, raw []byte, v hujson.Value) (family string, members []hujson.ObjectMember, err error) {
	for _, path := range []string{"/mcpServers", "/servers", "/mcp/servers", "/mcp/mcpServers"} {
		found := v.Find(path)
		if found == nil {
			continue
		}
		o, ok := found.Value.(*hujson.Object)
		if !ok {
			return "", nil, broken(file, raw, found.StartOffset, "%q is not an object", path[1:])
		}
		return strings.TrimPrefix(path, "/"), o.Members, nil
	}
	return "", nil, broken(file, raw, v.StartOffset, `neither "mcpServers" nor "servers" is there`)
}

func (e entry) server(name, file string) (Server, error) {
	s := Server{
		Name: name, Source: file, Command: e.Command, Args: e.Args, Env: e.Env,
		EnvFile: e.EnvFile, Dir: e.Cwd, URL: e.URL, Headers: e.Headers, Off: e.Disabled,
	}
	if s.URL == "" {
		s.URL = e.ServerURL
	}
	kind := strings.ToLower(firstOf(e.Type, e.Transport, e.TransportType))
	switch {
	case s.Command != "" && s.URL != "":
		return s, errors.New(`it has a "command" and a "url"; one of them must go`)
	case s.Command == "" && s.URL == "":
		return s, errors.New(`it has neither "command" nor "url"`)
	case s.Command != "":
		s.Type = "stdio"
	case kind == "sse":
		s.Type = "sse"
	default:
		s.Type = "http"
	}
	return s, nil
}

func firstOf(names ...string) string {
	for _, n := range names {
		if n != "" {
			return n
		}
	}
	return ""
}

// Pick chooses a server by name; an empty name takes the only one.
func Pick(servers []Server, name string) (Server, error) {
	var names []string
	for _, s := range servers {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	switch {
	case len(servers) == 0:
		return Server{}, errors.New("the file names no server")
	case name == "" && len(servers) == 1:
		return servers[0], nil
	case name == "":
		return Server{}, fmt.Errorf("the file names several servers; choose one with --server: %s", strings.Join(names, ", "))
	}
	slices.Sort(names)
	return Server{}, fmt.Errorf("no server is named %q; the file has %s", name, strings.Join(names, ", "))
}

// Place is a file that may name servers, and whose it is.
type Place struct {
	Product string
	File    string
}

// Places lists where the known products keep their files, whether or not they
// exist: the project's first, then the user's.
func Places(project, home, configDir, goos string) []Place {
	in := func(product string, parts ...string) Place {
		return Place{product, filepath.Join(parts...)}
	}
	out := []Place{
		in("project", project, ".mcp.json"),
		in("VS Code (project)", project, ".vscode", "mcp.json"),
		in("Cursor (project)", project, ".cursor", "mcp.json"),
	}
	desktop, code := configDir, configDir
	if goos == "darwin" {
		desktop = filepath.Join(home, "Library", "Application Support")
		code = desktop
	}
	return append(out,
		in("Claude Desktop", desktop, "Claude", "claude_desktop_config.json"),
		in("Claude Code", home, ".claude.json"),
		in("Cursor", home, ".cursor", "mcp.json"),
		in("VS Code", code, "Code", "User", "mcp.json"),
		in("Windsurf", home, ".codeium", "windsurf", "mcp_config.json"),
	)
}
