package qdtest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// most is how many floats of one array are checked: each takes some launches.
const most = 64

// CheckGradient compares the gradient of a kernel with differences, and reports where they are not the same. The
// arguments are those of a launch. Each array, plain slice or view of floats is changed by a little, one float after
// the other, and the results of launches are compared with what [qd.Tape] says. The results are all floats after the
// launch, weighted at random. The arguments themselves stay as they are. Slices in structs are constants.
//
// The device is that of the array arguments, else the default one. A float at which the kernel has no derivative, or of
// which differences say nothing, is left out; it is an error if all are. Kernels of float64 are compared to some 6
// digits, those of float32 to some 3: test a generic kernel with both.
func CheckGradient(t testing.TB, kernel any, dim qd.Dims, args ...any) {
	t.Helper()
	c, err := newCheck(args)
	if err == nil {
		c.bind = func() (*qd.Prepared, error) { return c.dev.Bind(kernel, dim, c.args...) }
		c.record = func(tape *qd.Tape) error { return tape.Launch(kernel, dim, c.args...) }
		err = c.run(t)
	}
	if err != nil {
		t.Errorf("qdtest: %v", err)
	}
}

// CheckRunGradient is [CheckGradient] for a Grid kernel.
func CheckRunGradient(t testing.TB, kernel any, args ...any) {
	t.Helper()
	c, err := newCheck(args)
	if err == nil {
		c.bind = func() (*qd.Prepared, error) { return c.dev.BindRun(kernel, c.args...) }
		c.record = func(tape *qd.Tape) error { return tape.Run(kernel, c.args...) }
		err = c.run(t)
	}
	if err != nil {
		t.Errorf("qdtest: %v", err)
	}
}

// A check is a launch whose gradient is compared.
type check struct {
	device *launch.Device
	dev    *qd.Device
	bind   func() (*qd.Prepared, error)
	record func(tape *qd.Tape) error
	args   []any // with arrays of the check's own
	arrays []*array
	ready  *qd.Prepared
	single bool // there are floats of 32 bits
}

// An array is the check's own, with the elements of an argument.
type array struct {
	launch.Handle
	param   int // the first that it is the argument of
	inner   *launch.Array
	host    []byte // the elements before a launch
	floats  []float
	weights []float64 // of the floats after a launch
}

// A float is where one lies in an array.
type float struct {
	offset uintptr
	bits   int
}

func newCheck(args []any) (*check, error) {
	c := &check{args: slices.Clone(args)}
	for _, arg := range args {
		if a, ok := launch.ArgArray(arg); ok && a != nil && c.device == nil {
			c.device = a.Device()
		}
	}
	var err error
	if c.device == nil {
		if c.device, err = launch.Default(); err != nil {
			return nil, err
		}
	}
	if c.dev, err = qd.Open(c.device.String()); err != nil {
		return nil, err
	}
	same := make(map[any]*array)
	for i, arg := range args {
		own, err := c.arrayOf(i, arg, same)
		if err != nil {
			return nil, err
		}
		if own != nil {
			c.args[i] = own
		}
	}
	return c, nil
}

// A plain is the memory of a slice.
type plain struct {
	at   unsafe.Pointer
	n    int
	elem reflect.Type
}

// arrayOf is an array with the elements of an argument, nil for one that is a constant, or for the launch to refuse.
// Arguments that are the same memory have the same array.
func (c *check) arrayOf(param int, arg any, same map[any]*array) (*array, error) {
	var id any
	var p plain
	shape, _ := launch.ShapeOf(arg)
	a, isArray := launch.ArgArray(arg)
	switch {
	case isArray && (a == nil || a.Err() != nil || a.IsFreed() || !a.Device().Same(c.device)):
		return nil, nil
	case isArray:
		id, p = a, plain{nil, a.N, a.Elem}
	case shape == nil:
		return nil, nil
	default:
		v := reflect.ValueOf(arg)
		if v.Kind() == reflect.Struct {
			v = v.Field(0) // of a view
		}
		n := 1
		for _, size := range shape {
			n *= size
		}
		if v.Len() != n {
			return nil, fmt.Errorf("argument %d is a view of a part of a slice; give an array", param+1)
		}
		p = plain{v.UnsafePointer(), n, v.Type().Elem()}
		id = p
	}
	if own := same[id]; own != nil {
		return own, nil
	}
	size := p.n * int(p.elem.Size())
	own := &array{param: param, host: make([]byte, size+8)[:size]}
	at := unsafe.Pointer(unsafe.SliceData(own.host))
	if !isArray {
		copy(own.host, unsafe.Slice((*byte)(p.at), size))
	} else if err := a.CopyTo(at, p.n); err != nil {
		return nil, err
	}
	launch.From(&own.Handle, c.device, p.elem, at, p.n, shape)
	own.inner = launch.ArrayOf(&own.Handle)
	if err := own.inner.Err(); err != nil {
		return nil, err
	}
	for i := range p.n {
		kernel.EachFloat(p.elem, uintptr(i)*p.elem.Size(), func(offset uintptr, bits int) {
			own.floats = append(own.floats, float{offset, bits})
			c.single = c.single || bits == 32
		})
	}
	same[id] = own
	c.arrays = append(c.arrays, own)
	return own, nil
}

// at is the float in an array's memory on the host.
func (f float) at(host []byte) unsafe.Pointer { return unsafe.Pointer(&host[f.offset]) }

func (f float) get(host []byte) float64 {
	if f.bits == 32 {
		return float64(*(*float32)(f.at(host)))
	}
	return *(*float64)(f.at(host))
}

func (f float) set(host []byte, x float64) {
	if f.bits == 32 {
		*(*float32)(f.at(host)) = float32(x)
	} else {
		*(*float64)(f.at(host)) = x
	}
}

