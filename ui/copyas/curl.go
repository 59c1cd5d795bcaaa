package copyas

import (
	"strings"

	"mcptui/client/trace"
)

// left are headers that curl makes itself.
var left = map[string]bool{
	"content-length": true, "host": true, "connection": true, "accept-encoding": true, "transfer-encoding": true, "user-agent": true,
}

// Curl is the curl command that sends the request of an HTTP exchange again.
// Without secrets, headers that carry one refer to a variable of the shell
// instead, and other secrets are replaced by stars.
func Curl(h *trace.HTTP, body []byte, secrets bool) string {
	var kept []trace.Header
	for _, x := range h.Headers {
		if !left[strings.ToLower(x.Name)] {
			kept = append(kept, x)
		}
	}
	url, text, masked := h.URL, string(body), kept
	if !secrets {
		// The body goes along: a token that a header names is masked there, too.
		all := trace.MaskHeaders(append(append([]trace.Header(nil), kept...), trace.Header{Name: "body", Value: text}))
		masked, text = all[:len(kept)], all[len(kept)].Value
		url = trace.MaskURL(url)
	}
	var b strings.Builder
	b.WriteString("curl -sS -N -X " + Word(h.Method) + " " + Word(url))
	for i, x := range kept {
		b.WriteString(" \\\n  -H ")
		if masked[i].Value == x.Value {
			b.WriteString(Word(x.Name + ": " + x.Value))
			continue
		}
		b.WriteString(variable(x))
	}
	if len(body) > 0 {
		b.WriteString(" \\\n  --data-raw " + Word(text))
	}
	return b.String()
}

// variable writes a header whose value a variable of the shell holds.
func variable(h trace.Header) string {
	if strings.EqualFold(h.Name, "Authorization") || strings.EqualFold(h.Name, "Proxy-Authorization") {
		if scheme, _, ok := strings.Cut(h.Value, " "); ok {
			return Word(h.Name+": "+scheme+" ") + `"$TOKEN"`
		}
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, h.Name)
	return Word(h.Name+": ") + `"$` + name + `"`
}
