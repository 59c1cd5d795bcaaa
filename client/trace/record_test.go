package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func sample() []Event {
	code := 0
	events := []Event{
		{Phase: &Phase{Name: PhaseStarting, Transport: "stdio", Target: "server --x", PID: 7}},
		{Frame: &Frame{Dir: Out, Bytes: []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"who":"Ada","n":4},"requestState":"s1"}}`), Cause: Cause{Why: WhyRetry, Call: 1, Round: 2, Retries: 1, Edited: true}}},
		{Frame: &Frame{Dir: In, Exchange: 3, Bytes: []byte("{\"a\":\"\xff\xfe\u2028<&>\"}"), Pre: []byte("id: 1\ndata: "), Post: []byte("\n\n"), Size: 99}},
		{Frame: &Frame{Dir: In, Bytes: []byte(`{}`), Post: []byte{}, Wire: []byte("{\r\n}")}},
		{HTTP: &HTTP{Exchange: 3, Stage: HTTPEnd, Method: "POST", URL: "http://h/mcp", Status: 200, Headers: []Header{{"X-A", "b\xe4"}}, Bytes: 5, Note: "n", Lost: true, Expired: true}},
		{Noise: &Noise{Exchange: 3, Bytes: []byte("\x00\x1b[31m\n"), Why: "not JSON", Size: 4, Dropped: 2}},
		{Stderr: &Stderr{Bytes: []byte("log \xff"), Dropped: 5}},
		{Act: &Act{Who: Person, Kind: ActAnswer, Call: 1, Round: 2, Ask: AskID{4, "when"}, Method: "m", Name: "n", Value: []byte(`{"action":"accept","content":{"date":"2026-12-04"}}`), Status: Done, Until: 3 * time.Second, Note: "x", Again: 1, Since: 2 * time.Second}},
		{Phase: &Phase{Name: PhaseExited, Code: &code, Signal: "SIGTERM", Era: Modern, Version: "2026-07-28"}},
	}
	for i := range events {
		events[i].Seq, events[i].At = i+1, time.Duration(i)*time.Millisecond+time.Nanosecond
	}
	return events
}

func record(t *testing.T, events []Event, mask Mask) string {
	t.Helper()
	var b bytes.Buffer
	r := NewRecorder(&b, mask)
	require.NoError(t, r.WriteAll(events[:len(events)/2]))
	for _, e := range events[len(events)/2:] {
		require.NoError(t, r.Write(e))
	}
	return b.String()
}

func TestARecordingReadsBackAsItWas(t *testing.T) {
	text := record(t, sample(), Mask{})
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		require.True(t, json.Valid([]byte(line)), line)
	}
	got, err := ReadRecording(strings.NewReader(text))
	require.NoError(t, err)
	require.Equal(t, sample(), got)

	log := Replay(got)
	require.Equal(t, sample(), log.Since(0))
	require.Equal(t, got[len(got)-1].At, log.Now(), "the clock stands still")
	_, err = log.Next(t.Context(), len(got))
	require.ErrorIs(t, err, ErrClosed)
}

func TestDamagedRecordingsGiveWhatCanBeReadAndTheLine(t *testing.T) {
	text := record(t, sample(), Mask{})
	lines := strings.SplitAfter(text, "\n")
	for name, c := range map[string]struct {
		text, want string
		events     int
	}{
		"empty":        {"", "line 1, column 1: the file is empty", 0},
		"foreign":      {"{\"log\":{\"version\":\"1.2\"}}\n", "line 1, column 1: this is not a recording of mcptui (its first line", 0},
		"binary":       {"\x7fELF\x00\x00", "line 1, column 1: this is not a recording of mcptui, or its first line is damaged: invalid character", 0},
		"newer":        {"{\"mcptui-recording\":2}\n", "line 1, column 21: the recording is of format 2", 0},
		"newer still":  {"{\"note\":5, \"mcptui-recording\": 7}\n", "line 1, column 32: the recording is of format 7", 0},
		"heading":      {"{\"mcptui-recording\":1,}\n", "line 1, column 23: this is not a recording of mcptui, or its first line is damaged: invalid character '}'", 0},
		"cut off":      {text[:len(text)-20], fmt.Sprintf("line 10, column %d: the recording is cut off", len(lines[9])-19), 8},
		"cut in two":   {lines[0] + "{\"seq\":1,\"stderr\":{\"bytes\":\"äö", "line 2, column 31: the recording is cut off", 0},
		"damaged":      {lines[0] + lines[1] + "{\"seq\":2 oops\n" + lines[2], "line 3, column 10: this is no event (invalid character 'o' after object key:value pair); 1 events", 1},
		"damaged last": {lines[0] + "{\"seq\":1,\"stderr\":{\"bytes\":\"ä\"]", "line 2, column 31: this is no event (invalid character ']'", 0},
		"characters":   {lines[0] + "{\"seq\":1,\"stderr\":{\"bytes\":\"äöü漢\",}}\n", "line 2, column 35: this is no event (invalid character '}'", 0},
		"space":        {lines[0] + "\n \n\t{\"seq\":\"1\"}\n", `line 4, column 9: this is no event ("seq" cannot be a string)`, 0},
		"kind":         {lines[0] + "{\"seq\":1,\"frame\":{\"dir\":\"in\", \"size\": {}}}\n", `line 2, column 39: this is no event ("frame.size" cannot be an object)`, 0},
		"gap":          {lines[0] + lines[1] + lines[3], "line 3, column 8: event 3 stands where event 2 is due", 1},
		"no parts":     {lines[0] + "{\"seq\":1,\"at\":0}\n", "line 2, column 1: this is no event (an event has 0 parts", 0},
		"two":          {lines[0] + "{\"seq\":1,\"phase\":{},\"stderr\":{}}\n", "line 2, column 1: this is no event (an event has 2 parts", 0},
		"base64":       {lines[0] + "{\"seq\":1,\"stderr\":{\"bytes\":{\"base64\":\"*\"}}}\n", `line 2, column 28: this is no event ("stderr.bytes" cannot be base64 that cannot be decoded)`, 0},
		"no base64":    {lines[0] + "{\"seq\":1,\"frame\":{\"bytes\":{}}}\n", `line 2, column 27: this is no event ("frame.bytes" cannot be an object without base64)`, 0},
		"a header":     {lines[0] + "{\"seq\":1,\"http\":{\"headers\":[{\"name\":\"a\",\"value\":5}]}}\n", "line 2, column 28: this is no event (", 0},
	} {
		got, err := ReadRecording(strings.NewReader(c.text))
		require.ErrorContains(t, err, c.want, name)
		require.Len(t, got, c.events, name)
		var damage *Damage
		require.ErrorAs(t, err, &damage, name)
	}
	got, err := ReadRecording(strings.NewReader(lines[0]))
	require.NoError(t, err)
	require.Empty(t, got, "a session in which nothing happened")
}

func TestSecretsDoNotGetIntoARecording(t *testing.T) {
	const env, token, session = "s3cr3t\"value<é>", "tok-1234567890", "12345678"
	quoted, err := quote(env)
	require.NoError(t, err)
	events := []Event{
		{HTTP: &HTTP{Exchange: 1, Stage: HTTPRequest, URL: "https://bob:hunter22@h/mcp?access_token=abcdefgh&page=2&code=xyz#f", Headers: []Header{
			{"Authorization", "Bearer " + token}, {"Proxy-Authorization", "Basic Ym9iOmh1bnRlcjI="}, {"Cookie", "sid=cookievalue; theme=dark"},
			{"X-Api-Key", "apikeyvalue"}, {"Mcp-Method", "tools/call"}}}},
		{HTTP: &HTTP{Exchange: 1, Stage: HTTPResponse, Headers: []Header{{"Set-Cookie", "sid=othercookie; Path=/; HttpOnly"}, {"Location", "/x?token=inlocation"}}}},
		{Frame: &Frame{Dir: Out, Bytes: []byte(`{"params":{"arguments":{"t":` + string(quoted) + `,"echo":"saw ` + token + `","auth":"Bearer zzzzzzzzzz"}}}`)}},
		{Frame: &Frame{Dir: In, Bytes: []byte(`{"result":{"access_token":"fromserver","port":12345678,"html":"s3cr3t\"value\u003cé\u003e"}}`)}},
		{Stderr: &Stderr{Bytes: []byte("connecting with " + env + " to ?api_key=querykey1\n")}},
		{Noise: &Noise{Bytes: []byte(env)}},
		{Frame: &Frame{Dir: In, Bytes: []byte(`{"result":{"content":[{"text":"{\"refresh_token\": \"innersecret\", \"next\":\"stays\"} at postgres://app:dbpassword@db/x"}]}}`)}},
		{Phase: &Phase{Target: "server " + env, Reason: "bearer abcdefghijk refused"}},
		{Act: &Act{Kind: ActCall, Value: []byte(`{"arguments":{"t":` + string(quoted) + `}}`), Note: token}},
	}
	for i := range events {
		events[i].Seq = i + 1
	}
	text := record(t, events, Mask{Secrets: []string{env, session, "short"}})
	for _, secret := range []string{"s3cr3t", token, session, "hunter22", "abcdefgh", "xyz", "Ym9i", "cookievalue", "othercookie", "apikeyvalue", "inlocation", "zzzzzzzzzz", "innersecret", "dbpassword", "fromserver", "querykey1"} {
		require.NotContains(t, text, secret)
	}
	for _, kept := range []string{"Bearer ***", "Basic ***", "sid=***; theme=***", "Path=/", "page=2", "stays", "://app:***@db", "bob:***@h", "tools/call", `99999999`, "connecting with *** to"} {
		require.Contains(t, text, kept)
	}
	read, err := ReadRecording(strings.NewReader(text))
	require.NoError(t, err)
	for _, e := range read {
		if e.Frame != nil {
			require.True(t, json.Valid(e.Frame.Bytes), "%s", e.Frame.Bytes)
		}
	}
	require.Contains(t, record(t, events, Mask{Secrets: []string{env}, Off: true}), token, "--show-secrets")
}

func TestAnswersAreMaskedOnDemand(t *testing.T) {
	message := func(dir Dir, s string) Event { return Event{Frame: &Frame{Dir: dir, Bytes: []byte(s)}} }
	events := []Event{
		message(Out, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"who":"Ada","n":[4,true,null],"deep":{"x":"Ada"}},"inputResponses":{"when":{"action":"accept","content":{"date":"Ada"}}},"requestState":"Ada1","_meta":{"v":"kept"}}}`),
		message(In, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"Ada1","x":"kept2"}}`),
		message(In, `{"jsonrpc":"2.0","id":2,"result":{"requestState":"Ada2"}}`),
		message(Out, `{"jsonrpc":"2.0","id":"s","result":{"action":"accept","content":{"name":"Ada"}}}`),
		message(Out, `{"jsonrpc":"2.0","id":3,"method":"completion/complete","params":{"ref":{"name":"kept3"},"argument":{"name":"kept4","value":"Ada"},"context":{"arguments":{"a":"Ada"}}}}`),
		message(Out, `{"broken Ada`),
		{Act: &Act{Kind: ActAnswer, Value: []byte(`{"action":"accept","content":{"name":"Ada"}}`)}},
		{Act: &Act{Kind: ActHeld, Value: []byte(`{"name":"kept5","arguments":{"name":"Ada"},"requestState":"Ada1"}`)}},
		{HTTP: &HTTP{Headers: []Header{{"Mcp-Param-Who", "Ada"}, {"Mcp-Name", "kept6"}}}},
	}
	for i := range events {
		events[i].Seq = i + 1
	}
	text := record(t, events, Mask{Answers: true})
	require.NotContains(t, text, "Ada")
	for _, kept := range []string{"kept", "kept2", "kept3", "kept4", "kept5", "kept6", "accept", "input_required", `\"n\":[0,false,null]`} {
		require.Contains(t, text, kept)
	}
	read, err := ReadRecording(strings.NewReader(text))
	require.NoError(t, err)
	state := func(e Event) string {
		m := e.Frame.Message()
		var r struct{ RequestState string }
		require.NoError(t, json.Unmarshal(append(m.Params, m.Result...), &r))
		return r.RequestState
	}
	require.Equal(t, state(read[0]), state(read[1]), "the same state is still the same")
	require.NotEqual(t, state(read[1]), state(read[2]), "another one is another")
}

