package state

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"mcptui/client/rpc"
)

// describe fills in what the payload says.
func (p *peeler) describe(d *Decoded, c chain) {
	if c.payload == nil {
		if d.Readable() && !d.Opened {
			d.Secrets = appendSecret(d.Secrets, "", secretIn(string(c.inner)))
		}
		return
	}
	w := &walker{p: p, d: d, named: c.named, answers: c.answers, secrets: !d.Opened}
	w.walk(c.payload, place{}, 0)
	for i := 0; i < len(d.Nested); i++ { // it grows while the nested are walked
		if n := d.Nested[i]; n.Payload != nil && i < 32 {
			inner := &walker{p: p, d: d, secrets: !d.Opened, depth: len(n.Layers)}
			inner.walk(n.Payload, place{path: n.Path}, 0)
		}
	}
}

// place is where in the payload a value stands.
type place struct {
	path string // JSON Pointer
	key  string // the last name of it
	up   string // the name before that
}

func (p place) child(key string) place {
	return place{path: p.path + "/" + escapePointer(key), key: key, up: p.key}
}

func escapePointer(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

type walker struct {
	p       *peeler
	d       *Decoded
	named   map[string]BindTo
	answers string
	secrets bool
	depth   int // layers above, for values that are encoded themselves
	nodes   int
	carried bool // inside carried answers: what people said, not what the server decided
}

func (w *walker) walk(raw []byte, at place, level int) {
	w.nodes++
	if w.nodes > maxNodes || level > 64 {
		return
	}
	switch {
	case len(raw) == 0:
	case raw[0] == '{':
		w.object(raw, at, level)
	case raw[0] == '[':
		for i, v := range rpc.Elements(raw) {
			// An element has the meaning of its list.
			w.walk(v, place{path: at.path + "/" + strconv.Itoa(i), key: at.key, up: at.up}, level+1)
		}
	default:
		w.scalar(raw, at, level)
	}
}

func (w *walker) object(raw []byte, at place, level int) {
	was := w.carried
	if kind := answerKind(raw); kind != "" && level > 0 {
		w.d.Answers = append(w.d.Answers, Answer{Path: at.path, Key: at.key, Kind: kind})
		w.carried = true
	}
	for k, v := range rpc.Members(raw) {
		child := at.child(k)
		w.bind(v, child, level)
		if w.answerPlace(k, v, child) {
			kept := w.carried
			w.carried = true
			w.walk(v, child, level+1)
			w.carried = kept
			continue
		}
		w.walk(v, child, level+1)
	}
	w.ttl(raw, at)
	w.carried = was
}

// answerPlace reports a member that by its name holds answers of earlier
// rounds, and notes it where the answers do not show themselves.
func (w *walker) answerPlace(key string, v []byte, at place) bool {
	if w.carried || len(v) < 3 || (v[0] != '{' && v[0] != '[') {
		return false
	}
	if key != w.answers {
		switch flat(key) {
		case "answers", "inputresponses", "responses", "carriedanswers", "replies":
		default:
			return false
		}
	}
	shown := false
	for _, x := range rpc.Members(v) {
		shown = shown || answerKind(x) != ""
	}
	for _, x := range rpc.Elements(v) {
		shown = shown || answerKind(x) != ""
	}
	if !shown && strings.Trim(string(v), "{}[] \t\r\n") != "" {
		w.d.Answers = append(w.d.Answers, Answer{Path: at.path, Kind: "answers"})
	}
	return true
}

// answerKind says what kind of answer an object is, "" where it is none.
func answerKind(raw []byte) string {
	if len(raw) == 0 || raw[0] != '{' {
		return ""
	}
	switch action := rpc.Text(raw, "action"); action {
	case "accept", "decline", "cancel":
		return "elicitation: " + action
	}
	if rpc.Text(raw, "role") == "assistant" && rpc.Member(raw, "content") != nil && rpc.Text(raw, "model") != "" {
		return "sampling"
	}
	if roots := rpc.Member(raw, "roots"); len(roots) > 0 && roots[0] == '[' {
		return "roots"
	}
	return ""
}

func (w *walker) scalar(raw []byte, at place, level int) {
	if kind, ok := timeName(at.key); ok && !w.carried {
		if t, ok := timeOf(raw); ok {
			w.d.Times = append(w.d.Times, Time{kind, at.path, t})
			return
		}
	}
	text, isText := rpc.String(raw)
	if w.secrets {
		kind := secretName(at.key, raw)
		if kind == "" && isText {
			kind = secretIn(text)
		} else if kind == "" {
			kind = cardNumber(string(raw))
		}
		w.d.Secrets = appendSecret(w.d.Secrets, at.path, kind)
	}
	if isText && len(text) >= 8 && len(w.d.Nested) < 32 && w.depth+level < maxDepth {
		c := w.p.read([]byte(text), w.depth+level)
		if !c.weak() {
			w.d.Nested = append(w.d.Nested, Nested{Path: at.path, Layers: c.layers, Payload: c.payload})
		}
	}
}

// bind notes what a member binds the state to: by the known format, or by its
// name near the top of the payload.
func (w *walker) bind(v []byte, at place, level int) {
	if w.carried || string(v) == "null" || string(v) == `""` {
		return
	}
	if w.named != nil && strings.HasPrefix(at.path, "/asked/") {
		return // the names there are those of asks
	}
	to, ok := w.named[at.key]
	if !ok || level > 0 {
		if level > 1 || (level == 0 && w.named != nil) {
			return
		}
		if to, ok = bindName(at.key); !ok {
			return
		}
	}
	w.d.Bindings = append(w.d.Bindings, Binding{To: to, Path: at.path, Value: json.RawMessage(v)})
}

func bindName(key string) (BindTo, bool) {
	switch flat(key) {
	case "sub", "subject", "user", "userid", "uid", "username", "principal", "account", "accountid",
		"tenant", "tenantid", "actor", "owner", "clientid":
		return ToPrincipal, true
	case "session", "sessionid", "sid":
		return ToSession, true
	case "req", "request", "requestid", "requestdigest", "digest", "method", "tool", "toolname", "call",
		"callid", "argshash", "argumentshash", "paramshash", "argsdigest", "paramsdigest":
		return ToRequest, true
	case "aud", "audience":
		return ToAudience, true
	}
	return "", false
}

// flat makes names comparable: expiresAt, expires_at and Expires-At are one.
func flat(key string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(key))
}

