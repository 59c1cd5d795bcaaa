//go:build !unix

package wire

import (
	"os"
	"os/exec"
)

// Systems without process groups as Unix has them end the child alone.

func ownGroup(*exec.Cmd)               {}
func termGroup(*exec.Cmd)              {}
func killGroup(cmd *exec.Cmd)          { _ = cmd.Process.Kill() }
func groupAlive(*exec.Cmd) bool        { return false }
func signalOf(*os.ProcessState) string { return "" }
