package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"unsafe"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
)

//go:embed native/gradients_jax.py
var jaxScript []byte

// An oracleCase is a computation whose gradient JAX knows too. All numbers are float64.
type oracleCase struct {
	name string
	ints []int
	args [][]float64 // what it is differentiated by
	run  func(o *oracle) error
}

// An oracle runs a case on a tape.
type oracle struct {
	oracleCase
	dev   *qd.Device
	tape  *qd.Tape
	grads []func() []float64
	outs  []func() error
	seeds [][]float64 // the derivatives by the results
}

// as is the same memory as elements of another type, which are made of float64s.
func as[T, F any](x []F) []T {
	var t T
	var f F
	n := len(x) * int(unsafe.Sizeof(f)) / int(unsafe.Sizeof(t))
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(x))), n)
}

// by is argument i of the case as an array of some shape.
func by[T any](o *oracle, i int, shape ...int) *qd.Array[T] {
	a := qd.Zeros[T](o.dev, shape...).WithGrad()
	if err := a.CopyFrom(as[T](o.args[i])); err != nil {
		panic("BUG: " + err.Error())
	}
	o.grads = append(o.grads, func() []float64 { return as[float64](a.Grad().Slice()) })
	return a
}

// to is an array for the next result. The derivatives by its elements are some numbers.
func to[T any](o *oracle, shape ...int) *qd.Array[T] {
	a := qd.Zeros[T](o.dev, shape...)
	seed := make([]T, a.Len())
	copy(as[float64](seed), between(len(as[float64](seed)), 0.3, 1.7, len(o.seeds)+100))
	o.seeds = append(o.seeds, as[float64](seed))
	o.outs = append(o.outs, func() error { return o.tape.BackwardFrom(a, seed) })
	return a
}

// between lists n numbers between two, always the same ones.
func between(n int, low, high float64, which int) []float64 {
	list := make([]float64, n)
	for i := range list {
		_, part := math.Modf(float64(i+1)*0.7548776662466927 + float64(which)*0.5698402909980532)
		list[i] = low + (high-low)*part
	}
	return list
}

// oracleCases are ten: see gradkernels.go.
func oracleCases() []oracleCase {
	at := make([]int, 128)
	for i := range at {
		at[i] = i * i * 7 % 64
	}
	return []oracleCase{
		{"gather", at, [][]float64{between(64, -1, 2, 0), between(64, -1, 2, 1)}, func(o *oracle) error {
			return o.tape.Launch(gradGather, qd.Dim(64), at, by[float64](o, 0, 64), by[float64](o, 1, 64), to[float64](o, 64), to[float64](o, 64))
		}},
		{"stencil", []int{12, 17}, [][]float64{between(204, 0.5, 1.5, 0), between(204, 0.05, 0.2, 1)}, func(o *oracle) error {
			return o.tape.Launch(gradStencil, qd.Dim(12, 17), by[float64](o, 0, 12, 17), by[float64](o, 1, 12, 17), to[float64](o, 12, 17))
		}},
		{"loop", nil, [][]float64{between(20, -1, 1, 0), between(64, -1, 1, 1)}, func(o *oracle) error {
			return o.tape.Launch(gradLoop, qd.Dim(64), 20, by[float64](o, 0, 20), by[float64](o, 1, 64), to[float64](o, 64))
		}},
		{"branches", []int{9}, [][]float64{between(128, 0, 2.5, 0)}, func(o *oracle) error {
			return o.tape.Launch(gradBranches, qd.Dim(128), 9, by[float64](o, 0, 128), to[float64](o, 128))
		}},
		{"atomics", []int{8}, [][]float64{between(99, 0, 2, 0)}, func(o *oracle) error {
			return o.tape.Launch(gradAtomics, qd.Dim(99), 8, by[float64](o, 0, 99), to[float64](o, 8), to[float64](o, 3))
		}},
		{"product", []int{8, 12, 16}, [][]float64{between(128, -1, 1, 0), between(192, -1, 1, 1)}, func(o *oracle) error {
			return o.tape.Launch(gradProduct, qd.Dim(2, 3), by[float64](o, 0, 8, 16), by[float64](o, 1, 16, 12), to[float64](o, 8, 12))
		}},
		{"decompose", nil, [][]float64{between(9*32, -1, 1, 0), between(3*32, -1, 1, 1)}, func(o *oracle) error {
			return o.tape.Launch(gradDecompose, qd.Dim(32), by[f64.Mat3](o, 0, 32), by[f64.Vec3](o, 1, 32), to[f64.Mat3](o, 32), to[f64.Vec3](o, 32), to[f64.Vec3](o, 32))
		}},
		{"attention", nil, [][]float64{between(16*8, -1, 1, 0), between(24*8, -1, 1, 1), between(24*8, -1, 1, 2)}, func(o *oracle) error {
			return o.tape.Launch(gradAttention, qd.Dim(4), by[float64](o, 0, 16, 8), by[float64](o, 1, 24, 8), by[float64](o, 2, 24, 8), to[float64](o, 16, 8))
		}},
		{"bodies", nil, [][]float64{between(32, 0.5, 1.5, 0), between(96, -1, 1, 1), between(96, -1, 1, 2)}, func(o *oracle) error {
			return o.tape.Launch(gradBodies, qd.Dim(32), by[float64](o, 0, 32), by[f64.Vec3](o, 1, 32), by[f64.Vec3](o, 2, 32), to[f64.Vec3](o, 32))
		}},
		{"points", []int{16}, [][]float64{between(96, 0.2, 0.8, 0), between(96, -1, 1, 1), deformations(48)}, func(o *oracle) error {
			const n = 16
			x, v, f := by[f64.Vec2](o, 0, 48), by[f64.Vec2](o, 1, 48), by[f64.Mat2](o, 2, 48)
			grid, speed := qd.Zeros[f64.Vec3](o.dev, n*n), qd.Zeros[f64.Vec2](o.dev, n*n)
			if err := o.tape.Launch(gradScatter, qd.Dim(48), n, x, v, f, grid); err != nil {
				return err
			}
			if err := o.tape.Launch(gradNodes, qd.Dim(n*n), grid, speed); err != nil {
				return err
			}
			return o.tape.Launch(gradCollect, qd.Dim(48), n, x, f, speed, to[f64.Vec2](o, 48), to[f64.Mat2](o, 48))
		}},
	}
}

