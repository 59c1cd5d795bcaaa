package rpc

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"iter"
	"math/bits"
)

// Members yields the members of a JSON object in their order, each value as the
// bytes that it is written in. It stops at the first thing that is no member,
// and yields nothing for what is not an object. It is meant for bytes that may
// be tens of megabytes: it looks at each byte once and allocates keys only.
func Members(object []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		each(object, func(name, value []byte) bool {
			key, ok := String(name)
			return ok && yield(key, value)
		})
	}
}

// each walks over the members of an object and hands over each name as it is
// written, quotes included.
func each(object []byte, visit func(name, value []byte) bool) {
	i := skipSpace(object, 0)
	if i >= len(object) || object[i] != '{' {
		return
	}
	i++
	for {
		i = skipSpace(object, i)
		if i >= len(object) || object[i] != '"' {
			return
		}
		end := skipString(object, i)
		if end < 0 {
			return
		}
		name := object[i:end]
		i = skipSpace(object, end)
		if i >= len(object) || object[i] != ':' {
			return
		}
		i = skipSpace(object, i+1)
		end = skipValue(object, i)
		if end < 0 {
			return
		}
		if !visit(name, object[i:end]) {
			return
		}
		i = skipSpace(object, end)
		if i >= len(object) || object[i] != ',' {
			return
		}
		i++
	}
}

// common are names and words that come again and again: they cost no memory.
var common = func() map[string]string {
	out := map[string]string{}
	for _, s := range []string{
		"jsonrpc", "id", "method", "params", "result", "error", "_meta", "name", "arguments", "uri", "type", "text", "content",
		"code", "message", "data", "level", "logger", "progressToken", "progress", "total", "resultType", "requestState", "inputRequests", "inputResponses",
		"notifications/message", "notifications/progress", "notifications/cancelled", "tools/call",
		"debug", "info", "notice", "warning", "critical", "alert", "emergency",
	} {
		out[s] = s
	}
	return out
}()

const longestCommon = len("notifications/cancelled")

// Elements yields the elements of a JSON array, as Members does for objects.
func Elements(array []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		i := skipSpace(array, 0)
		if i >= len(array) || array[i] != '[' {
			return
		}
		i++
		for n := 0; ; n++ {
			i = skipSpace(array, i)
			if i >= len(array) || array[i] == ']' {
				return
			}
			end := skipValue(array, i)
			if end < 0 || !yield(n, array[i:end]) {
				return
			}
			i = skipSpace(array, end)
			if i >= len(array) || array[i] != ',' {
				return
			}
			i++
		}
	}
}

// Member returns one member of an object; nil where there is none. Of two
// members with the same name the last counts.
func Member(object []byte, path ...string) []byte {
	for _, name := range path {
		var found []byte
		each(object, func(raw, value []byte) bool {
			is, ok := named(raw, name)
			if is {
				found = value
			}
			return ok
		})
		if found == nil {
			return nil
		}
		object = found
	}
	return object
}

// named reports whether a name, as it is written, is this one; ok is false
// where it is no string.
func named(raw []byte, name string) (is, ok bool) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1:len(raw)-1]) == name, true
	}
	key, ok := String(raw)
	return ok && key == name, ok
}

// String decodes a JSON string; ok is false for anything else.
func String(raw []byte) (s string, ok bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 {
		if len(inner) <= longestCommon {
			if s, ok := common[string(inner)]; ok {
				return s, true
			}
		}
		return string(inner), true
	}
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}

// Head is String of a text of any size, but decodes no more than about the
// first most bytes of it, and says whether that cut it. What is no string is "".
func Head(raw []byte, most int) (s string, cut bool) {
	if len(raw) <= most+2 {
		s, _ = String(raw)
		return s, false
	}
	if raw[0] != '"' {
		return "", false
	}
	at := 1
	for at < most {
		next := at + 1
		switch {
		case raw[at] != '\\':
		case raw[at+1] != 'u':
			next = at + 2
		default:
			if next = at + 6; next < len(raw) && raw[at+2]|0x20 == 'd' && bytes.IndexByte([]byte("89abAB"), raw[at+3]) >= 0 && bytes.HasPrefix(raw[next:], []byte(`\u`)) {
				next += 6 // the other half of the character
			}
		}
		if next >= len(raw)-1 {
			break
		}
		at = next
	}
	for at > 1 && raw[at]&0xc0 == 0x80 { // not within a character
		at--
	}
	s, _ = String(append(raw[:at:at], '"'))
	return s, true
}

// Text is String of a member, "" where it is absent or no string.
func Text(object []byte, path ...string) string {
	s, _ := String(Member(object, path...))
	return s
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the index behind the string that begins at i, or -1. It
// checks nothing on the way.
func skipString(b []byte, i int) int {
	i++
	for {
		for i+8 <= len(b) {
			x := binary.LittleEndian.Uint64(b[i:])
			quote, slash := x^(lowBits*'"'), x^(lowBits*'\\')
			stop := ((quote - lowBits) &^ quote) | ((slash - lowBits) &^ slash)
			if stop &= highBits; stop != 0 {
				i += bits.TrailingZeros64(stop) / 8
				break
			}
			i += 8
		}
		if i >= len(b) {
			return -1
		}
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i += 2
		default:
			i++
		}
	}
}

// skipValue returns the index behind the value that begins at i, or -1. It
// does not check what it skips beyond strings and brackets.
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		return skipNested(b, i)
	}
	start := i
	for i < len(b) && !bytes.ContainsRune([]byte(",]} \t\r\n:"), rune(b[i])) {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

// structural marks the bytes that skipNested has to look at.
var structural = [256]bool{'"': true, '{': true, '}': true, '[': true, ']': true}

func skipNested(b []byte, i int) int {
	for depth := 0; i < len(b); {
		if !structural[b[i]] {
			i++
			continue
		}
		switch b[i] {
		case '"':
			if i = skipString(b, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}
