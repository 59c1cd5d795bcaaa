package state

import (
	"bytes"
	"crypto/hkdf"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"strings"

	"mcptui/client/rpc"
)

var versionPart = lazily(`^[vV]\d{1,3}$`)

// readNamedSeal knows the seals of the MCP SDKs whose source shows how they are
// made, and our own embedded server's:
//
//	mcptui          v1.b64url({exp, req, sub?, asked?, answers?, data?}).b64url(HMAC-SHA256 over "v1.body")
//	TypeScript v2   v1.b64url({p, exp, b?}).b64url(HMAC-SHA256 over "v1.body")
//	D               v1.b64url({s, exp, b}).b64url(HMAC-SHA256 over the decoded body)
//	PHP             b64url({exp, data}).b64url(HMAC-SHA256 over "body")
//	Python          v1.b64url(kid, nonce, AES-256-GCM of {v, iat, exp, m, t, a, s, aud?, p?})
//	D, encrypted    v1e.b64url(nonce, AES-256-GCM of {s, exp, b})
func readNamedSeal(p *peeler, b []byte, depth int) (chain, bool) {
	s := string(b)
	parts := strings.Split(s, ".")
	switch {
	case len(parts) == 3 && parts[0] == "v1":
		body, err := rawURL.DecodeString(parts[1])
		if err != nil {
			return chain{}, false
		}
		return p.sealV1(b, parts, body, depth)
	case len(parts) == 2 && parts[0] == "v1":
		return p.sealPython(b, parts[1], depth)
	case len(parts) == 2 && parts[0] == "v1e":
		return p.sealDEncrypted(b, parts[1])
	case len(parts) == 2:
		body, err := rawURL.DecodeString(parts[0])
		if err != nil || !onlyMembers(body, []string{"exp", "data"}) {
			return chain{}, false
		}
		c := p.read(body, depth+1)
		c.answers = "_mcp.answers"
		return p.sealed(SealPHP, b, []string{"", parts[0], parts[1]}, []byte(parts[0]), c), true
	}
	return chain{}, false
}

func (p *peeler) sealV1(b []byte, parts []string, body []byte, depth int) (chain, bool) {
	over := []byte(parts[0] + "." + parts[1])
	switch {
	case onlyMembers(body, []string{"exp", "req"}, "sub", "asked", "answers", "data"):
		c := p.read(body, depth+1)
		c.named = map[string]BindTo{"sub": ToPrincipal, "req": ToRequest}
		c.answers = "answers"
		return p.sealed(SealOwn, b, parts, over, c), true
	case onlyMembers(body, []string{"p", "exp"}, "b"):
		c := p.read(body, depth+1)
		c.named = map[string]BindTo{"b": ToContext}
		return p.sealed(SealTypeScript, b, parts, over, c), true
	case onlyMembers(body, []string{"s", "exp", "b"}):
		c := p.read(body, depth+1)
		c.named = map[string]BindTo{"b": ToContext}
		return p.sealed(SealD, b, parts, body, c), true
	}
	return chain{}, false
}

// sealed puts a seal of "prefix.body.mac" around what the body holds. An edited
// body keeps the old MAC: that is what a tampering client would send.
func (p *peeler) sealed(f Format, b []byte, parts []string, over []byte, c chain) chain {
	sep := func(prefix string) string {
		if prefix == "" {
			return ""
		}
		return prefix + "."
	}
	l := Layer{Format: f, Size: len(b), encode: func(in []byte) ([]byte, error) {
		return []byte(sep(parts[0]) + rawURL.EncodeToString(in) + "." + parts[2]), nil
	}}
	mac, err := rawURL.DecodeString(parts[2])
	if err != nil {
		c.signature = Signature{Status: Wrong, Algorithm: "HMAC-SHA256", Reason: "the MAC is not base64url"}
	} else {
		c.signature = p.checkMAC("HMAC-SHA256", sha256.New, mac, over)
	}
	return under(l, c)
}

