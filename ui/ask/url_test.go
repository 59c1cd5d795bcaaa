package ask

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/draw"
	_ "mcptui/ui/internal/screentest"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

func TestInspectingURLs(t *testing.T) {
	for raw, want := range map[string]struct {
		host, refused string
		warnings      []string
	}{
		"https://example.com/a?b#c":  {host: "example.com"},
		"http://example.com/":        {host: "example.com", warnings: []string{"not HTTPS"}},
		"http://localhost:3000/x":    {host: "localhost:3000"},
		"https://good.com@evil.com/": {host: "evil.com", warnings: []string{"a user name stands before the host: the host is evil.com"}},
		"https://xn--pple-43d.com/":  {host: "xn--pple-43d.com", warnings: []string{"punycode"}},
		"https://аpple.com/":         {host: "аpple.com", warnings: []string{"letters outside ASCII"}},
		"https://example.com:8443/":  {host: "example.com:8443", warnings: []string{"an unusual port: 8443"}},
		"https://192.0.2.7/":         {host: "192.0.2.7", warnings: []string{"an address, not a name"}},
		"javascript:alert(1)":        {refused: "its scheme is javascript"},
		"file:///etc/passwd":         {refused: "its scheme is file"},
		"ssh://x":                    {refused: "its scheme is ssh"},
		"":                           {refused: "not a URL"},
		"example.com/x":              {refused: "not a URL"},
		"https:///x":                 {refused: "no host"},
		"https://%zz/":               {refused: "not a URL"},
	} {
		t.Run(raw, func(t *testing.T) {
			l := Inspect(raw)
			if want.refused != "" {
				require.Contains(t, l.Refused, want.refused)
				return
			}
			require.Empty(t, l.Refused)
			require.Equal(t, want.host, l.Host)
			require.Equal(t, raw, l.Before+l.Host+l.After)
			require.Len(t, l.Warnings, len(want.warnings))
			for i, w := range want.warnings {
				require.Contains(t, l.Warnings[i], w)
			}
		})
	}
}

func FuzzInspect(f *testing.F) {
	f.Add("https://a@b.c:1/d")
	f.Fuzz(func(t *testing.T, raw string) {
		if l := Inspect(raw); l.Refused == "" {
			require.Equal(t, raw, l.Before+l.Host+l.After, "nothing of it is hidden")
		}
	})
}

func elicit(params string) *session.Ask {
	a := &session.Ask{ID: trace.AskID{Frame: 7, Key: "k"}, Method: "elicitation/create", Kind: session.Form, Params: []byte(params), Status: session.Open, Message: "What?"}
	return a
}

func with() With {
	return With{Server: "demo", Call: "tool", Form: func(s []byte, v json.RawMessage) Editor { return JSON(s, v) }}
}

func drawn(p *Panel) string {
	s := draw.NewScreen(80, 20, nil, text.Wc)
	p.Draw(s, s.Bounds(), true)
	return s.Plain()
}

func TestAMessageWithoutFieldsIsAPlainQuestion(t *testing.T) {
	a := elicit(`{"requestedSchema":{"type":"object","properties":{}}}`)
	p := New(a, with())
	require.Nil(t, p.Edit)
	require.Contains(t, drawn(p), "[ Accept Ctrl+S ]")
	require.Equal(t, Send, p.Do(keys.Send))
	v, ok := p.Value()
	require.True(t, ok)
	require.JSONEq(t, `{"action":"accept","content":{}}`, string(Reply(a, Send, v).Result))
}

func TestRepliesOnTheWire(t *testing.T) {
	form := elicit(`{}`)
	url := &session.Ask{Method: "elicitation/create", Kind: session.URL}
	sampling := &session.Ask{Method: "sampling/createMessage", Kind: session.Sampling}
	require.Equal(t, `{"action":"accept","content":{"n":1.50}}`, string(Reply(form, Send, json.RawMessage(`{"n":1.50}`)).Result))
	require.Equal(t, `{"action":"decline"}`, string(Reply(form, Decline, nil).Result))
	require.Equal(t, `{"action":"cancel"}`, string(Reply(form, Cancel, nil).Result))
	require.Equal(t, `{"action":"accept"}`, string(Reply(url, Send, nil).Result))
	require.Equal(t, -1, Reply(sampling, Reject, nil).Error.Code)
	require.Nil(t, Reply(sampling, Reject, nil).Result)
}

func TestAWrongValueIsSentOnlyTheSecondTime(t *testing.T) {
	p := New(elicit(`{"requestedSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":1}},"required":["n"]}}`), with())
	p.Edit.(*Document).SetText(`{"n": 0}`)
	_, ok := p.Value()
	require.False(t, ok)
	require.Contains(t, p.Problem(), "/n")
	require.Contains(t, drawn(p), "send again to send it all the same")
	v, ok := p.Value()
	require.True(t, ok)
	require.Equal(t, `{"n":0}`, string(v))

	p.Edit.(*Document).SetText(`{"n": `)
	for range 2 { // what is no JSON is never sent
		_, ok = p.Value()
		require.False(t, ok)
	}
}

func TestFormsThatAskForSecretsAreWarnedOf(t *testing.T) {
	p := New(elicit(`{"requestedSchema":{"type":"object","properties":{"password":{"type":"string"}}}}`), with())
	require.Contains(t, drawn(p), "⚠ asks for something secret (password)")
}

func TestWhatIsUnknownIsShownAndAnsweredAsJSON(t *testing.T) {
	a := &session.Ask{ID: trace.AskID{Frame: 3}, Method: "future/ask", Kind: session.Unknown, Params: []byte(`{"colour":"red"}`), Status: session.Open}
	p := New(a, with())
	require.Contains(t, drawn(p), `"colour": "red"`)
	p.Edit.(*Document).SetText(`{"yes":true}`)
	v, ok := p.Value()
	require.True(t, ok)
	require.Equal(t, `{"yes":true}`, string(Reply(a, Send, v).Result))
}

func TestNoButtonIsPressedByAKeyTypedAhead(t *testing.T) {
	a := elicit(`{}`)
	a.Kind, a.Params = session.URL, []byte(`{"mode":"url","url":"https://example.com/"}`)
	p := New(a, with())
	drawn(p)
	require.Equal(t, None, p.Key(keyPress("enter")))
	p.Do(keys.NextField)
	require.Equal(t, OpenURL, p.Key(keyPress("enter")))
}