func timeName(key string) (TimeKind, bool) {
	switch flat(key) {
	case "exp", "expires", "expiresat", "expiry", "expiration", "expirationtime", "expiresms", "expire", "expireat",
		"validuntil", "notafter", "deadline":
		return Expires, true
	case "iat", "issued", "issuedat", "created", "createdat", "ts", "timestamp", "time", "mintedat":
		return Issued, true
	case "nbf", "notbefore":
		return NotBefore, true
	}
	return "", false
}

// timeOf reads a time as seconds, milliseconds or microseconds since 1970, as
// text or number, or as RFC 3339. Only times of this and the next century are
// believed.
func timeOf(raw []byte) (time.Time, bool) {
	s, isText := rpc.String(raw)
	if !isText {
		s = string(raw)
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil && isText {
		return t.UTC(), true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) {
		return time.Time{}, false
	}
	switch {
	case f >= 9e8 && f < 7e9:
		whole, part := math.Modf(f)
		return time.Unix(int64(whole), int64(part*1e9)).UTC(), true
	case f >= 9e11 && f < 7e12:
		return time.UnixMilli(int64(f)).UTC(), true
	case f >= 9e14 && f < 7e15:
		return time.UnixMicro(int64(f)).UTC(), true
	}
	return time.Time{}, false
}

// ttl adds the expiry of an object that gives a time of issue and a length of
// life instead.
func (w *walker) ttl(raw []byte, at place) {
	var issued time.Time
	var life time.Duration
	for k, v := range rpc.Members(raw) {
		kind, _ := timeName(k)
		switch {
		case kind == Expires:
			return
		case kind == Issued:
			issued, _ = timeOf(v)
		}
		n, err := strconv.ParseFloat(string(v), 64)
		if err != nil || n <= 0 || n > 1e12 {
			continue
		}
		switch flat(k) {
		case "ttl", "expiresin", "maxage", "ttlseconds":
			life = time.Duration(n * float64(time.Second))
		case "ttlms":
			life = time.Duration(n * float64(time.Millisecond))
		}
	}
	if !issued.IsZero() && life > 0 {
		w.d.Times = append(w.d.Times, Time{Expires, at.path, issued.Add(life)})
	}
}
