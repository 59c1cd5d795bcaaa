package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDependencies holds the direction of the arrows between packages: what a
// package must not know, it must not even reach through another.
func TestDependencies(t *testing.T) {
	for _, rule := range []struct {
		packages string
		never    []string
	}{
		{"mcptui/embedded-server/...", []string{"mcptui/client", "mcptui/ui", "mcptui/cmd"}},
		{"mcptui/client/...", []string{"mcptui/ui", "mcptui/embedded-server", "mcptui/cmd", "charm.land", "github.com/modelcontextprotocol"}},
		{"mcptui/ui/...", []string{"mcptui/client/wire", "mcptui/client/flow", "mcptui/embedded-server", "mcptui/cmd", "net/http"}},
		{"mcptui/client/schema/conform", []string{"mcptui/client", "net/http", "os/exec"}},
		// It compiles metaschemas when a program starts: for tests only.
		{"mcptui/cmd/mcptui", []string{"github.com/santhosh-tekuri/jsonschema"}},
		{"mcptui/client/rpc", []string{"mcptui/client/", "net", "os/exec"}},
		{"mcptui/client/control", []string{"mcptui/client/wire", "mcptui/client/flow", "mcptui/client/session"}},
		{"mcptui/client/session", []string{"mcptui/client/wire", "mcptui/client/flow", "mcptui/client/control", "net", "os/exec"}},
		{"mcptui/client/state", []string{"net", "os/exec", "mcptui/client/wire", "mcptui/client/flow"}},
		{"mcptui/client/schema", []string{"net/http", "os/exec", "mcptui/client/wire", "mcptui/client/flow"}},
	} {
		t.Run(rule.packages, func(t *testing.T) {
			out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Deps}} {{.}}{{end}}`, rule.packages).Output()
			require.NoError(t, err)
			for line := range strings.Lines(string(out)) {
				names := strings.Fields(line)
				for _, dep := range names[1:] {
					for _, bad := range rule.never {
						below := strings.Contains(bad, ".") || strings.HasPrefix(bad, "mcptui/")
						require.False(t, dep == bad || below && strings.HasPrefix(dep, strings.TrimSuffix(bad, "/")+"/"),
							"%s must not depend on %s", names[0], dep)
					}
				}
			}
		})
	}
}

// TestFlowDoesNoIO holds that the state machine of a connection imports nothing
// with which it could do IO or read a clock. What it sends is described in the
// terms of package wire, so only its own imports are looked at; net/http is
// there for the names of its statuses.
func TestFlowDoesNoIO(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{join .Imports "\n"}}`, "mcptui/client/flow").Output()
	require.NoError(t, err)
	for _, bad := range []string{"net", "os", "os/exec", "io", "context", "sync"} {
		require.NotContains(t, strings.Fields(string(out)), bad)
	}
}
