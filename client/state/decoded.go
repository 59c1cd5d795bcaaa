// Package state makes a server's requestState readable to a person: what it is
// encoded as, what it carries, when it lapses, what it is bound to and whether
// its signature holds; how it changes between rounds; and how to damage it on
// purpose. A client must not use what it reads here for anything but display
// (2026-07-28, basic/patterns/mrtr, client requirements), and this package has
// no way to: it reads strings and returns descriptions. It does no IO and knows
// no clock.
package state

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Format is what one layer of a state is.
type Format string

// Formats that hold something else inside.
const (
	JSONString Format = "JSON string"
	Base64     Format = "base64"
	Base64URL  Format = "base64url"
	Hex        Format = "hex"
	Percent    Format = "percent-encoded"
	Gzip       Format = "gzip"
	Zlib       Format = "zlib"
	Deflate    Format = "deflate"
)

// Formats that sign or encrypt what they hold.
const (
	SealOwn        Format = "mcptui seal"
	SealPHP        Format = "PHP SDK seal"
	SealTypeScript Format = "TypeScript SDK v2 seal"
	SealPython     Format = "Python SDK seal (AES-256-GCM)"
	SealD          Format = "D SDK seal"
	SealDEncrypted Format = "D SDK seal (AES-256-GCM)"
	Seal           Format = "sealed payload (payload and MAC)"
	JWT            Format = "JWT"
	JWS            Format = "JWS"
	JWE            Format = "JWE"
	Fernet         Format = "Fernet"
	Paseto         Format = "PASETO"
	Iron           Format = "Iron seal"
	Django         Format = "Django signed value"
	ItsDangerous   Format = "itsdangerous signed value"
	RailsSigned    Format = "Rails signed message"
	RailsEncrypted Format = "Rails encrypted message"
	Laravel        Format = "Laravel encrypted value"
)

// Formats that a chain ends with.
const (
	JSON       Format = "JSON"
	Pairs      Format = "key=value text"
	Text       Format = "plain text"
	Empty      Format = "empty"
	Number     Format = "number"
	UUID       Format = "UUID"
	ULID       Format = "ULID"
	HexID      Format = "hex digits"
	Token      Format = "random token"
	Opaque     Format = "encrypted or random bytes"
	Binary     Format = "binary data"
	Pickle     Format = "Python pickle"
	JavaObject Format = "Java serialized object"
	PHPValue   Format = "PHP serialized value"
	TooLarge   Format = "too large to decode"
	TooDeep    Format = "nested too deeply to decode"
)

// Layer is one step from the string on the wire to what it carries.
type Layer struct {
	Format Format
	Detail string // what more is known: padding, algorithm, version; may be empty
	Size   int    // bytes of this layer as it is encoded

	encode func(inner []byte) ([]byte, error) // nil where it cannot be written again
}

// Decoded is what a requestState turned out to be.
type Decoded struct {
	Raw       string  // the JSON string token, as given
	Value     string  // its text; lone surrogates, which Go text cannot hold, are U+FFFD
	Surrogate bool    // the token holds a lone surrogate: a client that decodes and encodes it breaks it
	Layers    []Layer // outermost first; never empty

	Inner     []byte          // what lies in the last layer
	Payload   json.RawMessage // the same as JSON, numbers as written; nil where it is none
	Nested    []Nested        // encoded values inside the payload
	Opened    bool            // an encrypted layer was opened with a key
	Signature Signature
	Times     []Time
	Answers   []Answer
	Bindings  []Binding
	Secrets   []Secret
}

// Nested is an encoded value inside the payload.
type Nested struct {
	Path    string // JSON Pointer in the payload
	Layers  []Layer
	Payload json.RawMessage // nil where it is no JSON
}

// SignatureStatus is what can be said of a signature.
type SignatureStatus string

// What can be said of a signature.
const (
	Unsigned     SignatureStatus = "none"
	Unverifiable SignatureStatus = "unverifiable" // there is one, or may be one; Reason says why it cannot be checked
	Verified     SignatureStatus = "verified"     // by Key
	Wrong        SignatureStatus = "wrong"        // it cannot be right, or no given key fits
)

