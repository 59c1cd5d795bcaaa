package compare

import (
	"bytes"
	"unicode/utf8"

	"mcptui/client/rpc"
	"mcptui/client/state"
	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// beside are both values in a few columns each: of long ones the part where they
// begin to differ.
func beside(s *draw.Screen, x Difference, room int) (before, after string) {
	a, b := legible(x, x.Before), legible(x, x.After)
	if x.Op != state.Changed {
		return excerpt(s, a, 0, room), excerpt(s, b, 0, room)
	}
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	return excerpt(s, a, same, room), excerpt(s, b, same, room)
}

// legible is a value as it is read: a text with its quotes and without escapes,
// other JSON as it was written.
func legible(x Difference, raw []byte) []byte {
	if !x.JSON {
		return raw
	}
	if said, ok := rpc.String(raw); ok {
		return []byte(`"` + said + `"`)
	}
	return raw
}

// excerpt is a value in a few columns, so that what stands at a place in it can
// be seen.
func excerpt(s *draw.Screen, raw []byte, at, room int) string {
	const near, most = 200, 800 // bytes that are looked at before the place, and in all
	from := 0
	if at > near {
		for from = at - near; from < at && !utf8.RuneStart(raw[from]); {
			from++
		}
	}
	for at > from && at < len(raw) && !utf8.RuneStart(raw[at]) { // within a letter
		at--
	}
	to := min(len(raw), from+most)
	head, tail := text.CleanLine(string(bytes.ToValidUTF8(raw[from:at], nil))), text.CleanLine(string(raw[at:max(at, to)]))
	if from == 0 && s.Width.Of(head)+min(s.Width.Of(tail), room/2) <= room {
		return s.Width.Truncate(head+tail, room)
	}
	lead := max(1, min(room/3, room-s.Width.Of(tail)))
	return s.Width.Truncate(s.Width.TruncateLeft("…"+head, lead)+tail, room)
}
