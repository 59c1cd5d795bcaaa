// Package rerun restarts a server when its files change, and runs the last call
// again. It watches the files, asks the person once, in a line of the screen
// that takes no key that could be meant for something else, and works the
// connection through its controller. It knows nothing of the protocol.
package rerun

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/fsnotify/fsnotify"
)

// Settle is how long files have to be quiet before a change is told: an editor
// writes several times, a build writes many files.
const Settle = 150 * time.Millisecond

// Watcher tells of changes of the files that match its patterns.
type Watcher struct {
	patterns []string // absolute
	notify   *fsnotify.Watcher
}

// New watches what the patterns match, now or later: doublestar patterns, ** for
// any folders, relative ones below dir. An error names the pattern.
func New(dir string, patterns []string) (*Watcher, error) {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch files: %w", err)
	}
	w := &Watcher{notify: notify}
	for _, p := range patterns {
		if !doublestar.ValidatePattern(p) {
			return nil, errors.Join(fmt.Errorf("--watch %q is no pattern; write for example 'src/**/*.go'", p), notify.Close())
		}
		full := p
		if !filepath.IsAbs(p) {
			full = filepath.Join(dir, p)
		}
		full = filepath.ToSlash(full)
		w.patterns = append(w.patterns, full)
		base, _ := doublestar.SplitPattern(full)
		if err := w.add(filepath.FromSlash(base)); err != nil {
			return nil, errors.Join(fmt.Errorf("--watch %q: %w", p, err), notify.Close())
		}
	}
	return w, nil
}

// add watches a folder and those below it that a pattern can reach into. Folders
// of version control and of packages are left out: there are too many.
func (w *Watcher) add(base string) error {
	return filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == base:
			return err
		case err != nil:
			return fs.SkipDir // gone again, or not ours to read
		case !d.IsDir():
			return nil
		case path != base && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		}
		if err := w.notify.Add(path); err != nil {
			return fmt.Errorf("watch %s: %w", path, err)
		}
		if !w.deep(path) {
			return fs.SkipDir
		}
		return nil
	})
}

// deep reports whether a pattern may match something in a folder below dir.
func (w *Watcher) deep(dir string) bool {
	for _, p := range w.patterns {
		base, rest := doublestar.SplitPattern(p)
		if strings.HasPrefix(filepath.ToSlash(dir)+"/", base+"/") && strings.Contains(rest, "/") {
			return true
		}
	}
	return false
}

// Run tells of changes until ctx ends: changed gets the name of one of the files,
// once things have been quiet for [Settle].
func (w *Watcher) Run(ctx context.Context, changed func(file string)) error {
	defer w.notify.Close() // it only frees what the system holds
	quiet := time.NewTimer(time.Hour)
	quiet.Stop()
	file := ""
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-quiet.C:
			changed(file)
		case e, ok := <-w.notify.Events:
			if !ok {
				return nil
			}
			if e.Has(fsnotify.Create) {
				if info, err := os.Stat(e.Name); err == nil && info.IsDir() {
					_ = w.add(e.Name) // a folder that cannot be read is not watched
				}
			}
			if e.Op != fsnotify.Chmod && w.matches(e.Name) {
				file = e.Name
				quiet.Reset(Settle)
			}
		case err, ok := <-w.notify.Errors:
			if !ok {
				return nil
			}
			return fmt.Errorf("watch files: %w", err)
		}
	}
}

func (w *Watcher) matches(file string) bool {
	for _, p := range w.patterns {
		if ok, _ := doublestar.Match(p, filepath.ToSlash(file)); ok { // validated by New
			return true
		}
	}
	return false
}
