package state

import (
	"bytes"
	"compress/zlib"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"time"

	"mcptui/client/rpc"
)

// readFernet knows the tokens of the Fernet specification: version 0x80, a time,
// an IV, AES-128-CBC and HMAC-SHA256, in padded base64url.
func readFernet(p *peeler, b []byte, depth int) (chain, bool) {
	s := string(b)
	if !strings.HasPrefix(s, "gAAAA") {
		return chain{}, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(s, "="))
	if err != nil || len(raw) < 73 || raw[0] != 0x80 || (len(raw)-57)%16 != 0 {
		return chain{}, false
	}
	l := Layer{Format: Fernet, Size: len(b), Detail: fmt.Sprintf("%d bytes encrypted", len(raw)-57)}
	issued := Time{Issued, string(Fernet), time.Unix(int64(binary.BigEndian.Uint64(raw[1:9])), 0).UTC()}
	signed, mac := raw[:len(raw)-32], raw[len(raw)-32:]
	sig := Signature{Status: Unverifiable, Algorithm: "HMAC-SHA256", Reason: "encrypted, and no key was given"}
	for i, k := range p.keys {
		if len(k.Bytes) != 32 || !hmac.Equal(macOf(sha256.New, k.Bytes[:16], signed), mac) {
			sig.Status, sig.Reason = Wrong, "no given key fits"
			continue
		}
		sig = Signature{Status: Verified, Algorithm: "HMAC-SHA256", Key: i + 1}
		plain, ok := openCBC(k.Bytes[16:], raw[9:25], raw[25:len(raw)-32])
		if !ok {
			break
		}
		c := p.read(plain, depth+1)
		c.opened, c.signature = true, sig
		c.times = append(c.times, issued)
		return under(l, c), true
	}
	c := readBytes(raw[25 : len(raw)-32])
	c.layers[0].Format = Opaque
	c.signature, c.times = sig, []Time{issued}
	return under(l, c), true
}

// openCBC opens AES-CBC with PKCS #7 padding.
func openCBC(key, iv, sealed []byte) ([]byte, bool) {
	block, err := aes.NewCipher(key)
	if err != nil || len(sealed) == 0 || len(sealed)%aes.BlockSize != 0 {
		return nil, false
	}
	plain := make([]byte, len(sealed))
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(plain, sealed)
	pad := int(plain[len(plain)-1])
	if pad == 0 || pad > aes.BlockSize {
		return nil, false
	}
	return plain[:len(plain)-pad], true
}

var pasetoForm = lazily(`^v([1-4])\.(local|public)\.([A-Za-z0-9_-]+)(\.[A-Za-z0-9_-]*)?$`)

// readPaseto knows PASETO: "local" is encrypted, "public" is readable and
// signed behind the payload.
func readPaseto(p *peeler, b []byte, depth int) (chain, bool) {
	m := pasetoForm().FindStringSubmatch(string(b))
	if m == nil {
		return chain{}, false
	}
	raw, err := rawURL.DecodeString(m[3])
	size := map[string]int{"1": 256, "2": 64, "3": 96, "4": 64}[m[1]]
	if err != nil || (m[2] == "public" && len(raw) <= size) || len(raw) < 32 {
		return chain{}, false
	}
	l := Layer{Format: Paseto, Detail: "v" + m[1] + "." + m[2], Size: len(b)}
	if m[2] == "local" {
		c := readBytes(raw)
		c.layers[0].Format = Opaque
		c.signature = Signature{Status: Unverifiable, Reason: "encrypted: only the server can open it"}
		return under(l, c), true
	}
	tail := bytes.Clone(raw[len(raw)-size:])
	l.encode = func(in []byte) ([]byte, error) {
		return []byte("v" + m[1] + ".public." + rawURL.EncodeToString(append(bytes.Clone(in), tail...)) + m[4]), nil
	}
	c := p.read(raw[:len(raw)-size], depth+1)
	c.signature = Signature{Status: Unverifiable, Reason: "it is checked with a public key, which a state key is not"}
	return under(l, c), true
}

