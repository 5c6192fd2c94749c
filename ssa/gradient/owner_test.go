package gradient_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/gradient"
)

// Additions to gradients are atomic exactly where threads may share an element.
func TestOwners(t *testing.T) {
	tests := []struct {
		body             string
		atomics, overlap int // additions with atomics: for slices that are apart, and for those that are not
	}{
		{"y[i] = x[i] * 2", 0, 0},
		{"y[i] = x[i] * x[i+4]", 2, 2},                // thread 0 adds where thread 4 does
		{"y[i] = x[3*i] + x[3*i+1] * x[3*i+2]", 0, 3}, // y is used in another pattern
		{"y[i] = x[3*i] + x[3*i+3]", 2, 2},
		{"y[i] = x[2*i-1] + x[2*i]", 0, 2},
		{"y[i] = x[i] + x[2*i]", 2, 2},
		{"y[i] = x[3-i]", 1, 1},
		{"y[i] = x[0]", 1, 1},
		{"y[i] = x[n]", 1, 1},
		{"y[i] = x[i*n]", 1, 1},
		{"y[i] = x[i&3]", 1, 1},
		{"y[0] = 1\n\ty[i+1] = x[i]", 0, 1},
		{"qd.AtomicAdd(&y[0], x[i])", 0, 1},
		{"qd.AtomicAdd(&y[0], x[i]*x[i])", 0, 3}, // one of them in the forward sweep, as x may be y
		{"y[i] = x[i+1]\n\ty[i] += x[i+1]", 0, 3},
		{"y[i] += x[i]\n\ty[i+1] = 0", 1, 2}, // the old y[i] is another thread's too
		{"copy(y[i:i+1], x[i:])", 1, 1},
	}
	lib := library(t)
	for _, tt := range tests {
		text := "package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc k(t qd.Thread, n int, x, y []float32) {\n\ti := t.ID()\n\t" + tt.body + "\n\t_ = i\n}\n"
		m := lower(t, lib, text, "k")
		for overlap, want := range map[bool]int{false: tt.atomics, true: tt.overlap} {
			b, err := gradient.Of(m.Kernels()[0], gradient.Options{Overlap: overlap, Scatter: true}) // see TestGather
			if err != nil {
				t.Fatal(err)
			}
			got := 0
			b.Kernel.Body.Walk(func(in *ssa.Instr) {
				if in.Op == ssa.OpAtomic {
					got++
				}
			})
			if got != want {
				t.Errorf("%s, overlap %v: %d atomic additions, not %d\n%v", tt.body, overlap, got, want, b.Kernel)
			}
		}
	}
}

// A backward kernel has copies of those arrays only of which it needs what they had before the launch, and which it writes again.
func TestCopies(t *testing.T) {
	const x, y = 3, 4
	tests := []struct {
		body           string
		apart, overlap []int
	}{
		{"y[i] += x[i]", nil, nil},
		{"y[i] += 2*x[i]\n\tx[i] = 0", nil, nil},
		{"y[i] += x[i]*x[i]", nil, []int{y}},
		{"y[i] += x[i] + y[i+1]", nil, nil},
		{"y[i] *= x[i]", []int{y}, []int{y}},
		{"y[i] += x[i]\n\tx[i] *= x[i]", []int{x}, []int{x, y}},
		{"for k := range n {\n\t\ty[i] += x[k]\n\t}", nil, nil},
		{"for y[i] < 3 {\n\t\ty[i] += x[i]\n\t}", []int{y}, []int{y}}, // it tells how often the loop runs
		{"for k := range n {\n\t\ty[i] += x[k]\n\t\tif y[i] > 3 {\n\t\t\ty[i] = 0.5\n\t\t}\n\t}", []int{y}, []int{y}},
		{"y[at[i]] += x[i]\n\tat[i] = 0", []int{2}, []int{2, y}},
		{"y[i] += x[i]\n\tat[i]++", nil, nil},
		{"copy(y[i:], y[i+1:i+2])", nil, nil},
		{"copy(y[i:], y[i+1:i+2])\n\tx[i] *= y[i]", []int{x, y}, []int{x, y}},
		{"x[i] += 1\n\ty[i] += x[i]\n\tx[i+1] = y[i]*y[i+1]", []int{x, y}, []int{x, y}},
	}
	lib := library(t)
	for _, tt := range tests {
		text := "package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc k(t qd.Thread, n int, at []int, x, y []float32) {\n\ti := t.ID()\n\t" + tt.body + "\n\t_ = i\n}\n"
		m := lower(t, lib, text, "k")
		for overlap, want := range map[bool][]int{false: tt.apart, true: tt.overlap} {
			b, err := gradient.Of(m.Kernels()[0], gradient.Options{Overlap: overlap})
			if err != nil {
				t.Errorf("%s: %v", tt.body, err)
				continue
			}
			if !slices.Equal(b.Copies, want) {
				t.Errorf("%s, overlap %v: copies of %v, not of %v\n%v", tt.body, overlap, b.Copies, want, b.Kernel)
			}
		}
	}
}

// A backward kernel does nothing to the gradients of constants, and computes nothing for them.
func TestConstants(t *testing.T) {
	const x, y, w = 3, 4, 5
	tests := []struct {
		body string
		uses map[uint64][]int // by the constants: the parameters whose gradients are read or written
	}{
		{"y[i] += x[i]*w[i]", map[uint64][]int{0: {x, y, w}, 1 << (x - 1): {y, w}, 1<<(x-1) | 1<<(w-1): {y}}},
		{"y[i] = x[at[i]]\n\ty[i] *= w[0]", map[uint64][]int{1 << (x - 1): {y, w}, 1 << (w - 1): {x, y}}},
		{"copy(y, x)", map[uint64][]int{0: {x, y}, 1 << (x - 1): {y}}},
		{"own(&y[i], x, i)", map[uint64][]int{1 << (x - 1): {x, y}}}, // its own gradient adds to that of x
	}
	lib := library(t)
	for _, tt := range tests {
		text := "package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc k(t qd.Thread, n int, at []int, x, y, w []float32) {\n\ti := t.ID()\n\t" + tt.body + `
	_ = i
}

func own(p *float32, x []float32, i int) { *p += x[i] }

//qd:gradient own
func ownGradient(p *float32, x []float32, i int, pGrad *float32, xGrad []float32) { qd.AtomicAdd(&xGrad[i], *pGrad) }
`
		m := lower(t, lib, text, "k")
		for constants, want := range tt.uses {
			b, err := gradient.Of(m.Kernels()[0], gradient.Options{Constants: constants})
			if err != nil {
				t.Errorf("%s: %v", tt.body, err)
				continue
			}
			var got []int
			uses := new(analysis.Summaries).Memory(b.Kernel)
			for i, g := range b.Gradients {
				if uses.Use(b.Kernel.Params()[6+i])&(analysis.Read|analysis.Written) != 0 {
					got = append(got, g)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, constants %b: it uses the gradients of %v, not %v\n%v", tt.body, constants, got, want, b.Kernel)
			}
		}
	}
}
