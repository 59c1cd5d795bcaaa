package edge

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

func bareEdge(t *testing.T, o Options) *Edge {
	t.Helper()
	e := New(mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil), o)
	t.Cleanup(e.Close)
	return e
}

const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`

func postTo(e *Edge, body string, h http.Header) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "http://localhost/", strings.NewReader(body))
	if h != nil {
		r.Header = h
	}
	rec := httptest.NewRecorder()
	e.ServeHTTP(rec, r)
	return rec
}

// A request that found its session just before somebody else ended it is
// refused; it does not wait for an answer that never comes.
func TestCallsToASessionThatHasJustEndedAreRefused(t *testing.T) {
	e := bareEdge(t, Options{})
	id := postTo(e, handshake, nil).Header().Get(headerSession)
	e.sessions.get(id).legacy.end() // and still in the table
	rec := postTo(e, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, http.Header{headerSession: {id}})
	require.Equal(t, http.StatusNotFound, rec.Code)
	require.Contains(t, rec.Body.String(), "send initialize again")
	rec = postTo(e, `[{"jsonrpc":"2.0","id":2,"method":"tools/list"}]`, http.Header{headerSession: {id}})
	require.Contains(t, rec.Body.String(), "send initialize again")
}

func TestAClosedEdgeOpensNoSession(t *testing.T) {
	e := bareEdge(t, Options{})
	e.Close()
	rec := postTo(e, handshake, nil)
	require.Equal(t, http.StatusServiceUnavailable, rec.Code)
	require.Empty(t, e.sessions.byID)
}

// A client that claims to have seen what was never sent loses nothing.
func TestResumingAheadOfAStreamLosesNothing(t *testing.T) {
	st := newStream("1")
	st.send([]byte("a"))
	require.True(t, st.attach(1_000_000))
	st.send([]byte("b"))
	require.Equal(t, "b", string(take(t, st).frame))
}

func TestBatchesAreBounded(t *testing.T) {
	e := bareEdge(t, Options{})
	id := postTo(e, handshake, nil).Header().Get(headerSession)
	many := "[" + strings.Repeat("1,", maxBatch) + "1]"
	rec := postTo(e, many, http.Header{headerSession: {id}})
	require.Equal(t, http.StatusBadRequest, rec.Code)
	require.Contains(t, rec.Body.String(), "1001 messages")
	require.Less(t, rec.Body.Len(), 300)
}

// Where the Host header is not checked, because the server is not on a
// loopback address, an origin must still not be trusted for being the name
// that a page was loaded from.
func TestOriginsOnOpenAddresses(t *testing.T) {
	e := bareEdge(t, Options{})
	listed := bareEdge(t, Options{Hosts: []string{"mcp.example"}})
	for _, tt := range []struct {
		e            *Edge
		host, origin string
		ok           bool
	}{
		{e, "evil.example", "http://evil.example", false},
		{e, "evil.example", "", true},
		{e, "10.0.0.7:8931", "http://10.0.0.7:8931", true},
		{e, "10.0.0.7:8931", "http://10.0.0.7:8932", false},
		{listed, "mcp.example", "http://mcp.example", true},
		{listed, "evil.example", "http://evil.example", false},
	} {
		r := httptest.NewRequest(http.MethodPost, "http://"+tt.host+"/", nil)
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(&net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 8931})))
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
		}
		require.Equal(t, tt.ok, tt.e.checkAccess(r) == nil, "%+v", tt)
	}
}

func TestBodiesThatAreFramedWronglyAreRefused(t *testing.T) {
	e := bareEdge(t, Options{})
	ts := httptest.NewServer(e)
	defer ts.Close()
	conn, err := net.Dial("tcp", strings.TrimPrefix(ts.URL, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
	require.NoError(t, err)
	all, err := io.ReadAll(conn)
	require.NoError(t, err, "the connection is closed")
	require.Contains(t, string(all), "400 Bad Request")
	require.Contains(t, string(all), `"code":-32700`)
}
