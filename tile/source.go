package tile

import (
	"embed"

	"github.com/qdgen/qd/qdreg"
)

// These are the files that kernels call into. The front end reads them if this package's source is
// not on disk.
//
//go:embed arith.go atomic.go compare.go dot.go functions.go intrinsic.go join.go load.go make.go map.go random.go reduce.go scalar.go shape.go sort.go store.go tf32.go tile.go
var source embed.FS

func init() {
	if err := qdreg.Source("github.com/qdgen/qd/tile", source); err != nil {
		panic("BUG: " + err.Error())
	}
}
