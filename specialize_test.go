package qd

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/internal/runtime/launch"
	"github.com/qdgen/qd/internal/runtime/registry"
)

// A fakeBackend builds nothing: it notes the specializations that it is asked for.
type fakeBackend struct {
	device.HostQueues
	mu    sync.Mutex
	loads []build.Options
	reads []string // variables of package "p" that its kernels read
	err   error
	runs  atomic.Int64
	last  atomic.Pointer[fakeProgram] // that has run
}

// beyond32 is a number that an int of 32 bits does not hold.
var beyond32 int64 = 1 << 32

func (b *fakeBackend) Load(_ context.Context, _ *kernel.Func, opts build.Options) (*device.Loaded, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return nil, b.err
	}
	l := &device.Loaded{}
	p := &fakeProgram{backend: b, opts: opts}
	for _, name := range b.reads {
		v, err := opts.Env.Var("p", name)
		if err != nil && err != frontend.ErrNotRegistered {
			return nil, err
		}
		p.read = append(p.read, v.String())
		a := frontend.Asked{Value: v, Unknown: err != nil}
		a.Var.Pkg, a.Var.Name = "p", name
		l.Asked = append(l.Asked, a)
	}
	b.loads = append(b.loads, opts)
	l.Program = p
	return l, nil
}

func (*fakeBackend) Together(context.Context, []build.Request) {}

func (*fakeBackend) Alloc(int) (device.Memory, error) { return nil, nil }
func (*fakeBackend) Describe() string                 { return "fake" }
func (*fakeBackend) KnowsBlockDim() bool              { return false }

// newDevice is a device of a backend.
func newDevice(b device.Backend) *Device { return faceOf(launch.New("fake", b)) }

type fakeProgram struct {
	backend *fakeBackend
	opts    build.Options
	read    []string
}

func (*fakeProgram) Rank() int { return 0 }

func (p *fakeProgram) Prepare(device.Launch) (device.Runner, error) { return &fakeRun{p}, nil }

// fakeRun runs nothing.
type fakeRun struct{ *fakeProgram }

func (r *fakeRun) Run() error {
	r.backend.runs.Add(1)
	r.backend.last.Store(r.fakeProgram)
	return nil
}

type mode int8

type tuning struct {
	Mode  mode
	Width int64
	Name  string
	Apply func(float64) float64
}

type scaled struct{ By float32 }

func (s scaled) Kernel(t Thread, x []float32) { x[t.ID()] *= s.By }

// callable is no more than a pointer: Go has it in interfaces as it is.
type callable struct{ F func(float64) float64 }

func (c callable) Kernel(t Thread, x []float64) { x[t.ID()] = c.F(x[t.ID()]) }

type (
	flag   bool
	label  string
	mapper func(float64) float64
)

func (m mapper) Kernel(t Thread, x []float64) { x[t.ID()] = m(x[t.ID()]) }

func constNamed(Thread, Const[flag], Const[label], Const[mapper]) {}

func constInt(Thread, Const[int])                           {}
func constInt32(Thread, Const[int32], []float32)            {}
func constFloat32(Thread, Const[float32])                   {}
func constFloat64(Thread, Const[float64])                   {}
func constBool(Thread, Const[bool])                         {}
func constMode(Thread, Const[mode])                         {}
func constString(Thread, Const[string])                     {}
func constArray(Thread, Const[[3]int16])                    {}
func constTuning(Thread, Const[tuning])                     {}
func constFunc(Thread, Const[func(float64) float64])        {}
func constMixed(Thread, []int, Const[int], int, Const[int]) {}
func constNone(Thread, []float32)                           {}
func constGrid(Grid, Const[int], []float32)                 {}

func once(x float64) float64  { return x }
func twice(x float64) float64 { return 2 * x }

