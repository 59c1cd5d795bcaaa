package rpc

import (
	"encoding/json"
	"strings"
	"testing"
)

// shapes of large results: one string, and many small values.
func largeMessages() map[string][]byte {
	text := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + strings.Repeat("abcdefghij klmnopqrstuvwxyz 0123456789 ", 1_500_000) + `"}]}}`
	items := `{"jsonrpc":"2.0","id":1,"result":{"items":[` + strings.Repeat(`{"type":"text","n":12345,"ok":true,"s":"some text here"},`, 1_000_000) + `null]}}`
	return map[string][]byte{"text": []byte(text), "items": []byte(items)}
}

func BenchmarkParse(b *testing.B) {
	for name, raw := range largeMessages() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if m := Parse(raw); m.Kind != Result {
					b.Fatal(m.Kind)
				}
			}
		})
		b.Run(name+"/json.Valid", func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if !json.Valid(raw) {
					b.Fatal("not valid")
				}
			}
		})
		b.Run(name+"/Peek", func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				Peek(raw)
			}
		})
	}
}
