package state_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/state"
)

// material is a retry in the middle of a booking, with all that presets need.
func material(token string) state.Material {
	return state.Material{
		Clean: state.Retry{
			Method: "tools/call", ID: raw(`7`), Headers: []state.Header{{"Mcp-Name", "book"}, {"authorization", "Bearer own"}},
			Params: raw(`{"name":"book","arguments":{"n":2},"inputResponses":{"when":{"action":"accept","content":{"date":"2026-12-04"}}},"requestState":` + token +
				`,"_meta":{"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"x":1.50}}`),
		},
		Asked: []state.Asked{{Key: "when", Method: "elicitation/create", Params: raw(`{"message":"m","requestedSchema":{"type":"object","properties":{"date":{"type":"string"}}}}`)}},
		Foreign: []state.Foreign{
			{state.FromRound, "round 1", `"s-round"`, true}, {state.FromCall, "call 1", `"s-call"`, false}, {state.FromCall, "call 4", `"s-same"`, true},
			{state.FromTool, "call 2 (refund)", `"s-tool"`, false}, {state.FromFinished, "call 3", `"s-done"`, true}, {state.FromFinished, "call 5", `"s-other"`, false},
		},
		Early:     []state.Early{{"when", raw(`{}`)}, {"seats", raw(`{"action":"accept","content":{"n":4}}`)}, {"confirm", raw(`{}`)}},
		UsedIDs:   []json.RawMessage{raw(`3`), raw(`7`)},
		Before:    []string{"who"},
		Headers:   true,
		Principal: []state.Header{{"Authorization", "Bearer other"}},
		Now:       time.Unix(1_796_161_700, 0),
	}
}

func ok() string { return `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[]}}` }
func no(code int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"error":{"code":%d,"message":"m"}}`, code)
}
func more(keys ...string) string {
	var asks []string
	for _, k := range keys {
		asks = append(asks, `"`+k+`":{"method":"elicitation/create","params":{}}`)
	}
	return `{"jsonrpc":"2.0","id":7,"result":{"resultType":"input_required","inputRequests":{` + strings.Join(asks, ",") + `}}}`
}

func TestPresets(t *testing.T) {
	seal := token(t, sealV1(keyA, `{"exp":1796161600,"req":"q","data":{"paid":false}}`))
	edited, err := state.Edit(seal, raw(`{"exp":1796161600,"req":"q","data":{"paid":true}}`))
	require.NoError(t, err)
	m := material(seal)
	member := func(path ...string) func(state.Tampered) string {
		return func(r state.Tampered) string { return string(rpc.Member(r.Params, path...)) }
	}
	answer := member("inputResponses", "when")
	tampered := map[string]struct {
		see  func(state.Tampered) string
		want string
	}{
		"state-drop":      {member("requestState"), ""},
		"state-flip":      {func(r state.Tampered) string { return fmt.Sprint(string(rpc.Member(r.Params, "requestState")) != seal) }, "true"},
		"state-truncate":  {member("requestState"), seal[:1+(len(seal)-2)/2] + `"`},
		"state-edit":      {member("requestState"), edited},
		"state-round":     {member("requestState"), `"s-round"`},
		"state-call":      {member("requestState"), `"s-call"`},
		"state-tool":      {member("requestState"), `"s-tool"`},
		"state-finished":  {member("requestState"), `"s-done"`},
		"state-expired":   {member("requestState"), seal},
		"answer-early":    {member("inputResponses", "seats"), `{"action":"accept","content":{"n":4}}`},
		"answer-unknown":  {member("inputResponses", "mcptui_unknown"), `{"action":"accept","content":{}}`},
		"answer-missing":  {member("inputResponses"), `{}`},
		"answer-type":     {answer, `{"action":"accept","content":{"date":42}}`},
		"answer-number":   {answer, `42`},
		"answer-null":     {answer, `null`},
		"answer-array":    {answer, `[]`},
		"answer-declined": {answer, `{"action":"decline","content":{"date":"2026-12-04"}}`},
		"arguments":       {member("arguments"), `{"n":3}`},
		"capabilities":    {member("_meta"), `{"io.modelcontextprotocol/clientCapabilities":{},"x":1.50}`},
		"principal":       {func(r state.Tampered) string { return fmt.Sprint(r.Headers) }, `[{Mcp-Name book} {Authorization Bearer other}]`},
		"id-used":         {func(r state.Tampered) string { return string(r.ID) }, `3`},
		"twice":           {func(r state.Tampered) string { return fmt.Sprint(r.Twice) }, `true`},
	}
	before := string(m.Clean.Params)
	require.Len(t, tampered, len(state.Presets()))
	for _, p := range state.Presets() {
		t.Run(p.ID, func(t *testing.T) {
			require.NotEmpty(t, p.Title)
			require.NotEmpty(t, p.Says)
			require.Contains(t, p.Section, "(2026-07-28)")
			r, err := p.Apply(m)
			require.NoError(t, err)
			require.NotEmpty(t, r.Change)
			require.Equal(t, tampered[p.ID].want, tampered[p.ID].see(r))
			require.True(t, json.Valid(r.Params))
			require.Contains(t, string(r.Params), `"x":1.50`, "what is not meant stays as it was written")
			require.Equal(t, before, string(m.Clean.Params), "the clean retry stays")
			require.Equal(t, p.ID, r.Preset.ID)
			require.Equal(t, state.Waiting, r.Judge().Verdict)
			recalled, err := state.Recall(p.ID, r.Change, r.Basis())
			require.NoError(t, err)
			for _, message := range []string{ok(), no(-32602), no(-32021), more("when"), more("seats"), more(), toolFailed} {
				outcomes := []state.Outcome{{Message: []byte(message)}}
				require.Equal(t, r.Judge(outcomes...), recalled.Judge(outcomes...), message)
			}
			require.Equal(t, r.Twice, recalled.Twice)
			require.Equal(t, state.Waiting, r.Judge(state.Outcome{}).Verdict)
			found, ok := state.PresetByID(p.ID)
			require.True(t, ok)
			require.Equal(t, p.Title, found.Title)
		})
	}
	_, err = state.Recall("nothing", "", nil)
	require.ErrorContains(t, err, "newer version")
	_, err = state.Recall("twice", "", []byte("***"))
	require.ErrorContains(t, err, "hangs on")
	_, found := state.PresetByID("nothing")
	require.False(t, found)
}

