package cpu

import (
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// A semaphore holds permits that some threads give and others take. Its zero value has none.
//
// It is a futex. Those who wait for it are threads of the system, and one call wakes several. A goroutine that waits
// for a channel needs more: Go wakes any one thread of the program, which looks for the goroutine and wakes the next
// thread. Between launches that follow each other, workers were late by up to 4 ms because of that.
type semaphore struct{ permits atomic.Uint32 }

// give adds permits without waking anybody. It is followed by wake.
func (s *semaphore) give(n int) { s.permits.Add(uint32(n)) }

// wake wakes those who wait for permits, as many at most.
func (s *semaphore) wake(n int) { s.futex(futexWake, uint32(n), nil) }

// try takes a permit if there is one.
func (s *semaphore) try() bool {
	for n := s.permits.Load(); n > 0; n = s.permits.Load() {
		if s.permits.CompareAndSwap(n, n-1) {
			return true
		}
	}
	return false
}

// take waits for a permit, at most so long. It reports whether it has one.
func (s *semaphore) take(patience time.Duration) bool {
	for end := now() + patience; ; {
		if s.try() {
			return true
		}
		left := end - now()
		if left <= 0 {
			return false
		}
		t := syscall.NsecToTimespec(int64(left))
		s.futex(futexWait, 0, &t) // returns at once if there is a permit
	}
}

// Operations of a futex that threads of one process share, from linux/futex.h.
const (
	futexWait = 0 | 128
	futexWake = 1 | 128
)

func (s *semaphore) futex(op uintptr, n uint32, t *syscall.Timespec) {
	syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(&s.permits)), op, uintptr(n), uintptr(unsafe.Pointer(t)), 0, 0)
}
