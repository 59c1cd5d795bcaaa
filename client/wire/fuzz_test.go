package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
)

func seeds(f *testing.F) [][]byte {
	files, err := filepath.Glob("../../testdata/transcripts/*.jsonl")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	var out [][]byte
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(f, err)
		out = append(out, data[:min(len(data), 3000)])
	}
	return out
}

// FuzzEventStream reads a stream whole and in pieces: every byte comes back, and
// the pieces make no difference to what is read.
func FuzzEventStream(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(bytes.ReplaceAll(append([]byte("data: "), s...), []byte("\n"), []byte("\n\ndata: ")), uint8(7))
	}
	for _, s := range []string{"", "data", "data:\n\n", "\ufeffdata: a\r\rdata: b\n\n", "event: x\ndata: a\ndata: b\r\n\r\n", ": c\n\nid: 1\nretry: 3\n\n", "id: a\x00b\ndata\n\n", "\r\n\n\r", "data: \xff\n\n", "retry: 99999999999\n\n"} {
		f.Add([]byte(s), uint8(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, piece uint8) {
		read := func(size, limit int) (blocks []sseBlock, last string) {
			p := &sseParser{max: limit, handle: func(b sseBlock) { blocks = append(blocks, b) }}
			for rest := data; len(rest) > 0; {
				n := min(size, len(rest))
				p.feed(rest[:n])
				rest = rest[n:]
			}
			p.end()
			return blocks, p.LastID
		}
		whole, id := read(1<<20, 1<<20)
		pieces, idPieces := read(max(int(piece), 1), 1<<20)
		require.Equal(t, id, idPieces)
		require.Equal(t, messages(whole), messages(pieces))
		for _, blocks := range [][]sseBlock{whole, pieces} {
			var sum bytes.Buffer
			for _, b := range blocks {
				sum.Write(b.Raw)
				if b.Fresh && !b.Apart {
					require.Equal(t, string(b.Data), string(b.Raw[b.Start:b.End]))
				}
			}
			require.Equal(t, string(data), sum.String())
		}
		cut, _ := read(max(int(piece), 1), 40) // must only not fail
		for _, b := range cut {
			require.LessOrEqual(t, len(b.Raw), keptOfHuge)
		}
	})
}

func messages(blocks []sseBlock) (out []string) {
	for _, b := range blocks {
		if b.Fresh && !b.Cut {
			out = append(out, b.Event+":"+string(b.Data))
		}
	}
	return out
}

// FuzzLines reads a byte stream in pieces of any size: the events add up to it.
func FuzzLines(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Add([]byte("\ufeff{}\r\n\n[]\n{\"jsonrpc\":\"2.0\"}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var first []string
		for i, in := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data)), iotest.HalfReader(bytes.NewReader(data))} {
			ev := collect()
			require.NoError(t, (&lineReader{emit: ev.emit, max: 1 << 20}).run(in))
			require.Equal(t, string(data), ev.incoming(0))
			var kinds []string
			for _, e := range ev.list() {
				if e.Frame != nil {
					kinds = append(kinds, "frame "+string(e.Frame.Bytes))
					require.False(t, bytes.ContainsRune(e.Frame.Bytes, '\n'))
				} else {
					kinds = append(kinds, "noise "+e.Noise.Why)
				}
			}
			if i == 0 {
				first = kinds
			}
			require.Equal(t, first, kinds)
		}
	})
}

// FuzzBody decodes and reads bodies of any encoding: what is not compressed
// comes back as it was, and nothing fails but by an error.
func FuzzBody(f *testing.F) {
	for i, encoding := range []string{"", "gzip", "deflate", "br", "identity"} {
		f.Add(encoding, "application/json", []byte(answer1))
		f.Add(encoding, "text/event-stream", []byte("data: "+answer1+"\n\n"))
		f.Add(encoding, "", []byte{0x1f, 0x8b, 8, 0, byte(i)})
		f.Add(encoding, "text/html", []byte{0x78, 0x9c, byte(i)})
	}
	f.Fuzz(func(t *testing.T, encoding, contentType string, data []byte) {
		resp := &http.Response{Header: http.Header{"Content-Encoding": {encoding}, "Content-Type": {contentType}}, Body: io.NopCloser(bytes.NewReader(data)), StatusCode: http.StatusOK, ContentLength: -1}
		target, err := url.Parse("http://h/")
		require.NoError(t, err)
		ev := collect()
		x := &exchange{n: 1, id: "1", url: target}
		res := (&receiver{w: &web{how: HTTP{MaxFrame: 1 << 20}, emit: ev.emit}, x: x, resp: resp}).run()
		if encoding == "" && res.err == nil {
			require.Equal(t, string(data), ev.incoming(1))
		}
	})
}

// BenchmarkLargeResult compares a large message through the transport with
// reading and checking the same bytes alone.
func BenchmarkLargeResult(b *testing.B) {
	body := []byte(`{"jsonrpc":"2.0","id":1,"result":{"items":[` + strings.Repeat(`{"type":"text","n":12345,"ok":true,"s":"some text here"},`, 1_050_000) + `null]}}` + "\n")
	b.Run("transport", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			got := 0
			err := (&lineReader{max: defaultMaxFrame, emit: func(e trace.Event) int {
				if e.Frame.Message().Result != nil {
					got++
				}
				return 0
			}}).run(bytes.NewReader(body))
			if err != nil || got != 1 {
				b.Fatal(err, got)
			}
		}
	})
	b.Run("read and json.Valid", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			data, err := io.ReadAll(bytes.NewReader(body))
			if err != nil || !json.Valid(data) {
				b.Fatal(err)
			}
		}
	})
}
