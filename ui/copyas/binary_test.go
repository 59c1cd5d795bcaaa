package copyas

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBinaries(t *testing.T) {
	for _, c := range []struct{ name, result, file, mime, want string }{
		{"image", `{"content":[{"type":"text","text":"x"},{"type":"image","mimeType":"image/png","data":"aGVsbG8="}]}`, "image-1.png", "image/png", "hello"},
		{"audio of no known kind", `{"content":[{"type":"audio","mimeType":"audio/x-odd","data":"aGVsbG8="}]}`, "audio-1.bin", "audio/x-odd", "hello"},
		{"embedded resource", `{"content":[{"type":"resource","resource":{"uri":"file:///srv/a/report.pdf","blob":"aGVsbG8="}}]}`, "report.pdf", "", "hello"},
		{"read", `{"contents":[{"uri":"demo://pictures/cat","mimeType":"image/jpeg; q=1","blob":"aGVsbG8"}]}`, "cat.jpg", "image/jpeg; q=1", "hello"},
		{"a URI without a path", `{"contents":[{"uri":"demo://menu","blob":"-_8="}]}`, "resource-1.bin", "", "\xfb\xff"},
		{"message of a prompt", `{"messages":[{"role":"user","content":{"type":"image","mimeType":"image/gif","data":"aGVs\nbG8="}}]}`, "image-1.gif", "image/gif", "hello"},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := Binaries([]byte(`{"jsonrpc":"2.0","id":1,"result":` + c.result + `}`))
			require.Len(t, all, 1)
			require.Equal(t, c.file, all[0].Name)
			require.Equal(t, c.mime, all[0].MIME)
			got, err := all[0].Bytes()
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
		})
	}
	require.Empty(t, Binaries([]byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"image","data":7},{"type":"text","text":"x"}]}}`)))
	_, err := Binaries([]byte(`{"id":1,"result":{"content":[{"type":"image","data":"%%%"}]}}`))[0].Bytes()
	require.ErrorContains(t, err, "decode image-1.bin: it is not base64")
}
