package lint_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/lint"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// importer turns the lines of a transcript into events. There are two shapes:
// whole HTTP exchanges, and what went each way one after another. Neither knows
// causes.
type importer struct {
	t         testing.TB
	events    []trace.Event
	exchange  int
	transport string
	post      int // the POST whose answer is awaited or streams
	get       int // the open GET stream
}

func readTranscript(t testing.TB, name string) []trace.Event {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "testdata", "transcripts", name+".jsonl"))
	require.NoError(t, err)
	defer f.Close()
	im := &importer{t: t}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		line := bytes.Clone(lines.Bytes())
		if rpc.Member(line, "request") != nil {
			im.whole(line)
		} else {
			im.oneWay(line)
		}
	}
	require.NoError(t, lines.Err())
	require.NotEmpty(t, im.events)
	return im.events
}

func (im *importer) add(e trace.Event) {
	e.Seq = len(im.events) + 1
	im.events = append(im.events, e)
}

func (im *importer) frame(dir trace.Dir, exchange int, raw []byte) {
	if s, ok := rpc.String(raw); ok { // a body that is no JSON
		if s != "" {
			im.add(trace.Event{Noise: &trace.Noise{Exchange: exchange, Bytes: []byte(s), Why: "not JSON"}})
		}
		return
	}
	if raw != nil && string(raw) != "null" {
		im.add(trace.Event{Frame: &trace.Frame{Dir: dir, Exchange: exchange, Bytes: raw}})
	}
}

func headersOf(raw []byte) []trace.Header {
	out := []trace.Header{}
	for k, v := range rpc.Members(raw) {
		s, _ := rpc.String(v)
		out = append(out, trace.Header{Name: k, Value: s})
	}
	for _, pair := range rpc.Elements(raw) {
		var h trace.Header
		for i, v := range rpc.Elements(pair) {
			s, _ := rpc.String(v)
			if i == 0 {
				h.Name = s
			} else {
				h.Value = s
			}
		}
		out = append(out, h)
	}
	return out
}

func status(raw []byte) int {
	n, _ := strconv.Atoi(string(raw))
	return n
}

// whole imports an exchange with its response.
func (im *importer) whole(line []byte) {
	im.exchange++
	n := im.exchange
	req, resp := rpc.Member(line, "request"), rpc.Member(line, "response")
	im.frame(trace.Out, n, rpc.Member(req, "body"))
	im.add(trace.Event{HTTP: &trace.HTTP{Exchange: n, Stage: trace.HTTPRequest, Method: rpc.Text(req, "verb"),
		URL: rpc.Text(req, "url"), Headers: headersOf(rpc.Member(req, "headers"))}})
	im.add(trace.Event{HTTP: &trace.HTTP{Exchange: n, Stage: trace.HTTPResponse, Method: rpc.Text(req, "verb"),
		Status: status(rpc.Member(resp, "status")), Headers: headersOf(rpc.Member(resp, "headers"))}})
	im.frame(trace.In, n, rpc.Member(resp, "body"))
	for _, ev := range rpc.Elements(rpc.Member(resp, "sse")) {
		im.frame(trace.In, n, rpc.Member(ev, "data"))
	}
	end := trace.HTTP{Exchange: n, Stage: trace.HTTPEnd}
	if rpc.Member(line, "curl_exit") != nil {
		end.Note = "the client closed the stream"
	}
	im.add(trace.Event{HTTP: &end})
}

func (im *importer) oneWay(line []byte) {
	switch rpc.Text(line, "dir") {
	case "spawn":
		im.add(trace.Event{Phase: &trace.Phase{Name: trace.PhaseStarting, Transport: "stdio", Target: rpc.Text(line, "cmd")}})
	case "send":
		im.send(line)
	case "recv":
		im.receive(line)
	}
}

func (im *importer) send(line []byte) {
	transport := rpc.Text(line, "transport")
	if transport == "stdio" {
		im.frame(trace.Out, 0, rpc.Member(line, "body"))
		return
	}
	if im.transport == "" {
		im.transport = map[string]string{"http": "http", "sse": "http+sse"}[transport]
		im.add(trace.Event{Phase: &trace.Phase{Name: trace.PhaseStarting, Transport: im.transport}})
	}
	im.exchange++
	verb := rpc.Text(line, "verb")
	if verb == "GET" {
		im.get = im.exchange
	} else {
		im.post = im.exchange
	}
	im.frame(trace.Out, im.exchange, rpc.Member(line, "body"))
	im.add(trace.Event{HTTP: &trace.HTTP{Exchange: im.exchange, Stage: trace.HTTPRequest, Method: verb,
		URL: rpc.Text(line, "path"), Headers: headersOf(rpc.Member(line, "headers"))}})
}

func (im *importer) receive(line []byte) {
	if rpc.Text(line, "transport") == "stdio" {
		if s := rpc.Text(line, "text"); s != "" || rpc.Member(line, "stream") != nil {
			im.add(trace.Event{Stderr: &trace.Stderr{Bytes: []byte(s + "\n")}})
			return
		}
		im.frame(trace.In, 0, rpc.Member(line, "body"))
		return
	}
	n := im.post
	if n == 0 {
		n = im.get
	}
	if raw := rpc.Member(line, "status"); raw != nil {
		im.add(trace.Event{HTTP: &trace.HTTP{Exchange: n, Stage: trace.HTTPResponse, Status: status(raw), Headers: headersOf(rpc.Member(line, "headers"))}})
		if rpc.Text(line, "sse") == "open" || rpc.Member(line, "body") == nil {
			if n == im.post && rpc.Member(line, "sse") == nil {
				im.post = 0
			}
			return
		}
		im.frame(trace.In, n, rpc.Member(line, "body"))
		im.end(n)
		return
	}
	switch rpc.Text(line, "sse") {
	case "close":
		im.end(n)
	default:
		if rpc.Text(line, "event") != "endpoint" {
			im.frame(trace.In, n, rpc.Member(line, "data"))
		}
	}
}

func (im *importer) end(n int) {
	im.add(trace.Event{HTTP: &trace.HTTP{Exchange: n, Stage: trace.HTTPEnd}})
	if n == im.post {
		im.post = 0
	} else {
		im.get = 0
	}
}

func lintAll(events []trace.Event) []lint.Finding {
	l := lint.New()
	for _, e := range events {
		l.Apply(e)
	}
	return l.Findings()
}

// TestPrintTranscripts lists what is found where, for whoever writes rules.
func TestPrintTranscripts(t *testing.T) {
	if os.Getenv("LINT_PRINT") == "" {
		t.Skip("set LINT_PRINT to see it")
	}
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "transcripts", "*.jsonl"))
	require.NoError(t, err)
	sort.Strings(files)
	for _, f := range files {
		name := filepath.Base(f[:len(f)-len(".jsonl")])
		t.Log("==", name)
		for _, x := range lintAll(readTranscript(t, name)) {
			t.Logf("   %-7s %-6s %-28s %3d %s %s", x.Severity, x.Against, x.Rule, x.Frame, x.Path, x.Message)
		}
	}
}
