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
}

// fileFlags are the flags that name a file, with whether they write it. Those of atFlags
// name one behind an @.
var (
	fileFlags = map[string]bool{
		"record": true, "save-answers": true,
		"answers": false, "resume": false, "config": false, "ca": false,
	}
	atFlags = map[string]bool{"args": true, "state-key": true}
)

// keepApart refuses a command line that would have a file written which it names for
// something else as well: what is read from it would be gone, and of what is written
// twice one would be lost. More are the files that it names without a flag.
func keepApart(cmd *cobra.Command, more ...fileUse) error {
	files := more
	cmd.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if several, ok := f.Value.(*list); ok {
			values = *several
		}
		for _, value := range values {
			if path, at := strings.CutPrefix(value, "@"); at && atFlags[f.Name] {
				files = append(files, fileUse{"--" + f.Name, path, false})
			} else if writes, names := fileFlags[f.Name]; names && !(f.Name == "resume" && value == "-") {
				files = append(files, fileUse{"--" + f.Name, value, writes})
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
			if !a.writes && !b.writes || !sameFile(a.path, b.path) {
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

// sameFile reports whether two paths lead to one regular file, or would once it is there.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	switch {
	case errA == nil && errB == nil:
		return infoA.Mode().IsRegular() && os.SameFile(infoA, infoB)
	case errA == nil || errB == nil:
		return false
	}
	return leadsTo(a) == leadsTo(b)
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
