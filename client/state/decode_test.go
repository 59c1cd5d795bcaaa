package state_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/state"
)

var now = time.Unix(1_796_161_000, 0).UTC()

// want is what must be shown of a state.
type want struct {
	chain     string
	signature string // beginning of Signature.String
	payload   string
	expires   int64  // seconds from now; 0 for none
	bound     string // what it is bound to, and where
	answers   string
	secrets   string
	warnings  string
	opened    bool
}

func shown(d *state.Decoded) want {
	w := want{chain: d.Chain(), signature: d.Signature.String(), payload: string(d.Payload), opened: d.Opened}
	if at, ok := d.Expires(); ok {
		w.expires = int64(at.Sub(now) / time.Second)
	}
	var bound, answers, secrets, warnings []string
	for _, b := range d.Bindings {
		bound = append(bound, fmt.Sprintf("%s %s", b.To, b.Path))
	}
	for _, a := range d.Answers {
		answers = append(answers, fmt.Sprintf("%s %s", a.Path, a.Kind))
	}
	for _, s := range d.Secrets {
		secrets = append(secrets, s.Path+" "+s.Kind)
	}
	for _, x := range d.Warnings(now) {
		warnings = append(warnings, string(x.Kind))
	}
	w.bound, w.answers = strings.Join(bound, ", "), strings.Join(answers, ", ")
	w.secrets, w.warnings = strings.Join(secrets, ", "), strings.Join(warnings, " ")
	return w
}

