//go:build !unix

package processor

import "time"

var started = time.Now()

// Own is the time since the start, where the process's own is not to be had.
func Own() time.Duration { return time.Since(started) }

// Children is part of the time since the start.
func Children() time.Duration { return 0 }
