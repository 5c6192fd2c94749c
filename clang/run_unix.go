//go:build unix

package clang

import (
	"os"
	"os/exec"
	"syscall"
)

// KillAllOnCancel makes the end of the command's context kill the command with
// all processes that it has started: a compiler's driver leaves the work to
// others. They get a process group of their own, which keeps the interrupt of a
// terminal from them: see endWithParent. As that takes the thread that starts a
// process for its parent, the caller must keep its thread until the command ends.
func KillAllOnCancel(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if err == syscall.ESRCH {
			return os.ErrProcessDone
		}
		return err
	}
}
