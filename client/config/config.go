// Package config reads the files in which other programs name their MCP servers:
// the mcpServers family (Claude Desktop, Cursor, Windsurf, a project's .mcp.json)
// and the servers family of VS Code. It starts nothing and writes nothing.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// File is what a config file names. What is wrong with one entry is no matter of
// the others.
type File struct {
	Name    string
	Servers []Server // in the file's order
	Bad     []Bad    // in the file's order
}

// Bad is an entry of a file that no server can be made of.
type Bad struct {
	Name string
	Err  error // names file, line and column
}

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

	in *document    // that it stands in
	at hujson.Value // where
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

// Read returns what a file names.
func Read(file string) (File, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return File{}, fmt.Errorf("read config: %w", err)
	}
	return Parse(file, raw)
}

// Parse is Read for bytes that were read already. Comments and trailing commas
// are accepted. It fails where the whole is no JSON or has nothing that names
// servers. Errors name file, line and column.
func Parse(file string, raw []byte) (File, error) {
	d, err := open(file, raw)
	if err != nil {
		return File{}, err
	}
	members, err := d.findServers()
	if err != nil {
		return File{}, err
	}
	f := File{Name: file}
	names := map[string]int{}
	for _, m := range members {
		name := nameOf(m)
		switch names[name]++; names[name] {
		case 1:
			s, err := d.server(name, m.Value)
			if err != nil {
				f.Bad = append(f.Bad, Bad{name, err})
				continue
			}
			f.Servers = append(f.Servers, s)
		case 2: // which of the two is meant nobody knows, so it is neither
			f.Servers = slices.DeleteFunc(f.Servers, func(s Server) bool { return s.Name == name })
			f.Bad = slices.DeleteFunc(f.Bad, func(b Bad) bool { return b.Name == name })
			f.Bad = append(f.Bad, Bad{name, d.broken(m.Name.StartOffset, "%s %q is there twice", d.family, name)})
		}
	}
	return f, nil
}

// server reads one entry. A member that is there twice is no guess: other programs
// take the first, the last, or fail.
func (d *document) server(name string, v hujson.Value) (Server, error) {
	what := fmt.Sprintf("%s %q", d.family, name)
	var e entry
	if err := d.decode(v, &e, what); err != nil {
		return Server{}, err
	}
	if err := d.twice(v, what); err != nil {
		return Server{}, err
	}
	s := Server{
		Name: name, Source: d.file, Command: e.Command, Args: e.Args, Env: e.Env, EnvFile: e.EnvFile, Dir: e.Cwd,
		URL: firstOf(e.URL, e.ServerURL), Headers: e.Headers, Off: e.Disabled, in: d, at: v,
	}
	kind := strings.ToLower(firstOf(e.Type, e.Transport, e.TransportType))
	switch {
	case s.Command != "" && s.URL != "":
		return s, d.broken(v.StartOffset, `%s: it has a "command" and a "url"; one of them must go`, what)
	case s.Command == "" && s.URL == "":
		return s, d.broken(v.StartOffset, `%s: it has neither "command" nor "url"`, what)
	case s.Command != "":
		s.Type = "stdio"
	case kind == "sse":
		s.Type = "sse"
	default:
		s.Type = "http"
	}
	return s, nil
}

// twice finds a member of an entry, of its environment or of its headers that is
// there a second time.
func (d *document) twice(v hujson.Value, what string) error {
	if m := repeated(v, strings.ToLower); m != nil { // as they are looked for
		return d.broken(m.Name.StartOffset, "%s: %q is there twice", what, nameOf(*m))
	}
	for _, inner := range []string{"env", "headers"} {
		if at := below(&v, inner); at != nil {
			if m := repeated(*at, strings.Clone); m != nil {
				return d.broken(m.Name.StartOffset, "%s: %s %q is there twice", what, inner, nameOf(*m))
			}
		}
	}
	return nil
}

func firstOf(names ...string) string {
	for _, n := range names {
		if n != "" {
			return n
		}
	}
	return ""
}

// ErrNone is that a file has nothing that names servers. Of one that holds other
// settings as well it is no fault.
var ErrNone = errors.New(`neither "mcpServers" nor "servers" is there`)

// families are where servers are named: at the top, or below VS Code's "mcp" setting.
var families = []string{"/mcpServers", "/servers", "/mcp/servers", "/mcp/mcpServers"}

// findServers finds the object that names the servers, and with it the family.
func (d *document) findServers() ([]hujson.ObjectMember, error) {
	for _, path := range families {
		found := d.root.Find(path)
		if found == nil {
			continue
		}
		d.family, d.above = path[1:], path[:strings.LastIndexByte(path, '/')]
		in := ""
		for _, name := range strings.Split(d.family, "/") {
			if m := again(d.root.Find(in), name); m != nil {
				return nil, d.broken(m.Name.StartOffset, "%q is there twice", name)
			}
			in += "/" + name
		}
		o, ok := found.Value.(*hujson.Object)
		if !ok {
			return nil, d.broken(found.StartOffset, "%q is not an object", path[1:])
		}
		return o.Members, nil
	}
	return nil, d.broken(d.root.StartOffset, "%w", ErrNone)
}

var bom = []byte("\ufeff")

// open parses a file as JSON with comments and trailing commas.
func open(file string, raw []byte) (*document, error) {
	raw = bytes.TrimPrefix(raw, bom)
	root, err := hujson.Parse(raw)
	if err != nil {
		return nil, notJSON(file, raw, err)
	}
	standard, err := hujson.Standardize(bytes.Clone(raw))
	if err != nil {
		return nil, notJSON(file, raw, err)
	}
	return &document{file: file, raw: raw, standard: standard, root: root}, nil
}