func TestDecodeNamesEveryFormat(t *testing.T) {
	const order = `{"step":2,"total":9007199254740993,"rate":1.50}`
	const exp = `1796161600`
	ours := `{"exp":` + exp + `,"sub":"ada","req":"q1w2e3r4t5y6u7i8o9p0aa","asked":{"user":{"method":"elicitation/create","schema":{"type":"object"},"carry":true}},"answers":{"when":{"action":"accept","content":{"date":"2026-12-04"}}},"data":{"step":2}}`
	ts := `{"p":{"n":2,"answers":["Ada"]},"exp":` + exp + `}`
	py := `{"v":1,"iat":1796161000.25,"exp":1796161600.25,"m":"tools/call","t":"book","a":"0wbHTjHJ5iGWJVVcXbIvcA","s":"{\"step\":1}","p":"c2FsdHNhbHRzYWx0c2FsdHNhbHRzYWx0"}`
	rnd := random(64)

	for name, c := range map[string]struct {
		state string
		keys  []state.Key
		want  want
	}{
		"JSON":                  {order, nil, want{chain: "JSON", signature: "none", payload: order, warnings: "unsigned no-expiry"}},
		"JSON array":            {`[1,2.0,1e400]`, nil, want{chain: "JSON", signature: "none", payload: `[1,2.0,1e400]`, warnings: "unsigned no-expiry"}},
		"JSON in a JSON string": {`"{\"step\":1}"`, nil, want{chain: "JSON string → JSON", signature: "none", payload: `{"step":1}`, warnings: "unsigned no-expiry"}},
		"base64 padded": {base64.StdEncoding.EncodeToString([]byte(`{"step":1}`)), nil,
			want{chain: "base64 → JSON", signature: "none", payload: `{"step":1}`, warnings: "unsigned no-expiry"}},
		"base64 unpadded": {base64.RawStdEncoding.EncodeToString([]byte(`{"a":"???>>>"}`)), nil,
			want{chain: "base64 → JSON", signature: "none", payload: `{"a":"???>>>"}`, warnings: "unsigned no-expiry"}},
		"base64url unpadded": {b64u([]byte(`{"location":"New York"}`)), nil,
			want{chain: "base64url → JSON", signature: "none", payload: `{"location":"New York"}`, warnings: "unsigned no-expiry"}},
		"base64url padded": {base64.URLEncoding.EncodeToString([]byte(`{"a":"???>>>~"}x`)[:15]), nil,
			want{chain: "base64url → JSON", signature: "none", payload: `{"a":"???>>>~"}`, warnings: "unsigned no-expiry"}},
		"base64 of base64 of JSON": {b64u([]byte(base64.StdEncoding.EncodeToString([]byte(`{"step":1}`)))), nil,
			want{chain: "base64url → base64 → JSON", signature: "none", payload: `{"step":1}`, warnings: "unsigned no-expiry"}},
		"base64 of text": {base64.StdEncoding.EncodeToString([]byte("waiting for Ada")), nil,
			want{chain: "base64url → plain text", signature: "none", warnings: "unsigned no-expiry"}},
		"hex of JSON": {hex.EncodeToString([]byte(`{"step":1}`)), nil,
			want{chain: "hex → JSON", signature: "none", payload: `{"step":1}`, warnings: "unsigned no-expiry"}},
		"percent-encoded JSON": {url.QueryEscape(`{"step":1}`), nil,
			want{chain: "percent-encoded → JSON", signature: "none", payload: `{"step":1}`, warnings: "unsigned no-expiry"}},
		"gzip": {b64u(gzipped(t, order)), nil,
			want{chain: "base64url → gzip → JSON", signature: "none", payload: order, warnings: "unsigned no-expiry"}},
		"zlib": {base64.StdEncoding.EncodeToString(zlibbed(t, order+strings.Repeat(" ", 40))), nil,
			want{chain: "base64 → zlib → JSON", signature: "none", payload: order, warnings: "unsigned no-expiry"}},
		"mcptui seal": {sealV1(keyA, ours), []state.Key{keyB, keyA},
			want{chain: "mcptui seal → JSON", signature: "verified by key 2 (HMAC-SHA256)", payload: ours, expires: 600,
				bound: "principal /sub, request /req", answers: "/answers/when elicitation: accept"}},
		"mcptui seal, no key": {sealV1(keyA, `{"exp":`+exp+`,"req":"abc"}`), nil,
			want{chain: "mcptui seal → JSON", signature: "unverifiable (HMAC-SHA256): no key was given", payload: `{"exp":` + exp + `,"req":"abc"}`,
				expires: 600, bound: "request /req", warnings: "no-principal"}},
		"mcptui seal, changed": {strings.Replace(sealV1(keyA, ours), "v1.e", "v1.e", 1)[:len(sealV1(keyA, ours))-1] + "A", []state.Key{keyA},
			want{chain: "mcptui seal → JSON", signature: "wrong (HMAC-SHA256): no given key fits", payload: ours, expires: 600,
				bound: "principal /sub, request /req", answers: "/answers/when elicitation: accept", warnings: "wrong-signature"}},
		"PHP SDK seal": {sealPHP(keyA, `{"exp":`+exp+`,"data":{"asked":"who","_mcp.answers":{"who":{"action":"decline"}}}}`), []state.Key{keyA},
			want{chain: "PHP SDK seal → JSON", signature: "verified by key 1 (HMAC-SHA256)", expires: 600,
				payload: `{"exp":` + exp + `,"data":{"asked":"who","_mcp.answers":{"who":{"action":"decline"}}}}`,
				answers: "/data/_mcp.answers/who elicitation: decline", warnings: "no-principal no-request"}},
		"TypeScript SDK seal": {sealV1(keyK, ts), []state.Key{keyK},
			want{chain: "TypeScript SDK v2 seal → JSON", signature: "verified by key 1 (HMAC-SHA256)", payload: ts, expires: 600,
				answers: "/p/answers answers", warnings: "no-principal no-request"}},
		"TypeScript SDK seal, bound": {sealV1(keyK, `{"p":1,"exp":`+exp+`,"b":"AAECAwQFBgcICQoLDA0ODw"}`), []state.Key{keyA},
			want{chain: "TypeScript SDK v2 seal → JSON", signature: "wrong (HMAC-SHA256): no given key fits", expires: 600,
				payload: `{"p":1,"exp":` + exp + `,"b":"AAECAwQFBgcICQoLDA0ODw"}`, bound: "context /b", warnings: "wrong-signature"}},
		"D SDK seal": {sealD(keyA, `{"s":"{\"n\":1}","exp":`+exp+`,"b":"00ff"}`), []state.Key{keyA},
			want{chain: "D SDK seal → JSON", signature: "verified by key 1 (HMAC-SHA256)", expires: 600,
				payload: `{"s":"{\"n\":1}","exp":` + exp + `,"b":"00ff"}`, bound: "context /b"}},
		"D SDK seal, encrypted": {"v1e." + b64u(rnd), nil,
			want{chain: "D SDK seal (AES-256-GCM) → encrypted or random bytes", signature: "unverifiable (AES-256-GCM): the tag covers"}},
		"Python SDK seal": {sealPython(t, keyA, py), []state.Key{keyB, keyA},
			want{chain: "Python SDK seal (AES-256-GCM) → JSON", signature: "verified by key 2 (AES-256-GCM)", payload: py, expires: 600,
				bound: "request /m, request /t, request /a, principal /p", opened: true}},
		"Python SDK seal, no key": {sealPython(t, keyA, py), nil,
			want{chain: "Python SDK seal (AES-256-GCM) → encrypted or random bytes", signature: "unverifiable (AES-256-GCM): encrypted, and no key was given"}},
		"payload.mac": {"v2." + b64u([]byte(order)) + "." + b64u(mac(newSHA256, keyA, "v2."+b64u([]byte(order)))), []state.Key{keyA},
			want{chain: "sealed payload (payload and MAC) → JSON", signature: "verified by key 1 (HMAC-SHA256)", payload: order, warnings: "no-expiry no-principal no-request"}},
		"JSON|hexmac": {order + "|" + hex.EncodeToString(mac(newSHA256, keyA, order)), []state.Key{keyB},
			want{chain: "sealed payload (payload and MAC) → JSON", signature: "unverifiable (HMAC-SHA256): no given key fits in a way", payload: order, warnings: "no-expiry no-principal no-request"}},
		"mac first": {hex.EncodeToString(mac(newSHA256, keyA, order)) + ":" + b64u([]byte(order)), []state.Key{keyA},
			want{chain: "sealed payload (payload and MAC) → JSON", signature: "verified by key 1 (HMAC-SHA256)", payload: order, warnings: "no-expiry no-principal no-request"}},
		"text.mac": {"step=2." + b64u(mac(newSHA256, keyA, "step=2")), []state.Key{keyA},
			want{chain: "sealed payload (payload and MAC) → key=value text", signature: "verified by key 1 (HMAC-SHA256)", payload: `{"step":"2"}`, warnings: "no-expiry no-principal no-request"}},
		"sealed and compressed": {b64u(gzipped(t, order)) + "." + b64u(mac(newSHA256, keyA, b64u(gzipped(t, order)))), []state.Key{keyA},
			want{chain: "sealed payload (payload and MAC) → gzip → JSON", signature: "verified by key 1 (HMAC-SHA256)", payload: order, warnings: "no-expiry no-principal no-request"}},
		"JWT": {jws(keyA, `{"alg":"HS256","typ":"JWT"}`, `{"sub":"ada","exp":1796160000,"iat":1796150000}`), []state.Key{keyA},
			want{chain: "JWT → JSON", signature: "verified by key 1 (HS256)", payload: `{"sub":"ada","exp":1796160000,"iat":1796150000}`,
				expires: -1000, bound: "principal /sub", warnings: "expired no-request"}},
		"JWT, alg none": {b64u([]byte(`{"alg":"none"}`)) + "." + b64u([]byte(`{"sub":"ada","exp":`+exp+`}`)) + ".", nil,
			want{chain: "JWT → JSON", signature: "none (none): the token says", payload: `{"sub":"ada","exp":` + exp + `}`, expires: 600,
				bound: "principal /sub", warnings: "alg-none"}},
		"JWS": {jws(keyA, `{"alg":"RS256"}`, `{"step":1}`), []state.Key{keyA},
			want{chain: "JWS → JSON", signature: "unverifiable (RS256): RS256 is checked with a public key", payload: `{"step":1}`, warnings: "no-expiry no-principal no-request"}},
		"JWS of text": {jws(keyA, `{"alg":"HS256"}`, `step two`), []state.Key{keyB},
			want{chain: "JWS → plain text", signature: "wrong (HS256): no given key fits", warnings: "wrong-signature no-expiry no-principal no-request"}},
		"JWS, JSON form": {`{"payload":"` + b64u([]byte(`{"step":1}`)) + `","protected":"` + b64u([]byte(`{"alg":"ES256"}`)) + `","signature":"` + b64u(rnd) + `"}`, nil,
			want{chain: "JWS → JSON", signature: "unverifiable (ES256)", payload: `{"step":1}`, warnings: "no-expiry no-principal no-request"}},
		"JWE": {jwe(t, keyA, `{"step":1}`), nil,
			want{chain: "JWE → encrypted or random bytes", signature: "unverifiable (A256GCM): encrypted"}},
		"JWE, opened": {jwe(t, keyA, `{"step":1,"password":"x"}`), []state.Key{keyA},
			want{chain: "JWE → JSON", signature: "verified by key 1 (A256GCM)", payload: `{"step":1,"password":"x"}`, opened: true, warnings: "no-expiry no-principal no-request"}},
		"Fernet": {fernetToken, nil,
			want{chain: "Fernet → encrypted or random bytes", signature: "unverifiable (HMAC-SHA256): encrypted, and no key was given"}},
		"Fernet, opened": {fernetToken, []state.Key{mustKey(t, "base64:cw_0x689RpI-jtRR7oE8h_eQsKImvJapLeSbXpwF4e4=")},
			want{chain: "Fernet → plain text", signature: "verified by key 1 (HMAC-SHA256)", opened: true, warnings: "no-expiry no-principal no-request"}},
		"PASETO local": {"v4.local." + b64u(rnd), nil,
			want{chain: "PASETO → encrypted or random bytes", signature: "unverifiable: encrypted"}},
		"PASETO public": {"v4.public." + b64u(append([]byte(`{"sub":"ada","exp":"2026-12-01T21:30:00Z"}`), rnd...)), nil,
			want{chain: "PASETO → JSON", signature: "unverifiable: it is checked with a public key", payload: `{"sub":"ada","exp":"2026-12-01T21:30:00Z"}`,
				expires: -400, bound: "principal /sub", warnings: "expired no-request"}},
		"Iron": {"Fe26.2**" + hex.EncodeToString(rnd[:32]) + "*" + b64u(rnd[:16]) + "*" + b64u(rnd) + "*1796161600000*" + hex.EncodeToString(rnd[:32]) + "*" + b64u(rnd[:32]), nil,
			want{chain: "Iron seal → encrypted or random bytes", signature: "unverifiable (HMAC-SHA256)", expires: 600}},
		"Django": {django(keyA, `{"user_id":7}`, "1xXC1E"), []state.Key{keyA},
			want{chain: "Django signed value → JSON", signature: "verified by key 1 (HMAC-SHA256)", payload: `{"user_id":7}`,
				bound: "principal /user_id", warnings: "no-expiry no-request"}},
		"Flask": {flask(t, keyA, `{"step":1,"note":"`+strings.Repeat("go ", 30)+`"}`), []state.Key{keyA},
			want{chain: "itsdangerous signed value → zlib → JSON", signature: "verified by key 1 (HMAC-SHA1)", payload: `{"step":1,"note":"` + strings.Repeat("go ", 30) + `"}`,
				warnings: "no-expiry no-principal no-request"}},
		"Rails signed": {rails(keyA, `{"step":1}`), []state.Key{keyA},
			want{chain: "Rails signed message → JSON", signature: "verified by key 1 (HMAC-SHA1)", payload: `{"step":1}`, warnings: "no-expiry no-principal no-request"}},
		"Rails encrypted": {base64.StdEncoding.EncodeToString(rnd[:45]) + "--" + base64.StdEncoding.EncodeToString(rnd[:12]) + "--" + base64.StdEncoding.EncodeToString(rnd[:16]), nil,
			want{chain: "Rails encrypted message → encrypted or random bytes", signature: "unverifiable (AES-GCM)"}},
		"Laravel": {b64u([]byte(`{"iv":"` + base64.StdEncoding.EncodeToString(rnd[:16]) + `","value":"` + base64.StdEncoding.EncodeToString(rnd[:48]) + `","mac":"` + hex.EncodeToString(rnd[:32]) + `","tag":""}`)), nil,
			want{chain: "base64url → Laravel encrypted value → encrypted or random bytes", signature: "unverifiable: encrypted"}},
		"pickle": {base64.StdEncoding.EncodeToString([]byte("\x80\x04\x95\x0f\x00\x00\x00\x00\x00\x00\x00}\x94\x8c\x04step\x94K\x01s.")), nil,
			want{chain: "base64url → Python pickle", signature: "none", warnings: "unsafe-deserialization unsigned no-expiry"}},
		"Java object": {base64.StdEncoding.EncodeToString([]byte("\xac\xed\x00\x05sr\x00\x11java.util.HashMap")), nil,
			want{chain: "base64 → Java serialized object", signature: "none", warnings: "unsafe-deserialization unsigned no-expiry"}},
		"PHP value": {`a:1:{s:4:"step";i:1;}`, nil,
			want{chain: "PHP serialized value", signature: "none", warnings: "unsafe-deserialization unsigned no-expiry"}},
		"encrypted bytes": {base64.StdEncoding.EncodeToString(rnd[:48]), nil,
			want{chain: "base64 → encrypted or random bytes", signature: "unverifiable: not readable"}},
		"key=value": {"round=2;name=Ada", nil,
			want{chain: "key=value text", signature: "none", payload: `{"round":"2","name":"Ada"}`, warnings: "unsigned no-expiry"}},
		"secrets inside": {`{"user":"ada","password":"hunter2","note":"ghp_0123456789abcdefghijABCDEFGHIJ0123456789","card":"4111 1111 1111 1111","n":5555555555554444,"ttl":60,"iat":1796161000}`, nil,
			want{chain: "JSON", signature: "none", payload: `{"user":"ada","password":"hunter2","note":"ghp_0123456789abcdefghijABCDEFGHIJ0123456789","card":"4111 1111 1111 1111","n":5555555555554444,"ttl":60,"iat":1796161000}`,
				expires: 60, bound: "principal /user", secrets: "/password a password, /note a GitHub token, /card a payment card number, /n a payment card number",
				warnings: "secret secret secret secret unsigned"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := state.Decode(token(t, c.state), c.keys...)
			got := shown(d)
			require.True(t, strings.HasPrefix(got.signature, c.want.signature), "signature: %s", got.signature)
			got.signature = c.want.signature
			require.Equal(t, c.want, got)
			require.Equal(t, c.state, d.Value)
			require.Equal(t, len(c.state), d.Size())
		})
	}
}

