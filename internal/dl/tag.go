//go:build !qdgo

package dl

const unsupported = "opening shared libraries is not supported on this platform"