// deformations are matrices near the identity.
func deformations(n int) []float64 {
	list := between(4*n, -0.2, 0.2, 2)
	for i := 0; i < len(list); i += 4 {
		list[i]++
		list[i+3]++
	}
	return list
}

// oracleBound is how far a derivative may be from JAX's, as a part of the largest derivative by the argument.
const oracleBound = 1e-12

// gradientOracle compares gradients with those of JAX.
func gradientOracle() ([]result, error) {
	p, err := startPeer("jax", "jax", jaxScript)
	if err != nil {
		return nil, err
	}
	defer p.stop()
	dev, err := qd.Open("cpu")
	if err != nil {
		return nil, err
	}
	var results []result
	for _, c := range oracleCases() {
		count, worst, err := c.compare(p, dev)
		if err != nil {
			return results, fmt.Errorf("%s: %w", c.name, err)
		}
		if !(worst <= oracleBound) {
			return results, fmt.Errorf("%s: a derivative differs from JAX's by %.2g of the largest one, more than %.2g", c.name, worst, oracleBound)
		}
		results = append(results, result{name: "gradient " + c.name, note: fmt.Sprintf("%d derivatives are JAX's, to %.1e of the largest", count, worst)})
	}
	return results, nil
}

// compare gives the number of derivatives, and the largest difference from JAX's as a part of the largest derivative by
// the same argument.
func (c oracleCase) compare(p *peer, dev *qd.Device) (count int, worst float64, err error) {
	o := &oracle{oracleCase: c, dev: dev, tape: qd.NewTape(dev)}
	if err := c.run(o); err != nil {
		return 0, 0, err
	}
	for _, back := range o.outs {
		if err := back(); err != nil {
			return 0, 0, err
		}
	}
	request, err := json.Marshal(map[string]any{"name": c.name, "ints": append([]int{}, c.ints...), "args": c.args, "seeds": o.seeds})
	if err != nil {
		return 0, 0, err
	}
	var answer struct{ Gradients [][]float64 }
	if err := p.askJSON(string(request), &answer); err != nil {
		return 0, 0, err
	}
	if len(answer.Gradients) != len(o.grads) {
		return 0, 0, fmt.Errorf("%d gradients and not %d", len(answer.Gradients), len(o.grads))
	}
	for i, grad := range o.grads {
		ours, theirs := grad(), answer.Gradients[i]
		if len(ours) != len(theirs) {
			return 0, 0, fmt.Errorf("argument %d: %d derivatives and not %d", i, len(theirs), len(ours))
		}
		var most, far float64
		for k, d := range theirs {
			most, far = max(most, math.Abs(d)), max(far, math.Abs(d-ours[k])) // NaN if one is
		}
		if !(most > 0) {
			return 0, 0, fmt.Errorf("argument %d: the largest derivative is %v", i, most)
		}
		count, worst = count+len(ours), max(worst, far/most)
	}
	return count, worst, nil
}
