package wire

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

const maxRedirects = 10

// redirect decides about a redirect. Only one that keeps the message and stays
// with the same origin is followed: a message repeated as GET is lost, and
// neither credentials nor arguments belong to an origin that nobody named. next
// is nil where it is not followed; why says what was decided.
func redirect(method string, status int, location string, from *url.URL, seen map[string]bool) (next *url.URL, why string) {
	if location == "" {
		return nil, fmt.Sprintf("not followed: %d without a Location header", status)
	}
	to, err := from.Parse(location)
	if err != nil {
		return nil, "not followed: the Location header is no URL"
	}
	advice := "; connect to " + to.Redacted() + " instead, if that is the server"
	switch {
	case to.Scheme != "http" && to.Scheme != "https":
		return nil, "not followed: it leads to " + to.Scheme + ":, which is no web address"
	case method != http.MethodGet && status != http.StatusTemporaryRedirect && status != http.StatusPermanentRedirect:
		return nil, fmt.Sprintf("not followed: after %d the message would be repeated as GET, without its body%s", status, advice)
	case !sameOrigin(from, to) && !upgrade(from, to):
		return nil, "not followed: it leads to another origin, where neither credentials nor arguments may go" + advice
	case seen[to.String()]:
		return nil, "not followed: the redirects go round in a circle"
	case len(seen) > maxRedirects:
		return nil, fmt.Sprintf("not followed: more than %d redirects", maxRedirects)
	}
	return to, "followed to " + to.Redacted()
}

func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

// upgrade reports whether b is the same host with TLS, on the usual ports.
func upgrade(a, b *url.URL) bool {
	return a.Scheme == "http" && b.Scheme == "https" && strings.EqualFold(a.Hostname(), b.Hostname()) &&
		port(a) == "80" && port(b) == "443"
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}