// The first test vector of the Fernet specification.
const fernetToken = "gAAAAAAdwJ6wAAECAwQFBgcICQoLDA0ODy021cpGVWKZ_eEwCGM4BLLF_5CV9dOPmrhuVUPgJobwOz7JcbmrR64jVmpU4IwqDA=="

func TestFernetTellsItsTimeOfIssue(t *testing.T) {
	d := state.Decode(token(t, fernetToken))
	require.Equal(t, []state.Time{{Kind: state.Issued, Path: "Fernet", At: time.Unix(499162800, 0).UTC()}}, d.Times)
}

func TestDecodeLeavesOtherStringsAlone(t *testing.T) {
	for value, want := range map[string]string{
		"":                                 "empty",
		"password":                         "plain text",
		"request_state":                    "plain text",
		"multiple_inputs":                  "plain text",
		"tampered_state-TAMPERED":          "plain text",
		"test":                             "plain text",
		"TODO":                             "plain text",
		"Waiting for Ada to answer":        "plain text",
		"com.example.tools.book":           "plain text",
		"xx.yy":                            "plain text",
		"v1.2.3":                           "plain text",
		"DATA_EXPORT_v2_final_step":        "plain text",
		"mrtr-two:step2:2":                 "plain text",
		"mcp-session-confirm":              "plain text",
		"{not json}":                       "plain text",
		"[1,2":                             "plain text",
		"täglich läuft es — 日本":            "plain text",
		"42":                               "number",
		"1796161600":                       "number",
		"deadbeef":                         "hex digits",
		"d41d8cd98f00b204e9800998ecf8427e": "hex digits",
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855": "hex digits",
		"34626636-96cf-44dc-a440-33632cc7ccab":                             "UUID",
		"mcp-session-d8cb5d05-b813-4bf0-ad1f-d7572a6b4087":                 "plain text",
		"01ARZ3NDEKTSV4RRFFQ69G5FAV":                                       "ULID",
		"V1StGXR8_Z5jdHi6B-myT":                                            "random token",
		"Uakgb_J5m9g-0JDMbcJqLJ":                                           "base64url → encrypted or random bytes",
		"TheQuickBrownFoxJumpsOverTheLazyDogs":                             "plain text",
		"Step2OfThe3rdRoundIsWaitingForYou":                                "plain text",
		"sk_live_9Jk2LmN8pQrStUvWxY3z":                                     "random token",
		"https://a.example/x?y=1&z=2":                                      "plain text",
		"2026-12-01T21:31:19Z":                                             "plain text",
		"AEAD-protected blob":                                              "plain text",
		"true":                                                             "plain text",
		"null":                                                             "plain text",
	} {
		d := state.Decode(token(t, value))
		require.Equal(t, want, d.Chain(), "%q", value)
		require.Nil(t, d.Nested)
		require.Empty(t, d.Times, "%q", value)
	}
}

