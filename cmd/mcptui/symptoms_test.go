//go:build linux || darwin

package main

import (
	"bytes"
	"errors"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/cmd/mcptui/internal/ptytest"
)

// TestInputRequiredLooksLikeAnEmptyResultOrHangsWithoutATerminal: a call that
// needs input and gets none ends at once, with a code of its own, and prints
// what was asked, in both eras.
func TestInputRequiredLooksLikeAnEmptyResultOrHangsWithoutATerminal(t *testing.T) {
	for _, era := range []string{"modern", "legacy"} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(ptytest.Binary(t), "call", "book_table", "--json", "--era", era)
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			require.NoError(t, cmd.Start())
			stuck := time.AfterFunc(ptytest.Patience, func() { _ = cmd.Process.Kill() })
			defer stuck.Stop()
			var exit *exec.ExitError
			require.True(t, errors.As(cmd.Wait(), &exit))
			require.Equal(t, exitInput, exit.ExitCode())
			asked, err := member(out.Bytes(), "error.asks.0.params.message")
			require.NoError(t, err)
			require.Contains(t, string(asked), "On which day")
			require.Contains(t, errs.String(), "On which day")
		})
	}
}
