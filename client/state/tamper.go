package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"mcptui/client/rpc"
)

// ErrNotEditable is wrapped where a state cannot be written again with another
// payload: it is encrypted, or not understood.
var ErrNotEditable = errors.New("cannot be written again")

// Drop removes requestState from the params of a retry. Every other member
// stays as it was written.
func Drop(params []byte) []byte {
	return rpc.With(params, rpc.Field{Name: "requestState"})
}

// Put sets requestState in the params of a retry to a raw JSON string token.
func Put(params []byte, token string) []byte {
	return rpc.With(params, rpc.Field{Name: "requestState", Raw: []byte(token)})
}

// Length is the number of characters of a token that Flip and Truncate count;
// an escape is one character.
func Length(token string) int {
	_, n, _, err := unitAt(token, 0)
	if err != nil {
		return 0
	}
	return n
}

// Flip changes one character of a token: the one at position at, counted from
// 0, or from the end where at is negative. What comes out is a JSON string of
// the same length in the same alphabet, so that a server notices by its
// signature and not by a broken encoding.
func Flip(token string, at int) (string, error) {
	u, n, ok, err := unitAt(token, at)
	if err != nil {
		return "", fmt.Errorf("flip a byte of the state: %w", err)
	}
	if !ok {
		return "", fmt.Errorf("flip a byte of the state: it has %d characters, none at that place", n)
	}
	hexOnly := isHex(strings.ReplaceAll(token[1:len(token)-1], "-", ""))
	return token[:u.from] + flipped(token[u.from:u.to], hexOnly) + token[u.to:], nil
}

// flipped gives another character for the same place. In base64 the last
// character of a run carries bits that count for nothing; one of its upper bits
// is changed, so that the decoded bytes always differ.
func flipped(s string, hexOnly bool) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	const hexDigits = "0123456789abcdef"
	if len(s) != 1 {
		return "x"
	}
	if i := strings.Index(hexDigits, strings.ToLower(s)); hexOnly && i >= 0 {
		return string(hexDigits[i^8])
	}
	i := strings.Index(alphabet, s)
	switch {
	case s == "-" || s == "+":
		i = 62
	case s == "_" || s == "/":
		i = 63
	case i < 0: // a mark: one that needs no escape
		if s == "." {
			return ","
		}
		return "."
	}
	if j := i ^ 16; j < len(alphabet) {
		return string(alphabet[j])
	}
	return string(alphabet[i^32])
}

// Middle is the position of a character in the middle of what the state
// carries, away from a version in front and a signature behind.
func Middle(token string) int {
	d := Decode(token)
	n := Length(token)
	if parts := strings.Split(d.Value, "."); len(parts) > 1 && !d.Surrogate {
		long, start, at := 0, 0, 0
		for _, part := range parts[:len(parts)-1] {
			if len(part) > long {
				long, at = len(part), start
			}
			start += len(part) + 1
		}
		if at+long/2 < n {
			return at + long/2
		}
	}
	return n / 2
}

// Truncate keeps the first characters of a token, or drops as many from its end
// where keep is negative.
func Truncate(token string, keep int) (string, error) {
	u, n, ok, err := unitAt(token, keep)
	if err != nil {
		return "", fmt.Errorf("truncate the state: %w", err)
	}
	if !ok {
		return "", fmt.Errorf("truncate the state: it has %d characters", n)
	}
	return token[:u.from] + `"`, nil
}

// Editable returns what Edit can replace: the payload, or the text of a state
// that is plain text, as a JSON string. The error says why there is nothing.
func Editable(token string, keys ...Key) (json.RawMessage, error) {
	d := Decode(token, keys...)
	if err := d.editable(); err != nil {
		return nil, err
	}
	if d.Payload != nil {
		return d.Payload, nil
	}
	return json.RawMessage(rpc.Quote(string(d.Inner))), nil
}

func (d *Decoded) editable() error {
	for _, l := range d.Layers {
		if l.encode == nil {
			return fmt.Errorf("%s: %w", l.Format, ErrNotEditable)
		}
	}
	return nil
}

// Edit writes a state again with another payload, in the same layers. A
// signature stays the old one: a server that checks it must notice. The bytes
// of the payload go in as they are given.
func Edit(token string, payload json.RawMessage) (string, error) {
	d := Decode(token)
	if err := d.editable(); err != nil {
		return "", fmt.Errorf("edit the payload of the state: %w", err)
	}
	b := []byte(payload)
	for i := len(d.Layers) - 1; i >= 0; i-- {
		var err error
		if b, err = d.Layers[i].encode(b); err != nil {
			return "", fmt.Errorf("edit the payload of the state: %w", err)
		}
	}
	return string(rpc.Quote(string(b))), nil
}

// Nudge changes one value of a payload a little, and says which: a switch is
// turned, a number becomes one more, a text gets another last character. Times
// are left alone, so that the change is not taken for a lapsed state. It is
// false where there is nothing to change.
func Nudge(payload json.RawMessage) (changed json.RawMessage, path string, ok bool) {
	for _, pick := range []func([]byte) []byte{nudgeBool, nudgeNumber, nudgeText} {
		if out, at, ok := nudge(payload, "", "", pick); ok {
			return out, at, true
		}
	}
	return nil, "", false
}

func nudge(raw []byte, path, key string, pick func([]byte) []byte) ([]byte, string, bool) {
	if len(raw) == 0 {
		return nil, "", false
	}
	switch raw[0] {
	case '{':
		for k, v := range rpc.Members(raw) {
			if out, at, ok := nudge(v, path+"/"+escapePointer(k), k, pick); ok {
				return rpc.With(raw, rpc.Field{Name: k, Raw: out}), at, true
			}
		}
	case '[':
		var list []string
		found := ""
		for i, v := range rpc.Elements(raw) {
			if found == "" {
				if out, at, ok := nudge(v, path+"/"+strconv.Itoa(i), key, pick); ok {
					v, found = out, at
				}
			}
			list = append(list, string(v))
		}
		if found != "" {
			return []byte("[" + strings.Join(list, ",") + "]"), found, true
		}
	default:
		if _, isTime := timeName(key); isTime {
			return nil, "", false
		}
		if out := pick(raw); out != nil {
			return out, path, true
		}
	}
	return nil, "", false
}

func nudgeBool(raw []byte) []byte {
	switch string(raw) {
	case "true":
		return []byte("false")
	case "false":
		return []byte("true")
	}
	return nil
}

func nudgeNumber(raw []byte) []byte {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		return nil
	}
	return strconv.AppendInt(nil, n+1, 10)
}

func nudgeText(raw []byte) []byte {
	s, ok := rpc.String(raw)
	if !ok || s == "" {
		return nil
	}
	last := s[len(s)-1]
	switch {
	case last >= '0' && last < '9', last >= 'a' && last < 'z', last >= 'A' && last < 'Z':
		return rpc.Quote(s[:len(s)-1] + string(last+1))
	}
	return rpc.Quote(s + "x")
}
