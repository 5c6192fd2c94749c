package gradient_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
	"github.com/qdgen/qd/ssa/interp"
)

// A stencilRun is a launch of a kernel: slices of floats are as long as their numbers say.
type stencilRun struct {
	kernel string
	dim    [4]int64
	args   []any // int for an int, floats(n), view{...}, indices(n)
	how    int   // what is expected of the additions to neighbours' gradients
}

// What is expected.
const (
	gathers   = iota // they are gathered
	unchecked        // they are gathered, and there is nothing that a launch must check
	scatters         // they could be gathered, but not in this launch
	atomics          // they are atomic in any launch
)

type (
	floats  int
	indices int
	view    struct{ rows, columns, stride int }
)

func dims(n ...int64) (d [4]int64) {
	d = [4]int64{1, 1, 1, 1}
	copy(d[:], n)
	return d
}

var stencilRuns = []stencilRun{
	{"clamped", dims(9), []any{9, floats(9), floats(9)}, gathers},
	{"clamped", dims(7), []any{9, floats(9), floats(9)}, gathers}, // fewer threads than elements
	{"clamped", dims(1), []any{1, floats(1), floats(1)}, gathers},
	{"clamped", dims(12), []any{5, floats(12), floats(12)}, scatters}, // the last element is clamped to by many
	{"clamped", dims(3, 3), []any{9, floats(9), floats(9)}, gathers},  // the flat index
	{"inner", dims(9), []any{9, floats(9), floats(9)}, unchecked},
	{"inner", dims(20), []any{9, floats(9), floats(9)}, unchecked},
	{"inner", dims(4), []any{9, floats(9), floats(9)}, unchecked}, // the element behind the last thread has a gradient too
	{"inner", dims(2, 3), []any{9, floats(9), floats(9)}, unchecked},
	{"inner", dims(1), []any{2, floats(2), floats(2)}, unchecked},
	{"shifted", dims(6), []any{9, floats(9), floats(9)}, unchecked},
	{"shifted", dims(1), []any{9, floats(4), floats(4)}, unchecked},
	{"heat", dims(5, 7), []any{5, 7, floats(35), floats(35)}, gathers},
	{"heat", dims(8, 9), []any{5, 7, floats(35), floats(35)}, gathers}, // more threads than elements
	{"heat", dims(3, 4), []any{5, 7, floats(35), floats(35)}, gathers}, // and fewer
	{"heat", dims(1, 1), []any{1, 1, floats(1), floats(1)}, gathers},
	{"insulated", dims(5, 7), []any{floats(35), floats(35)}, gathers},
	{"insulated", dims(1, 7), []any{floats(7), floats(7)}, gathers},
	{"insulated", dims(6, 1), []any{floats(6), floats(6)}, gathers},
	{"interior", dims(3, 5), []any{7, floats(35), floats(35)}, gathers},
	{"interior", dims(1, 1), []any{3, floats(9), floats(9)}, gathers},
	{"interior", dims(3, 6), []any{7, floats(36), floats(36)}, scatters}, // the last thread of a row reads the next row
	{"blur", dims(5, 7), []any{view{5, 7, 7}, view{5, 7, 7}}, gathers},
	{"blur", dims(6, 8), []any{view{5, 7, 9}, view{5, 7, 7}}, gathers},
	{"blur", dims(3, 4), []any{view{5, 7, 7}, view{5, 7, 8}}, gathers},
	{"blur", dims(4, 4), []any{view{4, 4, 2}, view{4, 4, 4}}, scatters}, // rows that overlap
	{"wave", dims(5, 7), []any{5, 7, floats(35), floats(35), floats(35)}, gathers},
	{"wave", dims(6, 9), []any{5, 7, floats(35), floats(35), floats(35)}, gathers},
	{"wave", dims(4, 3), []any{5, 7, floats(35), floats(35), floats(35)}, gathers},
	{"volume", dims(4, 5, 6), []any{4, 5, 6, floats(120), floats(120)}, gathers},
	{"volume", dims(5, 5, 8), []any{4, 5, 6, floats(120), floats(120)}, gathers},
	{"volume", dims(2, 3, 4), []any{4, 5, 6, floats(120), floats(120)}, gathers},
	{"coarse", dims(6), []any{12, floats(12), floats(6)}, unchecked},
	{"coarse", dims(9), []any{12, floats(12), floats(6)}, unchecked},
	{"coarse", dims(3), []any{12, floats(12), floats(6)}, unchecked},
	{"reversed", dims(9), []any{9, floats(9), floats(9)}, unchecked},
	{"reversed", dims(5), []any{9, floats(9), floats(9)}, unchecked},
	{"columns", dims(5), []any{3, floats(18), floats(5)}, gathers},
	{"columns", dims(5), []any{1, floats(7), floats(5)}, scatters}, // the second element of a row is the first one of the next
	{"columns", dims(5), []any{0, floats(7), floats(5)}, scatters},
	{"overflows", dims(5), []any{2, floats(9), floats(5)}, gathers},
	{"overflows", dims(5), []any{1 << 62, floats(1), floats(5)}, scatters},
	{"wraps", dims(4, 6), []any{6, floats(24), floats(24)}, scatters},
	{"wraps", dims(4, 5), []any{6, floats(24), floats(24)}, gathers},
	{"wraps", dims(2, 8), []any{6, floats(14), floats(14)}, scatters}, // rows of threads that overlap
	{"chosen", dims(8), []any{indices(8), floats(8), floats(8)}, atomics},
	{"periodic", dims(8), []any{8, floats(8), floats(8)}, atomics},
	{"weighted", dims(9), []any{9, floats(3), floats(9), floats(9)}, unchecked},
	{"weighted", dims(5), []any{9, floats(3), floats(9), floats(9)}, unchecked},
	{"twice", dims(6), []any{6, floats(6), floats(12)}, atomics},
	{"interleaved", dims(6), []any{6, floats(6), floats(12)}, unchecked},
	{"interleaved", dims(4), []any{6, floats(6), floats(12)}, unchecked},
	{"pairs", dims(6), []any{6, floats(12), floats(12)}, unchecked},
	{"pointwise", dims(4, 6), []any{6, floats(24), floats(24)}, gathers},
	{"pointwise", dims(4, 5), []any{6, floats(24), floats(24)}, gathers},
	{"roundedTurns", dims(9), []any{9, floats(9), floats(9)}, unchecked},
	{"roundedSines", dims(9), []any{9, floats(9), floats(9)}, unchecked},
	{"roundedSines", dims(12), []any{9, floats(9), floats(9)}, unchecked},
	{"roundedDear", dims(9), []any{9, floats(9), floats(9)}, atomics},
}

