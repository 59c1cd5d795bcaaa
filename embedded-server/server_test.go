package embeddedserver_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	embeddedserver "mcptui/embedded-server"
)

var (
	keyA = []byte("0123456789abcdef0123456789abcdef")
	keyB = []byte("fedcba9876543210fedcba9876543210")
)

func newServer(t *testing.T, o embeddedserver.Options) *embeddedserver.Server {
	t.Helper()
	s, err := embeddedserver.New(o)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// overHTTP serves s, and opens a client of it.
func overHTTP(t *testing.T, s *embeddedserver.Server, revision string, answers func(key, method string, params json.RawMessage) any) *wire {
	t.Helper()
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(ts.Close)
	w := &wire{t: t, link: &posts{url: ts.URL, revision: revision}, revision: revision, caps: everything, answers: answers, official: loadOfficial(t)}
	w.begin()
	return w
}

// visitor answers what the demo server asks.
func visitor(_, method string, params json.RawMessage) any {
	switch method {
	case "sampling/createMessage":
		return map[string]any{"role": "assistant", "model": "m", "content": map[string]any{"type": "text", "text": "See the lighthouse."}}
	case "roots/list":
		return map[string]any{"roots": []any{map[string]any{"uri": "file:///home/ada/trips"}}}
	}
	var p struct{ Message, Mode string }
	if json.Unmarshal(params, &p) != nil || p.Mode == "url" {
		return map[string]any{"action": "accept"}
	}
	for part, content := range map[string]string{
		"your name":           `{"name":"Ada"}`,
		"which day":           `{"date":"2027-05-01"}`,
		"For how many":        `{"seats":4,"area":"terrace"}`,
		"Book a table":        `{"ok":true}`,
		"Who is travelling":   `{"travellers":2,"pace":"slow"}`,
		"Delete the branch":   `{"sure":true}`,
		"How was your stay":   `{"name":"Ada","nights":2,"again":true}`,
		"Whom is the postcar": `{"recipient":"Grace"}`,
		"Sign the guestbook":  `{"name":"Ada"}`,
		"word is on your key": `{"word":"tower"}`,
	} {
		if strings.Contains(p.Message, part) {
			return map[string]any{"action": "accept", "content": json.RawMessage(content)}
		}
	}
	return map[string]any{"action": "cancel"}
}

// openServer opens a link to a server of the face.
func openServer(t *testing.T, s *embeddedserver.Server, transport, revision string) link {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	switch transport {
	case "pipe":
		conn := s.Pipe(ctx)
		t.Cleanup(func() { conn.Close() })
		return &lines{w: conn, r: bufio.NewReader(conn)}
	case "stdio":
		r, w := stdio(t, ctx, s)
		return &lines{w: w, r: bufio.NewReader(r)}
	}
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(ts.Close)
	return &posts{url: ts.URL, revision: revision}
}

func TestTheDemoServerOnTheWire(t *testing.T) {
	// Everything that it serves, in every revision over every transport; each
	// message is held against the official schema of its revision.
	s := newServer(t, embeddedserver.Options{StateKeys: [][]byte{keyA}})
	eachCell(t, func(t *testing.T, transport, revision string) {
		w := &wire{t: t, link: openServer(t, s, transport, revision), revision: revision, caps: everything, answers: visitor, official: loadOfficial(t)}
		w.begin()
		if revision >= modern {
			require.Nil(t, w.request("server/discover", nil).Error)
		} else {
			require.Nil(t, w.request("ping", nil).Error)
			require.Nil(t, w.request("logging/setLevel", map[string]any{"level": "debug"}).Error)
		}
		for _, list := range []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list"} {
			require.Nil(t, w.request(list, nil).Error, list)
		}
		var first struct{ NextCursor string }
		require.NoError(t, json.Unmarshal(w.request("tools/list", nil).Result, &first))
		require.Nil(t, w.request("tools/list", map[string]any{"cursor": first.NextCursor}).Error)

		for _, c := range []struct {
			method   string
			params   map[string]any
			asks     int
			since    string // of what it asks
			contains string
		}{
			{"tools/call", map[string]any{"name": "greet"}, 1, "2025-06-18", "Hello, Ada!"},
			{"tools/call", map[string]any{"name": "book_table"}, 3, "2025-06-18", "FARO-3C9D"},
			{"tools/call", map[string]any{"name": "plan_trip"}, 3, "2025-06-18", "See the lighthouse."},
			{"tools/call", map[string]any{"name": "delete_branch"}, 1, "2025-06-18", "is deleted"},
			{"tools/call", map[string]any{"name": "connect_account"}, 1, "2025-11-25", "You agreed"},
			{"tools/call", map[string]any{"name": "survey"}, 1, "2025-11-25", "Thank you, Ada!"},
			{"tools/call", map[string]any{"name": "add", "arguments": map[string]any{"a": 1, "b": 2}}, 0, "", "= 3"},
			{"tools/call", map[string]any{"name": "weather"}, 0, "", "clear"},
			{"tools/call", map[string]any{"name": "ferry_times", "arguments": map[string]any{"harbour": "Isola Verde"}}, 0, "", "09:15"},
			{"tools/call", map[string]any{"name": "long_job", "arguments": map[string]any{"steps": 2, "pause_ms": 0}}, 0, "", "2 loaves"},
			{"tools/call", map[string]any{"name": "souvenirs"}, 0, "", "tea towel"},
			{"tools/call", map[string]any{"name": "go_fishing"}, 0, "", `"isError":true`},
			{"prompts/get", map[string]any{"name": "hello"}, 0, "", "Porto Lume"},
			{"prompts/get", map[string]any{"name": "choose_dish", "arguments": map[string]any{"course": "main", "dish": "gnocchi"}}, 0, "", "gnocchi"},
			{"prompts/get", map[string]any{"name": "postcard"}, 1, "2025-06-18", "Grace"},
			{"resources/read", map[string]any{"uri": "town://menu"}, 0, "", "Trattoria"},
			{"resources/read", map[string]any{"uri": "town://map.png"}, 0, "", "image/png"},
			{"resources/read", map[string]any{"uri": "town://guestbook"}, 1, "2025-06-18", "- Ada"},
			{"resources/read", map[string]any{"uri": "town://rooms/tower"}, 1, "2025-06-18", "window"},
			{"completion/complete", map[string]any{"ref": map[string]any{"type": "ref/prompt", "name": "choose_dish"}, "argument": map[string]any{"name": "course", "value": "d"}}, 0, "", "dessert"},
		} {
			w.asked = nil
			res := w.converse(c.method, c.params)
			if revision < c.since {
				require.NotNil(t, res.Error, "%v", c.params)
				continue
			}
			require.Nil(t, res.Error, "%v", c.params)
			require.Contains(t, string(res.Result), c.contains, "%v", c.params)
			require.Len(t, w.asked, c.asks, "%v", c.params)
		}
		require.Contains(t, w.notified, "notifications/progress")
		require.Contains(t, w.notified, "notifications/message")
	})
}

