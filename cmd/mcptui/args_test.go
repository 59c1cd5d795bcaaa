package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"mcptui/client/schema"
)

func TestArgumentsAreTypedBySchemaOrRaw(t *testing.T) {
	form := schema.Parse([]byte(`{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"},"b":{"type":"boolean"}}}`))
	coerce := func(name, text string) (json.RawMessage, error) { return form.Coerce(name, text) }
	for _, tc := range []struct {
		base string
		args []string
		want string
		err  string
	}{
		{args: []string{"n=7", "s=7", "b=true"}, want: `{"n":7,"s":"7","b":true}`},
		{args: []string{"s=a=b", "o:={\"x\": [1]}"}, want: `{"s":"a=b","o":{"x": [1]}}`},
		{args: []string{"n:=12345678901234567890.10"}, want: `{"n":12345678901234567890.10}`},
		{args: []string{"s="}, want: `{"s":""}`},
		{base: `{"n":1,"kept":null}`, args: []string{"n=2"}, want: `{"n":2,"kept":null}`},
		{want: `{}`},
		{args: []string{"n=seven"}, err: `argument "n"`},
		{args: []string{"n"}, err: `"n" is neither name=value nor name:=json`},
		{args: []string{"=7"}, err: "neither"},
		{args: []string{":=7"}, err: "neither"},
		{args: []string{"n:={"}, err: `argument "n": not JSON at line 1, column 2: unexpected end`},
	} {
		args, err := parseArgs(tc.args)
		var got json.RawMessage
		if err == nil {
			got, err = merge(json.RawMessage(tc.base), args, coerce)
			if tc.base == "" {
				got, err = merge(nil, args, coerce)
			}
		}
		if tc.err != "" {
			require.ErrorContains(t, err, tc.err, tc.args)
			require.Equal(t, exitUsage, asFailure(err).exit)
			continue
		}
		require.NoError(t, err, tc.args)
		require.Equal(t, tc.want, string(got))
	}
}

func TestBaseArgumentsNameWhereTheyComeFrom(t *testing.T) {
	file := filepath.Join(t.TempDir(), "args.json")
	require.NoError(t, os.WriteFile(file, []byte("{\n  \"a\": 1,\n  b\n}"), 0o600))
	a := &app{}
	_, err := a.baseArgs(t.Context(), "@"+file)
	require.ErrorContains(t, err, file+":3:3: not JSON: ")
	_, err = a.baseArgs(t.Context(), `"text"`)
	require.ErrorContains(t, err, "--args: arguments are a JSON object, got a string")
	require.NoError(t, os.WriteFile(file, []byte("\n\n {\"ä\": 1 2}\n"), 0o600))
	_, err = a.baseArgs(t.Context(), "@"+file)
	require.ErrorContains(t, err, file+":3:10: not JSON: invalid character '2'")
	_, err = a.baseArgs(t.Context(), " ")
	require.ErrorContains(t, err, "--args: not JSON at line 1, column 1: unexpected end")
	raw, err := a.baseArgs(t.Context(), ` {"a":1} `)
	require.NoError(t, err)
	require.Equal(t, `{"a":1}`, string(raw))
}

// TestAnInterruptEndsTheWaitForInput: nobody writes to standard input, or closes it.
func TestAnInterruptEndsTheWaitForInput(t *testing.T) {
	in, out, err := os.Pipe()
	require.NoError(t, err)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errInterrupted)
	_, err = (&app{Streams: Streams{In: in}}).baseArgs(ctx, "-")
	require.ErrorIs(t, err, errInterrupted)
	require.NoError(t, errors.Join(out.Close(), in.Close()))
}

func TestResultsForPeople(t *testing.T) {
	for _, tc := range []struct{ method, result, want string }{
		{"tools/call", `{"content":[{"type":"text","text":"a\nb"},{"type":"text","text":"c\n"}]}`, "a\nb\nc\n"},
		{"tools/call", `{"content":[{"type":"image","mimeType":"image/png","data":"AAAA"}]}`, "[image image/png, 3 bytes]\n"},
		{"tools/call", `{"content":[{"type":"audio","mimeType":"audio/wav","data":"!"}]}`, "[audio audio/wav, 1 characters that are not base64]\n"},
		{"tools/call", `{"content":[{"type":"resource_link","uri":"u:1","name":"n"}]}`, "[link u:1 n]\n"},
		{"tools/call", `{"content":[{"type":"resource","resource":{"uri":"u:1","text":"t"}}]}`, "t\n"},
		{"tools/call", `{"content":[{"type":"odd","x":1}]}`, "{\"type\":\"odd\",\"x\":1}\n"},
		{"tools/call", `{"content":[{"type":"text","text":"{\"a\": 1}"}],"structuredContent":{"a":1}}`, "{\"a\": 1}\n"},
		{"tools/call", `{"content":[],"structuredContent":{"a":1}}`, "{\n  \"a\": 1\n}\n"},
		{"tools/call", `{"content":[]}`, "{\n  \"content\": []\n}\n"},
		{"resources/read", `{"contents":[{"uri":"u","mimeType":"m","blob":"AAAA"},{"uri":"u","text":"t"}]}`, "[u m, 3 bytes]\nt\n"},
		{"prompts/get", `{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}`, "user: hi\n"},
		{"completion/complete", `{"completion":{"values":["a","b"]}}`, "a\nb\n"},
		{"tools/call", `{"content":[{"type":"text","text":"{\"a\" : \"x y\\u00e9\"}"}],"structuredContent":{"a":"x yé"}}`, "{\"a\" : \"x y\\u00e9\"}\n{\n  \"a\": \"x yé\"\n}\n"},
		{"tools/call", `{"content":[{"type":"text","text":"{\"a\":\"x  y\"}"}],"structuredContent":{"a":"x y"}}`, "{\"a\":\"x  y\"}\n{\n  \"a\": \"x y\"\n}\n"},
		{"tools/call", `{"content":[{"type":"text"}]}`, "\n"},
		{"other", `{"x":1}`, "{\n  \"x\": 1\n}\n"},
		{"other", `not json`, "not json\n"},
	} {
		var b strings.Builder
		require.NoError(t, resultText(&b, tc.method, []byte(tc.result)))
		require.Equal(t, tc.want, b.String(), tc.result)
	}
}

