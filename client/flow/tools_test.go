package flow

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/control"
	"mcptui/client/trace"
)

// paged are pages of one tool each, t1 to tn.
func paged(n, page int) string {
	next := ""
	if page < n {
		next = fmt.Sprintf(`,"nextCursor":"%d"`, page)
	}
	return fmt.Sprintf(`"result":{"tools":[{"name":"t%d","inputSchema":{"properties":{"a":{"type":"string","x-mcp-header":"A%d"}}}}]%s}`, page, page, next)
}

// A call leaves as soon as the page has come that holds its tool, with the headers
// that the tool asks for, whenever it is made and wherever the tool stands; and it
// is waited for the end of the list only where the tool is on no page.
func TestACallWaitsForThePageOfItsTool(t *testing.T) {
	type kind struct {
		name  string
		lists []string
		tool  bool // named before
	}
	for _, k := range []kind{{"all lists", nil, false}, {"no list", []string{}, false}, {"no list, but the tool", []string{}, true}, {"the list as far as the tool", []string{toolsList}, true}} {
		for pages := 1; pages <= 3; pages++ {
			for at := 1; at <= pages+1; at++ { // the page of the tool; one behind the last is none
				for made := 0; made <= pages; made++ { // how many pages had come when the call was made
					t.Run(fmt.Sprintf("%s, page %d of %d, called after %d", k.name, at, pages, made), func(t *testing.T) {
						name := fmt.Sprintf("t%d", at)
						cfg := Config{Transport: HTTP, Lists: k.lists}
						if k.tool {
							cfg.Tool = name
						}
						s := connect(t, cfg, trace.Modern, `{"tools":{}}`)
						came := 0
						serve := func() bool {
							asked := s.requests(toolsList)
							if came == len(asked) {
								return false
							}
							came++
							s.answer(asked[came-1], paged(pages, came))
							return true
						}
						for came < made && serve() {
						}
						before := came
						_, err := s.flow.Call(now, control.Request{Method: "tools/call", Params: []byte(`{"name":"` + name + `","arguments":{"a":"x"}}`)})
						require.NoError(t, err)
						s.take()
						needed := max(min(at, pages), before)
						for came < needed {
							require.Empty(t, s.requests("tools/call"), "after %d pages", came)
							require.True(t, serve(), "page %d was not asked for", came+1)
						}
						calls := s.requests("tools/call")
						require.Len(t, calls, 1)
						require.Equal(t, at <= pages, slices.Contains(calls[0].Headers, trace.Header{Name: fmt.Sprintf("Mcp-Param-A%d", at), Value: "x"}), "%v", calls[0].Headers)
						for serve() {
						}
						if k.lists == nil {
							require.Equal(t, pages, came, "the whole list is wanted")
						} else {
							require.Equal(t, min(at, pages), came, "nobody wants more than the tool")
						}
						require.Len(t, s.requests("tools/call"), 1)
						waits := slices.DeleteFunc(s.acts, func(a trace.Act) bool { return a.Kind != trace.ActWait })
						require.LessOrEqual(t, len(waits), 1, "what a call waits for is said once")
					})
				}
			}
		}
	}
}

// No list is fetched for headers that nothing needs: not in the legacy era, not
// without HTTP, not of a server without tools.
func TestAListThatOnlyHeadersNeedIsNotFetchedElsewhere(t *testing.T) {
	for _, c := range []struct {
		transport    string
		era          trace.Era
		capabilities string
		want         int
	}{
		{HTTP, trace.Modern, `{"tools":{}}`, 1},
		{HTTP, trace.Modern, `{}`, 0},
		{HTTP, trace.Legacy, `{"tools":{}}`, 0},
		{SSE, trace.Legacy, `{"tools":{}}`, 0},
		{Stdio, trace.Modern, `{"tools":{}}`, 0},
		{Stdio, trace.Legacy, `{"tools":{}}`, 0},
		{InProcess, trace.Modern, `{"tools":{}}`, 0},
	} {
		for _, tool := range []string{"", "t1"} {
			s := connect(t, Config{Transport: c.transport, Lists: []string{}, Tool: tool}, c.era, c.capabilities)
			_, err := s.flow.Call(now, control.Request{Method: "tools/call", Params: []byte(`{"name":"t1"}`)})
			require.NoError(t, err)
			s.take()
			require.Len(t, s.requests(toolsList), c.want, "%+v", c)
			require.Len(t, s.requests("tools/call"), 1-c.want, "%+v", c)
		}
	}
}

