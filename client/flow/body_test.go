package flow

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatABodySays(t *testing.T) {
	for body, want := range map[string]string{
		"":                          "",
		"404 page not found\n":      "404 page not found",
		"{\"error\":\n \"no key\"}": `{"error": "no key"}`,
		"<!DOCTYPE html><html><head><style>p { x: y }</style><title>Sign  in</title></head>\n<body><h1>Hi</h1>": "Sign in Hi",
		"<SCRIPT>alert('<b>')</script ><p>a</p>": "",
		"<script>1</SCRIPT><p>a</p> < b":         "a",
		"a \xff b \x1b[31m":                      "a � b \x1b[31m",
		strings.Repeat("漢", 100):                 strings.Repeat("漢", 66) + "…",
	} {
		require.Equal(t, want, excerpt([]byte(body)), "%q", body)
	}
	require.Equal(t, `; it says "a \x1b[31m"`, (&exchange{said: excerpt([]byte("a \x1b[31m"))}).quoted(), "what a terminal would obey is escaped")
	require.Empty(t, (&exchange{}).quoted())
}
