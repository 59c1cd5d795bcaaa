// Package copyas words what was sent for use elsewhere: as JSON, as a curl
// command, as a command of this program, as the bytes of a file that came in
// base64. It reads no log and knows no clipboard; it makes text out of what it
// is handed.
package copyas

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"mcptui/client/rpc"
)

// Pretty is a message laid out, and its bytes as they are where they are no
// JSON.
func Pretty(raw []byte) []byte {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return raw
	}
	return b.Bytes()
}

// Word writes a word for a POSIX shell, in single quotes where it needs any.
func Word(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@%+,=", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Command is the command of this program that sends a request again. The schema
// is that of a tool's arguments, nil where none is known: arguments that it
// says are strings are written as name=text, all others as name:=json. The
// server is named by the words that stand for it on the command line.
func Command(method string, params, schema []byte, server []string) string {
	words := append([]string{"mcptui"}, command(method, bare(params), schema)...)
	words = append(words, server...)
	for i, w := range words {
		words[i] = Word(w)
	}
	return strings.Join(words, " ")
}

// bare are params without what the client adds to them.
func bare(params []byte) []byte {
	if len(params) == 0 {
		return nil
	}
	if params[0] != '{' {
		return params
	}
	params = rpc.With(params, rpc.Field{Name: "_meta"}, rpc.Field{Name: "inputResponses"}, rpc.Field{Name: "requestState"})
	if string(params) == "{}" {
		return nil
	}
	return params
}

var lists = map[string]string{
	"tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "templates",
}

func command(method string, params, schema []byte) []string {
	own := members(params)
	name, uri, cursor := rpc.Text(params, "name"), rpc.Text(params, "uri"), rpc.Text(params, "cursor")
	switch {
	case method == "server/discover" && params == nil:
		return []string{"discover"}
	case lists[method] != "" && params == nil:
		return []string{lists[method]}
	case lists[method] != "" && only(own, "cursor") && positional(cursor):
		return []string{lists[method], "--page", cursor}
	case method == "resources/read" && only(own, "uri") && positional(uri):
		return []string{"read", uri}
	case method == "tools/call" && only(own, "name", "arguments") && positional(name):
		if args, ok := arguments(rpc.Member(params, "arguments"), schema); ok {
			return append([]string{"call", name}, args...)
		}
	case method == "prompts/get" && only(own, "name", "arguments") && positional(name):
		if args, ok := texts(rpc.Member(params, "arguments")); ok {
			return append([]string{"prompt", name}, args...)
		}
	}
	if params == nil {
		return []string{"raw", method}
	}
	return []string{"raw", method, string(params)}
}

// positional reports whether a word can stand as an argument by itself.
func positional(s string) bool { return s != "" && s[0] != '-' }

func members(object []byte) (names []string) {
	for k := range rpc.Members(object) {
		names = append(names, k)
	}
	return names
}

// only reports whether every name is one of those allowed, and stands once.
func only(names []string, allowed ...string) bool {
	for i, n := range names {
		if !slices.Contains(allowed, n) || slices.Contains(names[:i], n) {
			return false
		}
	}
	return true
}

// arguments words those of a tool; ok is false where this program would send
// something else for them, as it does for none at all.
func arguments(raw, schema []byte) (out []string, ok bool) {
	if raw == nil || raw[0] != '{' {
		return nil, false
	}
	seen := map[string]bool{}
	for k, v := range rpc.Members(raw) {
		text, isText := rpc.String(v)
		switch {
		case seen[k]:
			return nil, false
		case !named(k):
			return []string{"--args", string(raw)}, true
		case isText && string(rpc.Member(schema, "properties", k, "type")) == `"string"`:
			out = append(out, k+"="+text)
		default:
			out = append(out, k+":="+string(v))
		}
		seen[k] = true
	}
	return out, true
}

// texts words the arguments of a prompt, which are all text.
func texts(raw []byte) (out []string, ok bool) {
	if raw == nil || raw[0] != '{' {
		return nil, raw == nil
	}
	seen := map[string]bool{}
	for k, v := range rpc.Members(raw) {
		text, isText := rpc.String(v)
		if !isText || seen[k] {
			return nil, false
		}
		if !named(k) {
			return []string{"--args", string(raw)}, true
		}
		out, seen[k] = append(out, k+"="+text), true
	}
	return out, true
}

// named reports whether an argument can be written as name=value.
func named(k string) bool {
	return positional(k) && !strings.Contains(k, "=") && !strings.HasSuffix(k, ":")
}
