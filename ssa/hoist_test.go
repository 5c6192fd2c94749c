package ssa

import (
	le "encoding/binary"
	"encoding/json"
	"math"
	"testing"
)

// hoistLaunch is a launch, and whether the test must hold in it.
type hoistLaunch struct {
	dims  []int64
	n, w  int64
	len   int64 // of s
	holds bool
}

// hoistCases are bodies of a kernel (t, n, w int64, s []int64, v View): checks are of
// s, or of v's slice, which is as long.
var hoistCases = []struct {
	name     string
	rank     int
	build    func(b builder, p []*Value)
	left     int // checks in the kernel without the hoisted ones
	launches []hoistLaunch
}{
	{"the thread's own element", 1, func(b builder, p []*Value) {
		b.check(CheckIndex, b.op(OpThreadID, p[0]), b.op(OpLen, p[3]))
	}, 0, []hoistLaunch{{[]int64{8}, 0, 0, 8, true}, {[]int64{9}, 0, 0, 8, false}, {[]int64{1}, 0, 0, 0, false}}},

	{"neighbours under a guard", 1, func(b builder, p []*Value) {
		id := b.op(OpThreadID, p[0])
		one, n := b.int(Int64, 1), b.op(OpLen, p[3])
		when(b, andAlso(b, b.op(OpGt, id, b.int(Int64, 0)), func(b builder) *Value { return b.op(OpLt, id, b.op(OpSub, p[1], one)) }), func(b builder) {
			b.check(CheckIndex, b.op(OpSub, id, one), n)
			b.check(CheckIndex, b.op(OpAdd, id, one), n)
		})
	}, 0, []hoistLaunch{{[]int64{256}, 100, 0, 100, true}, {[]int64{256}, 101, 0, 100, false}, {[]int64{100}, 1 << 40, 0, 101, true},
		{[]int64{100}, 1 << 40, 0, 100, false}, {[]int64{256}, -5, 0, 0, true}, {[]int64{256}, math.MinInt64, 0, 100, false}}},

	{"rows", 2, func(b builder, p []*Value) {
		y := b.Append(&Instr{Op: OpThreadID, Axis: 0, Rank: 2, Args: p[:1]}, Int64).Result()
		x := b.Append(&Instr{Op: OpThreadID, Axis: 1, Rank: 2, Args: p[:1]}, Int64).Result()
		when(b, andAlso(b, b.op(OpLt, y, p[1]), func(b builder) *Value { return b.op(OpLt, x, p[2]) }), func(b builder) {
			b.check(CheckIndex, b.op(OpAdd, b.op(OpMul, y, p[2]), x), b.op(OpLen, p[3]))
		})
	}, 0, []hoistLaunch{{[]int64{16, 16}, 10, 12, 120, true}, {[]int64{16, 16}, 10, 12, 119, false}, {[]int64{4, 3}, 1 << 40, 4, 15, true},
		{[]int64{4, 3}, 1 << 40, 4, 14, false}, {[]int64{4, 5}, 1 << 40, 1 << 62, 100, false}}},

	{"loops", 1, func(b builder, p []*Value) {
		n := b.op(OpLen, b.field(p[4], 0))
		count(b, b.int(Int64, 0), p[1], OpLt, 1, func(b builder, i *Value) {
			count(b, i, p[2], OpLt, 1, func(b builder, j *Value) { b.check(CheckIndex, j, n) })
			b.check(CheckIndex, b.op(OpAdd, b.op(OpMul, i, b.field(p[4], 1)), b.op(OpThreadID, p[0])), n)
		})
	}, 0, []hoistLaunch{{[]int64{4}, 3, 10, 12, true}, {[]int64{4}, 3, 13, 12, false}, {[]int64{5}, 3, 10, 12, false}, {[]int64{5}, 0, 99, 0, true}}},

	{"what memory says is not known", 1, func(b builder, p []*Value) {
		n := b.op(OpLen, p[3])
		id := b.op(OpThreadID, p[0])
		b.check(CheckIndex, id, n)
		at := b.op(OpLoad, b.op(OpIndexAddr, p[3], id))
		b.check(CheckIndex, at, n)
		b.check(CheckDivide, at)
		b.check(CheckDivide, p[1])
		b.check(CheckShift, p[2])
	}, 2, []hoistLaunch{{[]int64{8}, 1, 1, 8, true}, {[]int64{8}, 0, 1, 8, false}, {[]int64{8}, -1, 0, 8, true}, {[]int64{8}, 1, -1, 8, false}}},

	{"a row as a slice", 2, func(b builder, p []*Value) {
		y := b.Append(&Instr{Op: OpThreadID, Axis: 0, Rank: 2, Args: p[:1]}, Int64).Result()
		next := b.op(OpAdd, y, b.int(Int64, 1))
		b.check(CheckSlice, b.op(OpMul, y, p[2]), b.op(OpMul, next, p[2]), b.op(OpLen, p[3]))
		b.check(CheckSlice, y, b.op(OpAdd, y, p[1]), b.op(OpLen, p[3]))
	}, 0, []hoistLaunch{{[]int64{10, 3}, 0, 7, 70, true}, {[]int64{10, 3}, 0, 7, 69, false}, {[]int64{10, 3}, 61, 7, 70, true}, {[]int64{10, 3}, 62, 7, 70, false},
		{[]int64{10, 3}, 0, -1, 70, false}, {[]int64{10, 3}, -1, 7, 70, false}, {[]int64{10, 3}, 0, 1 << 62, 70, false}}},

	{"a slice whose ends a guard knows, but they wrap", 1, func(b builder, p []*Value) {
		id := b.op(OpThreadID, p[0])
		low, high := b.op(OpMul, id, p[2]), b.op(OpMul, b.op(OpAdd, id, b.int(Int64, 1)), p[2])
		end := b.op(OpAdd, id, p[2])
		n := b.op(OpLen, p[3])
		when(b, andAlso(b, b.op(OpGe, low, b.int(Int64, 0)), func(b builder) *Value { return b.op(OpLe, high, n) }), func(b builder) {
			b.check(CheckSlice, low, high, n)
		})
		when(b, b.op(OpLe, end, n), func(b builder) { b.check(CheckSlice, id, end, n) })
	}, 0, []hoistLaunch{{[]int64{2}, 0, 7, 70, true}, {[]int64{2}, 0, 1 << 62, 70, false}, {[]int64{2}, 0, math.MaxInt64, 70, false}, {[]int64{2}, 0, -1, 70, false}}},

	{"slices and clamps", 1, func(b builder, p []*Value) {
		n := b.op(OpLen, p[3])
		zero, one := b.int(Int64, 0), b.int(Int64, 1)
		id := b.op(OpThreadID, p[0])
		b.check(CheckIndex, b.op(OpMin, b.op(OpMax, b.op(OpSub, id, one), zero), b.op(OpSub, n, one)), n)
		b.check(CheckSlice, zero, p[1], n)
	}, 0, []hoistLaunch{{[]int64{80}, 8, 0, 8, true}, {[]int64{80}, 9, 0, 8, false}, {[]int64{80}, -1, 0, 8, false}, {[]int64{1}, 0, 0, 0, false}}},
}

