package ask_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// decodeState reads a state without any key.
func decodeState(t testing.TB, state string) map[string]any {
	t.Helper()
	parts := strings.Split(state, ".")
	require.Len(t, parts, 3, "version, payload, signature: %q", state)
	require.Equal(t, "v1", parts[0])
	raw, err := base64.RawURLEncoding.DecodeString(parts[1])
	require.NoError(t, err)
	var v map[string]any
	require.NoError(t, json.Unmarshal(raw, &v))
	return v
}