func TestOptionsAreChecked(t *testing.T) {
	for name, o := range map[string]embeddedserver.Options{
		"profile":  {Profile: "nonsense"},
		"key":      {StateKeys: [][]byte{[]byte("short")}},
		"lifetime": {StateTTL: 1},
		"rounds":   {ShimRounds: -1},
		"timeout":  {ShimTimeout: -1},
	} {
		_, err := embeddedserver.New(o)
		require.Error(t, err, name)
		if o.Profile == "" {
			o.Profile = "faults"
			_, err = embeddedserver.New(o)
			require.Error(t, err, name, "also where nothing is sealed")
		}
	}
	_, err := embeddedserver.New(embeddedserver.Options{Profile: "nonsense"})
	require.ErrorContains(t, err, "conformance, demo, faults", "it names what there is")
	for _, name := range embeddedserver.Profiles() {
		newServer(t, embeddedserver.Options{Profile: name})
	}
}

func TestAnEraCanBeHeldTo(t *testing.T) {
	only := newServer(t, embeddedserver.Options{Era: embeddedserver.Legacy})
	w := &wire{t: t, link: openServer(t, only, "pipe", modern), revision: modern, caps: everything}
	require.NotNil(t, w.request("server/discover", nil).Error)

	only = newServer(t, embeddedserver.Options{Era: embeddedserver.Modern})
	w = &wire{t: t, link: openServer(t, only, "pipe", "2025-11-25"), revision: "2025-11-25", caps: everything}
	require.NotNil(t, w.request("initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "x", "version": "1"}}).Error)
}

func TestWithoutTheShimReturnedAsksFailInTheHandshakeEra(t *testing.T) {
	s := newServer(t, embeddedserver.Options{NoShim: true})
	for _, revision := range []string{"2025-11-25", modern} {
		w := &wire{t: t, link: openServer(t, s, "pipe", revision), revision: revision, caps: everything, answers: visitor}
		w.begin()
		require.Nil(t, w.converse("tools/call", map[string]any{"name": "book_table"}).Error)
		res := w.converse("tools/call", map[string]any{"name": "plan_trip"})
		if revision == modern {
			require.Nil(t, res.Error)
			continue
		}
		require.NotNil(t, res.Error)
		require.Contains(t, res.Error.Message, "shim")
	}
}

func TestRoundsSentAlternatelyToTwoServersThatShareAKey(t *testing.T) {
	// The second has rotated: it seals with another key, and still knows the
	// first; so must the first know the second's.
	one := overHTTP(t, newServer(t, embeddedserver.Options{StateKeys: [][]byte{keyA, keyB}}), modern, nil)
	two := overHTTP(t, newServer(t, embeddedserver.Options{StateKeys: [][]byte{keyB, keyA}}), modern, nil)
	stranger := overHTTP(t, newServer(t, embeddedserver.Options{}), modern, nil)
	params := map[string]any{"name": "book_table"}
	for i, w := range []*wire{one, two, one, two} {
		if i > 0 {
			res := stranger.request("tools/call", params)
			require.NotNil(t, res.Error, "a server with a key of its own refuses")
			require.Equal(t, -32602, res.Error.Code)
		}
		res := w.request("tools/call", params)
		require.Nil(t, res.Error)
		params = nextRound(t, res, params)
	}
	require.Nil(t, params, "the fourth round ended it")
}

// nextRound is what to send after a round, answered by visitor; nil after the
// last.
func nextRound(t *testing.T, res message, params map[string]any) map[string]any {
	t.Helper()
	var r struct {
		ResultType, RequestState string
		InputRequests            map[string]message
	}
	require.NoError(t, json.Unmarshal(res.Result, &r))
	if r.ResultType != "input_required" {
		return nil
	}
	answers := map[string]any{}
	for key, a := range r.InputRequests {
		answers[key] = visitor(key, a.Method, a.Params)
	}
	return map[string]any{"name": params["name"], "requestState": r.RequestState, "inputResponses": answers}
}

func TestTamperingOverHTTP(t *testing.T) {
	tokens := map[string]string{"token-of-ada": "ada", "token-of-bob": "bob"}
	w := overHTTP(t, newServer(t, embeddedserver.Options{StateKeys: [][]byte{keyA}, Tokens: tokens}), modern, nil)
	conn := w.link.(*posts)
	conn.token = "token-of-ada"
	args := map[string]any{"branch": "release/2019"}
	start := map[string]any{"name": "delete_branch", "arguments": args}
	res := w.request("tools/call", start)
	require.Nil(t, res.Error)
	good := nextRound(t, res, start)
	good["arguments"] = args
	state := good["requestState"].(string)
	with := func(changes map[string]any) map[string]any {
		p := map[string]any{}
		for k, v := range good {
			p[k] = v
		}
		for k, v := range changes {
			p[k] = v
		}
		return p
	}
	refused := func(why string, params map[string]any) {
		t.Helper()
		res := w.request("tools/call", params)
		require.NotNil(t, res.Error, why)
		require.Equal(t, -32602, res.Error.Code, why)
		require.Equal(t, http.StatusBadRequest, conn.status, why)
		require.Empty(t, res.Error.Data, why)
	}
	checked := w.official
	w.official = nil // thousands of equal refusals; one of them is checked below
	flips := 0
	for i := range len(state) {
		for bit := range 7 { // the eighth gives what no JSON string can hold
			b := []byte(state)
			b[i] ^= 1 << bit
			refused(fmt.Sprintf("bit %d of byte %d", bit, i), with(map[string]any{"requestState": string(b)}))
			flips++
		}
		if i%8 == 0 {
			refused("truncated", with(map[string]any{"requestState": state[:i+1]}))
		}
	}
	require.Greater(t, flips, 1000)
	w.official = checked
	refused("another tool", with(map[string]any{"name": "book_table"}))
	refused("changed arguments", with(map[string]any{"arguments": map[string]any{"branch": "fix/leaky-boat"}}))
	conn.token = "token-of-bob"
	refused("another principal", good)
	conn.token = "token-of-ada"
	forged := strings.Split(state, ".")
	payload, err := base64.RawURLEncoding.DecodeString(forged[1])
	require.NoError(t, err)
	forged[1] = base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(payload), `"ada"`, `"bob"`, 1)))
	refused("a payload that says another principal", with(map[string]any{"requestState": strings.Join(forged, ".")}))

	early := w.request("tools/call", map[string]any{"name": "delete_branch", "arguments": args, "inputResponses": good["inputResponses"]})
	require.Nil(t, early.Error, "an accept that was never asked for is asked again")
	require.NotNil(t, nextRound(t, early, start))

	res = w.request("tools/call", good)
	require.Nil(t, res.Error, "the state itself is good")
	require.Contains(t, string(res.Result), "is deleted")
}