// memory are the arguments of a run, and their gradients behind them.
type stencilMemory struct {
	interp.Buffers
	bytes  [][]byte
	floats [][]byte // of the gradients
}

// newStencilMemory makes arguments of a kernel: of small integers, which sums and products are exact of.
func newStencilMemory(k *ssa.Func, run stencilRun, seed uint64) *stencilMemory {
	m := new(stencilMemory)
	r := rand.New(rand.NewPCG(seed, 7))
	slice := func(n int) ([]byte, []byte) {
		var p []byte
		for range n {
			p = binary.LittleEndian.AppendUint64(p, math.Float64bits(float64(r.IntN(9)-4)))
		}
		return p, interp.SliceArg(m.Add(p), n)
	}
	var gradients [][]byte
	for i, arg := range run.args {
		switch arg := arg.(type) {
		case int:
			m.bytes = append(m.bytes, binary.LittleEndian.AppendUint64(nil, uint64(arg)))
		case indices:
			var p []byte
			for range int(arg) {
				p = binary.LittleEndian.AppendUint64(p, uint64(r.IntN(int(arg))))
			}
			m.bytes = append(m.bytes, interp.SliceArg(m.Add(p), int(arg)))
		default:
			var made [2][]byte
			for k2 := range made {
				var p, b []byte
				switch arg := arg.(type) {
				case floats:
					p, b = slice(int(arg))
					if elem := k.Params()[1+i].Type.(ssa.Slice).Elem; elem.Size() != 8 {
						binary.LittleEndian.PutUint64(b[8:], uint64(int(arg)*8/elem.Size()))
					}
				case view:
					p, b = slice((arg.rows-1)*arg.stride + arg.columns)
					for _, n := range []int{arg.rows, arg.columns, arg.stride, 1} {
						b = binary.LittleEndian.AppendUint64(b, uint64(n))
					}
				}
				if made[k2] = b; k2 == 1 {
					m.floats = append(m.floats, p)
				}
			}
			m.bytes = append(m.bytes, made[0])
			gradients = append(gradients, made[1])
		}
	}
	m.bytes = append(m.bytes, gradients...)
	return m
}

// back runs what differentiates, and gives the gradients.
func (run stencilRun) back(k *ssa.Func, b *gradient.Backward, seed uint64) ([]float64, error) {
	m := newStencilMemory(k, run, seed)
	var err error
	if b.Gather != nil {
		err = launchGather(b.Gather, b.Kernel, &m.Buffers, m.bytes, run.dim)
	} else {
		err = launchOver(newRunner(nil).program(b.Kernel), &m.Buffers, m.bytes, run.dim, volume(run.dim))
	}
	var list []float64
	for _, p := range m.floats {
		for at := 0; at < len(p); at += 8 {
			list = append(list, math.Float64frombits(binary.LittleEndian.Uint64(p[at:])))
		}
	}
	return list, err
}