func TestExtractMovesTheLinks(t *testing.T) {
	events := sample()
	events[1].Frame.Cause = Cause{Retries: 3, Answers: 1}
	events[7].Act.Ask = AskID{4, "when"}
	got := Extract(events, func(e Event) bool { return e.Phase == nil })
	require.Len(t, got, 7)
	for i, e := range got {
		require.Equal(t, i+1, e.Seq)
	}
	require.Zero(t, got[0].Frame.Cause.Answers, "it led to an event that was left out")
	require.Equal(t, AskID{3, "when"}, got[6].Act.Ask)
	require.Equal(t, AskID{4, "when"}, events[7].Act.Ask, "the original stays")
}

func TestMaskURL(t *testing.T) {
	for in, want := range map[string]string{
		"http://h/p":                            "http://h/p",
		"http://u:p@h/p?a=1":                    "http://u:***@h/p?a=1",
		"https://h/?API_KEY=x&b=2#frag":         "https://h/?API_KEY=***&b=2#frag",
		"https://h/cb?state=1&code=abc":         "https://h/cb?state=1&code=***",
		"https://u@h/":                          "https://u@h/",
		"https://h/?q=http://x/?token=in&z=%zz": "https://h/?q=http://x/?token=***&z=%zz",
		"::not a url?key=v":                     "::not a url?key=***",
	} {
		require.Equal(t, want, MaskURL(in))
	}
}

