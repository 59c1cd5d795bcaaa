//go:build linux || darwin

package main

import (
	"bytes"
	"context"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"

	"mcptui/client/rpc"
	embeddedserver "mcptui/embedded-server"
)

// startPeer runs a server of another kind inside the test: it sets $URL.
func startPeer(ts *testscript.TestScript, neg bool, args []string) {
	kinds := map[string]func(*testscript.TestScript) *httptest.Server{
		"sse": peerSSE, "tls": peerTLS, "html": peerHTML, "forbidden": peerForbidden, "marking": peerMarking, "mortal": peerMortal,
	}
	if neg || len(args) != 1 || kinds[args[0]] == nil {
		ts.Fatalf("usage: peer sse|tls|html|forbidden|marking|mortal")
	}
	s := kinds[args[0]](ts)
	path := "/mcp"
	if args[0] == "sse" {
		path = "/sse"
	}
	ts.Setenv("URL", s.URL+path)
	ts.Defer(func() { s.CloseClientConnections(); s.Close() })
}

// peerSSE speaks the HTTP+SSE transport of 2024-11-05 and nothing else.
func peerSSE(*testscript.TestScript) *httptest.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "old"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "hello"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "hello from 2024"}}}, nil, nil
	})
	return httptest.NewServer(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return server }, nil))
}

// peerTLS has a certificate that nobody trusts; it is written to ca.pem.
func peerTLS(ts *testscript.TestScript) *httptest.Server {
	embedded, err := embeddedserver.New(embeddedserver.Options{})
	ts.Check(err)
	ts.Defer(embedded.Close)
	s := httptest.NewUnstartedServer(embedded.Handler())
	s.Config.ErrorLog = quietLog()
	s.StartTLS()
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), "ca.pem"), cert, 0o600))
	return s
}

// peerHTML is a web site, not an MCP server.
func peerHTML(*testscript.TestScript) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<html><title>Welcome</title></html>"))
	}))
}

func peerForbidden(*testscript.TestScript) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
	}))
}

// peerMarking writes the file dialled once anybody asks it anything.
func peerMarking(ts *testscript.TestScript) *httptest.Server {
	mark := filepath.Join(ts.Getenv("WORK"), "dialled")
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = os.WriteFile(mark, nil, 0o600) // that it is missing will be seen
		w.WriteHeader(http.StatusNotFound)
	}))
}

// peerMortal is the built-in server until it is sent the method that "at" in the
// query of its URL names. Then it dies as "how" says: drop closes the connection
// without a byte, half in the middle of a JSON body, stream in the middle of an
// event; silent never answers. It stays dead for this URL. With denied it lives on, but
// wants a token for that method.
func peerMortal(ts *testscript.TestScript) *httptest.Server {
	embedded, err := embeddedserver.New(embeddedserver.Options{})
	ts.Check(err)
	ts.Defer(embedded.Close)
	var dead sync.Map
	inner := embedded.Handler()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		at, how := r.URL.Query().Get("at"), r.URL.Query().Get("how")
		_, gone := dead.Load(r.URL.RawQuery)
		if err == nil && !gone && rpc.Parse(body).Method != at {
			inner.ServeHTTP(w, r)
			return
		}
		if how == "denied" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if how == "silent" {
			<-r.Context().Done()
			return
		}
		dead.Store(r.URL.RawQuery, true)
		if !gone && how != "drop" {
			kind, part := "application/json", `{"jsonrpc":"2.0","id":1,"resu`
			if how == "stream" {
				kind, part = "text/event-stream", "event: message\ndata: "+part
			}
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, part)
			_ = http.NewResponseController(w).Flush()
		}
		panic(http.ErrAbortHandler) // closes the connection
	}))
	s.Config.ErrorLog = quietLog()
	s.Start()
	return s
}
