//go:build qdgo

package dl

const unsupported = "the program was built with the tag qdgo, which leaves shared libraries out"
