package edge

import (
	"crypto/sha256"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// checkAccess refuses what a page in somebody's browser could send
// (basic/transports/streamable-http, Security & Endpoint).
func (e *Edge) checkAccess(r *http.Request) *rpcError {
	if !e.hostAllowed(r) {
		return failf(codeInvalidRequest, "host %q is not allowed here", r.Host)
	}
	if !e.originAllowed(r) {
		return failf(codeInvalidRequest, "origin %q is not allowed here", r.Header.Get("Origin"))
	}
	return nil
}

func (e *Edge) hostAllowed(r *http.Request) bool {
	host := hostname(r.Host)
	if slices.Contains(e.opt.Hosts, host) || slices.Contains(e.opt.Hosts, r.Host) {
		return true
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if ok && isLoopback(hostname(local.String())) {
		return isLoopback(host)
	}
	return len(e.opt.Hosts) == 0
}

func (e *Edge) originAllowed(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true // not a browser
	}
	if len(origins) > 1 {
		return false
	}
	if slices.Contains(e.opt.Origins, origins[0]) {
		return true
	}
	u, err := url.Parse(origins[0])
	return err == nil && u.Host != "" && u.Host == r.Host && e.ownName(r.Host)
}

// ownName: a page at this host is one of ours. A name that somebody else gave
// to our address is not, or DNS rebinding would make any page our own.
func (e *Edge) ownName(hostport string) bool {
	host := hostname(hostport)
	return isLoopback(host) || net.ParseIP(host) != nil ||
		slices.Contains(e.opt.Hosts, host) || slices.Contains(e.opt.Hosts, hostport)
}

func hostname(hostport string) string {
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		return h
	}
	return strings.Trim(hostport, "[]")
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// digestTokens keeps digests, so that looking a token up takes a time that
// says nothing about it.
func digestTokens(tokens map[string]string) map[[32]byte]string {
	if len(tokens) == 0 {
		return nil
	}
	out := make(map[[32]byte]string, len(tokens))
	for t, principal := range tokens {
		out[sha256.Sum256([]byte(t))] = principal
	}
	return out
}

// principal authenticates a request. ok is false where a token is required and
// none that is known came; challenge is then the WWW-Authenticate value
// (RFC 6750, section 3).
func (e *Edge) principal(r *http.Request) (info *auth.TokenInfo, challenge string, ok bool) {
	if e.tokens == nil {
		return nil, "", true
	}
	scheme, token, found := strings.Cut(r.Header.Get("Authorization"), " ")
	if !found || !strings.EqualFold(scheme, "Bearer") {
		return nil, `Bearer realm="mcp"`, false
	}
	name, known := e.tokens[sha256.Sum256([]byte(strings.TrimSpace(token)))]
	if !known {
		return nil, `Bearer realm="mcp", error="invalid_token", error_description="the token is not known here"`, false
	}
	return &auth.TokenInfo{UserID: name}, "", true
}
