package main

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

//go:embed native/gradients_warp.py
var backwardScript []byte

// A backwardCase is some launches, which are timed forward and backward.
type backwardCase struct {
	name              string
	forward, backward []*qd.Prepared // backward, the last one first
	between           [][]float32    // what launches add to for others, zero at first
	grads             [][]float32    // all gradients
	given             [][]float32    // those of what is given
	seeds             [][]float32    // those of the results
}

// A backwardStep is a launch. Arguments that are slices of floats have gradients.
type backwardStep struct {
	kernel any
	dim    qd.Dims
	args   []any
}

// A buffer is a slice of float32s, or of vectors or matrices of them, and one of the same type for the gradient.
type buffer struct {
	slice, grad     any
	floats, derived []float32 // their memory
}

// buffers are what the arguments of a case are made of. It finds a slice again by its memory.
type buffers map[*float32]*buffer

// made is a buffer for a result.
func made[T any](b buffers, n int) []T { return some[T](b, n, 0, 0, 0) }

// some is a buffer of numbers between two, those of native/gradients_warp.py.
func some[T any](b buffers, n int, low, high float64, which int) []T {
	x, grad := make([]T, n), make([]T, n)
	of := &buffer{x, grad, as[float32](x), as[float32](grad)}
	for i, v := range between(len(of.floats), low, high, which) {
		of.floats[i] = float32(v)
	}
	b[&of.floats[0]] = of
	return x
}

// find is the buffer of an argument, nil for another argument.
func (b buffers) find(arg any) *buffer {
	v := reflect.ValueOf(arg)
	if v.Kind() != reflect.Slice {
		return nil
	}
	return b[(*float32)(v.UnsafePointer())]
}

// bind binds launches and their backward kernels. The results are what is differentiated.
func (b buffers) bind(dev *qd.Device, name string, between, results []any, steps ...backwardStep) (*backwardCase, error) {
	c := &backwardCase{name: name}
	for _, a := range between {
		c.between = append(c.between, b.find(a).floats)
	}
	for _, r := range results {
		c.seeds = append(c.seeds, b.find(r).derived)
	}
	for _, x := range b {
		c.grads = append(c.grads, x.derived)
		made := false
		for _, a := range slices.Concat(between, results) {
			made = made || b.find(a) == x
		}
		if !made {
			c.given = append(c.given, x.derived)
		}
	}
	for _, s := range steps {
		args := slices.Clone(s.args)
		for _, a := range s.args {
			if x := b.find(a); x != nil {
				args = append(args, x.grad)
			}
		}
		forward, err := dev.Bind(s.kernel, s.dim, s.args...)
		if err != nil {
			return nil, err
		}
		backward, err := dev.Bind(qd.NewKernel(s.kernel).Gradient(), s.dim, args...)
		if err != nil {
			return nil, err
		}
		c.forward = append(c.forward, forward)
		c.backward = slices.Insert(c.backward, 0, backward)
	}
	return c, nil
}

// backwardCases are those of native/gradients_warp.py.
func backwardCases(dev *qd.Device) ([]*backwardCase, error) {
	var list []*backwardCase
	var errs []error
	add := func(c *backwardCase, err error) { list, errs = append(list, c), append(errs, err) }
	{
		b, n := make(buffers), 1<<20
		loss := made[float32](b, 1)
		add(b.bind(dev, "saxpy", nil, []any{loss}, backwardStep{backSaxpy, qd.Dim(n), []any{float32(0.5), some[float32](b, n, -1, 1, 0), some[float32](b, n, -1, 1, 1), loss}}))
	}
	{
		b, n := make(buffers), 1024
		next := made[float32](b, n*n)
		add(b.bind(dev, "heat", nil, []any{next}, backwardStep{backHeat, qd.Dim(n, n), []any{float32(0.2), some[float32](b, n*n, 0, 1, 0), next}}))
	}
	{
		b, n := make(buffers), 1024
		v, p := made[f32.Vec3](b, n), made[f32.Vec3](b, n)
		add(b.bind(dev, "bodies", nil, []any{v, p}, backwardStep{backBodies, qd.Dim(n), []any{float32(0.01), some[f32.Vec3](b, n, -1, 1, 0), some[f32.Vec3](b, n, -1, 1, 1), v, p}}))
	}
	{
		b, n, particles, dt := make(buffers), 64, 8192, float32(2e-4)
		x, v := some[f32.Vec2](b, particles, 0.2, 0.8, 0), some[f32.Vec2](b, particles, -1, 1, 1)
		c, j := some[f32.Mat2](b, particles, -1, 1, 2), some[float32](b, particles, 0.9, 1.1, 3)
		grid, speed := made[f32.Vec3](b, n*n), made[f32.Vec2](b, n*n)
		xTo, vTo, cTo, jTo := made[f32.Vec2](b, particles), made[f32.Vec2](b, particles), made[f32.Mat2](b, particles), made[float32](b, particles)
		add(b.bind(dev, "points", []any{grid, speed}, []any{xTo, vTo, cTo, jTo},
			backwardStep{backScatter, qd.Dim(particles), []any{n, dt, x, v, c, j, grid}},
			backwardStep{backNodes, qd.Dim(n, n), []any{n, dt, grid, speed}},
			backwardStep{backCollect, qd.Dim(particles), []any{n, dt, speed, x, j, xTo, vTo, cTo, jTo}}))
	}
	{
		b, n := make(buffers), 1<<14
		loss := made[float32](b, 1)
		add(b.bind(dev, "network", nil, []any{loss}, backwardStep{backNetwork, qd.Dim(n), []any{some[float32](b, 8*n, -1, 1, 0), some[float32](b, 128, -1, 1, 1), some[float32](b, 16, -1, 1, 2), some[float32](b, 16, -1, 1, 3), loss}}))
	}
	{
		b, n := make(buffers), 1<<13
		loss, m := made[float32](b, 1), some[f32.Mat3](b, n, -0.3, 0.3, 0)
		for i := range m { // of positive determinant: Warp's smallest singular value has the determinant's sign
			m[i] = m[i].Add(f32.Mat3Identity())
		}
		add(b.bind(dev, "svd", nil, []any{loss}, backwardStep{backSVD, qd.Dim(n), []any{m, loss}}))
	}
	return list, errors.Join(errs...)
}