func TestHoistChecks(t *testing.T) {
	view := StructOf("View", Field{"data", Slice{Int64}}, Field{"stride", Int64})
	for _, tc := range hoistCases {
		m := kernelOf("k", []*Value{arg(Int64, "n"), arg(Int64, "w"), arg(Slice{Int64}, "s"), arg(view, "v")}, func(b builder, p []*Value) {
			tc.build(b, p)
			b.ret()
		})
		m.Funcs[0].Rank = tc.rank
		Optimize(m, nil)
		fast, test := HoistChecks(m.Funcs[0])
		if fast == nil {
			t.Errorf("%s: nothing is hoisted from\n%s", tc.name, m)
			continue
		}
		m.Funcs = append(m.Funcs, fast)
		if err := Verify(m); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		left := 0
		fast.Body.Walk(func(in *Instr) {
			if in.Op == OpCheck {
				left++
			}
		})
		if left != tc.left || fast.Name != "k.hoisted" || !m.Funcs[0].hasChecks() {
			t.Errorf("%s: %d checks are left of\n%s\nin\n%s", tc.name, left, m.Funcs[0], fast)
		}
		text, err := json.Marshal(test)
		if err != nil {
			t.Fatal(err)
		}
		test = new(LaunchTest)
		if err := json.Unmarshal(text, test); err != nil {
			t.Fatal(err)
		}
		for _, l := range tc.launches {
			number := func(x int64) []byte { return le.LittleEndian.AppendUint64(nil, uint64(x)) }
			slice := append(number(0), number(l.len)...)
			args := [][]byte{number(l.n), number(l.w), slice, append(slice[:16:16], number(4)...)}
			if got := test.Holds(l.dims, args); got != l.holds {
				t.Errorf("%s: %+v: holds: %v\n%s\n%s", tc.name, l, got, text, m.Funcs[0])
			}
		}
	}
}

// TestHoistNothing is about functions for which there is no launch to ask.
func TestHoistNothing(t *testing.T) {
	for name, change := range map[string]func(f *Func){
		"a device function":   func(f *Func) { f.Kernel = false },
		"a kernel for a grid": func(f *Func) { f.Kind = GridKernel },
		"no checks":           func(f *Func) { f.Body.Instrs = f.Body.Instrs[2:] },
		"no formula":          func(f *Func) { f.Body.Instrs[1].Check = CheckAssert },
	} {
		m := kernelOf("k", []*Value{arg(Bool, "c")}, func(b builder, p []*Value) {
			id := b.op(OpThreadID, p[0])
			b.check(CheckIndex, id, id)
			b.ret()
		})
		change(m.Funcs[0])
		if name == "no formula" {
			m.Funcs[0].Body.Instrs[1].Args = m.Funcs[0].Params()[1:2]
		}
		if fast, test := HoistChecks(m.Funcs[0]); fast != nil || test != nil {
			t.Errorf("%s: something is hoisted", name)
		}
	}
}
