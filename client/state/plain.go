package state

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"mcptui/client/rpc"
)

var (
	uuidForm  = lazily(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-([0-9a-fA-F])[0-9a-fA-F]{3}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	ulidForm  = lazily(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`)
	digits    = lazily(`^-?[0-9]+(\.[0-9]+)?$`)
	pairsForm = lazily(`^[A-Za-z_][\w.-]*=[^=;&,|\s]*(?:(;|&|,|\|) ?[A-Za-z_][\w.-]*=[^=;&,|\s]*)*[;&]?$`)
)

// readIdentifier knows names that mean something only to the server.
func readIdentifier(_ *peeler, b []byte, _ int) (chain, bool) {
	s := string(b)
	switch {
	case len(s) > 64:
		return chain{}, false
	case uuidForm().MatchString(s):
		version := uuidForm().FindStringSubmatch(s)[1]
		c := leaf(UUID, "version "+version, b)
		if version == "7" {
			if ms, err := hex.DecodeString(strings.ReplaceAll(s[:13], "-", "")); err == nil {
				c.times = append(c.times, Time{Issued, string(UUID), millis(ms)})
			}
		}
		return c, true
	case ulidForm().MatchString(s):
		return leaf(ULID, "", b), true
	case digits().MatchString(s):
		return leaf(Number, "", b), true
	}
	return chain{}, false
}

func millis(b []byte) time.Time {
	var n int64
	for _, x := range b {
		n = n<<8 | int64(x)
	}
	return time.UnixMilli(n).UTC()
}

// readPairs knows text such as "round=2;name=Ada" and shows it as an object.
func readPairs(_ *peeler, b []byte, _ int) (chain, bool) {
	s := string(b)
	m := pairsForm().FindStringSubmatch(s)
	if m == nil || !printable(b) {
		return chain{}, false
	}
	if _, _, ok := decodePart(s); ok && strings.HasSuffix(s, "=") {
		return chain{}, false // base64 padding, not an empty value
	}
	sep := m[1]
	if strings.Contains(s, sep+" ") && sep != "" {
		sep += " "
	}
	parts := []string{s}
	if sep != "" {
		parts = strings.Split(s, sep)
	}
	var fields []rpc.Field
	for _, part := range parts {
		k, v, ok := strings.Cut(part, "=")
		if !ok {
			continue
		}
		fields = append(fields, rpc.Field{Name: k, Raw: rpc.Quote(v)})
	}
	c := leaf(Pairs, "", b)
	c.payload = json.RawMessage(rpc.Object(fields...))
	c.layers[0].encode = func(in []byte) ([]byte, error) {
		var out []string
		for k, raw := range rpc.Members(in) {
			v, ok := rpc.String(raw)
			if !ok {
				v = string(raw)
			}
			out = append(out, k+"="+v)
		}
		if len(out) == 0 {
			return nil, fmt.Errorf("encode %s: not an object with members", Pairs)
		}
		return []byte(strings.Join(out, sep)), nil
	}
	return c, true
}

// readText knows what a person can read, and tokens that are text but say
// nothing.
func readText(_ *peeler, b []byte, _ int) (chain, bool) {
	if !printable(b) {
		return chain{}, false
	}
	f := Text
	s := string(b)
	if rest := named().ReplaceAllString(s, ""); len(rest) >= 16 && looksRandom(rest) && onlyTokenChars(s) {
		f = Token
	}
	c := leaf(f, "", b)
	c.layers[0].encode = func(in []byte) ([]byte, error) {
		if s, ok := rpc.String(in); ok {
			return []byte(s), nil
		}
		return in, nil
	}
	return c, true
}

// readBytes is for bytes that are no text and of no known format.
func readBytes(b []byte) chain {
	h, most := entropy(b), math.Log2(float64(min(len(b), 256)))
	detail := fmt.Sprintf("%d bytes, %.1f of at most %.1f bits a byte", len(b), h, most)
	if len(b) >= 12 && h >= 0.85*most {
		if len(b)%16 == 0 {
			detail += ", a multiple of 16 as AES-CBC gives"
		}
		return leaf(Opaque, detail, b)
	}
	return leaf(Binary, detail, b)
}

// readSerialized knows objects that languages write, and that are dangerous to
// load from a client.
func readSerialized(_ *peeler, b []byte, _ int) (chain, bool) {
	s := string(b)
	switch {
	case len(b) > 3 && b[0] == 0x80 && b[1] >= 2 && b[1] <= 5 && b[len(b)-1] == '.':
		return leaf(Pickle, fmt.Sprintf("protocol %d", b[1]), b), true
	case strings.HasPrefix(s, "\xac\xed\x00\x05"):
		return leaf(JavaObject, "", b), true
	case phpForm().MatchString(s):
		return leaf(PHPValue, "", b), true
	}
	return chain{}, false
}

var phpForm = lazily(`^(a:\d+:\{.*\}|O:\d+:"[^"]+":\d+:\{.*\}|s:\d+:".*";)$`)

// printable reports whether all of it is text for people.
func printable(b []byte) bool {
	if !utf8.Valid(b) {
		return false
	}
	for _, r := range string(b) {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' && r != '\r' {
			return false
		}
	}
	return true
}

// wordLike reports whether a text that happens to be valid base64 is more
// likely just a word or a number.
func wordLike(s string) bool {
	if strings.HasSuffix(s, "=") {
		return false
	}
	return strings.ToLower(s) == s || strings.ToUpper(s) == s
}

// looksRandom reports whether characters alternate between upper case, lower
// case, digits and marks as those of random bytes in base64 do. In words,
// however joined, neighbours are mostly of the same kind, and capitals begin
// something.
func looksRandom(s string) bool {
	s = strings.TrimRight(s, "=")
	if len(s) < 16 || strings.ToLower(s) == s || strings.ToUpper(s) == s {
		return false
	}
	changes, capitals, inside, digits := 0, 0, 0, 0
	for i := range len(s) {
		kind := charKind(s[i])
		if kind == 2 {
			digits++
		}
		if i == 0 {
			continue
		}
		before := charKind(s[i-1])
		if kind != before {
			changes++
		}
		if before == 1 {
			if capitals++; kind == 1 || kind == 2 {
				inside++
			}
		}
	}
	switch {
	case capitals >= 4 && 5*inside < capitals, capitals < 4 && digits == 0:
		return false // every capital begins a word, as in camel case
	}
	return float64(changes) >= 0.42*float64(len(s)-1) && entropy([]byte(s)) >= 0.75*math.Log2(float64(min(len(s), 64)))
}

// named is a token that says in front what it is for: "sess_…", "sk_live_…".
var named = lazily(`^(?:[a-z]{2,10}[_-])+`)

func charKind(c byte) int {
	switch {
	case c >= 'a' && c <= 'z':
		return 0
	case c >= 'A' && c <= 'Z':
		return 1
	case c >= '0' && c <= '9':
		return 2
	}
	return 3
}

func onlyTokenChars(s string) bool {
	return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=.~") == ""
}

// entropy is that of Shannon, in bits a byte.
func entropy(b []byte) float64 {
	var count [256]int
	for _, x := range b {
		count[x]++
	}
	h := 0.0
	for _, n := range count {
		if n > 0 {
			f := float64(n) / float64(len(b))
			h -= f * math.Log2(f)
		}
	}
	return h
}

func isHex(s string) bool {
	if s == "" {
		return false
	}
	return strings.Trim(s, "0123456789abcdefABCDEF") == ""
}
