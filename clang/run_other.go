//go:build !unix

package clang

import "os/exec"

// KillAllOnCancel leaves the command as it is: where there are no process groups,
// the end of its context kills the command alone.
func KillAllOnCancel(*exec.Cmd) {}
