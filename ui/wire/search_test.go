package wire

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	"mcptui/ui/internal/script"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// seqs are the events that a filter shows.
func seqs(t testing.TB, filter string, sess *session.Session, log Log) []int {
	t.Helper()
	v := New()
	require.NoError(t, v.SetFilter(filter, sess))
	settle(v, sess, log)
	require.Zero(t, v.Searching())
	var out []int
	for i := range v.len() {
		out = append(out, v.row(i)+1)
	}
	return out
}

func TestATextIsLookedForInEverythingThatCrossedTheWire(t *testing.T) {
	log := trace.NewLog(time.Now)
	add := func(e trace.Event) int { return log.Append(e) }
	body := add(trace.Event{Frame: &trace.Frame{Dir: trace.In, Bytes: []byte(`{"jsonrpc":"2.0","id":1,"result":{"deep":{"Colour":"Ärger"}}}`)}})
	sse := add(trace.Event{Frame: &trace.Frame{Dir: trace.In, Pre: []byte("event: Special\n"), Bytes: []byte(`{"jsonrpc":"2.0","method":"x"}`)}})
	headers := add(trace.Event{HTTP: &trace.HTTP{Exchange: 1, Stage: trace.HTTPRequest, Method: "POST", URL: "http://Host.example/mcp",
		Headers: []trace.Header{{Name: "Mcp-Name", Value: "Book_Table"}}}})
	stderr := add(trace.Event{Stderr: &trace.Stderr{Bytes: []byte(strings.Repeat("x", 1000) + " FATAL at the end\n")}})
	noise := add(trace.Event{Noise: &trace.Noise{Bytes: []byte(strings.Repeat("-", 1000) + "Banner\n"), Why: "not JSON"}})
	phase := add(trace.Event{Phase: &trace.Phase{Name: trace.PhaseStarting, Target: "node Server.js"}})
	act := add(trace.Event{Act: &trace.Act{Kind: trace.ActNote, Value: []byte(`{"Restaurant":1}`)}})
	sess := session.New()
	for _, e := range log.Since(0) {
		sess.Apply(e)
	}
	for filter, want := range map[string][]int{
		"colour":              {body},
		"COLOUR":              {body},
		"Ärger":               {body},
		"special":             {sse},
		"book_table":          {headers},
		"mcp-name":            {headers},
		"host.example":        {headers},
		"fatal":               {stderr},
		"banner":              {noise},
		"server.js":           {phase},
		"restaurant":          {act},
		"text:deep dir:in":    {body},
		"jsonrpc -colour":     {sse},
		"-jsonrpc part:frame": nil,
		"colour deep":         {body},
		"colour fatal":        nil,
		"text:":               {body, sse, headers, stderr, noise, phase, act},
	} {
		require.Equal(t, want, seqs(t, filter, sess, log), filter)
	}
}

