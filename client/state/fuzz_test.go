package state_test

import (
	"encoding/json"
	"testing"
	"time"

	"mcptui/client/state"
)

// FuzzDecode holds what must be true of any string that a server sends.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"", `{"step":1}`, `"{\"a\":1}"`, fernetToken, sealV1(keyK, `{"p":{"n":1},"exp":1796161600}`),
		sealV1(keyA, `{"exp":1796161600,"req":"x","answers":{"a":{"action":"accept"}}}`),
		sealPHP(keyA, `{"exp":1,"data":{}}`), jws(keyA, `{"alg":"HS256"}`, `{"sub":"a"}`), jwe(f, keyA, `{}`),
		b64u(gzipped(f, `{"a":1}`)), b64u(zlibbed(f, `[1]`)), django(keyA, `{"a":1}`, "1xXC1E"), flask(f, keyA, `{"a":1}`),
		rails(keyA, `{"a":1}`), "v4.public." + b64u(random(90)), "a=1;b=2", "%7B%22a%22%3A1%7D", "v1.eyJwIjp7Im4iOjN9fQ.AAAA",
		`{"iv":"AA==","value":"AA==","mac":"00"}`, "v1e." + b64u(random(40)), "Fe26.2*******",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b, err := json.Marshal(s)
		if err != nil {
			t.Skip()
		}
		raw := string(b)
		d := state.Decode(raw, keyA, keyK)
		if len(d.Layers) == 0 || d.Chain() == "" || d.Signature.Status == "" {
			t.Fatalf("nothing said about %q", s)
		}
		if d.Payload != nil && !json.Valid(d.Payload) {
			t.Fatalf("payload of %q is not JSON: %q", s, d.Payload)
		}
		if d.Signature.Status == state.Verified && d.Signature.Key == 0 {
			t.Fatalf("verified by no key: %q", s)
		}
		d.Warnings(time.Unix(1796161600, 0))
		state.Compare(d, state.Decode(s))
		for _, tamper := range []func() (string, error){
			func() (string, error) { return state.Flip(raw, state.Middle(raw)) },
			func() (string, error) { return state.Flip(raw, -1) },
			func() (string, error) { return state.Truncate(raw, state.Length(raw)/2) },
			func() (string, error) { return state.Edit(raw, json.RawMessage(`{"x":1}`)) },
		} {
			out, err := tamper()
			if err == nil && !json.Valid([]byte(out)) {
				t.Fatalf("%q became %q, which is no JSON string", raw, out)
			}
			if err == nil && out == raw && s != `{"x":1}` && d.Payload == nil {
				t.Fatalf("%q stayed as it was", raw)
			}
		}
		if p, err := state.Editable(raw); err == nil {
			out, _, ok := state.Nudge(p)
			if ok && !json.Valid(out) {
				t.Fatalf("nudged %q into %q", p, out)
			}
			if _, err := state.Edit(raw, p); err != nil {
				t.Fatalf("%q cannot take its own payload %q: %v", raw, p, err)
			}
		}
	})
}
