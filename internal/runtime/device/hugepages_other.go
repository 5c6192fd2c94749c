//go:build !linux

package device

// adviseHuge does nothing: this system chooses the size of pages by itself.
func adviseHuge([]uint64) {}
