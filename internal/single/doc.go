// Package single has functions of package math for float32 that compute in float32. On device go, package
// qd's functions for float32 call them, and so does the interpreter of SSA. Package emit prints the same
// operations in the same order (prelude/single.h), so each device gives the same bits.
//
// Each product is converted, so that Go's compilers cannot fuse it with a sum. Where a comment says that
// products are exact, fusing would change nothing.
//
// The results are within 1 unit in the last place of the exact value: internal/ulp tests all float32
// numbers.
package single

// Functions are the functions of this package, which are of one number, by their names in package math.
var Functions = map[string]func(float32) float32{"Exp": Exp, "Exp2": Exp2, "Log": Log}
