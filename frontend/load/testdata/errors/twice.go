package twice

import "github.com/qdgen/qd"

func helper(x float32) float32 { return x }

func helper(x float32) float32 { return 2 * x } // want "helper redeclared in this block; help: other declaration of helper at e/twice.go:5:6"

//qd:kernel
func kernel(t qd.Thread, x []float32) {
	x[0] = helper(x[0])
}
