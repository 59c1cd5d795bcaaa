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

// looksRandom reports whether a text is more likely random bytes in base64 than
// something that a person named, by which kinds of characters follow each other.
func looksRandom(s string) bool {
	s = strings.TrimRight(s, "=")
	if len(s) < 16 || strings.ToLower(s) == s || strings.ToUpper(s) == s || joined(s) {
		return false
	}
	likelier := 0.0
	for i := 1; i < len(s); i++ {
		likelier += follows[charKind(s[i-1])][charKind(s[i])]
	}
	return likelier > leastLikelier && entropy([]byte(s)) >= 0.75*math.Log2(float64(min(len(s), 64)))
}

// leastLikelier leaves out one in two hundred of 16 random bytes, one in a
// thousand of 24, and takes one in four hundred of the long names of Go's
// sources for random, all of them letters and digits in a jumble.
const leastLikelier = -1.0

// follows is how much likelier one kind of character follows another in random
// base64 than in names: the logarithm of the ratio, to base 2, with the names
// being the 43,000 of 16 characters or more in the sources of Go and of common
// modules. The kinds are those of charKind.
var follows = [kinds][kinds]float64{
	{-0.16, 1.06, 2.65, 1.45, -2.34, 0.75},
	{1.07, 1.06, 1.69, 1.20, -2.88, 0.68},
	{1.72, 1.02, -1.88, -2.01, 3.12, 1.39},
	{1.70, 0.02, 2.99, 0.91, 1.50, -2.71},
	{-1.25, 1.95, 5.51, 2.96, -0.39, 1.54},
	{-0.95, 0.23, 4.53, 2.21, 0.83, 1.50},
}

const kinds = 6

// charKind tells consonants (small 0, capital 1), digits (2), marks (3) and
// vowels (small 4, capital 5) apart.
func charKind(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return 2
	case strings.IndexByte("aeiou", c) >= 0:
		return 4
	case strings.IndexByte("AEIOU", c) >= 0:
		return 5
	case c >= 'a' && c <= 'z':
		return 0
	case c >= 'A' && c <= 'Z':
		return 1
	}
	return 3
}

// joined reports whether most of a text is words that marks join: letters in one
// case, or with a capital in front.
func joined(s string) bool {
	n := 0
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '_' || r == '-' }) {
		if len(word) < 3 || len(word) == len(s) || strings.ContainsAny(word, "0123456789+/") {
			continue
		}
		if rest := word[1:]; strings.ToUpper(word) == word || strings.ToLower(rest) == rest {
			n += len(word)
		}
	}
	return 2*n >= len(s)
}

// named is a token that says in front what it is for: "sess_…", "sk_live_…".
var named = lazily(`^(?:[a-z]{2,10}[_-])+`)

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
