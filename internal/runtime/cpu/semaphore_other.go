//go:build !linux

package cpu

import (
	"sync"
	"time"
)

// A semaphore holds permits that some threads give and others take. Its zero value has none.
type semaphore struct {
	once    sync.Once
	permits chan struct{} // made when it is first needed
}

func (s *semaphore) channel() chan struct{} {
	s.once.Do(func() { s.permits = make(chan struct{}, maxWorkers) })
	return s.permits
}

// give adds permits. It is followed by wake.
func (s *semaphore) give(n int) {
	for c := s.channel(); n > 0; n-- {
		c <- struct{}{}
	}
}

// wake does nothing: give has woken those who waited.
func (s *semaphore) wake(n int) {}

// try takes a permit if there is one.
func (s *semaphore) try() bool {
	select {
	case <-s.channel():
		return true
	default:
		return false
	}
}

// take waits for a permit, at most so long. It reports whether it has one.
func (s *semaphore) take(patience time.Duration) bool {
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-s.channel():
		return true
	case <-t.C:
		return false
	}
}
