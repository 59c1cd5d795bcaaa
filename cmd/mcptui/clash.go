package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// fileUse is a file that a command line names.
type fileUse struct {
	flag   string // or what else names it
	path   string
	writes bool
	open   os.FileInfo // of standard input, which has no path
}

// behind is the file that a value names behind an @, or that is standard input for -.
func (a *app) behind(name, value string) (fileUse, bool) {
	if path, ok := strings.CutPrefix(value, "@"); ok {
		return fileUse{flag: name, path: path}, true
	}
	if value != "-" || a.In == nil {
		return fileUse{}, false
	}
	info, err := a.In.Stat()
	return fileUse{flag: name, path: "standard input", open: info}, err == nil
}

// fileFlags are the flags that name a file, with whether they write it. Those of behindAt
// name one behind an @.
var (
	fileFlags = map[string]bool{
		"record": true, "save-answers": true,
		"answers": false, "resume": false, "config": false, "ca": false,
	}
	behindAt  = map[string]bool{"args": true, "state-key": true}
	fromInput = map[string]bool{"args": true, "resume": true} // where they are -
)

// keepApart refuses a command line that would have a file written which it names for
// something else as well: what is read from it would be gone, and of what is written
// twice one would be lost. More are the files that it names without a flag.
func (a *app) keepApart(cmd *cobra.Command, more ...fileUse) error {
	files := more
	cmd.Flags().Visit(func(f *pflag.Flag) {
		name, values := "--"+f.Name, []string{f.Value.String()}
		if several, ok := f.Value.(*list); ok {
			values = *several
		}
		for _, value := range values {
			file, ok := fileUse{}, false
			if value == "-" && fromInput[f.Name] || value != "-" && behindAt[f.Name] {
				file, ok = a.behind(name, value)
			} else if writes, names := fileFlags[f.Name]; names {
				file, ok = fileUse{flag: name, path: value, writes: writes}, true
			}
			if ok {
				files = append(files, file)
			}
		}
	})
	return clash(files)
}

// clash is the error about two of these files that are the same one, where one of them
// is written; nil for none. What is no regular file loses nothing: /dev/null, a pipe.
func clash(files []fileUse) error {
	for i, a := range files {
		for _, b := range files[i+1:] {
			if !a.writes && !b.writes || !sameFile(a, b) {
				continue
			}
			if !a.writes {
				a, b = b, a
			}
			also := ""
			if a.path != b.path {
				also = " (" + b.path + ")"
			}
			if b.writes {
				return usagef("%s and %s would both write %s%s; give each a file of its own", a.flag, b.flag, a.path, also)
			}
			return usagef("%s would write over %s, which %s%s reads; give it a file of its own", a.flag, a.path, b.flag, also)
		}
	}
	return nil
}

// sameFile reports whether two are one regular file, or would be once it is there.
func sameFile(a, b fileUse) bool {
	infoA, errA := a.stat()
	infoB, errB := b.stat()
	switch {
	case errA == nil && errB == nil:
		return infoA.Mode().IsRegular() && os.SameFile(infoA, infoB)
	case errA == nil || errB == nil:
		return false
	}
	return leadsTo(a.path) == leadsTo(b.path)
}

func (f fileUse) stat() (os.FileInfo, error) {
	if f.open != nil {
		return f.open, nil
	}
	return os.Stat(f.path)
}

// leadsTo is the absolute path of the file that writing to a path makes, which is not
// there yet: behind its symbolic links.
func leadsTo(path string) string {
	for range 40 { // as many as a kernel follows
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
		dir, base := filepath.Split(path)
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			path = filepath.Join(real, base)
		}
		to, err := os.Readlink(path)
		switch {
		case err != nil:
			return path
		case filepath.IsAbs(to):
			path = to
		default:
			path = filepath.Join(filepath.Dir(path), to)
		}
	}
	return path
}
