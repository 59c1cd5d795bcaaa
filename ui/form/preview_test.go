package form

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPreviewFollowsTheFocus(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 12}, {120, 36}} {
		d := begin(t, string(wide()))
		d.w, d.h = size[0], size[1]
		d.f.focusOn(2)
		d.keys("a@b.example").sees(`field_02`, `a@b.example`)
		d.f.focusOn(74)
		d.keys("z@b.example")
		screen := strings.ReplaceAll(d.screen(), "\n", "") // the JSON may break anywhere
		require.Equal(t, 2, strings.Count(screen, "z@b"), "in its field and in the JSON:\n%s", d.screen())
	}
}

func TestOffset(t *testing.T) {
	raw := []byte(`{"a":{"b":"x"},"c":"\"b\":","b":1}`)
	require.Equal(t, 28, offset(raw, `"b"`))
	require.Zero(t, offset(raw, `"none"`))
	require.Zero(t, offset(raw, ""))
}

func TestPreviewOfSomethingElse(t *testing.T) {
	d := begin(t, `{"type":"object","properties":{"id":{"type":"string"}}}`, Options{Preview: func(raw []byte) string {
		return "dish://" + strings.Trim(string(raw), "{}")
	}})
	d.keys("7").sees(`dish://"id":"7"`)
}