// readIron knows the seals of the iron module, which iron-session uses.
func readIron(_ *peeler, b []byte, _ int) (chain, bool) {
	parts := strings.Split(string(b), "*")
	if len(parts) != 8 || parts[0] != "Fe26.2" {
		return chain{}, false
	}
	raw, _, ok := decodePart(parts[4])
	if !ok {
		return chain{}, false
	}
	c := readBytes(raw)
	c.layers[0].Format = Opaque
	c.signature = Signature{Status: Unverifiable, Algorithm: "HMAC-SHA256", Reason: "encrypted with a stretched password: only the server can open it"}
	if t, ok := timeOf([]byte(parts[5])); ok {
		c.times = append(c.times, Time{Expires, string(Iron), t})
	}
	return under(Layer{Format: Iron, Size: len(b)}, c), true
}

// readRails knows the two kinds of messages of Ruby on Rails: "data--mac" and
// "data--iv--tag".
func readRails(p *peeler, b []byte, depth int) (chain, bool) {
	parts := strings.Split(string(b), "--")
	switch {
	case len(parts) == 3:
		data, _, ok1 := decodePart(parts[0])
		iv, _, ok2 := decodePart(parts[1])
		tag, _, ok3 := decodePart(parts[2])
		if !ok1 || !ok2 || !ok3 || len(iv) != 12 || len(tag) != 16 {
			return chain{}, false
		}
		c := readBytes(data)
		c.layers[0].Format = Opaque
		c.signature = Signature{Status: Unverifiable, Algorithm: "AES-GCM", Reason: "encrypted with a derived key: only the server can open it"}
		return under(Layer{Format: RailsEncrypted, Size: len(b)}, c), true
	case len(parts) == 2 && isHex(parts[1]) && (len(parts[1]) == 40 || len(parts[1]) == 64):
		body, c, ok := p.body(parts[0], depth)
		if !ok || c.weak() {
			return chain{}, false
		}
		mac, ok := macPart(parts[1], 20)
		if !ok {
			return chain{}, false
		}
		c.signature = p.guessMAC(mac, []byte(parts[0]), body)
		l := Layer{Format: RailsSigned, Size: len(b), encode: around(c, "", "--"+parts[1])}
		return under(l, dropOuter(c)), true
	}
	return chain{}, false
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// readDjango knows "payload:time:mac" of django.core.signing; a dot in front
// means zlib. The time is in base 62.
func readDjango(p *peeler, b []byte, depth int) (chain, bool) {
	parts := strings.Split(string(b), ":")
	if len(parts) != 3 || len(parts[1]) < 5 || len(parts[1]) > 7 {
		return chain{}, false
	}
	seconds := int64(0)
	for _, r := range parts[1] {
		i := strings.IndexRune(base62, r)
		if i < 0 {
			return chain{}, false
		}
		seconds = seconds*62 + int64(i)
	}
	c, ok := p.pythonSigned(Django, b, parts, ":", time.Unix(seconds, 0).UTC(), depth)
	return c, ok
}

// readItsDangerous knows "payload.time.mac" of itsdangerous, as Flask writes it.
func readItsDangerous(p *peeler, b []byte, depth int) (chain, bool) {
	s := string(b)
	rest, dot := strings.CutPrefix(s, ".")
	parts := strings.Split(rest, ".")
	if len(parts) != 3 {
		return chain{}, false
	}
	stamp, err := rawURL.DecodeString(parts[1])
	if err != nil || len(stamp) < 4 || len(stamp) > 5 {
		return chain{}, false
	}
	var seconds int64
	for _, x := range stamp {
		seconds = seconds<<8 | int64(x)
	}
	if dot {
		parts[0] = "." + parts[0]
	}
	return p.pythonSigned(ItsDangerous, b, parts, ".", time.Unix(seconds, 0).UTC(), depth)
}

func (p *peeler) pythonSigned(f Format, b []byte, parts []string, sep string, issued time.Time, depth int) (chain, bool) {
	mac, ok := macPart(parts[2], 16)
	if !ok || !knownMAC(len(mac)) || issued.Year() < 2000 || issued.Year() > 2200 {
		return chain{}, false
	}
	packed := strings.HasPrefix(parts[0], ".")
	body, err := rawURL.DecodeString(strings.TrimPrefix(parts[0], "."))
	if err != nil {
		return chain{}, false
	}
	var c chain
	if packed {
		c, ok = p.inflate(Zlib, body, depth+1,
			func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) },
			func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })
	} else {
		c = p.read(body, depth+1)
	}
	if !ok || c.weak() {
		return chain{}, false
	}
	lead := ""
	if packed {
		lead = "."
	}
	l := Layer{Format: f, Size: len(b), encode: func(in []byte) ([]byte, error) {
		return []byte(lead + rawURL.EncodeToString(in) + sep + parts[1] + sep + parts[2]), nil
	}}
	c.times = append(c.times, Time{Issued, string(f), issued})
	c.signature = p.salted(mac, parts[0]+sep+parts[1])
	return under(l, c), true
}

