//go:build unix && !linux

package clang

import "syscall"

// endWithParent does nothing: this system has no such thing.
func endWithParent(*syscall.SysProcAttr) {}