// Signature says whether the state is protected against change.
type Signature struct {
	Status    SignatureStatus
	Algorithm string // "HMAC-SHA256", "RS256", …; empty where unknown
	Key       int    // number of the key that fits, from 1; 0 for none
	Reason    string
}

// String is the signature in a few words.
func (s Signature) String() string {
	text := string(s.Status)
	if s.Status == Verified {
		text = fmt.Sprintf("verified by key %d", s.Key)
	}
	if s.Algorithm != "" {
		text += " (" + s.Algorithm + ")"
	}
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	return text
}

// TimeKind is what a time in a state means.
type TimeKind string

// Meanings of times.
const (
	Expires   TimeKind = "expires"
	Issued    TimeKind = "issued"
	NotBefore TimeKind = "not before"
)

// Time is a point in time that the state names.
type Time struct {
	Kind TimeKind
	Path string // JSON Pointer in the payload, or the name of the layer that holds it
	At   time.Time
}

// Remaining is how long it is until then; negative when it has passed.
func (t Time) Remaining(now time.Time) time.Duration { return t.At.Sub(now) }

// Answer is an answer of an earlier round that the state carries.
type Answer struct {
	Path string
	Key  string // the ask it belongs to, as far as the place tells
	Kind string // "elicitation: accept", "sampling", "roots" or "answers"
}

// BindTo is what a state is bound to.
type BindTo string

// What a state can be bound to.
const (
	ToPrincipal BindTo = "principal"
	ToRequest   BindTo = "request"
	ToSession   BindTo = "session"
	ToAudience  BindTo = "audience"
	ToContext   BindTo = "context" // a tag over something that only the server knows
)

// Binding is a part of the payload that ties the state to something.
type Binding struct {
	To    BindTo
	Path  string
	Value json.RawMessage
}

// Secret is a value that a client, and everything that logs the wire, should
// not have been given. The value itself is not repeated.
type Secret struct {
	Path string
	Kind string
}

// Chain names the layers, outermost first: "base64url → gzip → JSON".
func (d *Decoded) Chain() string {
	names := make([]string, len(d.Layers))
	for i, l := range d.Layers {
		names[i] = string(l.Format)
	}
	return strings.Join(names, " → ")
}

// Has reports whether a layer is of this format.
func (d *Decoded) Has(f Format) bool {
	for _, l := range d.Layers {
		if l.Format == f {
			return true
		}
	}
	return false
}

// Size is the number of bytes of the value, as text.
func (d *Decoded) Size() int { return len(d.Value) }

// Readable reports whether anyone who sees the state can read what it carries.
func (d *Decoded) Readable() bool {
	if d.Opened {
		return false
	}
	switch d.last() {
	case JSON, Pairs, Text, Pickle, JavaObject, PHPValue:
		return true
	}
	return false
}

// Unreadable reports whether the content is hidden, so that nothing can be said
// of its expiry or what it is bound to.
func (d *Decoded) Unreadable() bool {
	switch d.last() {
	case JSON, Pairs, Text, Empty, Number, Pickle, JavaObject, PHPValue:
		return false
	}
	return true
}

// Reference reports whether the state looks like a name for something that the
// server keeps, rather than something that carries its own meaning.
func (d *Decoded) Reference() bool {
	switch d.last() {
	case UUID, ULID, HexID, Token, Number:
		return true
	}
	return false
}

func (d *Decoded) last() Format { return d.Layers[len(d.Layers)-1].Format }

// Expires returns the earliest time at which the state lapses; ok is false
// where it names none.
func (d *Decoded) Expires() (at time.Time, ok bool) {
	for _, t := range d.Times {
		if t.Kind == Expires && (!ok || t.At.Before(at)) {
			at, ok = t.At, true
		}
	}
	return at, ok
}

// Bound returns what ties the state to a thing of this kind.
func (d *Decoded) Bound(to BindTo) []Binding {
	var out []Binding
	for _, b := range d.Bindings {
		if b.To == to {
			out = append(out, b)
		}
	}
	return out
}