// salted tries the ways in which the Python signers derive their key.
func (p *peeler) salted(mac []byte, over string) Signature {
	alg, h, _ := hashOf(len(mac))
	for i, k := range p.keys {
		for _, salt := range []string{"itsdangerous", "itsdangerous.Signer", "cookie-session", "django.core.signing"} {
			concat := h()
			concat.Write([]byte(salt + "signer"))
			concat.Write(k.Bytes)
			plain := sha1.Sum(append([]byte(salt+"signer"), k.Bytes...))
			for _, key := range [][]byte{concat.Sum(nil), plain[:], macOf(h, k.Bytes, []byte(salt)), macOf(sha1.New, k.Bytes, []byte(salt))} {
				if hmac.Equal(macOf(h, key, []byte(over)), mac) {
					return Signature{Status: Verified, Algorithm: alg, Key: i + 1}
				}
			}
		}
	}
	return Signature{Status: Unverifiable, Algorithm: alg, Reason: "the key is derived with a salt that the server chose"}
}

// readSealedJSON knows objects that are a seal or an encryption themselves:
// Laravel's, and the JSON forms of JWS and JWE.
func readSealedJSON(p *peeler, b []byte, depth int) (chain, bool) {
	l := Layer{Size: len(b), Detail: "JSON form"}
	switch {
	case onlyMembers(b, []string{"iv", "value", "mac"}, "tag"):
		raw, _, ok := decodePart(rpc.Text(b, "value"))
		if !ok {
			return chain{}, false
		}
		l.Format, l.Detail = Laravel, ""
		c := readBytes(raw)
		c.layers[0].Format = Opaque
		c.signature = Signature{Status: Unverifiable, Reason: "encrypted: only the server can open it"}
		return under(l, c), true
	case rpc.Member(b, "ciphertext") != nil && (rpc.Member(b, "tag") != nil || rpc.Member(b, "protected") != nil):
		raw, _, ok := decodePart(rpc.Text(b, "ciphertext"))
		if !ok {
			return chain{}, false
		}
		l.Format = JWE
		c := readBytes(raw)
		c.layers[0].Format = Opaque
		c.signature = Signature{Status: Unverifiable, Reason: "encrypted: only the server can open it"}
		return under(l, c), true
	case rpc.Member(b, "payload") != nil && rpc.Member(b, "protected") != nil && rpc.Member(b, "signature") != nil:
		head, body, sig := rpc.Text(b, "protected"), rpc.Text(b, "payload"), rpc.Text(b, "signature")
		header, err := rawURL.DecodeString(head)
		plain, err2 := rawURL.DecodeString(body)
		if err != nil || err2 != nil {
			return chain{}, false
		}
		l.Format = JWS
		whole := bytes.Clone(b)
		l.encode = func(in []byte) ([]byte, error) {
			return rpc.With(whole, rpc.Field{Name: "payload", Raw: rpc.Quote(rawURL.EncodeToString(in))}), nil
		}
		c := p.read(plain, depth+1)
		c.signature = p.verifyJWS([]string{head, body, sig}, rpc.Text(header, "alg"))
		return under(l, c), true
	}
	return chain{}, false
}
