//go:build !unix

package answer

import (
	"context"
	"os/exec"
)

// shell runs command. There are no process groups here: only the command
// itself is killed when the context ends.
func shell(ctx context.Context, command string) *exec.Cmd {
	return exec.CommandContext(ctx, "cmd", "/C", command)
}

func killGroup(*exec.Cmd) {}