// run compares.
func (c *check) run(t testing.TB) error {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	floats := 0
	for _, a := range c.arrays {
		for range a.floats {
			a.weights = append(a.weights, 0.5+random.Float64()*float64(1-2*random.IntN(2)))
		}
		floats += len(a.floats)
	}
	if floats == 0 {
		return errors.New("there are no floats among the elements of the arguments: nothing can be compared")
	}
	gradients, err := c.gradients()
	if err != nil {
		return err
	}
	if c.ready, err = c.bind(); err != nil {
		return err
	}
	checked := 0
	for k, a := range c.arrays {
		for _, i := range chosen(random, len(a.floats)) {
			f := a.floats[i]
			ok, err := c.compare(a, f, f.get(gradients[k]))
			if err != nil && !ok {
				return err
			}
			if ok {
				checked++
			}
			if err != nil {
				t.Errorf("qdtest: argument %d, element %d: %v", a.param+1, f.offset/a.inner.Elem.Size(), err)
			}
		}
	}
	if checked == 0 {
		return fmt.Errorf("differences say nothing of any of the %d floats: the kernel may have no derivative there", floats)
	}
	return nil
}

// chosen are the indices of what is checked of n floats.
func chosen(random *rand.Rand, n int) []int {
	list := random.Perm(n)
	list = list[:min(n, most)]
	slices.Sort(list)
	return list
}

// gradients is what the tape says: for each array, the memory of its gradient.
func (c *check) gradients() (list [][]byte, err error) {
	for _, a := range c.arrays {
		if len(a.floats) > 0 {
			launch.WithGrad(&a.Handle)
		}
	}
	tape := qd.NewTape(c.dev)
	defer tape.Reset()
	if err := c.record(tape); err != nil {
		return nil, err
	}
	for _, a := range c.arrays {
		if len(a.floats) == 0 {
			continue
		}
		seed := &array{host: make([]byte, len(a.host)+8)[:len(a.host)]}
		for i, f := range a.floats {
			f.set(seed.host, a.weights[i])
		}
		launch.From(&seed.Handle, c.device, a.inner.Elem, unsafe.Pointer(unsafe.SliceData(seed.host)), a.inner.N, nil)
		if err := tape.BackwardFrom(a, seed); err != nil {
			return nil, err
		}
	}
	for _, a := range c.arrays {
		host := make([]byte, len(a.host)+8)[:len(a.host)]
		if len(a.floats) > 0 {
			g := a.inner.Grad()
			err = errors.Join(err, g.CopyTo(unsafe.Pointer(unsafe.SliceData(host)), g.N))
		}
		list = append(list, host)
	}
	return list, err
}

// loss is the weighted sum of all floats after a launch with one of them changed; size is that of its terms without
// their signs.
func (c *check) loss(change *array, f float, by float64) (sum, size float64, err error) {
	for _, a := range c.arrays {
		host := a.host
		if a == change {
			host = append(make([]byte, 0, len(host)+8), host...)
			f.set(host, f.get(host)+by)
		}
		if err := a.inner.CopyFrom(unsafe.Pointer(unsafe.SliceData(host)), a.inner.N); err != nil {
			return 0, 0, err
		}
	}
	if err := c.ready.Launch(); err != nil {
		return 0, 0, err
	}
	for _, a := range c.arrays {
		host := make([]byte, len(a.host)+8)[:len(a.host)]
		if err := a.inner.CopyTo(unsafe.Pointer(unsafe.SliceData(host)), a.inner.N); err != nil {
			return 0, 0, err
		}
		for i, f := range a.floats {
			term := a.weights[i] * f.get(host)
			sum, size = sum+term, size+math.Abs(term)
		}
	}
	return sum, size, nil
}

// compare compares a derivative with quotients of differences, of smaller steps if it is not that of larger ones. One
// that agrees with none that is reliable is wrong. It is not ok where none is.
func (c *check) compare(a *array, f float, got float64) (ok bool, err error) {
	steps, tolerance, trusted, eps := []float64{1e-3, 1e-4, 1e-5, 1e-6, 1e-7}, 1e-6, 1e-3, 0x1p-52
	if c.single {
		steps, tolerance, trusted, eps = []float64{1.0 / 16, 1.0 / 64, 1.0 / 256}, 1e-3, 2e-2, 0x1p-23
	}
	var wrong error
	for _, step := range steps {
		want, rough, err := c.difference(a, f, step, eps)
		switch {
		case err != nil:
			return false, err
		case !(rough <= trusted*(1+math.Abs(want))): // a kink, noise, or NaN
		case math.Abs(got-want) <= tolerance*(1+math.Abs(want))+10*rough:
			return true, nil
		default:
			wrong = fmt.Errorf("the gradient of a weighted sum of what the kernel leaves is %.8g, differences say %.8g", got, want)
		}
	}
	return wrong != nil, wrong
}

// difference is the central difference of fourth order, and how far it may be off.
func (c *check) difference(a *array, f float, step, eps float64) (d, rough float64, err error) {
	var size float64
	at := func(by float64) float64 {
		x, s, e := c.loss(a, f, by)
		if e != nil {
			err = e
		}
		size = max(size, s)
		return x
	}
	central := func(h float64) float64 {
		x := f.get(a.host)
		if f.bits == 32 { // the step that there is
			return (at(h) - at(-h)) / (float64(float32(x+h)) - float64(float32(x-h)))
		}
		return (at(h) - at(-h)) / ((x + h) - (x - h))
	}
	half, whole, twice := central(step/2), central(step), central(2*step)
	d = (4*whole - twice) / 3
	return d, math.Abs(d-(4*half-whole)/3) + 4*eps*size/step, err
}
