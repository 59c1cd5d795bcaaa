package owned

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func TestGoHandsPanicsToTheOwner(t *testing.T) {
	got := make(chan any, 1)
	Go(func(cause any, stack []byte) {
		require.Contains(t, string(stack), "TestGoHandsPanicsToTheOwner")
		got <- cause
	}, func() { panic("boom") })
	require.Equal(t, "boom", <-got)
}

// The helpers that start goroutines, one a layer; every other go statement in
// client and ui would run without anybody to catch its panic.
var helpers = map[string]bool{
	"client/internal/owned/owned.go": true,
	"client/wire/spawn.go":           true,
}

func TestNobodyStartsGoroutinesBesides(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	files := 0
	for _, dir := range []string{"client", "ui"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && strings.HasSuffix(d.Name(), "test") {
				return fs.SkipDir // helpers of tests
			}
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			rel, err := filepath.Rel(root, path)
			require.NoError(t, err)
			files++
			if helpers[filepath.ToSlash(rel)] {
				return nil
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			ast.Inspect(file, func(n ast.Node) bool {
				if g, ok := n.(*ast.GoStmt); ok {
					t.Errorf("%s: a bare go statement; start it with owned.Go", set.Position(g.Pos()))
				}
				return true
			})
			return nil
		})
		require.NoError(t, err)
	}
	require.Greater(t, files, 20)
}
