package shapes

import "github.com/qdgen/qd/ssa"

// safeDivisor reports whether a division by a value is the machine's: it is a constant, neither 0 nor -1.
func safeDivisor(v *ssa.Value) bool {
	c, ok := v.Const()
	return ok && c.Int() != 0 && (c.Int() != -1 || ssa.IsUnsigned(v.Type))
}