// run makes launches on one thread.
func (c *backwardCase) run(launches []*qd.Prepared) func() error {
	return func() error {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		for _, l := range launches {
			if err := l.Launch(); err != nil {
				return err
			}
		}
		return nil
	}
}

// start makes everything as it is before the launches, and after them: the derivatives by the results are 1.
func (c *backwardCase) start() {
	for _, g := range slices.Concat(c.between, c.grads) {
		clear(g)
	}
	for _, s := range c.seeds {
		for i := range s {
			s[i] = 1
		}
	}
}

// sums are the sums over the gradients of what is given: of all derivatives, and of their absolute values.
func (c *backwardCase) sums() (sum, abs float64, err error) {
	c.start()
	if err := c.run(c.forward)(); err != nil {
		return 0, 0, err
	}
	if err := c.run(c.backward)(); err != nil {
		return 0, 0, err
	}
	for _, g := range c.given {
		for _, d := range g {
			sum, abs = sum+float64(d), abs+math.Abs(float64(d))
		}
	}
	return sum, abs, nil
}

// timeOf makes a function that times launches, forward or backward, without what makes everything ready for them.
func (c *backwardCase) timeOf(backward bool) func() (time.Duration, error) {
	launches := c.forward
	if backward {
		launches = c.backward
	}
	once := timed(c.run(launches))
	return func() (time.Duration, error) {
		c.start()
		if backward {
			if err := c.run(c.forward)(); err != nil {
				return 0, err
			}
		}
		return once()
	}
}

// backward times backward kernels beside their kernels, and both beside Warp's, each on one thread.
func backward() ([]result, error) {
	p, err := startPeer("warp", "warp-lang", backwardScript, *byProcessor)
	if err != nil {
		return nil, err
	}
	defer p.stop()
	dev, err := qd.Open("cpu")
	if err != nil {
		return nil, err
	}
	cases, err := backwardCases(dev)
	if err != nil {
		return nil, err
	}
	var results []result
	var ratios, theirRatios []float64
	for _, c := range cases {
		sum, abs, err := c.sums()
		if err != nil {
			return results, err
		}
		var theirSum, theirAbs float64
		if err := p.ask("sum "+c.name, &theirSum, &theirAbs); err != nil {
			return results, err
		}
		if !(math.Abs(sum-theirSum) < 1e-3*abs && math.Abs(abs-theirAbs) < 1e-3*abs) {
			return results, fmt.Errorf("%s: the derivatives have the sum %v, and that of absolute values %v; Warp's have %v and %v", c.name, sum, abs, theirSum, theirAbs)
		}
		times, err := allInTurns(*repeats, c.timeOf(false), c.timeOf(true), p.takes("forward "+c.name), p.takes("backward "+c.name))
		if err != nil {
			return results, err
		}
		forward, back, theirForward, theirBack := median(times[0]), median(times[1]), median(times[2]), median(times[3])
		ratio, theirRatio := back.Seconds()/forward.Seconds(), theirBack.Seconds()/theirForward.Seconds()
		ratios, theirRatios = append(ratios, ratio), append(theirRatios, theirRatio)
		results = append(results,
			result{name: "backward " + c.name, ours: back, theirs: theirBack, bound: bound{ratio: 1}, note: "beside Warp's, one thread each"},
			result{name: "backward over forward " + c.name, ours: back, theirs: forward, note: fmt.Sprintf("Warp's ratio is %.3f: its kernel takes %s", theirRatio, show(theirForward))})
	}
	ours, theirs := middle(ratios), middle(theirRatios)
	results = append(results, result{name: "backward over forward, the median", ours: time.Duration(ours * 1e9), theirs: time.Second, bound: bound{ratio: min(3, theirs)},
		note: fmt.Sprintf("of the ratios above; that of Warp's is %.3f", theirs)})
	return results, nil
}

// middle is the median of some numbers: between two of an even number.
func middle(list []float64) float64 {
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}
