package catalogue

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	_ "mcptui/ui/internal/screentest"
	"mcptui/ui/internal/script"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

func listed(tools ...string) *session.Session {
	s := script.New()
	s.Ready(trace.Modern)
	s.List("tools/list", "tools", tools...)
	s.List("prompts/list", "prompts", `{"name":"review"}`)
	sess := session.New()
	for _, e := range s.Log.Since(0) {
		sess.Apply(e)
	}
	return sess
}

func drawn(v *View, sess *session.Session, columns, rows int) string {
	s := draw.NewScreen(columns, rows, nil, text.Wc)
	v.Draw(s, s.Bounds(), sess, nil, true, false)
	return s.Plain()
}

func TestGoodAndBadEntriesStandApart(t *testing.T) {
	sess := listed(`{"name":"good","inputSchema":{}}`, `null`, `{"title":"nameless"}`, `{"name":"good","inputSchema":{}}`)
	var v View
	got := drawn(&v, sess, 90, 20)
	require.Contains(t, got, "  good")
	require.Contains(t, got, "⚠ good  named twice")
	require.Equal(t, 2, strings.Count(got, "rejected"))
	for range 3 {
		v.Do(keys.Down)
	}
	_, _, rejected, ok := v.Selected(sess)
	require.True(t, ok)
	require.Contains(t, rejected, "no \"name\"")
	require.Contains(t, drawn(&v, sess, 90, 20), "✖ not to be used")
}

func TestTheSelectionSkipsHeadings(t *testing.T) {
	sess := listed(`{"name":"a","inputSchema":{}}`, `{"name":"b","inputSchema":{}}`)
	var v View
	drawn(&v, sess, 90, 20)
	var seen []string
	for range 5 {
		_, it, _, ok := v.Selected(sess)
		require.True(t, ok)
		seen = append(seen, it.Name)
		v.Do(keys.Down)
	}
	require.Equal(t, []string{"a", "b", "review", "review", "review"}, seen)
	v.Do(keys.First)
	_, it, _, _ := v.Selected(sess)
	require.Equal(t, "a", it.Name)
}

func TestFilterLooksIntoDescriptions(t *testing.T) {
	sess := listed(`{"name":"a","description":"books a Table","inputSchema":{}}`, `{"name":"b","inputSchema":{}}`)
	var v View
	v.SetFilter("table", sess)
	got := drawn(&v, sess, 90, 12)
	require.Contains(t, got, "  a")
	require.NotContains(t, got, "  b")
	require.NotContains(t, got, "Prompts")
	v.SetFilter("zzz", sess)
	require.Contains(t, drawn(&v, sess, 90, 12), "nothing fits the filter")
}

func TestAClickOnAHeadingSelectsNothing(t *testing.T) {
	sess := listed(`{"name":"a","inputSchema":{}}`)
	var v View
	drawn(&v, sess, 90, 12)
	require.False(t, v.Click(4, 1))
	require.True(t, v.Click(4, 2))
}

func TestMethods(t *testing.T) {
	require.Equal(t, []string{"tools/call", "prompts/get", "resources/read", "resources/read"},
		[]string{Tool.Method(), Prompt.Method(), Resource.Method(), Template.Method()})
}

func TestTheSelectionSurvivesTheFilter(t *testing.T) {
	sess := listed(`{"name":"a","inputSchema":{}}`, `{"name":"b","inputSchema":{}}`)
	var v View
	v.SetFilter("rev", sess)
	v.SetFilter("", sess)
	_, it, _, ok := v.Selected(sess)
	require.True(t, ok)
	require.Equal(t, "review", it.Name)
}

// TestTheSelectionStaysWhileListsCome: the answers to the four lists come in any
// order, and lists change; nobody opens what was not selected.
func TestTheSelectionStaysWhileListsCome(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	sess := session.New()
	var v View
	selected := func() string {
		for _, e := range s.Log.Since(sess.Rows.Len()) {
			sess.Apply(e)
		}
		drawn(&v, sess, 90, 20)
		_, it, _, ok := v.Selected(sess)
		require.True(t, ok)
		return it.Name
	}
	s.List("prompts/list", "prompts", `{"name":"a"}`, `{"name":"b"}`)
	require.Equal(t, "a", selected())
	s.List("tools/list", "tools", `{"name":"first","inputSchema":{}}`)
	require.Equal(t, "first", selected(), "nobody went anywhere yet")
	v.Do(keys.Down)
	v.Do(keys.Down)
	require.Equal(t, "b", selected())
	s.List("tools/list", "tools", `{"name":"first","inputSchema":{}}`, `{"name":"b","inputSchema":{}}`)
	require.Equal(t, "b", selected())
	kind, _, _, _ := v.Selected(sess)
	require.Equal(t, Prompt, kind, "and not the tool of that name")
	s.List("prompts/list", "prompts", `{"name":"a"}`)
	require.Equal(t, "a", selected(), "what is gone gives its place to what is near")
}

