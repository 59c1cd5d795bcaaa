//go:build linux || darwin

package main

import (
	"bytes"
	"errors"
	"net"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/cmd/mcptui/internal/ptytest"
)

// usual is where `mcptui serve` listens when it is not told where.
const usual = "127.0.0.1:8931"

// TestServeWithoutFlagsListensAtTheUsualPort starts it as the documentation does,
// connects to it, and starts it a second time. It is not run in parallel, since
// there is but one such port.
func TestServeWithoutFlagsListensAtTheUsualPort(t *testing.T) {
	probe, err := net.Listen("tcp", usual)
	if errors.Is(err, syscall.EADDRINUSE) {
		t.Skipf("another program listens at %s", usual)
	}
	require.NoError(t, err)
	require.NoError(t, probe.Close())

	bin := ptytest.Binary(t)
	p := serveAt(t, nil)
	if p.url == "" && strings.Contains(p.stderr(), "another program listens there") {
		t.Skipf("another program has begun to listen at %s", usual)
	}
	require.Equal(t, "http://"+usual+"/mcp", p.url, p.stderr())

	out, err := exec.Command(bin, "call", "add", "a=2", "b=3", "--json", "http://127.0.0.1:8931/mcp").Output()
	require.NoError(t, err)
	sum, err := member(out, "structuredContent.sum")
	require.NoError(t, err)
	require.Equal(t, "5", string(sum))

	// No second one fits there.
	second := exec.Command(bin, "serve", "--json")
	var said, document bytes.Buffer
	second.Stderr, second.Stdout = &said, &document
	err = second.Run()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, exitConnect, exit.ExitCode())
	require.Contains(t, said.String(), "listen at "+usual)
	require.Contains(t, said.String(), "another program listens there")
	require.Contains(t, said.String(), "--http 127.0.0.1:0")
	kind, err := member(document.Bytes(), "error.kind")
	require.NoError(t, err)
	require.Equal(t, `"connect"`, string(kind))
	require.Equal(t, 1, strings.Count(document.String(), "\n"), "one document on one line")
}
