package mathx

import (
	"embed"

	"github.com/qdgen/qd/qdreg"
)

// source is the file that kernels call into. The front end reads it if this package's source is not on disk.
//
//go:embed mathx.go
var source embed.FS

func init() {
	if err := qdreg.Source("github.com/qdgen/qd/mathx", source); err != nil {
		panic("BUG: " + err.Error())
	}
}
