package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"mcptui/client/config"
	"mcptui/client/trace"
	embeddedserver "mcptui/embedded-server"
	"mcptui/ui/picker"
)

// choice is a server that the terminal UI can be switched to.
type choice struct {
	target  target
	server  string // its name in the target's config file
	profile string // of the built-in server
	own     bool   // out of the config file that the command line names
}

// id names a choice; it is not shown.
func (c choice) id() string {
	switch {
	case c.target.url != "":
		return "url " + c.target.url
	case c.target.command != nil:
		return "command " + strings.Join(c.target.command, "\x00")
	case c.target.config != "":
		return "config " + absolute(c.target.config) + "\x00" + c.server
	}
	return "built-in " + c.profile
}

// firstChoice is what the command line names. Ok is false where it names a
// config file of several servers and none of them: a person chooses.
func (a *app) firstChoice(t target) (first choice, ok bool, err error) {
	first = choice{target: t, server: a.flags.server, profile: a.flags.profile, own: true}
	if t.config == "" || first.server != "" {
		return first, true, nil
	}
	named, err := config.Read(t.config)
	if err != nil {
		return first, false, usage(err)
	}
	if named.Count() > 1 && len(named.Servers) > 0 {
		return first, false, nil
	}
	if len(named.Servers) == 1 {
		first.server = named.Servers[0].Name
	}
	return first, true, nil // where there is none to choose, it is told as of headless commands
}

// servers lists what there is to switch to: the server of the command line, what
// its config file names, what is built in, and what the well-known files name.
func (c *connections) servers() []picker.Entry {
	a := c.app
	var list []picker.Entry
	choices := map[string]choice{}
	add := func(to choice, e picker.Entry) {
		e.ID = to.id()
		if _, there := choices[e.ID]; there {
			return
		}
		choices[e.ID] = to
		list = append(list, e)
	}
	broken := func(file string, err error) {
		list = append(list, picker.Entry{ID: "broken " + file, Name: filepath.Base(file), Source: file, Broken: reason(file, err)})
	}
	file := func(path string, own bool, named config.File) {
		for _, s := range named.Servers {
			add(choice{target: target{config: path, onScreen: true}, server: s.Name, own: own},
				picker.Entry{Name: s.Name, What: whatIs(s), Source: path, Off: s.Off})
		}
		for _, b := range named.Bad {
			list = append(list, picker.Entry{ID: "broken " + path + "\x00" + b.Name, Name: b.Name, Source: path, Broken: reason(path, b.Err)})
		}
	}
	read := map[string]bool{}
	if t := c.server; t.url != "" || t.command != nil {
		what := "http " + trace.MaskURL(t.url)
		if t.command != nil {
			what = "stdio " + commandLine(t.command)
		}
		add(choice{target: t, own: true}, picker.Entry{Name: "as started", What: what, Source: "command line"})
	} else if t.config != "" {
		read[absolute(t.config)] = true
		named, err := config.Read(t.config)
		if err != nil {
			broken(t.config, err)
		}
		file(t.config, true, named)
	}
	for _, name := range embeddedserver.Profiles() {
		add(choice{profile: name}, picker.Entry{Name: name, What: "built-in server, in-process", Source: "mcptui"})
	}
	places, err := a.places()
	if err != nil {
		broken(".", err)
	}
	for _, place := range places {
		if read[absolute(place.File)] {
			continue
		}
		read[absolute(place.File)] = true
		named, err := place.Read()
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			broken(place.File, fmt.Errorf("%s: %w", place.Product, err))
		default:
			file(place.File, false, named)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.choices = choices
	return list
}

// places are the files that may name servers here.
func (a *app) places() ([]config.Place, error) {
	project, err := os.Getwd()
	home := a.home()
	for _, configDir := range []string{a.env("XDG_CONFIG_HOME"), a.env("APPDATA")} {
		if filepath.IsAbs(configDir) {
			return config.Places(project, home, configDir, runtime.GOOS), err
		}
	}
	configDir := ""
	if home != "" {
		configDir = filepath.Join(home, ".config")
	}
	return config.Places(project, home, configDir, runtime.GOOS), err
}

// whatIs words a server of a file as the file has it: variables are not put in,
// since what they stand for may be secret.
func whatIs(s config.Server) string {
	if s.URL != "" {
		return s.Type + " " + trace.MaskURL(s.URL)
	}
	return s.Type + " " + commandLine(append([]string{s.Command}, s.Args...))
}

func commandLine(words []string) string {
	line := strings.Join(words, " ")
	return trace.NewScreen(trace.Mask{}, nil, line).Command(line)
}

// reason is an error without the name of the file, which stands beside it.
func reason(file string, err error) string {
	return strings.ReplaceAll(strings.ReplaceAll(err.Error(), file+": ", ""), file+":", "")
}

func absolute(file string) string {
	if abs, err := filepath.Abs(file); err == nil {
		return abs
	}
	return file
}
