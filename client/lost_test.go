package client_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// halfPipe is a pipe whose server has closed its own input, and can still write.
type halfPipe struct {
	io.ReadCloser
	to *os.File
}

func (h halfPipe) Write(p []byte) (int, error) { return h.to.Write(p) }

func (h halfPipe) Close() error {
	h.to.Close()
	return h.ReadCloser.Close()
}

// A request that a living server cannot have read fails, and says why; it does not
// wait for its timeout.
func TestARequestThatTheServerCannotReadFails(t *testing.T) {
	c, ctx := dial(t, client.Options{Target: client.Target{Pipe: func(context.Context) (io.ReadWriteCloser, error) {
		read, write, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		ours, theirs := net.Pipe()
		go func() {
			in := bufio.NewScanner(read)
			in.Scan()
			m := rpc.Parse(in.Bytes())
			answer := result(m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}`)
			read.Close() // before the answer: what comes after it cannot be read
			_, _ = io.WriteString(theirs, answer)
			_, _ = io.Copy(io.Discard, theirs)
		}()
		return halfPipe{ours, write}, nil
	}}})
	require.NoError(t, c.Ready(ctx))
	for range 2 {
		call, err := c.Call(toolCall("x"))
		require.NoError(t, err)
		o, err := c.Wait(ctx, call)
		require.NoError(t, err)
		require.Equal(t, trace.Failed, o.Status, o.Note)
		require.Contains(t, o.Note, "the server has closed its input")
	}
}

// What a server wants by 401 and 403 is told, whatever it says it with, at the
// beginning and in the middle of a session.
func TestWhatAServerWantsOfCredentials(t *testing.T) {
	for name, c := range map[string]struct {
		status    int
		challenge string
		body      string
		says      []string
	}{
		"bearer":       {http.StatusUnauthorized, `Bearer resource_metadata="http://h/.well-known/oauth-protected-resource", scope="mcp:read"`, "", []string{"HTTP 401", "resource_metadata", "mcp:read", "--header"}},
		"basic":        {http.StatusUnauthorized, `Basic realm="corp"`, "", []string{"HTTP 401", "Basic", "corp"}},
		"bare":         {http.StatusUnauthorized, "", "", []string{"HTTP 401", "no WWW-Authenticate"}},
		"scope":        {http.StatusForbidden, `Bearer error="insufficient_scope", scope="mcp:admin"`, "", []string{"HTTP 403", "insufficient_scope", "mcp:admin"}},
		"a key":        {http.StatusForbidden, "", `{"error":"send X-Api-Key"}`, []string{"HTTP 403", "X-Api-Key"}},
		"a JSON-RPC":   {http.StatusForbidden, `Bearer scope="a"`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"not you"}}`, []string{"HTTP 403", "not you", `scope="a"`}},
		"another page": {http.StatusUnauthorized, "", "<html><title>Log in</title></html>", []string{"HTTP 401", "Log in"}},
	} {
		t.Run(name, func(t *testing.T) {
			refuse := func(w http.ResponseWriter) {
				if c.challenge != "" {
					w.Header().Set("WWW-Authenticate", c.challenge)
				}
				if strings.HasPrefix(c.body, "{") {
					w.Header().Set("Content-Type", "application/json")
				}
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}
			url, _ := overWeb(t, modernWeb(func(w http.ResponseWriter, r *http.Request, _ rpc.Message) {
				if r.Header.Get("Authorization") != "Bearer admin" {
					refuse(w)
				}
			}))
			conn, ctx := dial(t, client.Options{Target: client.Target{URL: url}})
			require.NoError(t, conn.Ready(ctx))
			call, err := conn.Call(control.Request{Method: "tools/call", Params: []byte(`{"name":"x"}`)})
			require.NoError(t, err)
			o, err := conn.Wait(ctx, call)
			require.NoError(t, err)
			require.Equal(t, trace.Failed, o.Status)
			for _, s := range c.says {
				require.Contains(t, o.Note, s)
			}

			url, _ = overWeb(t, func(w http.ResponseWriter, _ *http.Request, _ rpc.Message) { refuse(w) })
			conn, ctx = dial(t, client.Options{Target: client.Target{URL: url}})
			var failed *client.Error
			require.ErrorAs(t, conn.Ready(ctx), &failed)
			require.EqualValues(t, "unauthorized", failed.Kind)
			for _, s := range c.says {
				require.Contains(t, failed.Reason, s)
			}
		})
	}
}
