//go:build !(linux && amd64)

package cpu

// handleCrashes does nothing on this platform.
func handleCrashes() bool { return false }
