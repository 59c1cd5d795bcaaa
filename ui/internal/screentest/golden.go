package screentest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write golden screens and pictures instead of comparing")

// Golden compares the screen with testdata/TESTNAME/name.golden.
func (s *Screen) Golden(name string) {
	s.t.Helper()
	Golden(s.t, name, s.Text()+"\n")
}

// Golden compares got with testdata/TESTNAME/name.golden of the package under
// test.
func Golden(t testing.TB, name, got string) {
	t.Helper()
	compare(t, filepath.Join("testdata", filepath.FromSlash(t.Name()), name+".golden"), got)
}

// Picture compares the screen with the picture docs/name.svg at the root of
// the module, so that the README shows what the program draws.
func (s *Screen) Picture(name string) {
	s.t.Helper()
	compare(s.t, filepath.Join(root(s.t), "docs", name+".svg"), s.SVG())
}

// Section compares body with the part of a file at the root of the module that
// stands between <!-- name --> and <!-- /name -->.
func Section(t testing.TB, file, name, body string) {
	t.Helper()
	path := filepath.Join(root(t), file)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(raw), "<!-- "+name+" -->\n")
	_, after, ok2 := strings.Cut(rest, "<!-- /"+name+" -->")
	if !ok1 || !ok2 {
		t.Fatalf("%s has no section <!-- %s -->", file, name)
	}
	compare(t, path, before+"<!-- "+name+" -->\n"+body+"<!-- /"+name+" -->"+after)
}

func compare(t testing.TB, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with -update", err)
	}
	if w := strings.ReplaceAll(string(want), "\r\n", "\n"); w != got {
		t.Errorf("%s differs; look, then write it with -update\n%s", path, diff(w, got))
	}
}

// diff shows the lines that differ, in place: enough for screens, whose lines
// seldom move.
func diff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	var b strings.Builder
	for i := range max(len(w), len(g)) {
		var x, y string
		if i < len(w) {
			x = w[i]
		}
		if i < len(g) {
			y = g[i]
		}
		if x == y {
			b.WriteString("  " + x + "\n")
			continue
		}
		b.WriteString("- " + x + "\n+ " + y + "\n")
	}
	return b.String()
}

// root returns the directory of go.mod.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
}
