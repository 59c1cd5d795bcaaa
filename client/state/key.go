package state

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// Key is a key that a server may have signed or encrypted its states with.
type Key struct{ Bytes []byte }

// String keeps the key itself out of logs and messages.
func (k Key) String() string { return fmt.Sprintf("key of %d bytes", len(k.Bytes)) }

// GoString does the same for %#v.
func (k Key) GoString() string { return k.String() }

// ParseKey reads a key in the forms of the command line: "hex:", "base64:" or
// "text:" before it; without one it is hex if all of it is hex digits, else
// base64 in either alphabet, padded or not. "@file" is for the caller to read.
// Errors do not repeat the key.
func ParseKey(s string) (Key, error) {
	form, rest, found := strings.Cut(s, ":")
	if !found {
		form, rest = "", s
	}
	var b []byte
	var err error
	switch form {
	case "hex":
		if b, err = hex.DecodeString(rest); err != nil {
			return Key{}, errors.New("state key: behind hex: stand no hex digits in pairs")
		}
	case "base64":
		if b, err = parseBase64(rest); err != nil {
			return Key{}, errors.New("state key: behind base64: stands no base64")
		}
	case "text":
		b = []byte(rest)
	case "":
		if strings.HasPrefix(s, "@") {
			return Key{}, errors.New("state key: a file has to be read first; give its bytes")
		}
		if strings.Trim(rest, "0123456789abcdefABCDEF") == "" {
			if b, err = hex.DecodeString(rest); err != nil {
				return Key{}, errors.New("state key: an odd number of hex digits; write base64: or text: before it if it is none")
			}
		} else if b, err = parseBase64(rest); err != nil {
			return Key{}, errors.New("state key: neither hex digits nor base64; write hex:, base64:, text: or @file before it")
		}
	default:
		return Key{}, errors.New("state key: unknown form; write hex:, base64:, text: or @file before it")
	}
	if len(b) == 0 {
		return Key{}, errors.New("state key: it is empty")
	}
	return Key{b}, nil
}

func parseBase64(s string) ([]byte, error) {
	s = strings.TrimRight(s, "=")
	if b, err := base64.RawStdEncoding.DecodeString(s); err == nil {
		return b, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return nil, fmt.Errorf("decode base64: %w", err)
	}
	return b, nil
}