func FuzzReadRecording(f *testing.F) {
	var b bytes.Buffer
	r := NewRecorder(&b, Mask{})
	if err := r.WriteAll(sample()); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		events, err := ReadRecording(bytes.NewReader(data))
		if err != nil {
			return
		}
		again, err := ReadRecording(strings.NewReader(record(t, append(events, Event{Seq: len(events) + 1, Stderr: &Stderr{}}), Mask{Off: true})))
		require.NoError(t, err)
		require.Len(t, again, len(events)+1)
	})
}

func FuzzMask(f *testing.F) {
	files, _ := filepath.Glob("../../testdata/transcripts/*.jsonl")
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err == nil {
			f.Add(data[:min(len(data), 2000)])
		}
	}
	f.Add([]byte(`{"params":{"arguments":{"a":"secretvalue"}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := newMasker(Mask{Secrets: []string{"secretvalue"}, Answers: true})
		e := m.event(Event{Frame: &Frame{Dir: Out, Bytes: data}})
		require.NotContains(t, string(e.Frame.Bytes), "secretvalue")
		if json.Valid(data) {
			require.True(t, json.Valid(e.Frame.Bytes), "%s became %s", data, e.Frame.Bytes)
		}
	})
}

func TestARecordingSaysWhenItBegan(t *testing.T) {
	began := time.Date(2026, 12, 1, 12, 0, 0, 5, time.UTC)
	for _, start := range []time.Time{began, {}} {
		var file bytes.Buffer
		rec := NewRecorder(&file, Mask{})
		rec.Start = start
		require.NoError(t, rec.Write(Event{Seq: 1, Phase: &Phase{Name: PhaseReady}}))
		read, err := OpenRecording(&file)
		require.NoError(t, err)
		require.True(t, start.Equal(read.Start))
		require.Len(t, read.Events, 1)
	}
}
