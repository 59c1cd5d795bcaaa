//go:build amd64 || arm64

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/cmd/mcptui/internal/ptytest"
)

// TestMemoryIsMappedBeforeItIsTouched holds that what maps memory beforehand is
// initialised before the packages that touch most of it.
func TestMemoryIsMappedBeforeItIsTouched(t *testing.T) {
	version := exec.Command(ptytest.Binary(t), "version")
	version.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	version.Stderr = &trace
	require.NoError(t, version.Run())
	maps := strings.Index(trace.String(), "init mcptui/cmd/mcptui/internal/prefault ")
	require.GreaterOrEqual(t, maps, 0, trace.String())
	for _, later := range []string{"os", "reflect", "encoding/gob", "net/http", "github.com/dlclark/regexp2/syntax"} {
		if at := strings.Index(trace.String(), "init "+later+" "); at >= 0 {
			require.Less(t, maps, at, "%s is initialised before\n%s", later, trace.String())
		}
	}
}