// onlyMembers reports whether an object has all of must and nothing but must
// and may.
func onlyMembers(object []byte, must []string, may ...string) bool {
	if !json.Valid(object) {
		return false
	}
	left := map[string]bool{}
	for _, k := range must {
		left[k] = true
	}
	for k := range rpc.Members(object) {
		if left[k] {
			delete(left, k)
			continue
		}
		known := false
		for _, m := range may {
			known = known || m == k
		}
		if !known {
			return false
		}
	}
	return len(left) == 0
}

// sealPython opens what the Python SDK makes: the key is stretched with HKDF,
// and its fingerprint stands in front of the nonce.
func (p *peeler) sealPython(b []byte, body string, depth int) (chain, bool) {
	raw, err := rawURL.DecodeString(body)
	if err != nil || len(raw) < 4+12+16 || printable(raw) || readBytes(raw).layers[0].Format != Opaque {
		return chain{}, false
	}
	l := Layer{Format: SealPython, Detail: "key " + hex.EncodeToString(raw[:4]), Size: len(b)}
	sig := Signature{Status: Unverifiable, Algorithm: "AES-256-GCM", Reason: "encrypted, and no key was given"}
	for i, k := range p.keys {
		key, err := hkdf.Key(sha256.New, k.Bytes, nil, "mcp/request-state/v1/aes-256-gcm", 32)
		if err != nil {
			continue
		}
		plain, ok := openGCM(key, raw[4:16], raw[16:], append([]byte("v1."), raw[:4]...))
		if !ok {
			sig.Status, sig.Reason = Wrong, "no given key opens it"
			continue
		}
		c := p.read(plain, depth+1)
		c.opened, c.signature = true, Signature{Status: Verified, Algorithm: "AES-256-GCM", Key: i + 1}
		c.named = map[string]BindTo{"p": ToPrincipal, "m": ToRequest, "t": ToRequest, "a": ToRequest, "aud": ToAudience}
		return under(l, c), true
	}
	c := readBytes(raw[16:])
	c.layers[0].Format = Opaque
	c.signature = sig
	return under(l, c), true
}

// sealDEncrypted names what the D SDK makes. Its tag covers who the state is
// for, which a client does not know: it cannot be opened here.
func (p *peeler) sealDEncrypted(b []byte, body string) (chain, bool) {
	raw, err := rawURL.DecodeString(body)
	if err != nil || len(raw) < 12+16 {
		return chain{}, false
	}
	c := readBytes(raw[12:])
	c.layers[0].Format = Opaque
	c.signature = Signature{Status: Unverifiable, Algorithm: "AES-256-GCM", Reason: "the tag covers who it is for, which only the server knows"}
	return under(Layer{Format: SealDEncrypted, Size: len(b)}, c), true
}

// readSeal knows any payload with a MAC beside it: "payload.mac", with a
// version in front, with the MAC first, with another separator.
func readSeal(p *peeler, b []byte, depth int) (chain, bool) {
	s := string(b)
	for _, sep := range []string{"--", ".", "|", ":", "~"} {
		i := strings.LastIndex(s, sep)
		if i <= 0 || i+len(sep) >= len(s) {
			continue
		}
		left, right := s[:i], s[i+len(sep):]
		if c, ok := p.sealAround(b, left, sep, right, depth); ok {
			return c, true
		}
		if j := strings.Index(s, sep); j == i { // one separator: the MAC may come first
			if mac, ok := macPart(left, 16); ok {
				body, c, ok := p.body(right, depth)
				if ok && !c.weak() {
					c.signature = p.guessMAC(mac, []byte(right), body)
					l := Layer{Format: Seal, Detail: fmt.Sprintf("MAC of %d bytes first", len(mac)), Size: len(b)}
					l.encode = around(c, left+sep, "")
					return under(l, dropOuter(c)), true
				}
			}
		}
	}
	return chain{}, false
}

