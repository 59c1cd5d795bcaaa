package state

import (
	"fmt"
	"time"
)

// WarningKind names a warning, so that it can be counted and compared.
type WarningKind string

// Kinds of warnings.
const (
	WarnUnsigned   WarningKind = "unsigned"
	WarnAlgNone    WarningKind = "alg-none"
	WarnSignature  WarningKind = "wrong-signature"
	WarnSecret     WarningKind = "secret"
	WarnNoExpiry   WarningKind = "no-expiry"
	WarnExpired    WarningKind = "expired"
	WarnNoPerson   WarningKind = "no-principal"
	WarnNoRequest  WarningKind = "no-request"
	WarnUnsafe     WarningKind = "unsafe-deserialization"
	WarnSurrogate  WarningKind = "lone-surrogate"
	WarnGuessable  WarningKind = "guessable"
	WarnIncomplete WarningKind = "incomplete"
)

// Warning is something about a state that its author should know.
type Warning struct {
	Kind WarningKind
	Path string // in the payload, where it concerns one place
	Text string // one sentence
}

// Warnings lists what is doubtful about the state, as of now, gravest first.
// What the specification asks for in it: 2026-07-28, basic/patterns/mrtr,
// server requirements 4 and 5.
func (d *Decoded) Warnings(now time.Time) []Warning {
	var out []Warning
	add := func(k WarningKind, path, format string, args ...any) {
		out = append(out, Warning{k, path, fmt.Sprintf(format, args...)})
	}
	for _, l := range d.Layers {
		switch l.Format {
		case Pickle, JavaObject, PHPValue:
			add(WarnUnsafe, "", "%s: loading one that a client has changed can run code on the server", l.Format)
		case TooLarge, TooDeep:
			add(WarnIncomplete, "", "%s: what lies inside was not looked at", l.Format)
		}
	}
	for _, s := range d.Secrets {
		add(WarnSecret, s.Path, "holds %s, readable to the client and to everything that logs the wire", s.Kind)
	}
	d.warnSignature(add)
	d.warnExpiry(now, add)
	d.warnBinding(add)
	if d.Surrogate {
		add(WarnSurrogate, "", "holds a lone surrogate: a client that decodes and encodes it again sends back something else")
	}
	return out
}

type warn func(k WarningKind, path, format string, args ...any)

func (d *Decoded) warnSignature(add warn) {
	switch {
	case d.Signature.Status == Wrong:
		add(WarnSignature, "", "the signature is wrong: %s", d.Signature.Reason)
	case d.Signature.Status != Unsigned || d.last() == Empty:
	case d.Signature.Algorithm == "none":
		add(WarnAlgNone, "", "a token that says alg none is not signed: anyone can write one")
	case d.Readable():
		add(WarnUnsigned, "", "unsigned and readable: a client can change it, and the server cannot tell")
	case d.last() == Number:
		add(WarnGuessable, "", "a number and nothing else: the next one can be guessed")
	}
}

func (d *Decoded) warnExpiry(now time.Time, add warn) {
	at, ok := d.Expires()
	switch {
	case ok && at.Before(now):
		add(WarnExpired, "", "expired %s ago", now.Sub(at).Round(time.Second))
	case ok, d.Unreadable(), d.Reference(), d.last() == Empty:
	default:
		add(WarnNoExpiry, "", "names no time at which it lapses: it can be sent again for ever")
	}
}

func (d *Decoded) warnBinding(add warn) {
	if d.Unreadable() || d.Reference() || d.last() == Empty || d.Signature.Status == Unsigned {
		return // hidden, or worth nothing as long as it is not signed
	}
	if len(d.Bound(ToContext)) > 0 {
		return
	}
	if len(d.Bound(ToPrincipal))+len(d.Bound(ToSession)) == 0 {
		add(WarnNoPerson, "", "nothing binds it to a person: another principal can present it")
	}
	if len(d.Bound(ToRequest)) == 0 {
		add(WarnNoRequest, "", "nothing binds it to a call: it fits another tool or other arguments as well")
	}
}
