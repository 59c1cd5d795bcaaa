package header

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/http/httpguts"
)

// What is let through is what the library sends.
func TestCheckIsThatOfTheLibrary(t *testing.T) {
	for c := range 256 {
		for _, text := range []string{string([]byte{byte(c)}), "a" + string([]byte{byte(c)}) + "b"} {
			require.Equal(t, httpguts.ValidHeaderFieldName(text), Check(text, "x") == nil, "name %q", text)
			require.Equal(t, httpguts.ValidHeaderFieldValue(text), Check("X-A", text) == nil, "value %q", text)
		}
	}
	require.Error(t, Check("", "x"))
	require.NoError(t, Check("X-A", ""))
	require.NoError(t, Check("X-A", "Zoë"))
}
