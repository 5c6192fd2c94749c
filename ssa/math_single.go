package ssa

import "github.com/qdgen/qd/internal/single"

// Single is the function for float32, if it computes in float32, by the same operations on every device, and nil
// otherwise.
func (m Math) Single() func(float32) float32 { return single.Functions[m.GoName()] }
