package position

import "unicode/utf8"

// NotUTF8 finds the first byte that is not UTF-8. JSON may hold none (RFC 8259, 8.1),
// and Go's decoder makes another text of it.
func NotUTF8[T string | ~[]byte](text T) (offset int, bad bool) {
	raw := []byte(text)
	for offset < len(raw) {
		r, size := utf8.DecodeRune(raw[offset:])
		if r == utf8.RuneError && size == 1 {
			return offset, true
		}
		offset += size
	}
	return 0, false
}