// TestTheFilterSelectsWhatItNamesBest types filters letter by letter from several
// rows: what is selected hangs on the filter alone.
func TestTheFilterSelectsWhatItNamesBest(t *testing.T) {
	sess := listed(`{"name":"carriage","description":"sparring","inputSchema":{}}`, `{"name":"dieask","inputSchema":{}}`,
		`{"name":"die","inputSchema":{}}`, `{"name":"arr","inputSchema":{}}`, `{"name":"arrive","inputSchema":{}}`,
		`{"name":"die_now_then","description":"says sparring","inputSchema":{}}`)
	for filter, want := range map[string]string{
		"arr": "arr", "ARR": "arr", "arri": "arrive", "die": "die", "diea": "dieask", "die_": "die_now_then",
		"a": "arr", "i": "carriage", "spar": "carriage", "now": "die_now_then", "rev": "review",
	} {
		for from := range 7 {
			var v View
			drawn(&v, sess, 90, 20)
			for range from {
				v.Do(keys.Down)
			}
			for i := range filter {
				v.SetFilter(filter[:i+1], sess)
				drawn(&v, sess, 90, 20)
			}
			_, it, _, ok := v.Selected(sess)
			require.True(t, ok)
			require.Equal(t, want, it.Name, "%s from row %d", filter, from)
		}
	}
}

func TestTheFilterLeavesWhatThePersonWentTo(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	s.List("tools/list", "tools", `{"name":"die","inputSchema":{}}`, `{"name":"dieask","inputSchema":{}}`, `{"name":"other","inputSchema":{}}`)
	sess := session.New()
	var v View
	selected := func() string {
		for _, e := range s.Log.Since(sess.Rows.Len()) {
			sess.Apply(e)
		}
		drawn(&v, sess, 90, 20)
		_, it, _, ok := v.Selected(sess)
		require.True(t, ok)
		return it.Name
	}
	require.Equal(t, "die", selected())
	v.SetFilter("d", sess)
	v.Do(keys.Down)
	require.Equal(t, "dieask", selected())
	v.SetFilter("di", sess)
	v.SetFilter("die", sess)
	require.Equal(t, "dieask", selected(), "as long as it fits")
	s.List("tools/list", "tools", `{"name":"die","inputSchema":{}}`, `{"name":"die_too","inputSchema":{}}`,
		`{"name":"dieask","inputSchema":{}}`, `{"name":"other","inputSchema":{}}`)
	require.Equal(t, "dieask", selected(), "and whatever list comes")
	v.SetFilter("o", sess)
	require.Equal(t, "other", selected())
	v.SetFilter("", sess)
	v.SetFilter("d", sess)
	require.Equal(t, "die", selected(), "another filter begins anew")
	s.List("tools/list", "tools", `{"name":"d","inputSchema":{}}`, `{"name":"die","inputSchema":{}}`, `{"name":"other","inputSchema":{}}`)
	require.Equal(t, "die", selected(), "nor does a list move what the filter selected")
}

// TestAFilterThatComesBeforeTheLists selects as one does that comes after them.
func TestAFilterThatComesBeforeTheLists(t *testing.T) {
	s := script.New()
	s.Ready(trace.Modern)
	sess := session.New()
	var v View
	v.SetFilter("arr", sess)
	s.List("tools/list", "tools", `{"name":"carriage","inputSchema":{}}`, `{"name":"arr","inputSchema":{}}`)
	for _, e := range s.Log.Since(0) {
		sess.Apply(e)
	}
	drawn(&v, sess, 90, 20)
	_, it, _, _ := v.Selected(sess)
	require.Equal(t, "arr", it.Name)
}
