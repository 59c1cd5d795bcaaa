package ui_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client"
	"mcptui/client/rpc"
	"mcptui/client/trace"
	"mcptui/ui"
	"mcptui/ui/internal/screentest"
)

// asker is a server that asks what a test says, in either era, over a pipe. Its
// one tool is "form"; each call of it begins a round of asks, which ends with a
// result once all are answered.
type asker struct {
	t       *testing.T
	era     trace.Era
	asks    []rpc.Field   // name of the ask, and {"method":…,"params":…}
	tool    string        // the tool; formTool where it is empty
	timeout time.Duration // of the client's requests; a minute where it is 0
	// declares are the client's capabilities; the default ones where it is empty.
	declares string
	stuck    bool             // reads nothing more once the lists are fetched
	clock    func() time.Time // of the log; that of the machine where it is nil
	// result is what a retry is answered with; "" for a plain one.
	result func(retry rpc.Message) string

	mu      sync.Mutex
	conn    net.Conn
	came    []rpc.Message
	waiting map[string]*legacyRound // legacy: by the id of the server's request
}

// legacyRound is an open call whose asks are requests of the server's.
type legacyRound struct {
	call rpc.ID
	key  string
}

func elicit(schema string) []byte {
	return fmt.Appendf(nil, `{"method":"elicitation/create","params":{"mode":"form","message":"Please fill this in.","requestedSchema":%s}}`, schema)
}

func (a *asker) pipe(context.Context) (io.ReadWriteCloser, error) {
	ours, theirs := net.Pipe()
	a.mu.Lock()
	a.conn, a.waiting = theirs, map[string]*legacyRound{}
	a.mu.Unlock()
	go func() { // ends with the pipe
		in := bufio.NewScanner(theirs)
		in.Buffer(nil, 8<<20)
		for in.Scan() {
			if a.stuck && a.count("tools/list") > 0 {
				<-a.t.Context().Done()
				break
			}
			m := rpc.Parse(append([]byte(nil), in.Bytes()...))
			a.mu.Lock()
			a.came = append(a.came, m)
			lines := a.answer(m)
			a.mu.Unlock()
			for _, line := range lines {
				line = strings.ReplaceAll(line, "\n", "") // as it is between the tokens of stored schemas
				if _, err := io.WriteString(theirs, line+"\n"); err != nil {
					return
				}
			}
		}
		_ = theirs.Close()
	}()
	return ours, nil
}

// says sends a message that nobody asked for.
func (a *asker) says(line string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, err := io.WriteString(a.conn, line+"\n")
	require.NoError(a.t, err)
}

func resultLine(id rpc.ID, result string) string {
	return `{"jsonrpc":"2.0","id":` + string(id) + `,"result":` + result + "}"
}

const (
	plainResult = `{"resultType":"complete","content":[{"type":"text","text":"all is well"}]}`
	formTool    = `{"name":"form","inputSchema":{"type":"object"}}`
)

func (a *asker) answer(m rpc.Message) []string {
	tool := a.tool
	if tool == "" {
		tool = formTool
	}
	tools := `"tools":[` + tool + `],"ttlMs":0,"cacheScope":"private"`
	switch {
	case m.Method == "server/discover" && a.era == trace.Modern:
		return []string{resultLine(m.ID, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"asker","version":"1"},"ttlMs":0,"cacheScope":"private"}`)}
	case m.Method == "initialize":
		return []string{resultLine(m.ID, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"asker","version":"1"}}`)}
	case m.Method == "tools/list":
		return []string{resultLine(m.ID, `{"resultType":"complete",`+tools+`}`)}
	case m.Method == "tools/call" && a.era == trace.Modern:
		if rpc.Member(m.Params, "inputResponses") == nil {
			return []string{resultLine(m.ID, `{"resultType":"input_required","requestState":"s","inputRequests":`+string(rpc.Object(a.asks...))+`}`)}
		}
		if a.result != nil {
			return []string{a.result(m)}
		}
		return []string{resultLine(m.ID, plainResult)}
	case m.Method == "tools/call":
		var lines []string
		for i, ask := range a.asks {
			id := fmt.Sprintf(`"%s/%d"`, strings.Trim(string(m.ID), `"`), i)
			a.waiting[id] = &legacyRound{call: m.ID, key: ask.Name}
			params := rpc.Member(ask.Raw, "params")
			if params == nil {
				params = []byte(`{}`)
			}
			lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, rpc.Text(ask.Raw, "method"), params))
		}
		return lines
	case m.Kind != rpc.Request && a.waiting[string(m.ID)] != nil:
		round := a.waiting[string(m.ID)]
		delete(a.waiting, string(m.ID))
		for _, other := range a.waiting {
			if other.call == round.call {
				return nil
			}
		}
		return []string{resultLine(round.call, plainResult)}
	}
	return nil
}

// answers returns what came for an ask, in the order it came: contents of
// inputResponses, or whole responses' results.
func (a *asker) answers(key string) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []string
	for _, m := range a.came {
		if v := rpc.Member(m.Params, "inputResponses", key); v != nil {
			out = append(out, string(v))
		}
		for i, ask := range a.asks {
			if ask.Name == key && m.Method == "" && strings.HasSuffix(string(m.ID), fmt.Sprintf(`/%d"`, i)) {
				out = append(out, string(m.Result)+string(m.Error))
			}
		}
	}
	return out
}

// gets waits until an answer has come for an ask that nothing tells of, and holds all
// that came for it.
func (a *asker) gets(key, want string) {
	a.t.Helper()
	require.Eventually(a.t, func() bool { return len(a.answers(key)) > 0 }, screentest.Patience, time.Millisecond, "no answer came for %q", key)
	require.Equal(a.t, []string{want}, a.answers(key))
}

// count returns how many requests or notifications of a method came.
func (a *asker) count(method string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := 0
	for _, m := range a.came {
		if m.Method == method {
			n++
		}
	}
	return n
}

// open connects the UI to the server.
func (a *asker) open(columns, rows int, o ui.Options) *screentest.Screen {
	t := a.t
	t.Helper()
	now := a.clock
	if now == nil {
		now = time.Now
	}
	log := trace.NewLog(now)
	caps := []byte(client.DefaultCapabilities)
	if a.declares != "" {
		caps = []byte(a.declares)
	}
	conn, err := client.Dial(context.Background(), client.Options{
		Target: client.Target{Pipe: a.pipe}, Era: a.era, AskRoots: true, Log: log, Timeout: a.timeout, Capabilities: caps,
	})
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), screentest.Patience)
		defer cancel()
		require.NoError(t, conn.Close(ctx))
	})
	require.NoError(t, conn.Ready(context.Background()))
	o.Log, o.Control, o.Start, o.Timeout = log, conn, now(), time.Minute
	if a.timeout != 0 {
		o.Timeout = a.timeout
	}
	if o.Settle == 0 {
		o.Settle = -1 // no test waits for the time to pass
	}
	sc := screentest.Start(t, ui.New(o), columns, rows)
	sc.WaitFor("form")
	return sc
}

// newAsker is a server with the asks of one round.
func newAsker(t *testing.T, era trace.Era, asks ...rpc.Field) *asker {
	return &asker{t: t, era: era, asks: asks}
}
