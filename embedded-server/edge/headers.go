package edge

import (
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	headerVersion   = "MCP-Protocol-Version"
	headerMethod    = "Mcp-Method"
	headerName      = "Mcp-Name"
	headerSession   = "Mcp-Session-Id"
	headerLastEvent = "Last-Event-ID"
	headerParam     = "Mcp-Param-"
)

// checkVersionHeader compares the header with the body before anything is
// said about whether that revision is served.
func checkVersionHeader(m *message, h http.Header) *rpcError {
	got, err := single(h, headerVersion)
	if err != nil {
		return err
	}
	if want, _ := m.claim(); got != want {
		return failf(codeHeader, "header mismatch: %s is %q, params._meta says %q", headerVersion, got, want)
	}
	return nil
}

// checkStandardHeaders compares Mcp-Method and Mcp-Name with the body
// (basic/transports/streamable-http, Standard Request Headers).
func checkStandardHeaders(m *message, h http.Header) *rpcError {
	got, err := single(h, headerMethod)
	if err != nil {
		return err
	}
	if got != m.method {
		return failf(codeHeader, "header mismatch: %s is %q, the body says %q", headerMethod, got, m.method)
	}
	want, ok := text(m.params.get(nameField(m.method)))
	if !ok {
		return nil // no name to mirror; checkParams refuses the body
	}
	if got, err = single(h, headerName); err != nil {
		return err
	}
	name, ok := decodeHeader(got)
	if !ok || name != want {
		return failf(codeHeader, "header mismatch: %s is %q, the body says %q", headerName, got, want)
	}
	return nil
}

// single reads a header that must be there exactly once.
func single(h http.Header, name string) (string, *rpcError) {
	switch vs := h.Values(name); len(vs) {
	case 0:
		return "", failf(codeHeader, "header mismatch: the %s header is missing", name)
	case 1:
		return vs[0], nil
	default:
		return "", failf(codeHeader, "header mismatch: the %s header is there %d times", name, len(vs))
	}
}

// decodeHeader undoes the Base64 sentinel form of a header value
// (basic/transports/streamable-http, Value Encoding). False: the value could
// not have been written by that rule.
func decodeHeader(v string) (string, bool) {
	if b, ok := strings.CutPrefix(v, "=?base64?"); ok {
		if b, ok = strings.CutSuffix(b, "?="); ok {
			d, err := base64.StdEncoding.Strict().DecodeString(b)
			return string(d), err == nil
		}
	}
	for i := range len(v) {
		if c := v[i]; c != '\t' && (c < ' ' || c > '~') {
			return "", false
		}
	}
	return v, true
}

// binding says which argument of a tool a header mirrors.
type binding struct {
	path   []string
	header string
}

// bindings reads the x-mcp-header annotations of a tool's input schema.
func bindings(t *mcp.Tool) []binding {
	raw, err := json.Marshal(t.InputSchema)
	if err != nil {
		return nil
	}
	return bindingsIn(raw, nil)
}

func bindingsIn(schema json.RawMessage, path []string) []binding {
	o, _ := readObject(schema)
	props, _ := readObject(o.get("properties"))
	var out []binding
	for _, p := range props {
		at := append(path[:len(path):len(path)], p.key)
		s, _ := readObject(p.value)
		if h, ok := text(s.get("x-mcp-header")); ok && h != "" {
			out = append(out, binding{at, h})
		}
		out = append(out, bindingsIn(p.value, at)...)
	}
	return out
}

// checkParamHeaders compares Mcp-Param-* headers with the arguments they
// mirror.
func checkParamHeaders(bs []binding, arguments json.RawMessage, h http.Header) *rpcError {
	for _, b := range bs {
		value := arguments
		for _, p := range b.path {
			o, _ := readObject(value)
			value = o.get(p)
		}
		name := headerParam + b.header
		if len(value) == 0 || string(value) == "null" {
			if len(h.Values(name)) > 0 {
				return failf(codeHeader, "header mismatch: %s is there, the argument is not", name)
			}
			continue
		}
		got, err := single(h, name)
		if err != nil {
			return err
		}
		decoded, ok := decodeHeader(got)
		if !ok || !mirrors(decoded, value) {
			return failf(codeHeader, "header mismatch: %s is %q, which is not the argument's value", name, got)
		}
	}
	return nil
}

// mirrors compares a decoded header value with a JSON value; numbers by value,
// since 1.0 and 1 are one integer.
func mirrors(h string, v json.RawMessage) bool {
	if s, ok := text(v); ok {
		return h == s
	}
	if h == string(v) {
		return v[0] != '{' && v[0] != '['
	}
	if len(h) > 64 || len(v) > 64 {
		return false
	}
	a, aok := new(big.Int).SetString(h, 10)
	b, bok := new(big.Int).SetString(string(v), 10)
	if aok && bok {
		return a.Cmp(b) == 0
	}
	x, err1 := strconv.ParseFloat(h, 64)
	y, err2 := strconv.ParseFloat(string(v), 64)
	return err1 == nil && err2 == nil && x == y
}
