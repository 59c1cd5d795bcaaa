package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"mcptui/client"
	"mcptui/client/control"
)

// memory keeps what the UI remembers of one server between runs, in one file
// below the user's state directory that only the user can read.
type memory struct {
	path string

	mu   sync.Mutex
	kept kept
}

// kept is the content of the file.
type kept struct {
	Server string                       `json:"server"` // for whoever looks into it; nothing reads it
	Roots  *[]control.Root              `json:"roots,omitempty"`
	Recent map[string][]json.RawMessage `json:"recent,omitempty"`
}

const (
	keepValues = 10       // of one entry, newest first
	keepEntry  = 64 << 10 // bytes of one value; what is longer is not kept
	keepFile   = 4 << 20  // bytes of a file that is read
)

// remembers opens what is kept of a server. A file that cannot be read is no
// reason not to start: the error says so, and what it holds is started anew.
func (a *app) remembers(o client.Options) (*memory, error) {
	dir, err := a.stateDir()
	if err != nil {
		return nil, err
	}
	name := a.serverKey(o)
	sum := sha256.Sum256([]byte(name))
	m := &memory{path: filepath.Join(dir, "servers", hex.EncodeToString(sum[:12])+".json")}
	m.kept.Server = targetName(o)
	f, err := os.Open(m.path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return nil, fmt.Errorf("what is kept of the server: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() > keepFile {
		return m, err
	}
	var old kept
	if err := json.NewDecoder(f).Decode(&old); err != nil {
		return m, fmt.Errorf("what is kept of the server is started anew: %s cannot be read: %w", m.path, err)
	}
	m.kept.Roots, m.kept.Recent = old.Roots, old.Recent
	return m, nil
}

// stateDir is the folder for all that is kept between runs.
func (a *app) stateDir() (string, error) {
	switch dir := a.env("XDG_STATE_HOME"); {
	case filepath.IsAbs(dir):
		return filepath.Join(dir, "mcptui"), nil
	case runtime.GOOS == "windows" && filepath.IsAbs(a.env("LOCALAPPDATA")):
		return filepath.Join(a.env("LOCALAPPDATA"), "mcptui"), nil
	}
	home := a.home()
	if !filepath.IsAbs(home) {
		return "", errors.New("there is no home directory to keep anything in; --no-state keeps nothing")
	}
	return filepath.Join(home, ".local", "state", "mcptui"), nil
}

// serverKey tells servers apart. A command is known by its arguments too, which
// are hashed and never written.
func (a *app) serverKey(o client.Options) string {
	switch {
	case o.Target.URL != "":
		return "url " + o.Target.URL
	case o.Target.Command != "":
		return "command " + strings.Join(append([]string{o.Target.Dir, o.Target.Command}, o.Target.Args...), "\x00")
	}
	return "built-in " + a.flags.profile
}

// Recent implements ui.Memory.
func (m *memory) Recent(entry string) []json.RawMessage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept.Recent[entry]
}

// Remember implements ui.Memory.
func (m *memory) Remember(entry string, value json.RawMessage) error {
	if len(value) == 0 || len(value) > keepEntry {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	values := []json.RawMessage{value}
	for _, v := range m.kept.Recent[entry] {
		if string(v) != string(value) && len(values) < keepValues {
			values = append(values, v)
		}
	}
	if m.kept.Recent == nil {
		m.kept.Recent = map[string][]json.RawMessage{}
	}
	m.kept.Recent[entry] = values
	return m.write()
}

// Roots implements ui.Memory.
func (m *memory) Roots() ([]control.Root, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept.Roots == nil {
		return nil, false
	}
	return *m.kept.Roots, true
}

// KeepRoots implements ui.Memory.
func (m *memory) KeepRoots(roots []control.Root) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept.Roots = &roots
	return m.write()
}

// write replaces the file as a whole: another run may read it meanwhile.
func (m *memory) write() error {
	dir := filepath.Dir(m.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("keep: %w", err)
	}
	var raw bytes.Buffer
	e := json.NewEncoder(&raw)
	e.SetEscapeHTML(false) // values stay as they were typed
	if err := e.Encode(m.kept); err != nil {
		return fmt.Errorf("keep: %w", err)
	}
	f, err := os.CreateTemp(dir, ".new-*") // mode 0600
	if err != nil {
		return fmt.Errorf("keep: %w", err)
	}
	_, err = f.Write(raw.Bytes())
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), m.path)
	}
	if err != nil {
		return fmt.Errorf("keep: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

// here is the working directory as a URI, "" where there is none.
func here() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	path := filepath.ToSlash(dir)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // as C:/ on Windows
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
