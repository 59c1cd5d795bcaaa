package trace

import (
	"bytes"
	"crypto/rand"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Mask says what a recording must not hold.
type Mask struct {
	Secrets []string // values to mask wherever they occur, those of --env for example; shorter than 8 characters are left alone
	Answers bool     // arguments, answers and state payloads too
	Off     bool     // mask nothing (--show-secrets)
}

// masked stands where a secret stood.
const masked = "***"

const shortestSecret = 8

// secretNames are members, query parameters and form fields whose values are
// secrets, in lower case.
var secretNames = []string{
	"access_token", "refresh_token", "id_token", "client_secret", "code_verifier", "client_assertion",
	"api_key", "apikey", "api-key", "x-api-key", "subject_token", "assertion",
}

// secretParams are secrets as query parameters only: as members they are common
// words.
var secretParams = append([]string{"code", "token", "key", "secret", "password", "sig", "signature", "auth"}, secretNames...)

var (
	bearer     = lazily(`(?i)\b(bearer|basic)(\s+)([A-Za-z0-9._~+/-]{6,}=*)`)
	jsonSecret = lazily(`(?i)(\\*"(?:` + strings.Join(secretNames, "|") + `)\\*"\s*:\s*\\*")(?:[^"\\]|\\+[^"\\])+`) // JSON within a string, too
	userinfo   = lazily(`(://[^/\s:@"\\]+:)[^@/\s"\\]+@`)
	query      = lazily(`(?i)([?&#](?:` + strings.Join(secretParams, "|") + `)=)([^&\s"'\\#<>]+)`)
)

// argument is a word of a command line whose name ends in a word for a secret, with
// its value: --api-key x, --password=x, TOKEN=x, -eTOKEN=x, --env=TOKEN=x, and a header
// as one is given to programs, X-Api-Key: x.
var argument = lazily(`(?i)((?:^|[\s=])(?:--?(?:[\w.]+[-_.])*` + secretArgs + `[=\s]|(?:-\w)?(?:\w+_)?` + secretArgs + `=|(?:\w+-)+` + secretArgs + `:\s+))([^\s-](?:\S*[^\s:;,])?)`)

const secretArgs = `(?:token|secret|password|passwd|api[-_]?key|apikey|auth|credentials?)`

// lazily compiles an expression when it is first needed: a run that records
// nothing needs none of them.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// masker masks the events of one recording. It learns secrets as they pass:
// the token of an Authorization header is masked in a body, too.
type masker struct {
	Mask
	known map[string]bool
	pairs []string // what to replace and by what, the longest first
	key   []byte   // of the marks that keep different states apart
}

func newMasker(m Mask) *masker {
	out := &masker{Mask: m, known: map[string]bool{}, key: make([]byte, 16)}
	_, _ = rand.Read(out.key) // never fails
	for _, s := range m.Secrets {
		out.learn(s)
	}
	return out
}

// learn adds a secret in every spelling that it may have on the wire.
func (m *masker) learn(secret string) {
	if len(secret) < shortestSecret || m.known[secret] {
		return
	}
	m.known[secret] = true
	with := masked
	if strings.Trim(secret, "0123456789") == "" {
		with = strings.Repeat("9", len(secret)) // it may stand as a number
	}
	quoted, _ := quote(secret)
	inner := string(quoted[1 : len(quoted)-1])
	spellings := []string{secret, inner, strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`).Replace(inner), strings.ReplaceAll(inner, "/", `\/`), url.QueryEscape(secret), url.PathEscape(secret)}
	slices.Sort(spellings)
	for _, s := range slices.Compact(spellings) {
		m.pairs = append(m.pairs, s, with)
	}
	m.sort()
}

func (m *masker) sort() {
	type pair struct{ from, to string }
	var all []pair
	for i := 0; i < len(m.pairs); i += 2 {
		all = append(all, pair{m.pairs[i], m.pairs[i+1]})
	}
	slices.SortStableFunc(all, func(a, b pair) int { return len(b.from) - len(a.from) })
	m.pairs = m.pairs[:0]
	for _, p := range all {
		m.pairs = append(m.pairs, p.from, p.to)
	}
}

func (m *masker) event(e Event) Event {
	if m.Off {
		return e
	}
	switch {
	case e.Frame != nil:
		e.Frame = m.frame(e.Frame)
	case e.HTTP != nil:
		h := *e.HTTP
		m.learnURL(h.URL)
		h.URL, h.Note = m.text(MaskURL(h.URL)), m.text(h.Note)
		h.Headers = m.headers(h.Headers)
		e.HTTP = &h
	case e.Noise != nil:
		n := *e.Noise
		n.Bytes, n.Why = m.bytes(n.Bytes), m.text(n.Why)
		e.Noise = &n
	case e.Stderr != nil:
		s := *e.Stderr
		s.Bytes = m.bytes(s.Bytes)
		e.Stderr = &s
	case e.Phase != nil:
		p := *e.Phase
		m.learnTarget(p.Target)
		p.Target, p.Reason = m.text(MaskCommand(p.Target)), m.text(MaskCommand(p.Reason))
		e.Phase = &p
	case e.Act != nil:
		a := *e.Act
		a.Value, a.Note, a.Name = m.bytes(a.Value), m.text(a.Note), m.text(a.Name)
		if m.Answers {
			a.Value = m.act(a)
		}
		e.Act = &a
	}
	return e
}

func (m *masker) frame(f *Frame) *Frame {
	out := &Frame{Dir: f.Dir, Exchange: f.Exchange, Size: f.Size, Cause: f.Cause}
	out.Bytes, out.Pre, out.Post, out.Wire = m.bytes(f.Bytes), m.bytes(f.Pre), m.bytes(f.Post), m.bytes(f.Wire)
	if m.Answers {
		before := out.Bytes
		out.Bytes = m.message(f.Dir, before)
		if out.Wire != nil && !bytes.Equal(before, out.Bytes) {
			out.Wire = nil // it would hold what was masked
		}
	}
	return out
}

func (m *masker) headers(headers []Header) []Header {
	out := slices.Clone(headers)
	for i, h := range out {
		name := strings.ToLower(h.Name)
		switch {
		case name == "authorization", name == "proxy-authorization":
			scheme, token, ok := strings.Cut(h.Value, " ")
			if !ok {
				scheme, token = "", h.Value
			}
			m.learn(strings.TrimSpace(token))
			out[i].Value = strings.TrimSpace(scheme + " " + masked)
		case name == "cookie", name == "set-cookie":
			out[i].Value = m.cookie(h.Value)
		case strings.Contains(name, "api-key"), strings.Contains(name, "apikey"), strings.HasSuffix(name, "-token"), strings.Contains(name, "secret"):
			m.learn(h.Value)
			out[i].Value = masked
		case m.Answers && strings.HasPrefix(name, "mcp-param-"):
			out[i].Value = masked
		default:
			out[i].Value = m.text(h.Value)
		}
	}
	return out
}

// MaskHeaders returns headers with the values of those that carry secrets
// replaced, for showing them.
func MaskHeaders(headers []Header) []Header { return newMasker(Mask{}).headers(headers) }

// cookie keeps the names of cookies and the attributes of a Set-Cookie.
func (m *masker) cookie(value string) string {
	parts := strings.Split(value, ";")
	for i, part := range parts {
		name, v, ok := strings.Cut(part, "=")
		if !ok {
			continue
		}
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "path", "domain", "expires", "max-age", "samesite":
		default:
			m.learn(v)
			parts[i] = name + "=" + masked
		}
	}
	return strings.Join(parts, ";")
}

func (m *masker) text(s string) string { return string(m.bytes([]byte(s))) }

func (m *masker) bytes(b []byte) []byte {
	if len(b) == 0 {
		return b
	}
	for i := 0; i < len(m.pairs); i += 2 {
		if bytes.Contains(b, []byte(m.pairs[i])) {
			b = bytes.ReplaceAll(b, []byte(m.pairs[i]), []byte(m.pairs[i+1]))
		}
	}
	if hasFold(b, "earer ") || hasFold(b, "asic ") {
		b = bearer().ReplaceAllFunc(b, func(found []byte) []byte {
			part := bearer().FindSubmatch(found)
			if strings.EqualFold(string(part[1]), "basic") && len(part[3]) < 12 {
				return found // plain words: "basic example"
			}
			return []byte(string(part[1]) + string(part[2]) + masked)
		})
	}
	if bytes.Contains(b, []byte("://")) && bytes.IndexByte(b, '@') >= 0 {
		b = userinfo().ReplaceAll(b, []byte("${1}"+masked+"@"))
	}
	for _, name := range secretParams {
		if hasFold(b, name+"=") {
			b = query().ReplaceAll(b, []byte("${1}"+masked))
			break
		}
	}
	for _, name := range secretNames {
		if hasFold(b, name) {
			return jsonSecret().ReplaceAll(b, []byte("${1}"+masked))
		}
	}
	return b
}

// hasFold reports whether b holds s in lower, upper or title case; it is a
// quick look before a slow one.
func hasFold(b []byte, s string) bool {
	return bytes.Contains(b, []byte(s)) || bytes.Contains(b, []byte(strings.ToUpper(s))) ||
		bytes.Contains(b, []byte(strings.ToUpper(s[:1])+s[1:]))
}

// MaskURL returns a URL with its password and the secrets of its query
// replaced. Everything else stays as it was written.
func MaskURL(raw string) string {
	if u, err := url.Parse(raw); err == nil && u.User != nil {
		if _, ok := u.User.Password(); ok {
			start := strings.Index(raw, "://") + len("://")
			if end := strings.LastIndex(strings.SplitN(raw[start:], "/", 2)[0], "@"); end >= 0 {
				name, _, _ := strings.Cut(raw[start:start+end], ":")
				raw = raw[:start] + name + ":" + masked + raw[start+end:]
			}
		}
	}
	return query().ReplaceAllString(raw, "${1}"+masked)
}

// MaskCommand returns a command line with the values replaced of arguments whose name
// says that they are secret. Everything else stays as it was written.
func MaskCommand(line string) string {
	if !strings.ContainsAny(line, "-=") {
		return line
	}
	return argument().ReplaceAllString(line, "${1}"+masked)
}

// learnTarget learns the secrets of a command line, or of a URL.
func (m *masker) learnTarget(target string) {
	if strings.ContainsAny(target, "-=") {
		for _, found := range argument().FindAllStringSubmatch(target, -1) {
			m.learn(found[2])
		}
	}
	m.learnURL(target)
}

// learnURL learns the secrets of a URL's query.
func (m *masker) learnURL(raw string) {
	if !strings.Contains(raw, "=") {
		return
	}
	for _, found := range query().FindAllStringSubmatch(raw, -1) {
		m.learn(found[2])
		if plain, err := url.QueryUnescape(found[2]); err == nil {
			m.learn(plain)
		}
	}
}

// Screen masks what is shown of a connection, as a recording of it is masked. A nil
// Screen masks nothing. It may be used from several goroutines.
type Screen struct {
	off   bool
	mu    sync.Mutex
	learn func() *masker // when there is something to mask: what goes to a pipe is not
}

// NewScreen knows the secrets of a mask, of the headers that are sent, and of a
// server's URL or command line.
func NewScreen(mask Mask, headers []Header, target string) *Screen {
	return &Screen{off: mask.Off, learn: sync.OnceValue(func() *masker {
		m := newMasker(mask)
		m.headers(headers)
		m.learnTarget(target)
		return m
	})}
}

// Text returns a text with secrets replaced.
func (s *Screen) Text(text string) string {
	if s == nil || s.off {
		return text
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.learn().text(text)
}

// Command is Text for what may hold a command line.
func (s *Screen) Command(text string) string {
	if s == nil || s.off {
		return text
	}
	return s.Text(MaskCommand(text))
}