// TestSpecializations launches kernels with constants: what makes a specialization of its
// own, and what does not.
func TestSpecializations(t *testing.T) {
	nan := func(payload uint64) float64 { return math.Float64frombits(0x7ff8000000000000 | payload) }
	name := strings.Repeat("x", 200)
	tests := []struct {
		name   string
		kernel any
		args   [][]any
		want   []string // the constants of the programs that are built
	}{
		{"ints", constInt, [][]any{{C(1)}, {C(2)}, {C(1)}, {C(int(beyond32))}, {C(int(beyond32) + 1)}, {C(-1)}}, []string{"1", "2", "4294967296", "4294967297", "-1"}},
		{"constants convert", constInt32, [][]any{{C(int32(128)), []float32{}}, {C(128), []float32{}}, {C(128.0), []float32{}}}, []string{"128"}},
		{"rounded", constFloat32, [][]any{{C(2.0)}, {C(2)}, {C(float32(2))}, {C(0.1)}}, []string{"2", "0.1"}},
		{"zeros", constFloat64, [][]any{{C(0.0)}, {C(math.Copysign(0, -1))}, {C(0)}}, []string{"0", "-0"}},
		{"NaNs", constFloat64, [][]any{{C(nan(1))}, {C(nan(2))}, {C(nan(1))}}, []string{"NaN", "NaN"}},
		{"bools", constBool, [][]any{{C(true)}, {C(false)}, {C(true)}}, []string{"true", "false"}},
		{"named", constMode, [][]any{{C(mode(1))}, {C(1)}}, []string{"1"}},
		{"named bool and string", constNamed, [][]any{{C(flag(true)), C(label("x")), C(mapper(once))}, {C(true), C("x"), C(once)}}, []string{`true "x" once`}},
		{"strings", constString, [][]any{{C("a")}, {C("b")}, {C(string([]byte{'a'}))}, {C(name)}, {C(strings.Clone(name))}}, []string{`"a"`, `"b"`, `"` + name + `"`}},
		{"arrays", constArray, [][]any{{C([3]int16{1, 2, 3})}, {C([3]int16{1, 2, 4})}, {C([3]int16{1, 2, 3})}}, []string{"[3]int16{1, 2, 3}", "[3]int16{1, 2, 4}"}},
		{"structs", constTuning, [][]any{{C(tuning{1, 2, "n", once})}, {C(tuning{1, 2, strings.Clone("n"), once})}, {C(tuning{1, 2, "n", twice})}},
			[]string{`qd.tuning{1, 2, "n", once}`, `qd.tuning{1, 2, "n", twice}`}},
		{"functions", constFunc, [][]any{{C(once)}, {C(twice)}, {C(once)}, {C(math.Sqrt)}}, []string{"once", "twice", "Sqrt"}},
		{"several", constMixed, [][]any{{[]int{}, C(1), 5, C(2)}, {[]int{}, C(1), 6, C(2)}, {[]int{}, C(2), 5, C(1)}}, []string{"1 2", "2 1"}},
		{"none", constNone, [][]any{{[]float32{1}}, {[]float32{2}}}, []string{""}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := &fakeBackend{}
			dev := newDevice(b)
			for range 2 {
				for _, args := range test.args {
					if err := dev.Launch(test.kernel, Dim(1), args...); err != nil {
						t.Fatal(err)
					}
				}
			}
			if got := b.built(); !slices.Equal(got, test.want) {
				t.Errorf("built for %q, want %q", got, test.want)
			}
		})
	}
}

// built are the constants of the loads, in the order of the parameters.
func (b *fakeBackend) built() (list []string) {
	for _, opts := range b.loads {
		var values []string
		for i := range 10 {
			if v, ok := opts.Consts[i]; ok {
				values = append(values, v.String())
			}
		}
		list = append(list, strings.Join(values, " "))
	}
	return list
}

// TestMethodKernels launches values with a kernel among their methods: the receiver makes
// the specialization.
func TestMethodKernels(t *testing.T) {
	b := &fakeBackend{}
	dev := newDevice(b)
	x, y := []float32{1}, []float64{1}
	for range 2 {
		for _, k := range []any{scaled{2}, scaled{3}, NewKernel(scaled{2}), NewKernel(scaled{2}).WithBlockDim(32)} {
			if err := dev.Launch(k, Dim(1), x); err != nil {
				t.Fatal(err)
			}
		}
		for _, k := range []any{callable{once}, callable{twice}, callable{}, NewKernel(callable{once}), mapper(twice)} {
			if err := dev.Launch(k, Dim(1), y); err != nil {
				t.Fatal(err)
			}
		}
	}
	var got []string
	for _, l := range b.loads {
		got = append(got, l.Receiver.String())
	}
	if want := []string{"qd.scaled{2}", "qd.scaled{3}", "qd.callable{once}", "qd.callable{twice}", "qd.callable{nil}", "twice"}; !slices.Equal(got, want) {
		t.Errorf("built for %q, want %q", got, want)
	}
	if k := NewKernel(scaled{2}); innerKernel(k).Ref.Name != "scaled.Kernel" || innerKernel(k).Ref.Pkg != "github.com/qdgen/qd" || k.Name() != "scaled.Kernel" || !strings.HasSuffix(innerKernel(k).Ref.File, "specialize_test.go") {
		t.Errorf("%+v %s", innerKernel(k).Ref, k.Name())
	}
}

