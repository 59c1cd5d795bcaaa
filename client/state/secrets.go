package state

import (
	"regexp"
	"strings"
	"sync"
)

// secretName says what kind of secret a member holds by its name, "" for none.
// An empty or yes-or-no value is no secret.
func secretName(key string, raw []byte) string {
	switch string(raw) {
	case "null", "true", "false", `""`:
		return ""
	}
	k := flat(key)
	switch {
	case strings.Contains(k, "password"), strings.Contains(k, "passwd"), k == "pwd", k == "passphrase":
		return "a password"
	case strings.Contains(k, "apikey"), strings.Contains(k, "secretkey"), strings.Contains(k, "privatekey"):
		return "a key"
	case k == "token", strings.HasSuffix(k, "accesstoken"), strings.HasSuffix(k, "refreshtoken"), strings.HasSuffix(k, "idtoken"),
		strings.HasSuffix(k, "authtoken"), strings.HasSuffix(k, "bearertoken"), k == "authorization", k == "bearer", k == "cookie":
		return "a token"
	case k == "secret", strings.HasSuffix(k, "clientsecret"), k == "credentials":
		return "a secret"
	case k == "cvv", k == "cvc", k == "cardnumber", k == "creditcard", k == "ssn", k == "iban":
		return "payment or identity data"
	}
	return ""
}

var secretForms = []struct {
	kind string
	form func() *regexp.Regexp
}{
	{"a private key", lazily(`-----BEGIN [A-Z ]*PRIVATE KEY-----`)},
	{"an AWS access key", lazily(`\b(AKIA|ASIA)[0-9A-Z]{16}\b`)},
	{"a GitHub token", lazily(`\b(gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})`)},
	{"an API key", lazily(`\b(sk|pk|rk)[-_](live|test|proj|ant|or)[-_][A-Za-z0-9_-]{16,}`)},
	{"a Slack token", lazily(`\bxox[abprs]-[A-Za-z0-9-]{10,}`)},
	{"a bearer token", lazily(`(?i)\bbearer [A-Za-z0-9._~+/-]{16,}`)},
	{"a token (JWT)", lazily(`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*`)},
	{"a password in a URL", lazily(`[a-z][a-z0-9+.-]*://[^/\s:@]+:[^/\s:@]+@`)},
}

// lazily compiles an expression when it is first needed: most runs of the program
// need none of them.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// secretIn says what kind of secret a text is by its form, "" for none.
func secretIn(text string) string {
	for _, f := range secretForms {
		if f.form().MatchString(text) {
			return f.kind
		}
	}
	return cardNumber(text)
}

// cardNumber knows the number of a payment card: the lengths and first digits
// that are issued, and a right check digit.
func cardNumber(text string) string {
	n := strings.NewReplacer(" ", "", "-", "").Replace(text)
	if len(n) < 15 || len(n) > 16 || strings.Trim(n, "0123456789") != "" {
		return ""
	}
	issued := n[0] == '4' || (n[0] == '5' && n[1] >= '1' && n[1] <= '5') || n[:2] == "34" || n[:2] == "37" ||
		n[:4] == "6011" || n[:2] == "65" || (n[:4] >= "2221" && n[:4] <= "2720")
	if !issued {
		return ""
	}
	sum := 0
	for i := range n {
		x := int(n[len(n)-1-i] - '0')
		if i%2 == 1 {
			if x *= 2; x > 9 {
				x -= 9
			}
		}
		sum += x
	}
	if sum%10 != 0 {
		return ""
	}
	return "a payment card number"
}

func appendSecret(list []Secret, path, kind string) []Secret {
	if kind == "" {
		return list
	}
	return append(list, Secret{Path: path, Kind: kind})
}
