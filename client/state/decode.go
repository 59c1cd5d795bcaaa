package state

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"mcptui/client/rpc"
)

// Bounds on what is decoded. A state comes from a server and may be made to
// hurt: nested without end, or compressed a thousand times over.
const (
	maxInput   = 4 << 20  // bytes of a value that is looked into at all
	maxInflate = 4 << 20  // bytes that one compressed layer may grow to
	maxDepth   = 8        // layers
	maxWork    = 24 << 20 // bytes in all, over everything that is tried
	maxNodes   = 20_000   // JSON values that are looked at
)

// Decode describes a requestState. Raw is the JSON string token as it stands on
// the wire, quotes included; text without quotes is taken for the value itself.
// The keys are tried on signatures and on the encrypted formats whose making is
// known. Decode never fails: what is not recognised is described as what it
// looks like.
func Decode(raw string, keys ...Key) *Decoded {
	d := &Decoded{Raw: raw, Signature: Signature{Status: Unsigned}}
	d.Value, d.Surrogate = value(raw)
	p := &peeler{keys: keys}
	c := p.read([]byte(d.Value), 0)
	d.Layers, d.Inner, d.Payload = c.layers, c.inner, c.payload
	d.Signature, d.Opened = c.signature, c.opened
	if d.Signature.Status == "" {
		d.Signature = unsignedOr(d)
	}
	d.Times = c.times
	p.describe(d, c)
	return d
}

// unsignedOr says what no signature means: for bytes that cannot be read, that
// there may be one inside.
func unsignedOr(d *Decoded) Signature {
	switch d.last() {
	case Opaque, Binary, TooLarge, TooDeep:
		return Signature{Status: Unverifiable, Reason: "not readable: whether it is protected cannot be told"}
	}
	return Signature{Status: Unsigned}
}

// value decodes a JSON string token.
func value(raw string) (text string, surrogate bool) {
	if s, ok := rpc.String([]byte(raw)); ok && strings.HasSuffix(raw, `"`) && json.Valid([]byte(raw)) {
		if !utf8.ValidString(s) {
			s = strings.ToValidUTF8(s, "\uFFFD")
		}
		return s, loneSurrogate(raw)
	}
	return raw, false
}

// chain is what was found in some bytes.
type chain struct {
	layers    []Layer
	inner     []byte
	payload   json.RawMessage
	signature Signature // zero where no layer has one
	opened    bool
	named     map[string]BindTo // members of the payload that a known format binds with
	answers   string            // member of the payload where a known format carries answers
	times     []Time
}

// weak reports whether nothing but plain characters or bytes was found, so
// that a guess which led here was probably wrong.
func (c chain) weak() bool {
	switch c.layers[0].Format {
	case Text, Pairs, Empty, Number, UUID, ULID, HexID, Token, Opaque, Binary, TooLarge, TooDeep:
		return true
	}
	return false
}

// under puts a layer around a chain. The outermost signature counts: the inner
// ones are covered by it.
func under(l Layer, c chain) chain {
	c.layers = append([]Layer{l}, c.layers...)
	return c
}

func leaf(f Format, detail string, b []byte) chain {
	return chain{layers: []Layer{{Format: f, Detail: detail, Size: len(b)}}, inner: b}
}

type peeler struct {
	keys []Key
	work int // bytes looked at
}

// recognisers are tried in order; the first that knows the bytes wins. Those
// with the most structure come first.
func recognisers() []func(*peeler, []byte, int) (chain, bool) {
	return []func(*peeler, []byte, int) (chain, bool){
		readJSON,
		readJOSE,
		readPaseto,
		readIron,
		readFernet,
		readNamedSeal,
		readRails,
		readDjango,
		readItsDangerous,
		readSeal,
		readSerialized,
		readCompressed,
		readIdentifier,
		readPercent,
		readHex,
		readBase64,
		readPairs,
		readText,
	}
}

// read describes bytes.
func (p *peeler) read(b []byte, depth int) chain {
	p.work += len(b)
	switch {
	case len(b) == 0:
		return leaf(Empty, "", b)
	case len(b) > maxInput, p.work > maxWork:
		return leaf(TooLarge, "", b)
	case depth >= maxDepth:
		return leaf(TooDeep, "", b)
	}
	for _, r := range recognisers() {
		if c, ok := r(p, b, depth); ok {
			return c
		}
	}
	return readBytes(b)
}

// readJSON knows objects and arrays, and strings that hold something else.
// Numbers and words are valid JSON too, and say nothing.
func readJSON(p *peeler, b []byte, depth int) (chain, bool) {
	t := trimSpace(b)
	if len(t) < 2 {
		return chain{}, false
	}
	switch {
	case t[0] == '"' && t[len(t)-1] == '"' && json.Valid(t):
		text, ok := rpc.String(t)
		if !ok || text == "" {
			return chain{}, false
		}
		return under(Layer{Format: JSONString, Size: len(b), encode: func(in []byte) ([]byte, error) {
			return rpc.Quote(string(in)), nil
		}}, p.read([]byte(text), depth+1)), true
	case (t[0] != '{' && t[0] != '[') || !json.Valid(t):
		return chain{}, false
	}
	if c, ok := readSealedJSON(p, t, depth); ok {
		return c, true
	}
	c := leaf(JSON, "", b)
	c.layers[0].encode = func(in []byte) ([]byte, error) { return in, nil }
	c.inner, c.payload = t, json.RawMessage(t)
	return c, true
}

func trimSpace(b []byte) []byte { return []byte(strings.Trim(string(b), " \t\r\n")) }
