//go:build unix

package processor

import (
	"syscall"
	"time"
)

// Own is what the process has used so far, all threads together.
func Own() time.Duration { return used(syscall.RUSAGE_SELF) }

// Children is what the processes have used so far that it has started, and that have ended.
func Children() time.Duration { return used(syscall.RUSAGE_CHILDREN) }

func used(who int) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(who, &r); err != nil {
		panic("BUG: " + err.Error())
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
