// Package corpus is the kernels of the shared corpus as compiled Go. All files
// but this one are generated from testdata: see the documentation of
// internal/corpus.
package corpus

import (
	"embed"

	"github.com/qdgen/qd/qdreg"
)

// The source, for a test binary that runs on another machine than the one that
// built it.
//
//go:embed [^._]*.go
var source embed.FS

const path = "github.com/qdgen/qd/internal/corpus/kernels"

// The expressions of qd.Static that read variables and nothing else, as qdgen gen would have
// them: the registration of the variables takes their addresses, so that they may change.
var (
	_ = qdreg.StaticValue(path, "globalsRead", 0, "globalSteps", func() [3]int { return globalSteps }, "")
	_ = qdreg.StaticValue(path, "globalsRead", 1, "globalOps[len(globalName)-3]", func() func(float32) float32 {
		return globalOps[len(globalName)-3]
	}, "")
)

func init() {
	if err := qdreg.Source(path, source); err != nil {
		panic("BUG: " + err.Error())
	}
	qdreg.Vars(path, vars)
}
