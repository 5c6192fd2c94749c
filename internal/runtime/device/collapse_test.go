package device

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target"
)

// TestCollapsed is about the sizes that launches over short rows have on the CPU: the first number is the stride of rows in
// a plane, and the second one that of elements in a row.
func TestCollapsed(t *testing.T) {
	// is holds if a formula is equal to the product of the sizes from an axis on.
	is := func(arg, axis int) *target.LaunchTest {
		formulas := []target.Formula{{Op: ssa.OpLen, Type: ssa.Int64, Arg: arg}, {Op: ssa.OpThreadDim, Type: ssa.Int64, Axis: 2}}
		if axis == 1 {
			formulas = append(formulas, target.Formula{Op: ssa.OpThreadDim, Type: ssa.Int64, Axis: 1}, target.Formula{Op: ssa.OpMul, Type: ssa.Int64, Operands: []int{1, 2}})
		}
		size := len(formulas) - 1
		formulas = append(formulas, target.Formula{Op: ssa.OpSub, Type: ssa.Int64, Operands: []int{0, size}}, target.Formula{Op: ssa.OpSub, Type: ssa.Int64, Operands: []int{size, 0}})
		return &target.LaunchTest{Formulas: formulas, Checks: []target.LaunchCheck{{Check: ssa.CheckShift, Operands: []int{size + 1}}, {Check: ssa.CheckShift, Operands: []int{size + 2}}}}
	}
	both := []*target.LaunchTest{is(1, 2), is(0, 1)}
	params := []build.Param{{Offset: 0, Size: 8}, {Offset: 8, Size: 8}}
	all := &build.ABI{Lanes: 8, Params: params, Collapse: both}
	hoisted := &build.ABI{Lanes: 8, Params: params, Hoisted: &build.Hoisted{Collapse: both}}
	for _, tt := range []struct {
		abi        *build.ABI
		hoisted    bool
		size       [3]int
		plane, row int64
		want       [3]int
	}{
		{all, false, [3]int{5, 7, 3}, 21, 3, [3]int{1, 1, 105}},
		{all, false, [3]int{5, 7, 3}, 22, 3, [3]int{5, 1, 21}},
		{all, false, [3]int{5, 7, 3}, 21, 4, [3]int{5, 7, 3}},
		{all, false, [3]int{5, 7, 63}, 441, 63, [3]int{1, 1, 2205}},
		{all, false, [3]int{5, 7, 64}, 448, 64, [3]int{5, 7, 64}}, // long rows
		{all, false, [3]int{2, math.MaxInt32, 1}, math.MaxInt32, 1, [3]int{2, 1, math.MaxInt32}},
		{hoisted, true, [3]int{5, 7, 3}, 21, 3, [3]int{1, 1, 105}},
		{hoisted, false, [3]int{5, 7, 3}, 21, 3, [3]int{5, 7, 3}},
	} {
		buf := binary.NativeEndian.AppendUint64(nil, uint64(tt.plane))
		buf = binary.NativeEndian.AppendUint64(buf, uint64(tt.row))
		p := &cpuProgram{abi: tt.abi}
		l := &Launch{Kernel: &kernel.Kernel{Func: &kernel.Func{}}, Dim: dims.Of(tt.size[:]...)}
		got, ok := p.collapsed(l, buf, tt.hoisted)
		if want := dims.Of(tt.want[:]...); got != want || ok != (tt.want != tt.size) || !p.mayCollapse() {
			t.Errorf("%v with strides of %d and %d: %v, %v, want %v", tt.size, tt.plane, tt.row, got, ok, want)
		}
	}
}
