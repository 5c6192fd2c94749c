// Package corpus is the kernels of the shared corpus as compiled Go. All files
// but this one are generated from testdata: see the documentation of
// internal/corpus.
package corpus

import (
	"embed"

	"github.com/qdgen/qd"
)

// The source, for a test binary that runs on another machine than the one that
// built it.
//
//go:embed z*.go
var source embed.FS

func init() {
	const path = "github.com/qdgen/qd/internal/corpus/kernels"
	if err := qd.RegisterSource(path, source); err != nil {
		panic("BUG: " + err.Error())
	}
	qd.RegisterVars(path, vars)
}
