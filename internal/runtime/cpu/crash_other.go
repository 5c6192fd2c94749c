//go:build !((linux || darwin) && (amd64 || arm64))

package cpu

// handleCrashes does nothing on this platform.
func handleCrashes() bool { return false }
