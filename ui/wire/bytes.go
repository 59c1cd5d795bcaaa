package wire

import (
	"strings"

	"mcptui/client/trace"
)

// lower makes the letters of ASCII small, which is the case that a search in
// bytes overlooks: what is looked at may be in any encoding, or in none.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// within reports whether a text holds another, which is in small letters. It
// makes nothing: it is asked of everything that ever crossed the connection.
func within[T string | []byte](s T, sub string) bool {
	n := len(sub)
	if n == 0 {
		return true
	}
	first := sub[0]
	other := first
	if 'a' <= first && first <= 'z' {
		other = first - 'a' + 'A'
	}
	for i := 0; i+n <= len(s); i++ {
		if c := s[i]; (c == first || c == other) && same(s[i+1:i+n], sub[1:]) {
			return true
		}
	}
	return false
}

// same compares with small letters.
func same[T string | []byte](s T, sub string) bool {
	for i := range len(sub) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != sub[i] {
			return false
		}
	}
	return true
}

// holdsText looks for a text in what an event holds beyond its row.
func holdsText(e trace.Event, sub string) bool {
	switch {
	case e.Frame != nil:
		return within(e.Frame.Bytes, sub) || within(e.Frame.Pre, sub)
	case e.HTTP != nil:
		if within(e.HTTP.URL, sub) || within(e.HTTP.Note, sub) {
			return true
		}
		for _, h := range e.HTTP.Headers {
			if within(h.Name, sub) || within(h.Value, sub) {
				return true
			}
		}
	case e.Noise != nil:
		return within(e.Noise.Bytes, sub)
	case e.Stderr != nil:
		return within(e.Stderr.Bytes, sub)
	case e.Phase != nil:
		p := e.Phase
		return within(p.Reason, sub) || within(p.Target, sub) || within(p.Transport, sub) || within(string(p.Era), sub) || within(p.Version, sub)
	case e.Act != nil:
		return within(e.Act.Value, sub) || within(e.Act.Note, sub)
	}
	return false
}