func TestDecodeFindsWhatIsNested(t *testing.T) {
	inner := b64u([]byte(`{"cart":{"apiKey":"k-123456"},"expiresAt":"2026-12-01T21:20:00Z"}`))
	d := state.Decode(token(t, `{"s":"`+inner+`","t":"`+jws(keyA, `{"alg":"HS256"}`, `{"a":"{\"deep\":1}"}`)+`"}`))
	require.Len(t, d.Nested, 3)
	require.Equal(t, "/s", d.Nested[0].Path)
	require.Equal(t, state.Base64URL, d.Nested[0].Layers[0].Format)
	require.Equal(t, "/t/a", d.Nested[2].Path)
	require.JSONEq(t, `{"deep":1}`, string(d.Nested[2].Payload))
	require.Equal(t, []state.Secret{{Path: "/t", Kind: "a token (JWT)"}, {Path: "/s/cart/apiKey", Kind: "a key"}}, d.Secrets)
	at, ok := d.Expires()
	require.True(t, ok)
	require.Equal(t, "/s/expiresAt", d.Times[0].Path)
	require.Equal(t, 3*time.Minute+20*time.Second, d.Times[0].Remaining(time.Date(2026, 12, 1, 21, 16, 40, 0, time.UTC)))
	require.Equal(t, at, d.Times[0].At)
}

func TestDecodeIsBounded(t *testing.T) {
	bomb := b64u(gzipped(t, strings.Repeat("\x00", 16<<20)))
	d := state.Decode(token(t, bomb))
	require.Equal(t, "base64url → gzip → too large to decode", d.Chain())
	require.LessOrEqual(t, len(d.Inner), 4<<20)

	deep := `{"step":1}`
	for range 20 {
		deep = base64.StdEncoding.EncodeToString([]byte(deep))
	}
	d = state.Decode(token(t, deep))
	require.LessOrEqual(t, len(d.Layers), 10)

	d = state.Decode(token(t, strings.Repeat("a", 5<<20)))
	require.Equal(t, "too large to decode", d.Chain())

	d = state.Decode(token(t, strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)))
	require.NotEmpty(t, d.Chain())
}

func TestLoneSurrogateIsReported(t *testing.T) {
	d := state.Decode(`"a\ud83d"`)
	require.True(t, d.Surrogate)
	require.Contains(t, shown(d).warnings, "lone-surrogate")
	require.False(t, state.Decode(`"a\ud83d\ude00"`).Surrogate)
	require.Equal(t, "😀", state.Decode(`"\ud83d\ude00"`).Value)
}
