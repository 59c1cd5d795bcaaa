package state

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// encoding is one way of writing base64.
type encoding struct {
	format Format
	enc    *base64.Encoding
	detail string
}

// base64Of tells which base64 a text is in; ok is false where it is none. Text
// with neither - nor +, and without padding, could be either: it is called
// base64url, the one that URL-safe tokens use, unless its length gives it away.
func base64Of(s string) (encoding, bool) {
	body := strings.TrimRight(s, "=")
	pad := len(s) - len(body)
	if pad > 2 || body == "" || len(body)%4 == 1 || (pad > 0 && len(s)%4 != 0) {
		return encoding{}, false
	}
	plain, urlSafe := false, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case c == '+', c == '/':
			plain = true
		case c == '-', c == '_':
			urlSafe = true
		default:
			return encoding{}, false
		}
	}
	switch {
	case plain && urlSafe:
		return encoding{}, false
	case plain && pad == 0 && len(body)%4 != 0:
		return encoding{Base64, base64.RawStdEncoding, "unpadded"}, true
	case plain, pad > 0 && !urlSafe:
		return encoding{Base64, base64.StdEncoding, "padded"}, true
	case pad > 0:
		return encoding{Base64URL, base64.URLEncoding, "padded"}, true
	}
	if urlSafe || len(body)%4 != 0 {
		return encoding{Base64URL, base64.RawURLEncoding, "unpadded"}, true
	}
	return encoding{Base64URL, base64.RawURLEncoding, "either alphabet, no padding needed"}, true
}

// decodePart decodes base64 in whatever way it is written.
func decodePart(s string) ([]byte, encoding, bool) {
	e, ok := base64Of(s)
	if !ok {
		return nil, e, false
	}
	b, err := e.enc.DecodeString(s)
	return b, e, err == nil
}

func readBase64(p *peeler, b []byte, depth int) (chain, bool) {
	s := string(b)
	d, e, ok := decodePart(s)
	if !ok || len(d) == 0 {
		return chain{}, false
	}
	c := p.read(d, depth+1)
	if c.weak() {
		switch {
		case printable(d) && len(d) >= 6 && !wordLike(s):
		case len(d) >= 16 && !printable(d) && looksRandom(s) && !named().MatchString(s) && depth < maxDepth-1:
			c = readBytes(d)
		default:
			return chain{}, false
		}
	}
	return under(Layer{Format: e.format, Detail: e.detail, Size: len(b), encode: func(in []byte) ([]byte, error) {
		return []byte(e.enc.EncodeToString(in)), nil
	}}, c), true
}

func readHex(p *peeler, b []byte, depth int) (chain, bool) {
	if len(b) < 8 || len(b)%2 != 0 || !isHex(string(b)) {
		return chain{}, false
	}
	d, err := hex.DecodeString(string(b))
	if err != nil {
		return chain{}, false
	}
	c := p.read(d, depth+1)
	if c.weak() && (!printable(d) || len(d) < 6) {
		return leaf(HexID, fmt.Sprintf("%d bytes", len(d)), b), true
	}
	upper := strings.ToUpper(string(b)) == string(b)
	return under(Layer{Format: Hex, Size: len(b), encode: func(in []byte) ([]byte, error) {
		s := hex.EncodeToString(in)
		if upper {
			s = strings.ToUpper(s)
		}
		return []byte(s), nil
	}}, c), true
}

func readPercent(p *peeler, b []byte, depth int) (chain, bool) {
	s := string(b)
	if strings.Count(s, "%") < 2 {
		return chain{}, false
	}
	un, err := url.QueryUnescape(s)
	if err != nil || un == s {
		return chain{}, false
	}
	c := p.read([]byte(un), depth+1)
	if c.weak() {
		return chain{}, false
	}
	return under(Layer{Format: Percent, Size: len(b), encode: func(in []byte) ([]byte, error) {
		return []byte(url.QueryEscape(string(in))), nil
	}}, c), true
}

// readCompressed knows what announces itself as compressed and really is.
func readCompressed(p *peeler, b []byte, depth int) (chain, bool) {
	var format Format
	var open func(io.Reader) (io.Reader, error)
	var pack func(io.Writer) io.WriteCloser
	switch {
	case len(b) > 18 && b[0] == 0x1f && b[1] == 0x8b && b[2] == 8:
		format = Gzip
		open = func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }
		pack = func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
	case len(b) > 6 && b[0]&0x0f == 8 && b[0]>>4 <= 7 && (int(b[0])<<8|int(b[1]))%31 == 0 && b[1]&0x20 == 0:
		format = Zlib
		open = func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }
		pack = func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }
	default:
		return chain{}, false
	}
	return p.inflate(format, b, depth, open, pack)
}

// inflate decompresses a layer and goes on inside.
func (p *peeler) inflate(format Format, b []byte, depth int, open func(io.Reader) (io.Reader, error), pack func(io.Writer) io.WriteCloser) (chain, bool) {
	r, err := open(bytes.NewReader(b))
	if err != nil {
		return chain{}, false
	}
	d, err := io.ReadAll(io.LimitReader(r, maxInflate+1))
	if err != nil {
		return chain{}, false // it looked like it, and is not, or is broken
	}
	l := Layer{Format: format, Size: len(b), Detail: fmt.Sprintf("%d bytes inside", len(d))}
	if len(d) > maxInflate {
		l.Detail = fmt.Sprintf("more than %d bytes inside", maxInflate)
		return under(l, leaf(TooLarge, "", d[:maxInflate])), true
	}
	l.encode = func(in []byte) ([]byte, error) {
		var out bytes.Buffer
		w := pack(&out)
		if _, err := w.Write(in); err != nil {
			return nil, fmt.Errorf("compress: %w", err)
		}
		if err := w.Close(); err != nil {
			return nil, fmt.Errorf("compress: %w", err)
		}
		return out.Bytes(), nil
	}
	return under(l, p.read(d, depth+1)), true
}

// inflateRaw is inflate for DEFLATE without a header, which only a format that
// says so can hold.
func (p *peeler) inflateRaw(b []byte, depth int) (chain, bool) {
	return p.inflate(Deflate, b, depth,
		func(r io.Reader) (io.Reader, error) { return flate.NewReader(r), nil },
		func(w io.Writer) io.WriteCloser {
			z, err := flate.NewWriter(w, flate.DefaultCompression)
			if err != nil {
				return nil // only for a level that does not exist
			}
			return z
		})
}
