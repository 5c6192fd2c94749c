package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
)

// The sizes of what is differentiated. The tests make them smaller.
var gpuStencilSide, gpuBodyCount = 4096, 4096

// gpuGradientCases time kernels of gradkernels.go forward and backward.
func gpuGradientCases() []gpuCase {
	return []gpuCase{{"gradient stencil", gpuStencil}, {"gradient bodies", gpuBodies}}
}

// gpuBackward times a kernel and its backward kernel, whose arguments are those of the kernel and then the gradients.
// check makes sure of both, after each has run once.
func gpuBackward(dev *qd.Device, name string, kernel any, dim qd.Dims, args, grads []any, check func() error) ([]result, error) {
	forward, err := dev.Bind(kernel, dim, args...)
	if err != nil {
		return nil, err
	}
	backward, err := dev.Bind(qd.NewKernel(kernel).Gradient(), dim, append(args[:len(args):len(args)], grads...)...)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(forward.Launch(), backward.Launch(), dev.Wait()); err != nil {
		return nil, err
	}
	if err := check(); err != nil {
		return nil, err
	}
	f, err := gpuTime(dev, forward.Launch)
	if err != nil {
		return nil, err
	}
	b, err := gpuTime(dev, backward.Launch)
	return []result{
		{name: "gpu: " + name + ", forward", ours: f},
		{name: "gpu: " + name + ", backward", ours: b, theirs: f, note: "beside: forward"},
	}, err
}

// differs says that a number is another than in plain Go, if it is.
func differs(what string, got, want, size float64) error {
	if !(math.Abs(got-want) <= 1e-9*size) {
		return fmt.Errorf("%s is %v, not %v", what, got, want)
	}
	return nil
}

func gpuStencil(dev *qd.Device) ([]result, error) {
	n := gpuStencilSide
	hu, hk := between(n*n, 0, 1, 0), between(n*n, 0.1, 0.2, 1)
	seed := make([]float64, n*n)
	for i := range seed {
		seed[i] = 1
	}
	u, k, next := qd.From(dev, hu, n, n), qd.From(dev, hk, n, n), qd.Zeros[float64](dev, n, n)
	du, dk, dnext := qd.Zeros[float64](dev, n, n), qd.Zeros[float64](dev, n, n), qd.From(dev, seed, n, n)
	for _, a := range []*qd.Array[float64]{u, k, next, du, dk, dnext} {
		defer a.Free()
	}
	return gpuBackward(dev, fmt.Sprintf("stencil, %d x %d float64", n, n), gradStencil, qd.Dim(n, n), []any{u, k, next}, []any{du, dk, dnext}, func() error {
		gotNext, gotU, gotK := next.Slice(), du.Slice(), dk.Slice()
		around := []int{-n, n, -1, 1}
		for s := range 64 {
			i, j := 1+s*2741%(n-2), 1+s*1543%(n-2)
			at := i*n + j
			sum, fromOthers := 0.0, 0.0
			for _, d := range around {
				sum, fromOthers = sum+hu[at+d], fromOthers+hk[at+d]*hu[at+d]
			}
			c := hu[at]
			err := errors.Join(
				differs("an element", gotNext[at], c+hk[at]*(sum-4*c)*c, 10),
				differs("a derivative by u", gotU[at], 1+hk[at]*(sum-8*c)+fromOthers, 10),
				differs("a derivative by k", gotK[at], (sum-4*c)*c, 10))
			if err != nil {
				return fmt.Errorf("%d, %d: %w", i, j, err)
			}
		}
		return nil
	})
}

func gpuBodies(dev *qd.Device) ([]result, error) {
	n := gpuBodyCount
	mass, hp, hv := between(n, 0.5, 1.5, 0), as[f64.Vec3](between(3*n, -1, 1, 1)), as[f64.Vec3](between(3*n, -1, 1, 2))
	seed := make([]f64.Vec3, n)
	for i := range seed {
		seed[i] = f64.Vec3{1, 0.5, 0.25}
	}
	m, p, v, next := qd.From(dev, mass), qd.From(dev, hp), qd.From(dev, hv), qd.Zeros[f64.Vec3](dev, n)
	dm, dp, dv, dnext := qd.Zeros[float64](dev, n), qd.Zeros[f64.Vec3](dev, n), qd.Zeros[f64.Vec3](dev, n), qd.From(dev, seed)
	return gpuBackward(dev, fmt.Sprintf("bodies, %d float64", n), gradBodies, qd.Dim(n), []any{m, p, v, next}, []any{dm, dp, dv, dnext}, func() error {
		gotNext, gotMass := next.Slice(), dm.Slice()
		pull := func(i, j int) f64.Vec3 { // of j on i, of a mass of 1
			d := hp[j].Sub(hp[i])
			r := d.Dot(d) + 0.01
			return d.Scale(1 / (r * math.Sqrt(r)))
		}
		for s := range 8 {
			i := s * 2741 % n
			var a f64.Vec3
			want, size := 0.0, 0.0
			for j := range n {
				a = a.Add(pull(i, j).Scale(mass[j]))
				by := pull(j, i).Dot(seed[j]) * 0.01 * 0.01
				want, size = want+by, size+math.Abs(by)
			}
			moved := hp[i].Add(hv[i].Add(a.Scale(0.01)).Scale(0.01))
			err := errors.Join(differs("a place", gotNext[i][0], moved[0], 1+a.Norm()), differs("a derivative by a mass", gotMass[i], want, size))
			if err != nil {
				return fmt.Errorf("body %d: %w", i, err)
			}
		}
		return nil
	})
}
