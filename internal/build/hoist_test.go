package build_test

import (
	"encoding/binary"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/library"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/target"
)

// The launch answers checks in functions, of what functions compute, and of neighbours around an edge.
func TestHoistedChecks(t *testing.T) {
	const wide, high = 7, 5
	for name, tt := range map[string]struct {
		body string
		left int // checks that each thread still answers
	}{
		"of what a function computes":       {"x[at(i, j, m)] = 1", 0},
		"in a function":                     {"x[0] = get(x, i*m+j)", 0},
		"in a function of another":          {"x[0] = mean(x, i, j, m)", 0},
		"of a view, but that it fits":       {"v := qd.ViewOf2(x, n, m); v.Set(i, j, v.At(qd.Clamp(i-1, 0, n-1), qd.Clamp(j+1, 0, m-1)))", 1},
		"around an edge":                    {"k := j - 1; if k < 0 { k += m }; x[i*m+k] = 1", 0},
		"around two edges":                  {"k, l := j-1, i+1; if k < 0 { k += m }; if l == n { l = 0 }; x[l*m+k] = 1", 0},
		"around an edge, in a function":     {"x[at(i, around(j-1, m), m)] = 1", 0},
		"of one of two, where control ends": {"k := j; if k == 3 { return } else { k++ }; if k < m { x[i*m+k] = 1 }", 0},
		"of what a thread reads":            {"x[at(int(x[i*m+j]), 0, 1)] = 1", 1},
		"of what was checked":               {"k := int(x[i*m+j]); x[k] = 1; x[k+1] = 2; x[k-1] = 3; y[k] = 4; y[k+1] = 5", 3},
		"of a recursion":                    {"x[i*m+j] = x[down(i*m+j)]", 1},
	} {
		t.Run(name, func(t *testing.T) {
			h := hoistedOf(t, `
func at(i, j, m int) int { return i*m + j }

func around(j, m int) int {
	if j < 0 {
		return j + m
	}
	return j
}

func get(x []float32, k int) float32 { return x[k] }

func mean(x []float32, i, j, m int) float32 { return (get(x, at(i, j, m)) + get(x, at(i, 0, m))) / 2 }

func down(k int) int {
	if k > 100 {
		return down(k - 100)
	}
	return k
}

//qd:kernel
func kernel(t qd.Thread, x, y []float32) {
	i, j := t.ID2()
	n, m := t.Dim(0), t.Dim(1)
	_, _ = n, m
	`+tt.body+`
}
`)
			if left := opt.NumChecks(h.Fast.Body); left != tt.left {
				t.Errorf("%d checks are left in\n%s", left, h.Fast)
			}
			for length, want := range map[int64]bool{wide*high - 1: false, wide * high: true} {
				x, y := make([]byte, 16), make([]byte, 16)
				x[8], y[8] = byte(length), wide*high+1
				if got := h.When.Holds(target.LaunchSize{Dims: []int64{high, wide}, Block: ssa.DefaultBlockDim}, [][]byte{x, y}); got != want {
					t.Errorf("%d elements: %t\n%s", length, got, h.Fast)
				}
			}
		})
	}
}

// The launch answers the checks of threads that work together in blocks.
func TestHoistedChecksOfBlocks(t *testing.T) {
	number := func(n int) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n)) }
	slice := func(n int) []byte { return append(number(0), number(n)...) }
	const blocks = 6
	for name, tt := range map[string]struct {
		kernel string
		dim    int64
		holds  [][][]byte // the arguments of launches that run without checks
		checks [][][]byte // and with them
	}{
		"a sum": {`func kernel(t qd.Thread, x, y []float32) {
	part := qd.Shared[float32](t, 256)
	lane := t.Lane()
	for i := t.ID(); i < len(x); i += t.Dim(0) {
		part[lane] += x[i]
	}
	t.Sync()
	for d := t.BlockDim() / 2; d > 0; d /= 2 {
		if lane < d {
			part[lane] += part[lane+d]
		}
		t.Sync()
	}
	if lane == 0 {
		y[t.BlockID()] = part[0]
	}
}`, 256 * blocks, [][][]byte{{slice(100), slice(blocks)}}, [][][]byte{{slice(100), slice(blocks - 1)}}},
		"a sum by lanes, of a number of blocks": {`func kernel(b qd.Block, blocks int, x, y []float32) {
	part := qd.Shared[float32](b, 256)
	b.For(256, func(lane int) {
		for i := b.ID()*256 + lane; i < len(x); i += blocks * 256 {
			part[lane] += x[i]
		}
	})
	for d := 256 / 2; d > 0; d >>= 1 {
		b.For(d, func(lane int) { part[lane] += part[lane+d] })
	}
	y[b.ID()] = part[0]
}`, blocks, [][][]byte{{number(blocks), slice(100), slice(blocks)}, {number(0), slice(100), slice(blocks)}},
			[][][]byte{{number(-1), slice(100), slice(blocks)}, {number(blocks), slice(100), slice(blocks - 1)}}},
		"tiles of matrices": {`func kernel(b qd.Block, n int, x, y []float32) {
	tile := qd.Shared[float32](b, 16*16)
	b2 := n / 16
	row, col := b.ID()/b2*16, b.ID()%b2*16
	for k := 0; k < n; k += 16 {
		b.For2(16, 16, func(i, j int) { tile[i*16+j] += x[(row+i)*n+k+j] + x[(k+i)*n+col+j] })
	}
	b.For(16*16, func(lane int) { y[(row+lane/16)*n+col+lane%16] = tile[lane] })
}`, 9, [][][]byte{{number(48), slice(48 * 48), slice(48 * 48)}, {number(60), slice(63*60 + 48), slice(60 * 60)}},
			[][][]byte{{number(48), slice(48*48 - 1), slice(48 * 48)}, {number(60), slice(63*60 + 47), slice(60 * 60)}, {number(15), slice(48 * 48), slice(48 * 48)}, {number(-48), slice(48 * 48), slice(48 * 48)}}},
	} {
		t.Run(name, func(t *testing.T) {
			h := hoistedOf(t, "//qd:kernel\n"+tt.kernel)
			if opt.NumChecks(h.Fast.Body) > 0 {
				t.Fatalf("threads answer checks:\n%s", h.Fast)
			}
			for want, launches := range map[bool][][][]byte{true: tt.holds, false: tt.checks} {
				for _, args := range launches {
					if got := h.When.Holds(target.LaunchSize{Dims: []int64{tt.dim}, Block: 256}, args); got != want {
						t.Errorf("%v: without checks: %t", args, got)
					}
				}
			}
		})
	}
}

// hoistedOf is what a launch answers of the checks of the function kernel in a source.
func hoistedOf(t *testing.T, source string) compile.Hoisted {
	source = "package p\n\nimport \"github.com/qdgen/qd\"\n\n" + source
	src := load.Chain(load.Map{"p": {Path: "p", Files: []load.File{{Name: "p.go", Src: []byte(source)}}}}, library.Sources())
	u := build.NewUnit(compile.CPU, src, load.Ref{Pkg: "p", Name: "kernel"}, build.Options{Checked: true})
	if err := u.RunTo(t.Context(), compile.Settle); err != nil {
		t.Fatal(err)
	}
	if len(u.Hoisted) != 1 {
		t.Fatalf("the launch answers nothing of\n%s", u.Module)
	}
	return u.Hoisted[0]
}
