package inspect

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/ui/draw"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// treeOf is a document of JSON on a screen.
type treeOf struct {
	doc    Doc
	screen *draw.Screen
	raw    string
}

func (d *treeOf) draw() string {
	d.screen = d.screen.Renew(60, 8, draw.NewTheme(nil), text.Wc)
	d.doc.Lines("id", 0, func() []draw.Line { return JSON([]byte(d.raw), d.screen.Theme) })
	d.doc.Draw(d.screen, d.screen.Bounds())
	return d.screen.Plain()
}

func (d *treeOf) do(intents ...keys.Intent) string {
	for _, i := range intents {
		d.doc.Do(i)
		d.draw()
	}
	return d.draw()
}

func TestBranchesOfJSONCloseAndOpen(t *testing.T) {
	d := &treeOf{raw: `{"a":{"b":[1,2,3],"c":{}},"deep":{"needle":true},"z":0}`}
	before := d.draw()
	require.Equal(t, before, d.do(keys.Left), "the first key selects a branch and closes nothing")
	require.Equal(t, "{ … }  (12 lines)", d.do(keys.Left))
	require.Equal(t, before, d.do(keys.Right))
	d.do(keys.Right) // into it: "a"
	require.Contains(t, d.do(keys.Left), "{\n  \"a\": { … },  (6 lines)\n  \"deep\": {\n")
	require.Contains(t, d.do(keys.Down, keys.Left), "  \"deep\": { … },  (1 lines)\n  \"z\": 0\n}")
	require.Contains(t, d.do(keys.Left, keys.Left), "{ … }", "from a closed branch to the one around it")
	d.do(keys.Right)

	d.doc.Search("needle")
	require.Contains(t, d.draw(), `"needle": true`, "a search opens what hides it")
	require.Contains(t, d.do(keys.First), `"a": { … }`, "and nothing else")
}

func TestBranchesWithoutSelectionScroll(t *testing.T) {
	d := &treeOf{raw: "[" + strings.Repeat("1,", 100) + `{"last":[2]}]`}
	d.draw()
	require.Contains(t, d.do(keys.Last), "]")
	require.NotZero(t, d.doc.Above())
	d.do(keys.Left, keys.Left)
	require.Contains(t, d.draw(), "{ … }")
	require.Contains(t, d.do(keys.First), "[\n  1,")

	broken := &treeOf{raw: `{"a":{"b":`}
	broken.draw()
	broken.do(keys.Left, keys.Left, keys.Left, keys.Right, keys.Right, keys.Down, keys.Up)
	empty := &treeOf{raw: ``}
	empty.draw()
	empty.do(keys.Left, keys.Right)
}
