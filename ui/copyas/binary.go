package copyas

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"path"
	"strings"

	"mcptui/client/rpc"
)

// Binary is content that came in base64.
type Binary struct {
	Name string // for a file; not cleaned
	MIME string // as the server says; not cleaned
	Size int    // bytes once decoded, roughly
	raw  []byte // the JSON string
}

// Binaries finds the binary content of a result message: images and audio,
// blobs of embedded resources and of resources that were read.
func Binaries(message []byte) (out []Binary) {
	result := rpc.Peek(message).Result
	add := func(kind, uri, mime string, raw []byte) {
		if raw == nil || raw[0] != '"' {
			return
		}
		out = append(out, Binary{Name: fileName(kind, uri, mime, len(out)+1), MIME: mime, Size: max(0, len(raw)-2) * 3 / 4, raw: raw})
	}
	block := func(c []byte) {
		switch kind := rpc.Text(c, "type"); kind {
		case "image", "audio":
			add(kind, "", rpc.Text(c, "mimeType"), rpc.Member(c, "data"))
		case "resource":
			r := rpc.Member(c, "resource")
			add("resource", rpc.Text(r, "uri"), rpc.Text(r, "mimeType"), rpc.Member(r, "blob"))
		}
	}
	for _, c := range rpc.Elements(rpc.Member(result, "content")) {
		block(c)
	}
	for _, c := range rpc.Elements(rpc.Member(result, "contents")) {
		add("resource", rpc.Text(c, "uri"), rpc.Text(c, "mimeType"), rpc.Member(c, "blob"))
	}
	for _, m := range rpc.Elements(rpc.Member(result, "messages")) {
		block(rpc.Member(m, "content"))
	}
	return out
}

// Bytes decodes the content. Base64url and base64 without padding are taken,
// too: servers send both.
func (b Binary) Bytes() ([]byte, error) {
	s, ok := rpc.String(b.raw)
	if !ok {
		return nil, fmt.Errorf("decode %s: it is no string", b.Name)
	}
	s = strings.TrimRight(strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "").Replace(s), "=")
	out, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil {
		return nil, fmt.Errorf("decode %s: it is not base64: %w", b.Name, err)
	}
	return out, nil
}

var endings = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg",
	"audio/wav": ".wav", "audio/x-wav": ".wav", "audio/mpeg": ".mp3", "audio/ogg": ".ogg",
	"application/pdf": ".pdf", "application/zip": ".zip", "application/gzip": ".gz", "application/json": ".json", "text/plain": ".txt",
}

func fileName(kind, uri, mime string, n int) string {
	if u, err := url.Parse(uri); err == nil && uri != "" {
		if base := path.Base(strings.TrimRight(u.Path, "/")); base != "." && base != "/" {
			if path.Ext(base) == "" {
				base += ending(mime)
			}
			return base
		}
	}
	return fmt.Sprintf("%s-%d%s", kind, n, ending(mime))
}

func ending(mime string) string {
	mime, _, _ = strings.Cut(strings.ToLower(mime), ";")
	if e := endings[strings.TrimSpace(mime)]; e != "" {
		return e
	}
	return ".bin"
}
