package lint_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/lint"
	"mcptui/client/trace"
)

func (c *talk) event(e trace.Event) *talk {
	e.Seq = len(c.events) + 1
	c.events = append(c.events, e)
	return c
}

// calls sends a request of a call.
func (c *talk) calls(call int, id string) *talk {
	return c.event(trace.Event{Frame: &trace.Frame{Dir: trace.Out, Cause: trace.Cause{Why: trace.WhyCall, Call: call, Round: 1}, Bytes: []byte(request(id, "tools/call", `"name":"t",`))}})
}

func (c *talk) ends(call int, as trace.Status) *talk {
	return c.event(trace.Event{Act: &trace.Act{Who: trace.Client, Kind: trace.ActEnd, Call: call, Status: as}})
}

func judged(c *talk) *lint.Linter {
	l := lint.New()
	for _, e := range c.events {
		l.Apply(e)
	}
	return l
}

func rulesOf(found []lint.Finding) (out []string) {
	for _, f := range found {
		out = append(out, f.Rule)
	}
	return out
}

// TestAFindingBelongsToTheCallThatItEnded breaks a call off in every way in which
// what came names no request.
func TestAFindingBelongsToTheCallThatItEnded(t *testing.T) {
	for name, c := range map[string]struct {
		what trace.Event
		rule string
	}{
		"cut off":      {trace.Event{Frame: &trace.Frame{Dir: trace.In, Bytes: []byte(`{"jsonrpc":"2.0","id":2,"resu`)}}, "not-json"},
		"a number":     {trace.Event{Frame: &trace.Frame{Dir: trace.In, Bytes: []byte(`5`)}}, "message-not-object"},
		"neither":      {trace.Event{Frame: &trace.Frame{Dir: trace.In, Bytes: []byte(`{"jsonrpc":"2.0","id":2}`)}}, "message-neither"},
		"a batch":      {trace.Event{Frame: &trace.Frame{Dir: trace.In, Bytes: []byte(`[]`)}}, "batch"},
		"no message":   {trace.Event{Noise: &trace.Noise{Bytes: []byte("<html>"), Why: "not JSON"}}, "stdout-noise"},
		"beyond UTF-8": {trace.Event{Frame: &trace.Frame{Dir: trace.In, Bytes: []byte("\xff")}}, "utf-8"},
	} {
		t.Run(name, func(t *testing.T) {
			l := judged(discovered(`{"tools":{}}`).calls(1, "2").calls(2, "3").event(c.what).ends(1, trace.Violated))
			require.Contains(t, rulesOf(l.Of(1)), c.rule)
			require.NotContains(t, rulesOf(l.Of(2)), c.rule)
			l = judged(discovered(`{"tools":{}}`).calls(1, "2").event(c.what).ends(1, trace.Cancelled))
			require.NotContains(t, rulesOf(l.Of(1)), c.rule, "it ended otherwise")
		})
	}
}

func TestWhatWasLostIsFoundInItsCall(t *testing.T) {
	code := 7
	dies := trace.Phase{Name: trace.PhaseExited, Reason: "the server ended by itself", Transport: "stdio", Code: &code}
	l := judged(discovered(`{"tools":{}}`).phase(trace.Phase{Name: trace.PhaseReady}).calls(1, "2").calls(2, "3").
		in("%s", result("2", `"content":[],`)).phase(dies).ends(2, trace.Lost))
	require.Contains(t, rulesOf(l.Of(2)), "never-answered")
	require.NotContains(t, rulesOf(l.Of(1)), "never-answered")
	last := l.Findings()[len(l.Findings())-1]
	require.Equal(t, "server-exited", last.Rule)
	require.Contains(t, last.Message, "with code 7")
}

// TestWhatIsSaidOnceStandsInEachCall makes the same mistake in two calls.
func TestWhatIsSaidOnceStandsInEachCall(t *testing.T) {
	talk := discovered(`{"tools":{}}`)
	for call, id := range []string{"2", "3"} {
		talk.calls(call+1, id).in(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"input_required","requestState":"{\"user\":\"ada\"}"}}`, id)
	}
	l := judged(talk)
	require.Contains(t, rulesOf(l.Of(1)), "state-unsigned")
	require.ElementsMatch(t, rulesOf(l.Of(1)), rulesOf(l.Of(2)))
	require.Equal(t, 1, l.Counts()["state-unsigned"], "said once all the same")
}

// TestAServerThatIsStartedAnewIsNoOther finds the same again, counted once.
func TestAServerThatIsStartedAnewIsNoOther(t *testing.T) {
	connect := func(c *talk, target, tools string) *talk {
		c.phase(trace.Phase{Name: trace.PhaseStarting, Transport: "stdio", Target: target}).
			out("%s", request("0", "server/discover", "")).in("%s", result("0", `"capabilities":{"tools":{}},"supportedVersions":["2026-07-28"],`)).
			phase(trace.Phase{Name: trace.PhaseReady, Era: trace.Modern, Version: "2026-07-28"})
		return c.out("%s", request("1", "tools/list", "")).in("%s", result("1", `"tools":[`+tools+`],`)).noise("not JSON", "hello").noise("not JSON", "hello")
	}
	bad := `{"name":"a b","inputSchema":{"type":"object"}}`
	once := judged(connect(chat(), "node x", bad))
	twice := judged(connect(connect(chat(), "node x", bad), "node x", bad))
	require.Len(t, twice.Findings(), len(once.Findings()))
	require.Equal(t, once.Counts(), twice.Counts())
	noises := 0
	for i, f := range twice.Findings() {
		if f.Rule == "stdout-noise" {
			noises++
			require.Equal(t, 1, f.Again)
		}
		f.Again = 0
		require.Equal(t, once.Findings()[i], f)
	}
	require.Equal(t, 2, noises, "twice in one connection is twice")
	other := judged(connect(connect(chat(), "node x", bad), "node y", bad))
	require.Greater(t, len(other.Findings()), len(once.Findings()), "another server is another")
}
