//go:build !(((linux && !android) || (darwin && !ios)) && (amd64 || arm64)) || qdgo

package dl

// Text is not known on this platform.
func Text(symbol uintptr) (from, to uintptr, ok bool) { return 0, 0, false }
