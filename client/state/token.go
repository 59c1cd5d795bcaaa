package state

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrToken is returned for what is not a JSON string token.
var ErrToken = errors.New("not a JSON string, quotes included")

// unit is one character of a JSON string token: a literal character or one
// escape, a surrogate pair counting as one.
type unit struct{ from, to int }

// eachUnit visits the characters of a token until visit says no. Damage is done
// to whole characters, so that what is left is still a JSON string, and every
// other byte of it is as the server wrote it.
func eachUnit(token string, visit func(unit) bool) error {
	if len(token) < 2 || token[0] != '"' || token[len(token)-1] != '"' {
		return ErrToken
	}
	end := len(token) - 1
	for i := 1; i < end; {
		n := 1
		switch {
		case token[i] == '\\':
			if n = escapeLen(token[i:end]); n == 0 {
				return ErrToken
			}
		case token[i] == '"' || token[i] < 0x20:
			return ErrToken
		default:
			_, n = utf8.DecodeRuneInString(token[i:end])
		}
		if !visit(unit{i, i + n}) {
			return nil
		}
		i += n
	}
	return nil
}

// unitAt finds the character at a position, counted from the end where it is
// negative. Length is that of the token; ok is false where there is none.
func unitAt(token string, at int) (u unit, length int, ok bool, err error) {
	if err = eachUnit(token, func(unit) bool { length++; return true }); err != nil {
		return u, 0, false, err
	}
	if at < 0 {
		at += length
	}
	if at < 0 || at >= length {
		return u, length, false, nil
	}
	n := 0
	err = eachUnit(token, func(x unit) bool { u = x; n++; return n <= at })
	return u, length, true, err
}

// escapeLen is the length of the escape that s begins with, 0 for none.
func escapeLen(s string) int {
	if len(s) < 2 {
		return 0
	}
	if s[1] != 'u' {
		if strings.IndexByte(`"\/bfnrt`, s[1]) < 0 {
			return 0
		}
		return 2
	}
	high, ok := hexUnit(s)
	if !ok {
		return 0
	}
	if high >= 0xD800 && high < 0xDC00 && len(s) >= 12 {
		if low, ok := hexUnit(s[6:]); ok && low >= 0xDC00 && low < 0xE000 {
			return 12
		}
	}
	return 6
}

// hexUnit reads \uXXXX.
func hexUnit(s string) (uint16, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return uint16(n), err == nil
}

// loneSurrogate reports an escape that is half of a pair.
func loneSurrogate(token string) bool {
	if !strings.Contains(token, `\u`) {
		return false
	}
	found := false
	err := eachUnit(token, func(u unit) bool {
		if u.to-u.from == 6 {
			n, ok := hexUnit(token[u.from:u.to])
			found = ok && n >= 0xD800 && n < 0xE000
		}
		return !found
	})
	return found && err == nil
}
