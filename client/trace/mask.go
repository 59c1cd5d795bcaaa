package trace

import (
	"net/url"
	"strings"
)

// masked stands where a secret stood.
const masked = "***"

// secretParams are query parameters whose values are secrets, in lower case.
var secretParams = map[string]bool{
	"access_token": true, "refresh_token": true, "id_token": true, "token": true, "code": true,
	"api_key": true, "apikey": true, "api-key": true, "key": true, "client_secret": true, "secret": true,
	"password": true, "sig": true, "signature": true, "auth": true,
}

// MaskURL returns a URL with its password and the secrets of its query
// replaced. Everything else stays as it was written.
func MaskURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	if u.User != nil {
		if _, ok := u.User.Password(); ok {
			if at := strings.Index(raw, "@"); at >= 0 {
				if start := strings.Index(raw, "://"); start >= 0 && start < at {
					raw = raw[:start+3] + u.User.Username() + ":" + masked + raw[at:]
				}
			}
		}
	}
	base, query, ok := strings.Cut(raw, "?")
	if !ok {
		return raw
	}
	query, fragment, hasFragment := strings.Cut(query, "#")
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, _, ok := strings.Cut(pair, "=")
		if decoded, err := url.QueryUnescape(name); err == nil && ok && secretParams[strings.ToLower(decoded)] {
			pairs[i] = name + "=" + masked
		}
	}
	raw = base + "?" + strings.Join(pairs, "&")
	if hasFragment {
		raw += "#" + fragment
	}
	return raw
}
