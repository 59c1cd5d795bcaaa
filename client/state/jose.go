package state

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"hash"
	"strings"

	"mcptui/client/rpc"
)

var rawURL = base64.RawURLEncoding

// readJOSE knows the compact forms of RFC 7515 (JWS), 7519 (JWT) and 7516 (JWE).
func readJOSE(p *peeler, b []byte, depth int) (chain, bool) {
	s := string(b)
	parts := strings.Split(s, ".")
	if len(parts) != 3 && len(parts) != 5 {
		return chain{}, false
	}
	header, err := rawURL.DecodeString(parts[0])
	if err != nil {
		return chain{}, false
	}
	alg, ok := rpc.String(rpc.Member(header, "alg"))
	if !ok {
		return chain{}, false
	}
	if len(parts) == 5 {
		return p.readJWE(b, parts, header, alg, depth)
	}
	body, err := rawURL.DecodeString(parts[1])
	if err != nil {
		return chain{}, false
	}
	var c chain
	if rpc.Text(header, "zip") == "DEF" {
		c, ok = p.inflateRaw(body, depth+1)
	} else {
		c, ok = p.read(body, depth+1), true
	}
	if !ok {
		c = readBytes(body)
	}
	l := Layer{Format: JWS, Detail: joseDetail(header, alg), Size: len(b), encode: func(in []byte) ([]byte, error) {
		return []byte(parts[0] + "." + rawURL.EncodeToString(in) + "." + parts[2]), nil
	}}
	if strings.Contains(strings.ToUpper(rpc.Text(header, "typ")), "JWT") || hasClaims(c.payload) {
		l.Format = JWT
	}
	c.signature = p.verifyJWS(parts, alg)
	return under(l, c), true
}

func joseDetail(header []byte, alg string) string {
	detail := "alg " + alg
	for _, name := range []string{"enc", "kid", "zip"} {
		if v := rpc.Text(header, name); v != "" {
			detail += ", " + name + " " + v
		}
	}
	return detail
}

func hasClaims(payload []byte) bool {
	for k := range rpc.Members(payload) {
		switch k {
		case "iss", "sub", "aud", "exp", "nbf", "iat", "jti":
			return true
		}
	}
	return false
}

func (p *peeler) verifyJWS(parts []string, alg string) Signature {
	s := Signature{Status: Unverifiable, Algorithm: alg}
	if strings.EqualFold(alg, "none") || parts[2] == "" {
		return Signature{Status: Unsigned, Algorithm: "none", Reason: "the token says that it is not signed"}
	}
	var h func() hash.Hash
	switch alg {
	case "HS256":
		h = sha256.New
	case "HS384":
		h = sha512.New384
	case "HS512":
		h = sha512.New
	default:
		s.Reason = alg + " is checked with a public key, which a state key is not"
		return s
	}
	mac, err := rawURL.DecodeString(parts[2])
	if err != nil {
		return Signature{Status: Wrong, Algorithm: alg, Reason: "the signature is not base64url"}
	}
	return p.checkMAC(alg, h, mac, []byte(parts[0]+"."+parts[1]))
}

// checkMAC tries every key on what the format is known to sign.
func (p *peeler) checkMAC(alg string, h func() hash.Hash, mac, over []byte) Signature {
	s := Signature{Status: Unverifiable, Algorithm: alg}
	if size := h().Size(); len(mac) != size {
		s.Status = Wrong
		s.Reason = fmt.Sprintf("the MAC has %d bytes, %s gives %d", len(mac), alg, size)
		return s
	}
	if len(p.keys) == 0 {
		s.Reason = "no key was given"
		return s
	}
	for i, k := range p.keys {
		if hmac.Equal(macOf(h, k.Bytes, over), mac) {
			s.Status, s.Key = Verified, i+1
			return s
		}
	}
	s.Status, s.Reason = Wrong, "no given key fits"
	return s
}

func macOf(h func() hash.Hash, key, over []byte) []byte {
	m := hmac.New(h, key)
	m.Write(over) // a hash never fails
	return m.Sum(nil)
}

func (p *peeler) readJWE(b []byte, parts []string, header []byte, alg string, depth int) (chain, bool) {
	enc, ok := rpc.String(rpc.Member(header, "enc"))
	if !ok {
		return chain{}, false
	}
	l := Layer{Format: JWE, Detail: joseDetail(header, alg), Size: len(b)}
	var raw [3][]byte
	for i := range raw {
		d, err := rawURL.DecodeString(parts[i+2])
		if err != nil {
			return chain{}, false
		}
		raw[i] = d
	}
	sig := Signature{Status: Unverifiable, Algorithm: enc, Reason: "encrypted: only the server can open it"}
	if alg == "dir" && strings.HasSuffix(enc, "GCM") {
		for i, k := range p.keys {
			plain, ok := openGCM(k.Bytes, raw[0], append(bytes.Clone(raw[1]), raw[2]...), []byte(parts[0]))
			if !ok {
				continue
			}
			c := p.read(plain, depth+1)
			c.opened, c.signature = true, Signature{Status: Verified, Algorithm: enc, Key: i + 1}
			return under(l, c), true
		}
		if len(p.keys) > 0 {
			sig.Status, sig.Reason = Wrong, "no given key opens it"
		}
	}
	c := readBytes(raw[1])
	c.layers[0].Format = Opaque
	c.signature = sig
	return under(l, c), true
}

// openGCM opens AES-GCM with the tag behind the text.
func openGCM(key, nonce, sealed, extra []byte) ([]byte, bool) {
	block, err := aes.NewCipher(key)
	if err != nil || len(nonce) != 12 {
		return nil, false
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, false
	}
	plain, err := gcm.Open(nil, nonce, sealed, extra)
	return plain, err == nil
}