func TestPresetsThatDoNotApplySayWhy(t *testing.T) {
	bare := state.Material{Clean: state.Retry{Method: "resources/read", ID: raw(`1`), Params: raw(`{"uri":"a:b"}`)}}
	for _, p := range state.Presets() {
		_, err := p.Apply(bare)
		if p.ID == "answer-unknown" || p.ID == "twice" {
			require.NoError(t, err, p.ID)
			continue
		}
		require.ErrorIs(t, err, state.ErrNotHere, p.ID)
	}
	p, _ := state.PresetByID("state-expired")
	m := material(token(t, sealV1(keyA, `{"exp":1796161800,"req":"q"}`)))
	_, err := p.Apply(m)
	require.ErrorContains(t, err, "good for another 1m40s")
	p, _ = state.PresetByID("state-edit")
	_, err = p.Apply(material(token(t, b64u(random(48)))))
	require.ErrorIs(t, err, state.ErrNotHere)
	require.ErrorIs(t, err, state.ErrNotEditable)
}

func TestAMadeUpPrincipalIsNamedAsOne(t *testing.T) {
	m := material(`"s"`)
	m.Principal = nil
	p, _ := state.PresetByID("principal")
	r, err := p.Apply(m)
	require.NoError(t, err)
	require.Equal(t, []state.Header{{"Mcp-Name", "book"}, {"Authorization", state.Stranger}}, r.Headers)
	require.Equal(t, state.NoWord, r.Judge(state.Outcome{Message: []byte(ok())}).Verdict)
	require.Equal(t, state.Kept, r.Judge(state.Outcome{Status: 401, Lost: "HTTP 401"}).Verdict)
	m.Headers = false
	_, err = p.Apply(m)
	require.ErrorIs(t, err, state.ErrNotHere)
}

func TestAStateOfTheSameRequestIsBoundToIt(t *testing.T) {
	m := material(`"s"`)
	m.Foreign = []state.Foreign{{state.FromCall, "call 1", `"s-call"`, true}}
	p, _ := state.PresetByID("state-call")
	r, err := p.Apply(m)
	require.NoError(t, err)
	require.Equal(t, state.NoWord, r.Judge(state.Outcome{Message: []byte(ok())}).Verdict)
	require.Equal(t, state.Kept, r.Judge(state.Outcome{Message: []byte(no(-32602))}).Verdict)
}