// While the list is fetched again, a tool is what the new list says of it, and a
// retry that was made meanwhile what the old one said.
func TestToolsWhileTheListIsFetchedAgain(t *testing.T) {
	tool := func(header string) string {
		return `"result":{"tools":[{"name":"t","inputSchema":{"properties":{"a":{"type":"string","x-mcp-header":"` + header + `"}}}}]}`
	}
	header := func(m Send) string {
		for _, h := range m.Headers {
			if strings.HasPrefix(h.Name, "Mcp-Param-") {
				return h.Name
			}
		}
		return ""
	}
	s := connect(t, Config{Transport: HTTP, Capabilities: []byte(`{"roots":{}}`)}, trace.Modern, `{"tools":{}}`)
	s.answer(s.requests(toolsList)[0], tool("Old"))
	require.NoError(t, s.flow.Hold(now, 0, true))
	call := func() {
		_, err := s.flow.Call(now, control.Request{Method: "tools/call", Params: []byte(`{"name":"t","arguments":{"a":"x"}}`)})
		require.NoError(t, err)
		s.take()
	}
	call()
	calls := s.requests("tools/call")
	require.Equal(t, "Mcp-Param-Old", header(calls[0]))
	require.NoError(t, s.flow.Refresh(now))
	s.take()
	s.answer(calls[0], `"result":{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}},"requestState":"s"}`)
	draft, err := s.flow.Draft(now, 1)
	require.NoError(t, err)
	require.Contains(t, draft.Headers, trace.Header{Name: "Mcp-Param-Old", Value: "x"})
	call()
	require.Len(t, s.requests("tools/call"), 1, "the new list comes first")
	s.answer(s.requests(toolsList)[1], tool("New"))
	calls = s.requests("tools/call")
	require.Len(t, calls, 2)
	require.Equal(t, "Mcp-Param-New", header(calls[1]))

	// A server that finds them different has a tool looked up anew at once.
	s.answer(calls[1], `"error":{"code":-32020,"message":"Header mismatch"}`)
	call()
	require.Len(t, s.requests("tools/call"), 2)
	s.answer(s.requests(toolsList)[2], tool("Newest"))
	require.Equal(t, "Mcp-Param-Newest", header(s.requests("tools/call")[2]))
}

// Where the list is not followed, a change makes the next call look its tool up
// anew, and nothing is fetched before that.
func TestAChangeOfToolsThatAreNotFollowed(t *testing.T) {
	s := connect(t, Config{Transport: HTTP, Lists: []string{}}, trace.Modern, `{"tools":{}}`)
	call := func() {
		_, err := s.flow.Call(now, control.Request{Method: "tools/call", Params: []byte(`{"name":"t1"}`)})
		require.NoError(t, err)
		s.take()
	}
	call()
	s.answer(s.requests(toolsList)[0], paged(2, 1))
	call()
	require.Len(t, s.requests(toolsList), 1)
	require.Len(t, s.requests("tools/call"), 2)
	s.says(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	s.flow.Tick(now + time.Hour)
	s.take()
	require.Len(t, s.requests(toolsList), 1)
	call()
	require.Len(t, s.requests(toolsList), 2)
	s.answer(s.requests(toolsList)[1], `"error":{"code":-32603,"message":"busy"}`)
	require.Len(t, s.requests("tools/call"), 3, "a list that fails holds nothing up")
}
