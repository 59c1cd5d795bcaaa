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
	"strings"
	"sync"

	"mcptui/client/header"
)

// Variables gives what stands for ${NAME} and its like in a config file.
type Variables struct {
	Env     func(name string) (string, bool)
	Input   func(id string) (string, error) // VS Code's ${input:id}: asks the person
	Home    string
	Project string // the folder that ${workspaceFolder} means
}

var variable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{([^}]*)\}`) })

// Expand replaces the variables of a server and reads its envFile. A variable
// that is not known is an error that names it.
func (v Variables) Expand(s Server) (Server, error) {
	var failed error
	text := func(where, in string) string {
		return variable().ReplaceAllStringFunc(in, func(m string) string {
			out, err := v.value(m[2 : len(m)-1])
			if err != nil && failed == nil {
				failed = fmt.Errorf("%s: server %q: %s: %w", s.Source, s.Name, where, err)
			}
			return out
		})
	}
	s.Command, s.Dir, s.URL, s.EnvFile = text("command", s.Command), text("cwd", s.Dir), text("url", s.URL), text("envFile", s.EnvFile)
	s.Args = slices.Clone(s.Args)
	for i, arg := range s.Args {
		s.Args[i] = text(fmt.Sprintf("args[%d]", i), arg)
	}
	env := map[string]string{}
	if s.EnvFile != "" && failed == nil {
		var err error
		if env, err = readEnv(v.beside(s.EnvFile)); err != nil {
			return s, fmt.Errorf("%s: server %q: %w", s.Source, s.Name, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		env[name] = text("env "+name, s.Env[name])
	}
	s.Env = env
	headers := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		headers[name] = text("header "+name, s.Headers[name])
		if err := header.Check(name, headers[name]); err != nil && failed == nil {
			failed = fmt.Errorf("%s: server %q: header %q: %w", s.Source, s.Name, name, err)
		}
	}
	s.Headers = headers
	return s, failed
}

func (v Variables) beside(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(v.Project, file)
}

func (v Variables) value(name string) (string, error) {
	switch name {
	case "workspaceFolder", "workspaceRoot":
		return v.Project, nil
	case "userHome":
		return v.Home, nil
	case "pathSeparator", "/":
		return string(filepath.Separator), nil
	}
	if id, ok := strings.CutPrefix(name, "input:"); ok {
		if v.Input == nil {
			return "", fmt.Errorf("${%s} asks for input, and nobody is here to give it", name)
		}
		return v.Input(id)
	}
	plain, fallback, has := strings.Cut(strings.TrimPrefix(name, "env:"), ":-")
	if value, ok := v.Env(plain); ok {
		return value, nil
	}
	if has {
		return fallback, nil
	}
	return "", fmt.Errorf("${%s} is not set in the environment", name)
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
