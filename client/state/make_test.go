package state_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/state"
)

// Makers of states, written from the formats' own descriptions and not from the
// decoder.

var (
	keyA = state.Key{Bytes: []byte(strings.Repeat("a", 32))}
	keyB = state.Key{Bytes: []byte(strings.Repeat("b", 32))}
	keyK = state.Key{Bytes: []byte(strings.Repeat("k", 32))} // of the TypeScript playground
)

func b64u(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func mac(h func() hash.Hash, key state.Key, over string) []byte {
	m := hmac.New(h, key.Bytes)
	m.Write([]byte(over))
	return m.Sum(nil)
}

func sealV1(key state.Key, claims string) string {
	body := "v1." + b64u([]byte(claims))
	return body + "." + b64u(mac(sha256.New, key, body))
}

func sealPHP(key state.Key, claims string) string {
	body := b64u([]byte(claims))
	return body + "." + b64u(mac(sha256.New, key, body))
}

func sealD(key state.Key, claims string) string {
	return "v1." + b64u([]byte(claims)) + "." + b64u(mac(sha256.New, key, claims))
}

func sealPython(t testing.TB, key state.Key, claims string) string {
	t.Helper()
	derived, err := hkdf.Key(sha256.New, key.Bytes, nil, "mcp/request-state/v1/aes-256-gcm", 32)
	require.NoError(t, err)
	kid := sha256.Sum256(append([]byte("mcp/request-state/v1/kid:"), derived...))
	nonce := []byte("\x9f\x01\xe4nonce\x00\x8a\xfe\x33")
	sealed := gcm(t, derived).Seal(nil, nonce, []byte(claims), append([]byte("v1."), kid[:4]...))
	return "v1." + b64u(append(append(kid[:4:4], nonce...), sealed...))
}

func gcm(t testing.TB, key []byte) cipher.AEAD {
	t.Helper()
	block, err := aes.NewCipher(key)
	require.NoError(t, err)
	g, err := cipher.NewGCM(block)
	require.NoError(t, err)
	return g
}

func jws(key state.Key, header, payload string) string {
	body := b64u([]byte(header)) + "." + b64u([]byte(payload))
	return body + "." + b64u(mac(sha256.New, key, body))
}

func jwe(t testing.TB, key state.Key, payload string) string {
	t.Helper()
	head := b64u([]byte(`{"alg":"dir","enc":"A256GCM"}`))
	nonce := []byte("0123456789ab")
	sealed := gcm(t, key.Bytes).Seal(nil, nonce, []byte(payload), []byte(head))
	cut := len(sealed) - 16
	return head + ".." + b64u(nonce) + "." + b64u(sealed[:cut]) + "." + b64u(sealed[cut:])
}

func pack(t testing.TB, w io.WriteCloser, buf *bytes.Buffer, s string) []byte {
	t.Helper()
	_, err := w.Write([]byte(s))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return buf.Bytes()
}

func gzipped(t testing.TB, s string) []byte {
	var b bytes.Buffer
	return pack(t, gzip.NewWriter(&b), &b, s)
}

func zlibbed(t testing.TB, s string) []byte {
	var b bytes.Buffer
	return pack(t, zlib.NewWriter(&b), &b, s)
}

// random are bytes that look random and are the same in every run.
func random(n int) []byte {
	var out []byte
	for i := byte(0); len(out) < n; i++ {
		s := sha256.Sum256([]byte{i, 7})
		out = append(out, s[:]...)
	}
	return out[:n]
}

func django(key state.Key, payload, stamp string) string {
	body := b64u([]byte(payload)) + ":" + stamp
	derived := sha256.Sum256(append([]byte("django.core.signingsigner"), key.Bytes...))
	return body + ":" + b64u(mac(sha256.New, state.Key{Bytes: derived[:]}, body))
}

func flask(t testing.TB, key state.Key, payload string) string {
	body := "." + b64u(zlibbed(t, payload)) + "." + b64u([]byte{0x6b, 0x0e, 0x50, 0x10})
	derived := mac(sha1.New, key, "cookie-session")
	return body + "." + b64u(mac(sha1.New, state.Key{Bytes: derived}, body))
}

func rails(key state.Key, payload string) string {
	body := base64.StdEncoding.EncodeToString([]byte(payload))
	return body + "--" + hex.EncodeToString(mac(sha1.New, key, body))
}

// token is a value as it stands on the wire.
func token(t testing.TB, value string) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(value))
	return strings.TrimSuffix(b.String(), "\n")
}
