package embeddedserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	embeddedserver "mcptui/embedded-server"
)

// exchange writes one line into a pipe and reads one line out of it.
func exchange(t *testing.T, conn io.Writer, in *bufio.Reader, line string) map[string]any {
	t.Helper()
	_, err := io.WriteString(conn, line+"\n")
	require.NoError(t, err)
	return readLine(t, in)
}

func readLine(t *testing.T, in *bufio.Reader) map[string]any {
	t.Helper()
	raw, err := in.ReadBytes('\n')
	require.NoError(t, err)
	var v map[string]any
	require.NoError(t, json.Unmarshal(raw, &v), string(raw))
	return v
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`

func TestBookTableOverThePipe(t *testing.T) {
	s, err := embeddedserver.New(embeddedserver.Options{})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	answers := []struct{ key, content string }{
		{"when", `{"date":"2027-05-01"}`}, {"seats", `{"seats":4,"area":"terrace"}`}, {"confirm", `{"ok":true}`},
	}

	t.Run("modern", func(t *testing.T) {
		conn := s.Pipe(ctx)
		defer conn.Close()
		in := bufio.NewReader(conn)
		extra := ""
		for i, a := range answers {
			res := exchange(t, conn, in, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"book_table",%s%s}}`, i, meta, extra))
			result := res["result"].(map[string]any)
			require.Equal(t, "input_required", result["resultType"])
			require.Contains(t, result["inputRequests"], a.key)
			state, _ := json.Marshal(result["requestState"])
			extra = fmt.Sprintf(`,"inputResponses":{%q:{"action":"accept","content":%s}},"requestState":%s`, a.key, a.content, state)
		}
		res := exchange(t, conn, in, fmt.Sprintf(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"book_table",%s%s}}`, meta, extra))
		checkBooking(t, res)
	})

	t.Run("legacy", func(t *testing.T) {
		conn := s.Pipe(ctx)
		defer conn.Close()
		in := bufio.NewReader(conn)
		res := exchange(t, conn, in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`)
		require.Equal(t, "2025-11-25", res["result"].(map[string]any)["protocolVersion"])
		_, err := io.WriteString(conn, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
		require.NoError(t, err)
		res = exchange(t, conn, in, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book_table"}}`)
		for _, a := range answers {
			require.Equal(t, "elicitation/create", res["method"])
			id, _ := json.Marshal(res["id"])
			res = exchange(t, conn, in, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":%s}}`, id, a.content))
		}
		checkBooking(t, res)
	})
}

func checkBooking(t *testing.T, res map[string]any) {
	t.Helper()
	require.Nil(t, res["error"])
	require.Equal(t, map[string]any{
		"booked": true, "reference": "FARO-3C9D", "date": "2027-05-01", "seats": 4.0, "area": "terrace",
	}, res["result"].(map[string]any)["structuredContent"])
}
