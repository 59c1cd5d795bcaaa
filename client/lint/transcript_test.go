package lint_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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

// found lists the findings of a transcript as "severity side rule", each once,
// with those against the client only where they are errors.
func found(events []trace.Event) []string {
	var out []string
	for _, f := range lintAll(events) {
		line := string(f.Severity) + " " + string(f.Against) + " " + f.Rule
		if !slices.Contains(out, line) && (f.Against == lint.Server || f.Severity == lint.Error) {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}

// TestTranscripts says of each file what is wrong in it, completely. Requests
// that are wrong on purpose show as findings against the client.
func TestTranscripts(t *testing.T) {
	// What several servers have in common and that is allowed.
	const (
		buffering = "info server http-buffering"
		misplaced = "info server capability-misplaced" // mcp-go declares capabilities of clients
		enumNames = "info server elicit-schema-subset" // the older way of titles, asked on purpose
		stray     = "info server ask-stray-members"    // content beside inputRequests: null (go-sdk), [] (mcp-go)
		unsigned  = "warning server state-unsigned"
		unbound   = "info server state-unbound"
	)
	clean := []string{}
	want := map[string][]string{
		"everything-legacy-sse":    {buffering},
		"inspector-logging-modern": clean,
		"inspector-modern-network-errors": {
			"error server header-mismatch-unfounded", // on demand: it names Mcp-Method, which fits
			"error server missing-capability-data",
			"error server unsupported-version-data",
			"error server unsupported-version-loop",
		},
		"inspector-nullable-legacy":              clean,
		"inspector-pagination-legacy":            {"warning server cursor-invalid-served"},
		"inspector-rfc6570-legacy":               {"error server template-form"},
		"inspector-structured-legacy":            clean,
		"inspector-subscriptions-legacy":         clean,
		"inspector-subscriptions-modern":         clean,
		"inspector-tasks-legacy":                 clean,
		"inspector-tasks-modern":                 {"error server result-type-unknown", "info server meta-server-info"}, // a task where none was declared
		"inspector-url-elicitation-legacy-stdio": clean,
		"inspector-xmcpheader":                   {"error client header-missing", "error server tool-header"},
		"legacy-everything-http":                 {"error client answer-shape", enumNames, "warning server response-no-id"},
		"legacy-mcpgo-deploy-http":               {misplaced},
		"legacy-mcpgo-deploy-stdio":              {misplaced},
		"legacy-php-http":                        clean,
		"legacy-tsv2-stdio":                      {"error client answer-shape", enumNames},
		"mcpgo-elicitation-legacy-stdio":         {misplaced},
		"mcpgo-elicitation-modern-stdio":         clean,
		"mcpgo-roots_server-legacy-stdio":        {misplaced},
		"mcpgo-roots_server-modern-stdio":        clean,
		"mcpgo-sampling_server-legacy-stdio":     {misplaced},
		"mcpgo-sampling_server-modern-stdio":     clean,
		"mrtr-gosdk-conformance-http": {
			"error client header-mismatch", "error client meta-capabilities", "error client meta-version", "error client retry-answer-shape",
			"error client retry-state-changed",
			"error server header-mismatch-unfounded", // an answer that is a number is called a header mismatch
			buffering, stray,
			"warning server ask-again-after-no", unsigned,
		},
		"mrtr-inspector-showcase-http": {
			"error client header-mismatch", "error client header-missing",
			"error server header-mismatch-served", // its older SDK serves a request without the version header
			unsigned,
		},
		"mrtr-mcpgo-deploy-http":          {"error server ask-capability", misplaced, stray, unsigned},
		"mrtr-mcpgo-deploy-stdio-modern":  {stray, unsigned},
		"mrtr-php-stateless-http":         {"error client retry-state-changed", unbound},
		"mrtr-tsv2-http":                  {"error client retry-answer-shape", "error client retry-state-changed", enumNames, unbound},
		"mrtr-tsv2-stdio-modern":          {"error client retry-answer-shape", enumNames, unbound},
		"probe-gosdk-everything-http":     {"info server cache-legacy", "info server discover-without-version", buffering, "warning server tool-name"},
		"probe-php-elicitation-stdio":     {"error server response-no-id"},
		"probe-php-schema-showcase-stdio": {"error server response-no-id"},
		"probe-tsv2-mrtr-stdio":           clean,
	}
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "transcripts", "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, files, len(want))
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".jsonl")
		t.Run(name, func(t *testing.T) {
			list, ok := want[name]
			require.True(t, ok, "nothing is said of this file")
			slices.Sort(list)
			got := found(readTranscript(t, name))
			if len(list) == 0 {
				require.Empty(t, got)
				return
			}
			require.Equal(t, list, got)
		})
	}
}
