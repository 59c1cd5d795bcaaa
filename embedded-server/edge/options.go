package edge

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"
)

const (
	modernVersion   = "2026-07-28"
	newestLegacy    = "2025-11-25"
	primingVersion  = "2025-11-25" // first revision whose streams open with an empty event
	batchVersion    = "2025-03-26" // the only revision that has batches
	stdioOnlyLegacy = "2024-11-05" // its HTTP transport is another one, which is not served
)

var legacyVersions = []string{newestLegacy, "2025-06-18", batchVersion, stdioOnlyLegacy}

// Era says which generations of the protocol an [Edge] speaks.
type Era int

const (
	// Dual serves both eras, told apart message by message.
	Dual Era = iota
	// Modern serves revision 2026-07-28 only.
	Modern
	// Legacy serves the handshake revisions only, and answers a modern client
	// as such a server does.
	Legacy
)

// String gives the era as the command line spells it.
func (e Era) String() string {
	switch e {
	case Dual:
		return "dual"
	case Modern:
		return "modern"
	case Legacy:
		return "legacy"
	}
	return fmt.Sprintf("era %d", int(e))
}

// ParseEra reads an era as the command line spells it; "" is [Dual].
func ParseEra(s string) (Era, error) {
	switch s {
	case "", "dual":
		return Dual, nil
	case "modern":
		return Modern, nil
	case "legacy":
		return Legacy, nil
	}
	return Dual, fmt.Errorf("unknown era %q: use dual, modern or legacy", s)
}

// Options configures an [Edge]. The zero value serves both eras to anyone who
// reaches a loopback address.
type Options struct {
	// Era restricts what is spoken.
	Era Era
	// Origins are the values of the Origin header that are let in beside the
	// server's own origin, for example "http://localhost:6274".
	Origins []string
	// Hosts are the Host header values (without port) that are let in beside
	// the loopback names. A server that listens on a loopback address refuses
	// all others; elsewhere the check is off while Hosts is empty.
	Hosts []string
	// MaxBody bounds one message in bytes, on every transport. Default 16 MiB.
	MaxBody int64
	// KeepAlive is the pause between the comments that keep an idle event
	// stream open. Default 15 s; negative: none.
	KeepAlive time.Duration
	// ListenLifetime ends each subscriptions/listen stream gracefully after
	// this time. Zero: never.
	ListenLifetime time.Duration
	// SessionIdle ends a handshake-era HTTP session that nothing has used for
	// this time. Default one hour.
	SessionIdle time.Duration
	// Tokens maps bearer tokens to principals. Without any, HTTP is open to
	// all; other transports never ask for one.
	Tokens map[string]string
	// Mangle, when set, may replace the bytes of any response. It is how a
	// server is made to misbehave on purpose.
	Mangle func(Exchange) *Damage
	// Logger gets what clients are not told: refusals, panics and the text of
	// internal errors. Nil: nothing is logged.
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.MaxBody <= 0 {
		o.MaxBody = 16 << 20
	}
	if o.KeepAlive == 0 {
		o.KeepAlive = 15 * time.Second
	}
	if o.SessionIdle <= 0 {
		o.SessionIdle = time.Hour
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return o
}

// versions lists what is spoken, newest first, as server/discover and the
// unsupported-version error name it.
func (o Options) versions(http bool) []string {
	var vs []string
	if o.Era != Legacy {
		vs = append(vs, modernVersion)
	}
	if o.Era != Modern {
		for _, v := range legacyVersions {
			if !http || v != stdioOnlyLegacy {
				vs = append(vs, v)
			}
		}
	}
	return vs
}

// negotiate picks the handshake revision for a client that wants one.
func (o Options) negotiate(want string, http bool) string {
	if want != modernVersion && slices.Contains(o.versions(http), want) {
		return want
	}
	return newestLegacy
}
