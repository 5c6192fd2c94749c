package qd

import (
	"embed"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/runtime/registry"
)

// The files of this package that kernels may call into: the front end checks
// kernels against them.
//
//go:embed thread.go grid.go math.go scalar.go atomic.go printf.go constraints.go
//go:embed float16.go stopgradient.go view.go view3.go view4.go checkindex.go assert.go rand.go static.go newfunc.go
//go:embed zvector.go zmatrix.go
var kernelFacing embed.FS

func init() {
	if err := registry.Source(load.QDPath, load.QDPath, kernelFacing); err != nil {
		panic("BUG: " + err.Error())
	}
}