// sealAround tries left as the payload, with or without a version in front, and
// right as its MAC.
func (p *peeler) sealAround(b []byte, left, sep, right string, depth int) (chain, bool) {
	prefix := ""
	body := left
	if v, rest, ok := strings.Cut(left, sep); ok && versionPart().MatchString(v) {
		prefix, body = v+sep, rest
	}
	mac, ok := macPart(right, 1)
	if !ok {
		return chain{}, false
	}
	text, c, ok := p.body(body, depth)
	if !ok {
		return chain{}, false
	}
	if c.weak() { // words on both sides of a dot are no seal
		if mac, ok = macPart(right, 16); !ok || !knownMAC(len(mac)) {
			return chain{}, false
		}
	}
	c.signature = p.guessMAC(mac, []byte(left), []byte(body), text)
	l := Layer{Format: Seal, Detail: fmt.Sprintf("MAC of %d bytes", len(mac)), Size: len(b)}
	if prefix != "" {
		l.Detail = strings.TrimSuffix(prefix, sep) + ", " + l.Detail
	}
	l.encode = around(c, prefix, sep+right)
	return under(l, dropOuter(c)), true
}

// body reads the payload part of a seal: encoded, or as it stands.
func (p *peeler) body(s string, depth int) (decoded []byte, c chain, ok bool) {
	c = p.read([]byte(s), depth+1)
	switch c.layers[0].Format {
	case Base64, Base64URL, Hex:
		decoded, _, _ = decodePart(s)
		return decoded, c, c.layers[1].Format != Opaque
	case JSON, Pairs, Text, JSONString, Percent:
		return []byte(s), c, true
	}
	return nil, c, false
}

// dropOuter leaves the encoding of the payload out of the chain: it is part of
// the seal.
func dropOuter(c chain) chain {
	switch c.layers[0].Format {
	case Base64, Base64URL, Hex:
		c.layers = c.layers[1:]
	}
	return c
}

// around writes a seal again with another payload and the same MAC.
func around(c chain, before, after string) func([]byte) ([]byte, error) {
	outer := c.layers[0]
	return func(in []byte) ([]byte, error) {
		switch outer.Format {
		case Base64, Base64URL, Hex:
			var err error
			if in, err = outer.encode(in); err != nil {
				return nil, err
			}
		}
		return []byte(before + string(in) + after), nil
	}
}

// macPart decodes what may be a MAC of at least so many bytes.
func macPart(s string, least int) ([]byte, bool) {
	if isHex(s) && len(s)%2 == 0 && len(s) >= 2*least && len(s) >= 16 {
		b, err := hex.DecodeString(s)
		return b, err == nil
	}
	b, _, ok := decodePart(s)
	if !ok || len(b) < least || (least > 1 && !looksRandom(s)) {
		return nil, false
	}
	return b, true
}

func knownMAC(n int) bool {
	_, _, ok := hashOf(n)
	return ok
}

// hashOf names the hash that gives MACs of this length.
func hashOf(n int) (string, func() hash.Hash, bool) {
	switch n {
	case 16:
		return "HMAC-MD5", md5.New, true
	case 20:
		return "HMAC-SHA1", sha1.New, true
	case 28:
		return "HMAC-SHA224", sha256.New224, true
	case 32:
		return "HMAC-SHA256", sha256.New, true
	case 48:
		return "HMAC-SHA384", sha512.New384, true
	case 64:
		return "HMAC-SHA512", sha512.New, true
	}
	return "", nil, false
}

// guessMAC tries every key on each thing that a seal of unknown make may sign.
// That none fits proves nothing, so it is never called wrong.
func (p *peeler) guessMAC(mac []byte, over ...[]byte) Signature {
	alg, h, ok := hashOf(len(mac))
	if !ok {
		return Signature{Status: Unverifiable, Reason: fmt.Sprintf("a MAC of %d bytes is of no known kind", len(mac))}
	}
	for i, k := range p.keys {
		for _, o := range over {
			if o != nil && bytes.Equal(macOf(h, k.Bytes, o), mac) {
				return Signature{Status: Verified, Algorithm: alg, Key: i + 1}
			}
		}
	}
	s := Signature{Status: Unverifiable, Algorithm: alg, Reason: "no key was given"}
	if len(p.keys) > 0 {
		s.Reason = "no given key fits in a way that is commonly used"
	}
	return s
}
