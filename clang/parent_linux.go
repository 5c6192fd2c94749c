package clang

import "syscall"

// endWithParent has a process killed when the one that started it ends, however
// that comes about: nobody waits for its work any more.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
