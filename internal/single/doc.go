// Package single has functions of package math for float32 that compute in float32. Package qd's functions for float32 are these, on
// device go, and the interpreter of SSA runs them. Package emit prints the same operations in the same order (prelude/single.h), so that
// each device gives the same bits.
//
// Each product is converted: Go's compilers must not make one operation of it and a sum. Where a comment says that products are
// exact, it does not matter whether it is one operation or two.
//
// The functions are within 1 unit of the last place of the exact value: internal/ulp looks at all float32 numbers.
package single

// Functions are the functions of this package, which are of one number, by their names in package math.
var Functions = map[string]func(float32) float32{"Exp": Exp, "Exp2": Exp2, "Log": Log}