func TestARefusedStateThatNothingProtectsShowsNoVerification(t *testing.T) {
	m := material(`"eyJzdGVwIjoxLCJhbW91bnQiOjEwfQ"`) // {"step":1,"amount":10}
	for id, want := range map[string]state.Verdict{"state-flip": state.NoWord, "state-truncate": state.NoWord, "state-edit": state.Kept} {
		p, _ := state.PresetByID(id)
		r, err := p.Apply(m)
		require.NoError(t, err)
		require.Equal(t, want, r.Judge(state.Outcome{Message: []byte(no(-32603))}).Verdict, id)
		require.Equal(t, state.Broken, r.Judge(state.Outcome{Message: []byte(ok())}).Verdict, id)
	}
}

const toolFailed = `{"jsonrpc":"2.0","id":7,"result":{"isError":true,"content":[]}}`

func TestVerdicts(t *testing.T) {
	m := material(`"s"`)
	for _, c := range []struct {
		preset, response string
		want             state.Verdict
	}{
		{"state-flip", no(-32602), state.Kept},
		{"state-flip", more("when"), state.Kept},
		{"state-flip", ok(), state.Broken},
		{"state-flip", toolFailed, state.Kept},
		{"state-flip", more("who"), state.Kept},
		{"state-flip", more("seats"), state.Broken},
		{"state-flip", more(), state.NoWord},
		{"state-flip", `what`, state.NoWord},
		{"state-tool", ok(), state.Broken},
		{"state-tool", toolFailed, state.NoWord},
		{"state-call", toolFailed, state.NoWord},
		{"arguments", toolFailed, state.NoWord},
		{"arguments", ok(), state.Broken},
		{"state-drop", ok(), state.NoWord},
		{"state-finished", no(-32602), state.NoWord},
		{"principal", ok(), state.Broken},
		{"arguments", no(-32602), state.Kept},
		{"answer-unknown", ok(), state.Kept},
		{"answer-unknown", more("seats"), state.Kept},
		{"answer-unknown", no(-32602), state.Broken},
		{"answer-early", more("seats"), state.Kept},
		{"answer-early", more("confirm"), state.NoWord},
		{"answer-early", ok(), state.NoWord},
		{"answer-early", no(-32602), state.Broken},
		{"answer-missing", more("when"), state.Kept},
		{"answer-missing", more("seats"), state.NoWord},
		{"answer-missing", no(-32602), state.Broken},
		{"answer-missing", ok(), state.NoWord},
		{"answer-null", more("when"), state.Kept},
		{"answer-null", no(-32602), state.Kept},
		{"answer-null", more("seats"), state.Broken},
		{"answer-null", ok(), state.Broken},
		{"capabilities", no(-32021), state.Kept},
		{"capabilities", no(-32603), state.NoWord},
		{"capabilities", more("when"), state.Broken},
		{"capabilities", ok(), state.NoWord},
		{"twice", ok(), state.NoWord},
	} {
		p, found := state.PresetByID(c.preset)
		require.True(t, found)
		r, err := p.Apply(m)
		require.NoError(t, err)
		got := r.Judge(state.Outcome{Message: []byte(c.response)})
		require.Equal(t, c.want, got.Verdict, "%s: %s", c.preset, c.response)
		require.NotEmpty(t, got.Text)
	}
}

func TestTwoAtOnceHaveTwoOutcomes(t *testing.T) {
	p, _ := state.PresetByID("twice")
	r, err := p.Apply(material(`"s"`))
	require.NoError(t, err)
	served, refused := state.Outcome{Message: []byte(ok())}, state.Outcome{Message: []byte(no(-32602))}
	require.Equal(t, state.Waiting, r.Judge(served, state.Outcome{}).Verdict)
	require.Contains(t, r.Judge(served, served).Text, "served twice")
	require.Contains(t, r.Judge(served, refused).Text, "a complete result, and with error -32602 (m)")
	require.Equal(t, state.NoWord, r.Judge(served, state.Outcome{Lost: "the server ended"}).Verdict)
}
