package prelude

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// Single are the pieces of functions that compute in float32, the same for all dialects, which have the pieces that
// these need.
//
//go:embed single.h
var Single string

// InSingle is the piece of a function of package math for float32 that computes in float32, "" for a function without
// one. It is no function that calls it: compilers would optimize what they inline there once more.
func InSingle(m ssa.Math) string {
	if m.Single() == nil {
		return ""
	}
	name := m.GoName()
	return fmt.Sprintf(`
//@ math.%[1]s.float32 needs elementary.%[2]s_32
using elementary::%[1]s;
`, name, strings.ToLower(name))
}

// AllInSingle are the pieces of all such functions.
func AllInSingle() string {
	var b strings.Builder
	for m := ssa.Abs; m < ssa.NumMath; m++ {
		b.WriteString(InSingle(m))
	}
	return b.String()
}