// errForward says that the launch of the kernel itself has failed.
var errForward = errors.New("the launch fails")

// compare compares gradients that are gathered with those by atomic additions.
func (run stencilRun) compare(m *ssa.Module, exact bool) error {
	k := m.Kernels()[0]
	scatter, err := gradient.Of(k, gradient.Options{Scatter: true})
	if err != nil {
		return err
	}
	gather, err := gradient.Of(k, gradient.Options{})
	if err != nil {
		return err
	}
	if err := ssa.Verify(moduleOf(m, gather)); err != nil {
		return err
	}
	for seed := range uint64(3) {
		forward := newStencilMemory(k, run, seed)
		if err := launchOver(newRunner(nil).program(k), &forward.Buffers, forward.bytes[:len(run.args)], run.dim, volume(run.dim)); err != nil {
			return fmt.Errorf("%w: %w", errForward, err)
		}
		want, err := run.back(k, scatter, seed)
		if err != nil {
			return fmt.Errorf("with atomic additions: %w", err)
		}
		got, err := run.back(k, gather, seed)
		if err != nil {
			return fmt.Errorf("gathered: %w", err)
		}
		for i := range want {
			near := 0.0
			if !exact {
				near = 1e-12 * (1 + math.Abs(want[i]))
			}
			if !(math.Abs(got[i]-want[i]) <= near) {
				return fmt.Errorf("seed %d: derivative %d is %v, not %v", seed, i, got[i], want[i])
			}
		}
	}
	return nil
}

// outcome is what happens to the additions of a run.
func (run stencilRun) outcome(k *ssa.Func) int {
	b, err := gradient.Of(k, gradient.Options{})
	if err != nil {
		return -1
	}
	switch {
	case b.Gather == nil:
		return atomics
	case len(b.Gather.Holds) == 0:
		return unchecked
	}
	m := newStencilMemory(k, run, 1)
	holds := b.Gather.Holds.Hold(func(n gradient.Number) int64 {
		switch {
		case n.Dim && n.Axis == 0 && b.Gather.Flat:
			return volume(run.dim)
		case n.Dim:
			return run.dim[n.Axis]
		}
		return int64(binary.LittleEndian.Uint64(m.bytes[n.Param-1][n.Offset:]))
	})
	if holds {
		return gathers
	}
	return scatters
}

// A gather adds each contribution once, in launches that are smaller than the arrays, of their size, and larger. It has atomic
// additions only where threads choose the elements.
func TestGather(t *testing.T) {
	text, err := os.ReadFile("testdata/stencils.go")
	if err != nil {
		t.Fatal(err)
	}
	lib := library(t)
	names := kernelsOf(t, string(text))
	modules := make(map[string]*ssa.Module)
	for _, run := range stencilRuns {
		if modules[run.kernel] == nil {
			modules[run.kernel] = lower(t, lib, string(text), run.kernel)
			names = slices.DeleteFunc(names, func(name string) bool { return name == run.kernel })
		}
		m := modules[run.kernel]
		if err := run.compare(m, !strings.HasPrefix(run.kernel, "rounded")); err != nil {
			b, _ := gradient.Of(m.Kernels()[0], gradient.Options{})
			t.Errorf("%s, %v, %v: %v\n%v", run.kernel, run.dim, run.args, err, moduleOf(m, b))
		}
		if how := run.outcome(m.Kernels()[0]); how != run.how {
			t.Errorf("%s, %v, %v: what happens is %d, not %d", run.kernel, run.dim, run.args, how, run.how)
		}
	}
	if len(names) > 0 {
		t.Errorf("no launch of %v", names)
	}
}

// The remarks say what is gathered.
func TestGatherRemarks(t *testing.T) {
	text, err := os.ReadFile("testdata/stencils.go")
	if err != nil {
		t.Fatal(err)
	}
	lib := library(t)
	for name, want := range map[string]string{
		"inner":   "a kernel gathers for xGrad what threads at 3 offsets would add, by plain additions",
		"clamped": "a kernel gathers for xGrad what threads at 3 offsets would add, by plain additions, in launches whose sizes allow it; in others they are atomic",
		"chosen":  "",
	} {
		got := ""
		_, err := gradient.Telling(lower(t, lib, string(text), name).Kernels()[0], gradient.Options{}, func(r ssa.Remark) {
			if strings.Contains(r.Text, "gathers") {
				got += r.Text
			}
		})
		if err != nil || got != want {
			t.Errorf("%s: %q, not %q (%v)", name, got, want, err)
		}
	}
}