// given is a session that has given up its first rows, and its log.
func given(t testing.TB) (*session.Session, *trace.Log) {
	t.Helper()
	s := script.New()
	s.Ready(trace.Modern)
	for i := range 5000 {
		s.Come(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"line %d."}}`, i))
	}
	sess := session.New()
	sess.Rows.Bound(1)
	for _, e := range s.Log.Since(0) {
		sess.Apply(e)
	}
	require.Greater(t, sess.Rows.Whole(), 4000)
	return sess, s.Log
}

func TestRowsThatWereGivenUpAreFilteredAndShown(t *testing.T) {
	sess, log := given(t)
	found := seqs(t, "line method:notifications/message dir:in", sess, log)
	require.Len(t, found, 5000)
	require.Len(t, seqs(t, "method:notifications/message", sess, log), 5000, "a filter of rows alone")
	require.Equal(t, []int{found[17]}, seqs(t, "17.", sess, log)[:1])

	v := New()
	screen := draw.NewScreen(100, 8, nil, text.Wc)
	v.Sync(sess)
	v.Go(found[10])
	v.Draw(screen, screen.Bounds(), sess, true)
	require.Contains(t, screen.Plain(), "…", "until it is read back")
	missing := v.Missing()
	require.NotEmpty(t, missing)
	require.Nil(t, v.Missing(), "asked for once")
	var rows []session.Row
	for _, seq := range missing {
		e, ok := log.Event(seq)
		require.True(t, ok)
		rows = append(rows, session.RowOf(e))
	}
	v.Supply(rows)
	screen = screen.Renew(100, 8, screen.Theme, text.Wc)
	v.Draw(screen, screen.Bounds(), sess, true)
	require.Contains(t, screen.Plain(), "line 10.")
	require.Empty(t, v.Missing())
}

func TestWhatIsFoundIsShownWhileTheRestIsLookedAt(t *testing.T) {
	s := script.New()
	for i := range 3 * sliceRows {
		word := "hay"
		if i%100 == 0 {
			word = "needle"
		}
		s.Come([]byte(`{"jsonrpc":"2.0","method":"x","params":{"a":"` + word + `"}}`))
	}
	sess := fold(s)
	v := New()
	require.NoError(t, v.SetFilter("needle", sess))
	job := v.Job()
	require.NotNil(t, job)
	require.Nil(t, v.Job(), "one at a time")
	require.Equal(t, 3*sliceRows, v.Searching())
	v.Take(job.Run(s.Log), sess)
	require.Equal(t, 82, v.len())
	require.Equal(t, 2*sliceRows, v.Searching())

	stale := v.Job()
	require.NoError(t, v.SetFilter("hay", sess))
	v.Take(stale.Run(s.Log), sess)
	require.Zero(t, v.len(), "what an older filter finds late is dropped")
	settle(v, sess, s.Log)
	require.Equal(t, 3*sliceRows-246, v.len())

	more := s.Come([]byte(`{"jsonrpc":"2.0","method":"x","params":{"a":"hay"}}`))
	sess.Apply(s.Log.Since(more - 1)[0])
	settle(v, sess, s.Log)
	require.Equal(t, 3*sliceRows-245, v.len(), "what comes is looked at, too")
}

func TestTheSelectedRowIsFoundAgainBySearchingOn(t *testing.T) {
	s := script.New()
	for range 2*sliceRows + 10 {
		s.Come([]byte(`{"jsonrpc":"2.0","method":"x","params":{"a":"hay"}}`))
	}
	sess := fold(s)
	v := New()
	v.Sync(sess)
	v.Go(2*sliceRows + 5)
	for _, f := range []string{"h", "ha", "hay"} { // as it is typed
		require.NoError(t, v.SetFilter(f, sess))
	}
	settle(v, sess, s.Log)
	require.Equal(t, 2*sliceRows+5, v.Seq())

	require.NoError(t, v.SetFilter("x", sess))
	v.Do(keys.First)
	settle(v, sess, s.Log)
	require.Equal(t, 1, v.Seq(), "where the person went meanwhile stands")
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		s, sub string
		want   bool
	}{
		{"", "", true}, {"a", "", true}, {"", "a", false}, {"AbC", "bc", true}, {"abcabd", "abd", true},
		{"aab", "ab", true}, {"É", "é", false}, {"é", "é", true}, {"@[", "`{", false}, {"x", "xy", false},
	} {
		require.Equal(t, c.want, within(c.s, c.sub), "%q in %q", c.sub, c.s)
		require.Equal(t, c.want, within([]byte(c.s), c.sub), "%q in %q", c.sub, c.s)
	}
}

// BenchmarkFilter looks for a text that is in no row, in the bytes of 100,000
// frames: what one slice takes is what the first rows wait for.
func BenchmarkFilter(b *testing.B) {
	s := script.New()
	for i := range 100_000 {
		s.Come(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"scale","data":{"text":"a line of a log, as long as many are in practice","n":%d,"word":"row"}}}`, i))
	}
	sess := fold(s)
	for name, filter := range map[string]string{"bytes": "nowhere", "rows": "method:tools/call dir:in"} {
		b.Run(name, func(b *testing.B) {
			slices := 0
			for b.Loop() {
				v := New()
				_ = v.SetFilter(filter, sess) // can be read
				for j := v.Job(); j != nil; j = v.Job() {
					slices++
					v.Take(j.Run(s.Log), sess)
				}
			}
			b.ReportMetric(float64(slices)/float64(b.N), "slices/op")
		})
	}
}
