package lint

import (
	"math/big"
	"strings"

	"mcptui/client/header"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Match is how a header relates to the body that it mirrors.
type Match string

// Relations of a header to the body.
const (
	Matches    Match = "matches"
	Differs    Match = "differs"
	Missing    Match = "missing"    // the body calls for it
	Malformed  Match = "malformed"  // it cannot be decoded, or has characters that no header may have
	Unexpected Match = "unexpected" // the body has nothing that it could mirror
	Unchecked  Match = "unchecked"  // nothing is known that it should agree with
)

// OK reports whether nothing is wrong with the header.
func (m Match) OK() bool { return m == Matches || m == Unchecked }

// Verdict is what one Mcp-* header of a request says, against its body.
type Verdict struct {
	Name    string // as written, or as it should be where it is missing
	Value   string // as written
	Present bool
	Decoded string // Value without the base64 sentinel
	Encoded bool   // Value was written with the sentinel
	Body    string // what the body says; "" where it says nothing
	Source  string // JSON Pointer of that in the body
	Match   Match
	Note    string // why, where it is not plain
}

// Headers judges the headers of a request against its body (2026-07-28,
// Streamable HTTP, "Request Metadata"): encoded values are decoded first,
// numbers are compared as numbers. The input schema is that of the tool that
// is called, nil where it is not known: then Mcp-Param headers are unchecked.
// A body without an envelope of the modern era calls for no headers.
func Headers(headers []trace.Header, body, inputSchema []byte) []Verdict {
	m := rpc.Peek(body)
	j := judge{headers: headers, used: map[string]bool{}}
	version, modern := rpc.String(rpc.Member(m.Params, "_meta", metaVersion))
	switch {
	case modern:
		j.mirror("MCP-Protocol-Version", version, "/params/_meta/"+escape(metaVersion), false, false)
	default:
		j.unchecked("MCP-Protocol-Version", "the body names no version of its own")
	}
	if m.Kind != rpc.Request {
		j.rest(m.Kind == rpc.Notification)
		return j.out
	}
	source := map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}[m.Method]
	name, named := rpc.String(rpc.Member(m.Params, source))
	if modern {
		j.mirror("Mcp-Method", m.Method, "/method", false, false)
		if source != "" && named {
			j.mirror("Mcp-Name", name, "/params/"+source, true, false)
		}
	}
	if m.Method == "tools/call" && inputSchema != nil {
		j.params(rpc.Member(m.Params, "arguments"), inputSchema, modern)
	}
	j.rest(!modern || ofExtension(m.Method) || (m.Method == "tools/call" && inputSchema == nil))
	return j.out
}

type judge struct {
	headers []trace.Header
	used    map[string]bool
	out     []Verdict
}

func (j *judge) find(name string) (value string, present bool, times int) {
	j.used[strings.ToLower(name)] = true
	for _, h := range j.headers {
		if strings.EqualFold(h.Name, name) {
			if times++; times == 1 {
				value, present = strings.Trim(h.Value, " \t"), true
			}
		}
	}
	return value, present, times
}

// mirror judges a header that must repeat a value of the body.
func (j *judge) mirror(name, want, source string, encodable, numeric bool) {
	v := Verdict{Name: name, Body: want, Source: source, Match: Matches}
	var times int
	if v.Value, v.Present, times = j.find(name); !v.Present {
		v.Match, v.Note = Missing, "the body calls for it"
		j.out = append(j.out, v)
		return
	}
	ok := true
	v.Decoded = v.Value
	if encodable {
		v.Decoded, ok = header.Decode(v.Value)
		v.Encoded = ok && v.Decoded != v.Value
	}
	switch {
	case !ok:
		v.Match, v.Note = Malformed, "what stands between the markers is not base64"
	case !legal(v.Value):
		v.Match, v.Note = Malformed, "it has characters that a header may not have"
	case v.Decoded != want && !(numeric && same(v.Decoded, want)):
		v.Match, v.Note = Differs, "the body says otherwise"
	case times > 1:
		v.Match, v.Note = Differs, "it stands there more than once"
	}
	j.out = append(j.out, v)
}

func (j *judge) unchecked(name, note string) {
	if value, present, _ := j.find(name); present {
		j.out = append(j.out, Verdict{Name: name, Value: value, Decoded: value, Present: true, Match: Unchecked, Note: note})
	}
}

// params judges the headers of annotated tool parameters.
func (j *judge) params(arguments, schema []byte, modern bool) {
	params, err := header.Params(schema)
	if err != nil || !modern {
		return // the tool must not be used over HTTP at all, or its era has no such headers
	}
	for _, p := range params {
		source := "/params/arguments"
		for _, step := range p.Path {
			source += "/" + escape(step)
		}
		values := header.Values([]header.Param{p}, arguments)
		if len(values) == 1 {
			want, _ := header.Decode(values[0].Value)
			j.mirror(p.Header, want, source, true, isNumber(rpc.Member(arguments, p.Path...)))
			continue
		}
		if value, present, _ := j.find(p.Header); present {
			j.out = append(j.out, Verdict{Name: p.Header, Value: value, Decoded: value, Present: true, Source: source,
				Match: Unexpected, Note: "the body has no value there, or null"})
		}
	}
}

// rest judges the Mcp-* headers that nothing called for.
func (j *judge) rest(lenient bool) {
	for _, h := range j.headers {
		low := strings.ToLower(h.Name)
		if j.used[low] || (low != "mcp-method" && low != "mcp-name" && !strings.HasPrefix(low, "mcp-param-")) {
			continue
		}
		j.used[low] = true
		v := Verdict{Name: h.Name, Value: h.Value, Present: true, Match: Unexpected, Note: "the body has nothing that it could mirror"}
		var ok bool
		v.Decoded, ok = header.Decode(h.Value)
		v.Encoded = ok && v.Decoded != h.Value
		switch {
		case !ok:
			v.Match, v.Note = Malformed, "what stands between the markers is not base64"
		case !legal(h.Value):
			v.Match, v.Note = Malformed, "it has characters that a header may not have"
		case lenient, low != "mcp-name" && low != "mcp-method":
			// A Mcp-Param header that the tool does not declare is to be
			// forwarded and ignored.
			v.Match, v.Note = Unchecked, "nothing is known that it should mirror"
		}
		j.out = append(j.out, v)
	}
}

// legal checks the characters of a header value (RFC 9110, section 5.5, without
// the obsolete ones).
func legal(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 0x20 && c != '\t') || c > 0x7e {
			return false
		}
	}
	return true
}

// same compares numbers: 42 and 42.0 are one value.
func same(a, b string) bool {
	if !numeric(a) || !numeric(b) {
		return false
	}
	x, ok := new(big.Rat).SetString(a)
	y, ok2 := new(big.Rat).SetString(b)
	return ok && ok2 && x.Cmp(y) == 0
}

// numeric reports a plain JSON number of a size that is cheap to compare.
func numeric(s string) bool {
	if s == "" || len(s) > 64 || strings.Trim(s, "0123456789+-.eE") != "" {
		return false
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 && len(s)-i > 5 {
		return false
	}
	return true
}
