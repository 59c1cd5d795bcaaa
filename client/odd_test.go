package client_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
)

// An answer is found by its id, whatever else comes with an id that is nobody's;
// one whose id is only written otherwise ends its request, and says so.
func TestIDsOfAnswers(t *testing.T) {
	const good = `{"content":[{"type":"text","text":"mine"}]}`
	with := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[]}}` }
	for name, c := range map[string]struct {
		first func(id string) string // what comes before the true answer
		end   trace.Status
		note  string
	}{
		"nobody's":      {func(string) string { return with("4711") }, trace.Done, ""},
		"negative":      {func(id string) string { return with("-" + id) }, trace.Done, ""},
		"null":          {func(string) string { return with("null") }, trace.Done, ""},
		"no id":         {func(string) string { return `{"jsonrpc":"2.0","result":{}}` }, trace.Done, ""},
		"an object":     {func(string) string { return with(`{"id":1}`) }, trace.Done, ""},
		"far too large": {func(string) string { return with(strings.Repeat("9", 400)) }, trace.Done, ""},
		"other text":    {func(string) string { return with(`"x"`) }, trace.Done, ""},
		"text":          {func(id string) string { return with(`"` + id + `"`) }, trace.Violated, "the request had"},
		"fraction":      {func(id string) string { return with(id + ".0") }, trace.Violated, "the request had"},
		"exponent":      {func(id string) string { return with(id + "e0") }, trace.Violated, "the request had"},
	} {
		t.Run(name, func(t *testing.T) {
			s := modern(func(m rpc.Message, _ string) []string {
				return []string{c.first(string(m.ID)) + "\n", result(m, good)}
			})
			o := callAndAnswer(t, s, "x", accept)
			require.Equal(t, c.end, o.Status, o.Note)
			require.Contains(t, o.Note, c.note)
			if c.end == trace.Done {
				require.Equal(t, good, string(o.Result))
			}
		})
	}
}

// Lists that no server should give: what can be used is used, the rest is shown,
// and the fetching ends.
func TestListsOfEveryShape(t *testing.T) {
	tool := func(name string) string { return `{"name":"` + name + `","inputSchema":{"type":"object"}}` }
	for name, c := range map[string]struct {
		page     func(n int) string // members of the nth page's result, from 1
		items    string
		rejected int
		fault    string
		pages    int
	}{
		"bad entries": {func(int) string {
			return `"tools":[1,"x",null,[],{},{"name":7},` + tool("good") + `,{"name":""}]`
		}, "good", 7, "", 1},
		"no array": {func(int) string { return `"tools":{"good":{}}` }, "", 0, "no array", 1},
		"nothing":  {func(int) string { return `"other":1` }, "", 0, "no array", 1},
		"repeats an entry": {func(n int) string {
			if n == 1 {
				return `"tools":[` + tool("a") + `],"nextCursor":"2"`
			}
			return `"tools":[` + tool("a") + `,` + tool("b") + `]`
		}, "a a b", 0, "", 2},
		"goes round": {func(n int) string {
			return `"tools":[` + tool("a") + `],"nextCursor":"` + strconv.Itoa(n%2) + `"`
		}, "a a a", 0, "goes round", 3},
		"never ends": {func(n int) string { return `"tools":[],"nextCursor":"` + strconv.Itoa(n) + `"` }, "", 0, "stopped after", 1000},
		"an empty page in between": {func(n int) string {
			return [...]string{`"tools":[` + tool("a") + `],"nextCursor":""`, `"tools":[],"nextCursor":"3"`, `"tools":[` + tool("b") + `]`}[n-1]
		}, "a b", 0, "", 3},
		"a cursor that is none": {func(int) string { return `"tools":[` + tool("a") + `],"nextCursor":{"at":1}` }, "a", 0, "not a string", 1},
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			s := modern(nil)
			rest := s.answer
			s.answer = func(m rpc.Message) []string {
				if m.Method != "tools/list" {
					return rest(m)
				}
				n++
				return []string{result(m, `{"resultType":"complete","ttlMs":0,"cacheScope":"private",`+c.page(n)+`}`)}
			}
			conn, ctx := dial(t, client.Options{Target: s.target(t)})
			require.NoError(t, conn.Ready(ctx))
			require.NoError(t, conn.Watch(ctx, func(s *session.Session) bool {
				l := s.Catalogue.Tools
				var names []string
				for _, it := range l.Items {
					names = append(names, it.Name)
				}
				return strings.Join(names, " ") == c.items && len(l.Rejected) == c.rejected && l.Pages == c.pages &&
					(c.fault == "" && l.Error == "" && l.Next == "" || c.fault != "" && strings.Contains(l.Error, c.fault))
			}))
			require.Len(t, s.requests("tools/list"), c.pages)
		})
	}
}

// A list that shrinks between two fetches is what it was last.
func TestAListThatShrinks(t *testing.T) {
	fetched := 0
	s := modern(nil)
	rest := s.answer
	s.answer = func(m rpc.Message) []string {
		if m.Method != "tools/list" {
			return rest(m)
		}
		fetched++
		tools := []string{`{"name":"a","inputSchema":{}}`, `{"name":"b","inputSchema":{}}`}[:3-min(fetched, 2)]
		return []string{result(m, `{"tools":[`+strings.Join(tools, ",")+`]}`)}
	}
	c, ctx := dial(t, client.Options{Target: s.target(t)})
	require.NoError(t, c.Ready(ctx))
	has := func(n int) {
		require.NoError(t, c.Watch(ctx, func(s *session.Session) bool { return s.Catalogue.Tools.Loaded && len(s.Catalogue.Tools.Items) == n }))
	}
	has(2)
	require.NoError(t, c.Refresh())
	has(1)
}

// A subscription's stream that carries what belongs elsewhere takes nothing from
// anybody, and ends no call.
func TestASubscriptionStreamThatLeaks(t *testing.T) {
	release := make(chan struct{})
	url, _ := overWeb(t, modernWeb(func(w http.ResponseWriter, r *http.Request, m rpc.Message) {
		if m.Method != "subscriptions/listen" {
			<-release
			reply(w, result(m, `{"resultType":"complete","content":[{"type":"text","text":"mine"}]}`))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		event := func(format string, args ...any) {
			_, _ = fmt.Fprintf(w, "data: "+format+"\n\n", args...)
			w.(http.Flusher).Flush()
		}
		event(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s},"notifications":{}}}`, m.ID)
		event(`{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`)
		event(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"nobody","progress":1}}`)
		event(`{"jsonrpc":"2.0","id":"r","method":"roots/list"}`)
		for id := range 12 { // answers to requests that other exchanges carry
			if strconv.Itoa(id) != string(m.ID) {
				event(`{"jsonrpc":"2.0","id":%d,"result":{"leaked":true}}`, id)
			}
		}
		close(release)
		<-r.Context().Done()
	}))
	c, ctx := dial(t, client.Options{Target: client.Target{URL: url}})
	require.NoError(t, c.Ready(ctx))
	call, err := c.Call(control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"x","arguments":{}}`)})
	require.NoError(t, err)
	require.NoError(t, c.Listen(control.Subscription{Tools: true}))
	o, err := c.Wait(ctx, call)
	require.NoError(t, err)
	require.Equal(t, trace.Done, o.Status, o.Note)
	require.Contains(t, string(o.Result), "mine")
}
