//go:build !unix

package main

import "time"

var started = time.Now()

// processorTime is the time since the start, where the process's own is not to be had.
func processorTime() time.Duration { return time.Since(started) }

// childrenTime is part of the time since the start.
func childrenTime() time.Duration { return 0 }