// TestTargets parts command lines into the command's own arguments and the server.
func TestTargets(t *testing.T) {
	for _, tc := range []struct {
		line []string
		own  int
		mine []string
		want target
		err  string
	}{
		{line: []string{"http://a"}, want: target{url: "http://a"}},
		{line: []string{"https://a/doc", "https://b/mcp"}, own: 1, mine: []string{"https://a/doc"}, want: target{url: "https://b/mcp"}},
		{line: []string{"add", "a=1", "http://s", "b=2"}, own: 1, mine: []string{"add", "a=1", "b=2"}, want: target{url: "http://s"}},
		{line: []string{"add", "--", "cmd", "--flag", "http://x"}, own: 1, mine: []string{"add"}, want: target{command: []string{"cmd", "--flag", "http://x"}}},
		{line: []string{"--url", "http://u"}, want: target{url: "http://u"}},
		{line: []string{"--config", "f"}, want: target{config: "f"}},
		{line: []string{"http://a", "http://b"}, err: "two servers are named: http://a and http://b"},
		{line: []string{"http://a", "--profile", "demo"}, err: "URL http://a and built-in server with --profile demo"},
		{line: []string{"--config", "f", "--", "cmd"}, err: "command cmd and config file f"},
		{line: []string{"--server", "s"}, err: "needs --config"},
		{line: []string{"--"}, err: "nothing follows --"},
	} {
		a := &app{Streams: Streams{Out: io.Discard, Err: io.Discard}}
		cmd := a.dials(&cobra.Command{Use: "x"})
		require.NoError(t, cmd.ParseFlags(tc.line), tc.line)
		mine, got, err := a.split(cmd, cmd.Flags().Args(), tc.own)
		if tc.err != "" {
			require.ErrorContains(t, err, tc.err, tc.line)
			require.Equal(t, exitUsage, asFailure(err).exit)
			continue
		}
		require.NoError(t, err, tc.line)
		require.Equal(t, tc.mine, mine, tc.line)
		require.Equal(t, tc.want, got, tc.line)
	}
}

// TestCopiedCommandsNameTheServerAsItWas puts a server into the words that would
// name it again, without what is secret.
func TestCopiedCommandsNameTheServerAsItWas(t *testing.T) {
	for _, tc := range []struct{ line, want []string }{
		{nil, []string{}},
		{[]string{"--profile", "faults"}, []string{"--profile", "faults"}},
		{[]string{"--era", "legacy", "--header", "Authorization: Bearer x", "http://a/mcp"}, []string{"--era", "legacy", "http://a/mcp"}},
		{[]string{"--url", "https://a/mcp", "--insecure"}, []string{"--insecure", "https://a/mcp"}},
		{[]string{"--env", "K=secret", "--cwd", "/srv", "--", "sh", "-c", "a b"}, []string{"--cwd", "/srv", "--", "sh", "-c", "a b"}},
		{[]string{"--config", "f.json", "--server", "s", "--protocol-version", "2025-06-18"}, []string{"--config", "f.json", "--server", "s", "--protocol-version", "2025-06-18"}},
	} {
		a := &app{Streams: Streams{Out: io.Discard, Err: io.Discard}}
		cmd := a.dials(&cobra.Command{Use: "x"})
		require.NoError(t, cmd.ParseFlags(tc.line), tc.line)
		_, server, err := a.split(cmd, cmd.Flags().Args(), 0)
		require.NoError(t, err)
		require.Equal(t, tc.want, a.words(server), tc.line)
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]size{"64MB": 64 << 20, "1gb": 1 << 30, "1.5KB": 1536, "10": 10, "7 B": 7} {
		var s size
		require.NoError(t, s.Set(text), text)
		require.Equal(t, want, s, text)
	}
	for _, text := range []string{"", "MB", "-1MB", "0", "1TB", "NaN", "1e300GB"} {
		require.Error(t, new(size).Set(text), text)
	}
}

// TestErrorDocuments holds the shape of the document that a failure prints.
func TestErrorDocuments(t *testing.T) {
	code := -32602
	f := &failure{exit: exitProtocol, kind: "rpc", code: &code, data: json.RawMessage(`{"a":"<>"}`), err: io.EOF}
	require.Equal(t, `{"error":{"kind":"rpc","code":-32602,"message":"EOF","data":{"a":"<>"}}}`+"\n", string(f.document()))
	f = &failure{kind: "protocol", data: json.RawMessage(`{broken`), err: io.EOF}
	require.Equal(t, `{"error":{"kind":"protocol","message":"EOF"}}`+"\n", string(f.document()))
	for _, tc := range []struct {
		err  error
		exit int
		kind string
	}{
		{errInterrupted, exitInterrupted, "interrupted"}, {errTerminated, exitTerminated, "interrupted"},
		{os.ErrDeadlineExceeded, exitUsage, "usage"}, {usagef("x"), exitUsage, "usage"},
	} {
		got := asFailure(tc.err)
		require.Equal(t, tc.exit, got.exit)
		require.Equal(t, tc.kind, got.kind)
	}
}
