//go:build !linux

package origin

import "time"

// processStart is when a process was started, zero if that cannot be told.
func processStart(pid int) time.Time { return time.Time{} }
