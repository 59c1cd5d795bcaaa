// Package header knows the Mcp-* headers of Streamable HTTP as data: what a
// request has to carry, how a value is written so that it survives the trip, and
// which x-mcp-header annotations a client must refuse (2026-07-28, Streamable
// HTTP, "Standard Request Headers" and "Custom Headers from Tool Parameters").
// It does no IO and knows nothing of connections.
package header

import (
	"encoding/base64"
	"strings"
)

const (
	sentinelStart = "=?base64?"
	sentinelEnd   = "?="
)

// Encode writes a value so that it fits an HTTP header: as it is where it is
// plain ASCII, else base64 between the markers of the specification ("Value
// Encoding").
func Encode(value string) string {
	if plain(value) {
		return value
	}
	return sentinelStart + base64.StdEncoding.EncodeToString([]byte(value)) + sentinelEnd
}

// Decode reads what Encode wrote. A value with the markers around something that
// is not base64 gives ok false and the value as it stands.
func Decode(value string) (decoded string, ok bool) {
	inner, is := strings.CutPrefix(value, sentinelStart)
	if !is || !strings.HasSuffix(inner, sentinelEnd) {
		return value, true
	}
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(inner, sentinelEnd))
	if err != nil {
		return value, false
	}
	return string(raw), true
}

func plain(value string) bool {
	if value == "" {
		return true
	}
	if strings.HasPrefix(value, sentinelStart) && strings.HasSuffix(value, sentinelEnd) {
		return false // would be taken for an encoded one
	}
	first, last := value[0], value[len(value)-1]
	if first == ' ' || first == '\t' || last == ' ' || last == '\t' {
		return false // HTTP trims these
	}
	for i := range len(value) {
		// A tab inside is allowed in a header, but the specification's test for
		// "safe" is visible ASCII and space, and intermediaries fold tabs.
		if c := value[i]; c < 0x20 || c > 0x7e {
			return false
		}
	}
	return true
}