func TestUndeclaredCapabilitiesOverHTTP(t *testing.T) {
	w := overHTTP(t, newServer(t, embeddedserver.Options{}), modern, nil)
	w.caps = map[string]any{"roots": map[string]any{}}
	res := w.request("tools/call", map[string]any{"name": "plan_trip"})
	require.NotNil(t, res.Error)
	require.Equal(t, -32021, res.Error.Code)
	require.Equal(t, http.StatusBadRequest, w.link.(*posts).status)
	require.JSONEq(t, `{"requiredCapabilities":{"elicitation":{"form":{}},"sampling":{}}}`, string(res.Error.Data))
}

func TestTheSameCallsGiveTheSameBytesUnderAFixedClock(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	var seen []string
	for range 2 {
		s := newServer(t, embeddedserver.Options{StateKeys: [][]byte{keyA}, StateTTL: time.Minute, Now: func() time.Time { return now }})
		w := &wire{t: t, link: openServer(t, s, "pipe", modern), revision: modern, caps: everything}
		seen = append(seen, string(w.request("tools/call", map[string]any{"name": "book_table"}).raw))
	}
	require.Equal(t, seen[0], seen[1])
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(seen[0][strings.Index(seen[0], "v1."):], ".")[1])
	require.NoError(t, err)
	require.Contains(t, string(payload), `"exp":1800000060`)
}

func TestTheFaultsProfileMisbehaves(t *testing.T) {
	// Its damage is done by the edge, which the face must have been told.
	s := newServer(t, embeddedserver.Options{Profile: "faults"})
	w := &wire{t: t, link: openServer(t, s, "pipe", modern), revision: modern, caps: everything}
	res := w.request("tools/list", nil)
	require.Nil(t, res.Error)
	require.Contains(t, string(res.Result), `"refund_leaky"`)
	conn := s.Pipe(t.Context())
	defer conn.Close()
	_, err := conn.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wrong_id","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n"))
	require.NoError(t, err)
	line, err := bufio.NewReader(conn).ReadBytes('\n')
	require.NoError(t, err)
	require.NotEqual(t, "1", string(decodeMessage(t, line).ID))
}
