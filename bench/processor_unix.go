//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime is what the process has used so far, all threads together.
func processorTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic("BUG: " + err.Error())
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