// TestCapture makes kernels of one literal in a loop.
func TestCapture(t *testing.T) {
	b := &fakeBackend{}
	dev := newDevice(b)
	for range 2 {
		for _, c := range []float32{2, 3, 2} {
			n := 1
			k := NewKernel(func(t Thread, x []float32) { x[n] *= c }, Capture("c", c), Capture("n", n))
			if err := k.WithDevice(dev).Launch(Dim(1), []float32{1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(b.loads) != 2 || b.loads[0].Captured["c"].String() != "2" || b.loads[1].Captured["c"].String() != "3" || b.loads[1].Captured["n"].Type != "int" {
		t.Errorf("%+v", b.loads)
	}
}

var (
	varSize   = 16
	varScale  = float32(2)
	varTuning = tuning{1, 2, "n", once}
	varSlice  = []int{1}
	varMap    = map[int]int{1: 2}
	varLate   int
)

// TestCapturedVariables changes package variables between launches.
func TestCapturedVariables(t *testing.T) {
	registry.Vars("p", map[string]any{"size": &varSize, "scale": &varScale, "tuning": &varTuning})
	b := &fakeBackend{reads: []string{"size", "scale", "tuning"}}
	dev := newDevice(b)
	k := NewKernel(constNone).WithDevice(dev)
	prepared, err := k.Bind(Dim(1), []float32{1})
	if err != nil {
		t.Fatal(err)
	}
	ran := func() string { return strings.Join(b.last.Load().read, " ") }
	for i, test := range []struct {
		change func()
		want   string
		loads  int
	}{
		{func() {}, `16 2 qd.tuning{1, 2, "n", once}`, 1},
		{func() { varSize = 32 }, `32 2 qd.tuning{1, 2, "n", once}`, 2},
		{func() { varTuning.Name = strings.Clone("n") }, `32 2 qd.tuning{1, 2, "n", once}`, 2},
		{func() { varTuning.Name = "m" }, `32 2 qd.tuning{1, 2, "m", once}`, 3},
		{func() { varTuning.Apply = twice }, `32 2 qd.tuning{1, 2, "m", twice}`, 4},
		{func() { varTuning = tuning{1, 2, "n", once} }, `32 2 qd.tuning{1, 2, "n", once}`, 4},
		{func() { varSize = 16 }, `16 2 qd.tuning{1, 2, "n", once}`, 4},
		{func() { varScale = float32(math.Copysign(0, -1)) }, `16 -0 qd.tuning{1, 2, "n", once}`, 5},
		{func() { varScale = 0 }, `16 0 qd.tuning{1, 2, "n", once}`, 6},
	} {
		test.change()
		if err := k.Launch(Dim(1), []float32{1}); err != nil {
			t.Fatal(err)
		}
		if err := prepared.Launch(); err != nil {
			t.Fatal(err)
		}
		if len(b.loads) != test.loads || ran() != test.want {
			t.Errorf("%d: %d loads, ran %s; want %d, %s", i, len(b.loads), ran(), test.loads, test.want)
		}
	}
	varSize, varScale = 16, 2

	b = &fakeBackend{reads: []string{"late"}}
	dev = newDevice(b)
	for turn, want := range []int{1, 1, 2, 2, 3} {
		switch turn {
		case 2:
			registry.Vars("p", map[string]any{"late": &varLate})
		case 4:
			varLate++
		}
		if err := dev.Launch(constNone, Dim(1), []float32{1}); err != nil || len(b.loads) != want {
			t.Errorf("registered late, turn %d: %d loads, %v", turn, len(b.loads), err)
		}
	}

	registry.Vars("p", map[string]any{"slice": &varSlice, "map": &varMap})
	b = &fakeBackend{reads: []string{"slice"}}
	dev = newDevice(b)
	for i, test := range []struct {
		change func()
		loads  int
	}{
		{func() {}, 1},
		{func() { varSlice[0] = 2 }, 2},
		{func() { varSlice = append(varSlice, 3) }, 3},
		{func() {}, 3},
		{func() { varSlice = []int{2, 3} }, 4}, // the same elsewhere
		{func() { varSlice = nil }, 5},
		{func() { varSlice = []int{} }, 6},
	} {
		test.change()
		if err := dev.Launch(constNone, Dim(1), []float32{1}); err != nil || len(b.loads) != test.loads {
			t.Errorf("slice, %d: %d loads, %v; want %d", i, len(b.loads), err, test.loads)
		}
	}
	dev = newDevice(&fakeBackend{reads: []string{"map"}})
	if err := dev.Launch(constNone, Dim(1), []float32{1}); err == nil || !strings.Contains(err.Error(), "a map (map[int]int) cannot be") {
		t.Error(err)
	}
}

// Variables are registered while kernels are launched that read one which is not registered yet: the
// race detector looks on.
func TestRegisterWhileLaunching(t *testing.T) {
	dev := newDevice(&fakeBackend{reads: []string{"not registered"}})
	registered := make(chan struct{})
	go func() {
		defer close(registered)
		for range 100 {
			registry.Vars("p", map[string]any{"late": &varLate})
		}
	}()
	for range 100 {
		if err := dev.Launch(constNone, Dim(1), []float32{1}); err != nil {
			t.Fatal(err)
		}
	}
	<-registered
}

// TestSpecializationsAtOnce launches from many goroutines: each specialization is built
// once, and errors are not kept.
func TestSpecializationsAtOnce(t *testing.T) {
	b := &fakeBackend{err: errors.New("broken")}
	dev := newDevice(b)
	if err := dev.Launch(constInt, Dim(1), C(1)); err == nil {
		t.Error("no error")
	}
	b.err = nil
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 100 {
				if err := dev.Launch(constInt, Dim(1), C(i%10)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if len(b.loads) != 10 || b.runs.Load() != 800 {
		t.Errorf("%d loads, %d runs", len(b.loads), b.runs.Load())
	}
}

// TestHotLaunchAllocates finds the program of a specialization that exists, without allocating.
func TestHotLaunchAllocates(t *testing.T) {
	dev := newDevice(&fakeBackend{})
	kernel, d := innerKernel(NewKernel(constMixed)), innerDevice(dev)
	consts := []any{C(1), C(2)}
	if err := d.Specialize(kernel, consts); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { _ = d.Specialize(kernel, consts) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkProgram finds the program of a specialization that exists: what constants and
// package variables add to a launch.
func BenchmarkProgram(b *testing.B) {
	backend := &fakeBackend{}
	dev := newDevice(backend)
	variables := map[string]any{}
	numbers := make([]int64, 10)
	for i := range numbers {
		name := "number" + string(rune('0'+i))
		variables[name] = &numbers[i]
		backend.reads = append(backend.reads, name)
	}
	registry.Vars("p", variables)
	reads := backend.reads
	for _, bm := range []struct {
		name   string
		kernel any
		consts []any
		vars   int
	}{
		{"none", constNone, nil, 0},
		{"int", constInt, []any{C(512)}, 0},
		{"struct", constTuning, []any{C(tuning{1, 2, "name", once})}, 0},
		{"func", constFunc, []any{C(once)}, 0},
		{"three", constMixed, []any{C(512), C(513)}, 0},
		{"receiver", scaled{2}, nil, 0},
		{"1 variable", constBool, []any{C(true)}, 1},
		{"10 variables", constMode, []any{C(mode(1))}, 10},
	} {
		b.Run(bm.name, func(b *testing.B) {
			backend.reads = reads[:bm.vars]
			k, d := innerKernel(NewKernel(bm.kernel)), innerDevice(dev)
			b.ReportAllocs()
			for b.Loop() {
				if err := d.Specialize(k, bm.consts); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
