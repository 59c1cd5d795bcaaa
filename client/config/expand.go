package config

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mcptui/client/header"
)

// Variables gives what stands for ${NAME} and its like in a config file.
type Variables struct {
	Env     func(name string) (string, bool)
	Input   func(Input) (string, error) // VS Code's ${input:id}: asks the person; nil where nobody is there
	Home    string                      // "" where there is none
	Project string                      // the folder that ${workspaceFolder} means
}

var variable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{([^}]*)\}`) })

// Expand replaces the variables of a server and reads its envFile. A variable
// that is not known is an error that names it and its place.
func (v Variables) Expand(s Server) (Server, error) {
	e := expansion{Variables: v, of: s, inputs: map[string]string{}}
	s.Command, s.Dir = e.text("command", s.Command, "command"), e.text("cwd", s.Dir, "cwd")
	s.URL, s.EnvFile = e.text("url", s.URL, e.nameOfURL()), e.text("envFile", s.EnvFile, "envFile")
	s.Args = slices.Clone(s.Args)
	for i, arg := range s.Args {
		s.Args[i] = e.text(fmt.Sprintf("args[%d]", i), arg, "args", strconv.Itoa(i))
	}
	env := map[string]string{}
	if s.EnvFile != "" && e.failed == nil {
		var err error
		if env, err = readEnv(v.beside(s.EnvFile)); err != nil {
			return s, s.broken("", []string{"envFile"}, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		env[name] = e.text("env "+name, s.Env[name], "env", name)
	}
	s.Env = env
	headers := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		headers[name] = e.text("header "+name, s.Headers[name], "headers", name)
		if err := header.Check(name, headers[name]); err != nil && e.failed == nil {
			e.failed = s.broken("", []string{"headers", name}, fmt.Errorf("header %q: %w", name, err))
		}
	}
	s.Headers = headers
	return s, e.failed
}

// expansion is that of one server.
type expansion struct {
	Variables
	of     Server
	inputs map[string]string // asked for once, wherever they are used
	failed error             // the first: nothing is asked for any more
}

// text expands one text; where words its place for people, path leads to it in the
// file's entry.
func (e *expansion) text(where, in string, path ...string) string {
	return variable().ReplaceAllStringFunc(in, func(m string) string {
		if e.failed != nil {
			return m
		}
		out, err := e.value(m[2 : len(m)-1])
		if err != nil {
			e.failed = e.of.broken(m, path, fmt.Errorf("%s: %w", where, err))
		}
		return out
	})
}

func (e *expansion) nameOfURL() string {
	if e.of.in != nil && below(&e.of.at, "serverUrl") != nil && below(&e.of.at, "url") == nil {
		return "serverUrl"
	}
	return "url"
}

// broken is an error about a variable in a text of a server, or about all of the
// text where variable is "".
func (s Server) broken(variable string, path []string, err error) error {
	err = fmt.Errorf("server %q: %w", s.Name, err)
	if s.in == nil {
		return fmt.Errorf("%s: %w", s.Source, err)
	}
	return s.in.broken(s.in.variableAt(s.at, variable, path...), "%w", err)
}

func (v Variables) beside(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(v.Project, file)
}

// value is what stands for a variable.
func (e *expansion) value(name string) (string, error) {
	switch name {
	case "workspaceFolder", "workspaceRoot":
		return e.Project, nil
	case "userHome":
		if e.Home == "" {
			return "", fmt.Errorf("${%s}: there is no home directory; set HOME", name)
		}
		return e.Home, nil
	case "pathSeparator", "/":
		return string(filepath.Separator), nil
	}
	if id, ok := strings.CutPrefix(name, "input:"); ok {
		return e.input(id)
	}
	plain, fallback, has := strings.Cut(strings.TrimPrefix(name, "env:"), ":-")
	if value, ok := e.Env(plain); ok {
		return value, nil
	}
	switch {
	case has:
		return fallback, nil
	case strings.Contains(plain, ":"):
		return "", fmt.Errorf("${%s} is none of ${NAME}, ${env:NAME}, ${input:ID}, ${workspaceFolder}, ${userHome} and ${pathSeparator}", name)
	}
	return "", fmt.Errorf("${%s} is not set in the environment; set it, or write ${%s:-VALUE} in the file for where it is not", name, name)
}

// input is what a person gives, or the default where nobody is there to be asked.
func (e *expansion) input(id string) (string, error) {
	if value, ok := e.inputs[id]; ok {
		return value, nil
	}
	in, err := e.of.in.input(id)
	if err != nil {
		return "", fmt.Errorf("${input:%s}: %w", id, err)
	}
	var value string
	switch {
	case e.Input != nil:
		if value, err = e.Input(in); err != nil {
			return "", err
		}
	case in.Default != nil:
		value = *in.Default
	default:
		return "", fmt.Errorf(`${input:%s} asks for input, and nobody is here to give it; run this on a terminal, give the input a "default" in the file, or write ${env:NAME} in its place`, id)
	}
	e.inputs[id] = value
	return value, nil
}

// readEnv reads NAME=value lines; quotes around a value and "export" in front
// are taken off, comments and blank lines passed over.
func readEnv(file string) (map[string]string, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read envFile: %w", err)
	}
	out := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, len(raw)+1)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(lines.Text()), "export "))
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok {
			return nil, fmt.Errorf("%s:%d:1: %q is not NAME=value", file, n, line)
		}
		value = strings.TrimSpace(value)
		if len(value) >= 2 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
			value = value[1 : len(value)-1]
		}
		out[strings.TrimSpace(name)] = value
	}
	return out, nil
}
