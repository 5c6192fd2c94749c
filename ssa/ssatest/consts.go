package ssatest

import (
	"math"

	"github.com/qdgen/qd/ssa"
)

// NumericTypes are all of them.
var NumericTypes = []ssa.Type{ssa.Int8, ssa.Int16, ssa.Int32, ssa.Int64, ssa.Uint8, ssa.Uint16, ssa.Uint32, ssa.Uint64, ssa.Float32, ssa.Float64}

// Interesting are constants of a type at which operations differ.
func Interesting(t ssa.Type) []ssa.Const {
	if cs, ok := interestingOf[t]; ok {
		return cs
	}
	interestingOf[t] = interestingConsts(t)
	return interestingOf[t]
}

var interestingOf = make(map[ssa.Type][]ssa.Const)

func interestingConsts(t ssa.Type) []ssa.Const {
	var cs []ssa.Const
	switch {
	case t == ssa.Bool:
		return []ssa.Const{ssa.BoolConst(false), ssa.BoolConst(true)}
	case ssa.IsFloat(t):
		for _, f := range []float64{0, 1, 0.5, 1.5, 2.5, 3, 0.1, 1e-3, 7, 100.7, 127, 128, 200.5, 255, 256, 300.25, 32767, 32768, 65535.5, 65536,
			1<<24 + 1, 1<<31 - 1, 1<<31 - 0.5, 1 << 31, 1<<32 - 1, 1 << 32, 1<<40 + 3, 1 << 53, 1<<62 + 4096, 1 << 63, 1<<63 + 4096, 1<<64 - 4096, 1 << 64, 1e30, 1e-30, 1e-40, 1e-310,
			math.MaxFloat32, math.SmallestNonzeroFloat32, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.NaN()} {
			cs = append(cs, ssa.FloatConst(t, f), ssa.FloatConst(t, math.Copysign(f, -1)))
		}
		return cs
	}
	seen := make(map[ssa.Const]bool)
	for _, x := range []int64{0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 63, 64, 100, 127, 128, 255, 256, 1<<15 - 1, 1 << 15, 1<<16 - 1, 1 << 24, 1<<24 + 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 53, 1<<53 + 1, math.MaxInt64 - 1, math.MaxInt64, math.MinInt64} {
		for _, y := range []int64{x, -x, ^x} {
			if c := ssa.IntConst(t, uint64(y)); !seen[c] {
				seen[c] = true
				cs = append(cs, c)
			}
		}
	}
	return cs
}

// IsNaNBits reports whether bits are a NaN of a float type.
func IsNaNBits(t ssa.Type, bits uint64) bool {
	return ssa.IsFloat(t) && math.IsNaN(ssa.BitsConst(bits).Float(t))
}
