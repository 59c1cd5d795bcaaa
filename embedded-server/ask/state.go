package ask

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// Why a state was refused; for the log, never for the client.
var (
	errStateMalformed = errors.New("malformed")
	errStateVersion   = errors.New("unknown version")
	errStateMAC       = errors.New("signature does not match any key")
	errStateExpired   = errors.New("expired")
	errStatePrincipal = errors.New("sealed for another principal")
	errStateRequest   = errors.New("sealed for another request")
	errStateNoKey     = errors.New("no sealing key configured")
)

const stateVersion = "v1"

// Strict, so that the spare bits of the last character cannot be flipped
// without anyone noticing: one state has one encoding.
var stateEncoding = base64.RawURLEncoding.Strict()

// claims is what a requestState says, readable by anyone who holds it.
type claims struct {
	Expires   int64                      `json:"exp"`               // Unix seconds; good in that second still
	Principal string                     `json:"sub,omitempty"`     // who was asked
	Request   string                     `json:"req"`               // digest of method and parameters
	Asked     map[string]record          `json:"asked,omitempty"`   // what this round asks, by key
	Answers   map[string]json.RawMessage `json:"answers,omitempty"` // what earlier rounds answered
	Data      json.RawMessage            `json:"data,omitempty"`    // the handler's own
}

// record is what a state remembers of one ask, enough to check its answer.
type record struct {
	Method string          `json:"method"`
	Mode   string          `json:"mode,omitempty"`
	Schema json.RawMessage `json:"schema,omitempty"`
	Carry  bool            `json:"carry,omitempty"` // just asked: the layer carries the answer on
}

type sealer struct {
	keys [][]byte
	ttl  time.Duration
	now  func() time.Time
}

func sign(key []byte, body string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(body))
	return m.Sum(nil)
}

// seal encodes c as version.payload.signature, base64url without padding; the
// signature covers the version too.
func (s *sealer) seal(c claims) (string, error) {
	c.Expires = s.now().Add(s.ttl).Unix()
	raw, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	body := stateVersion + "." + stateEncoding.EncodeToString(raw)
	return body + "." + stateEncoding.EncodeToString(sign(s.keys[0], body)), nil
}

// open verifies a state and says what it claims. Nothing of the payload is
// looked at before its signature has been checked.
func (s *sealer) open(state, principal, request string) (claims, error) {
	version, rest, ok := strings.Cut(state, ".")
	payload, signature, ok2 := strings.Cut(rest, ".")
	if !ok || !ok2 {
		return claims{}, errStateMalformed
	}
	if version != stateVersion {
		return claims{}, errStateVersion
	}
	if strings.ContainsAny(state, "\r\n") { // which the decoder would skip
		return claims{}, errStateMalformed
	}
	mac, err := stateEncoding.DecodeString(signature)
	if err != nil {
		return claims{}, errStateMalformed
	}
	body := version + "." + payload
	good := false
	for _, k := range s.keys { // no early end: time must not tell which key fits
		good = hmac.Equal(sign(k, body), mac) || good
	}
	if !good {
		return claims{}, errStateMAC
	}
	raw, err := stateEncoding.DecodeString(payload)
	if err != nil {
		return claims{}, errStateMalformed
	}
	var c claims
	if err := json.Unmarshal(raw, &c); err != nil {
		return claims{}, errStateMalformed
	}
	switch {
	case c.Expires < s.now().Unix():
		return claims{}, errStateExpired
	case c.Principal != principal:
		return claims{}, errStatePrincipal
	case c.Request != request:
		return claims{}, errStateRequest
	}
	return c, nil
}

// digest identifies the request that a state belongs to: the method, and every
// parameter that decides what the request does. Member order and white space
// do not matter, and left-out arguments are the same as none.
func digest(method, name string, args json.RawMessage) string {
	var v any
	if len(args) > 0 {
		d := json.NewDecoder(bytes.NewReader(args))
		d.UseNumber()
		if d.Decode(&v) != nil {
			v = string(args)
		}
	}
	if v == nil {
		v = map[string]any{}
	}
	canonical, err := json.Marshal([]any{method, name, v})
	if err != nil { // not reachable: v came from JSON
		canonical = []byte(method + "\x00" + name + "\x00" + string(args))
	}
	sum := sha256.Sum256(canonical)
	return stateEncoding.EncodeToString(sum[:16])
}
