package target

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"

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
	build    func(b ssatest.Builder, p []*ssa.Value)
	left     int // checks in the kernel without the hoisted ones
	launches []hoistLaunch
}{
	{"the thread's own element", 1, func(b ssatest.Builder, p []*ssa.Value) {
		b.Check(ssa.CheckIndex, b.Op(ssa.OpThreadID, p[0]), b.Op(ssa.OpLen, p[3]))
	}, 0, []hoistLaunch{{[]int64{8}, 0, 0, 8, true}, {[]int64{9}, 0, 0, 8, false}, {[]int64{1}, 0, 0, 0, false}}},

	{"neighbours under a guard", 1, func(b ssatest.Builder, p []*ssa.Value) {
		id := b.Op(ssa.OpThreadID, p[0])
		one, n := b.Int(ssa.Int64, 1), b.Op(ssa.OpLen, p[3])
		ssatest.When(b, ssatest.AndAlso(b, b.Op(ssa.OpGt, id, b.Int(ssa.Int64, 0)), func(b ssatest.Builder) *ssa.Value { return b.Op(ssa.OpLt, id, b.Op(ssa.OpSub, p[1], one)) }), func(b ssatest.Builder) {
			b.Check(ssa.CheckIndex, b.Op(ssa.OpSub, id, one), n)
			b.Check(ssa.CheckIndex, b.Op(ssa.OpAdd, id, one), n)
		})
	}, 0, []hoistLaunch{{[]int64{256}, 100, 0, 100, true}, {[]int64{256}, 101, 0, 100, false}, {[]int64{100}, 1 << 40, 0, 101, true},
		{[]int64{100}, 1 << 40, 0, 100, false}, {[]int64{256}, -5, 0, 0, true}, {[]int64{256}, math.MinInt64, 0, 100, false}}},

	{"rows", 2, func(b ssatest.Builder, p []*ssa.Value) {
		y := b.Append(&ssa.Instr{Op: ssa.OpThreadID, Axis: 0, Rank: 2, Args: p[:1]}, ssa.Int64).Result()
		x := b.Append(&ssa.Instr{Op: ssa.OpThreadID, Axis: 1, Rank: 2, Args: p[:1]}, ssa.Int64).Result()
		ssatest.When(b, ssatest.AndAlso(b, b.Op(ssa.OpLt, y, p[1]), func(b ssatest.Builder) *ssa.Value { return b.Op(ssa.OpLt, x, p[2]) }), func(b ssatest.Builder) {
			b.Check(ssa.CheckIndex, b.Op(ssa.OpAdd, b.Op(ssa.OpMul, y, p[2]), x), b.Op(ssa.OpLen, p[3]))
		})
	}, 0, []hoistLaunch{{[]int64{16, 16}, 10, 12, 120, true}, {[]int64{16, 16}, 10, 12, 119, false}, {[]int64{4, 3}, 1 << 40, 4, 15, true},
		{[]int64{4, 3}, 1 << 40, 4, 14, false}, {[]int64{4, 5}, 1 << 40, 1 << 62, 100, false}}},

	{"loops", 1, func(b ssatest.Builder, p []*ssa.Value) {
		n := b.Op(ssa.OpLen, b.Field(p[4], 0))
		ssatest.Count(b, b.Int(ssa.Int64, 0), p[1], ssa.OpLt, 1, func(b ssatest.Builder, i *ssa.Value) {
			ssatest.Count(b, i, p[2], ssa.OpLt, 1, func(b ssatest.Builder, j *ssa.Value) { b.Check(ssa.CheckIndex, j, n) })
			b.Check(ssa.CheckIndex, b.Op(ssa.OpAdd, b.Op(ssa.OpMul, i, b.Field(p[4], 1)), b.Op(ssa.OpThreadID, p[0])), n)
		})
	}, 0, []hoistLaunch{{[]int64{4}, 3, 10, 12, true}, {[]int64{4}, 3, 13, 12, false}, {[]int64{5}, 3, 10, 12, false}, {[]int64{5}, 0, 99, 0, true}}},

	{"what memory says is not known", 1, func(b ssatest.Builder, p []*ssa.Value) {
		n := b.Op(ssa.OpLen, p[3])
		id := b.Op(ssa.OpThreadID, p[0])
		b.Check(ssa.CheckIndex, id, n)
		at := b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[3], id))
		b.Check(ssa.CheckIndex, at, n)
		b.Check(ssa.CheckDivide, at)
		b.Check(ssa.CheckDivide, p[1])
		b.Check(ssa.CheckShift, p[2])
	}, 2, []hoistLaunch{{[]int64{8}, 1, 1, 8, true}, {[]int64{8}, 0, 1, 8, false}, {[]int64{8}, -1, 0, 8, true}, {[]int64{8}, 1, -1, 8, false}}},

	{"a row as a slice", 2, func(b ssatest.Builder, p []*ssa.Value) {
		y := b.Append(&ssa.Instr{Op: ssa.OpThreadID, Axis: 0, Rank: 2, Args: p[:1]}, ssa.Int64).Result()
		next := b.Op(ssa.OpAdd, y, b.Int(ssa.Int64, 1))
		b.Check(ssa.CheckSlice, b.Op(ssa.OpMul, y, p[2]), b.Op(ssa.OpMul, next, p[2]), b.Op(ssa.OpLen, p[3]))
		b.Check(ssa.CheckSlice, y, b.Op(ssa.OpAdd, y, p[1]), b.Op(ssa.OpLen, p[3]))
	}, 0, []hoistLaunch{{[]int64{10, 3}, 0, 7, 70, true}, {[]int64{10, 3}, 0, 7, 69, false}, {[]int64{10, 3}, 61, 7, 70, true}, {[]int64{10, 3}, 62, 7, 70, false},
		{[]int64{10, 3}, 0, -1, 70, false}, {[]int64{10, 3}, -1, 7, 70, false}, {[]int64{10, 3}, 0, 1 << 62, 70, false}}},

	{"a slice whose ends a guard knows, but they wrap", 1, func(b ssatest.Builder, p []*ssa.Value) {
		id := b.Op(ssa.OpThreadID, p[0])
		low, high := b.Op(ssa.OpMul, id, p[2]), b.Op(ssa.OpMul, b.Op(ssa.OpAdd, id, b.Int(ssa.Int64, 1)), p[2])
		end := b.Op(ssa.OpAdd, id, p[2])
		n := b.Op(ssa.OpLen, p[3])
		ssatest.When(b, ssatest.AndAlso(b, b.Op(ssa.OpGe, low, b.Int(ssa.Int64, 0)), func(b ssatest.Builder) *ssa.Value { return b.Op(ssa.OpLe, high, n) }), func(b ssatest.Builder) {
			b.Check(ssa.CheckSlice, low, high, n)
		})
		ssatest.When(b, b.Op(ssa.OpLe, end, n), func(b ssatest.Builder) { b.Check(ssa.CheckSlice, id, end, n) })
	}, 0, []hoistLaunch{{[]int64{2}, 0, 7, 70, true}, {[]int64{2}, 0, 1 << 62, 70, false}, {[]int64{2}, 0, math.MaxInt64, 70, false}, {[]int64{2}, 0, -1, 70, false}}},

	{"a thread in its block", 1, func(b ssatest.Builder, p []*ssa.Value) {
		n := b.Op(ssa.OpLen, p[3])
		block, size := b.Op(ssa.OpBlockID, p[0]), b.Op(ssa.OpBlockDim, p[0])
		b.Check(ssa.CheckIndex, b.Op(ssa.OpAdd, b.Op(ssa.OpMul, block, size), b.Op(ssa.OpLane, p[0])), n)
	}, 0, []hoistLaunch{{[]int64{256}, 0, 0, 256, true}, {[]int64{256}, 0, 0, 255, false}, {[]int64{257}, 0, 0, 512, true}, {[]int64{257}, 0, 0, 511, false}, {[]int64{9}, 0, 0, 9, true}}},

	{"half of the half", 1, func(b ssatest.Builder, p []*ssa.Value) {
		n, two := b.Op(ssa.OpLen, p[3]), b.Int(ssa.Int64, 2)
		lane := b.Op(ssa.OpLane, p[0])
		b.Loop([]*ssa.Value{b.Op(ssa.OpDiv, b.Op(ssa.OpBlockDim, p[0]), two)},
			func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Op(ssa.OpGt, v[0], b.Int(ssa.Int64, 0)) },
			func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
				ssatest.When(b, b.Op(ssa.OpLt, lane, v[0]), func(b ssatest.Builder) { b.Check(ssa.CheckIndex, b.Op(ssa.OpAdd, lane, v[0]), n) })
				b.Next(loop, v...)
			}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return []*ssa.Value{b.Op(ssa.OpDiv, v[0], two)} })
	}, 0, []hoistLaunch{{[]int64{256}, 0, 0, 256, true}, {[]int64{256}, 0, 0, 255, false}}},

	{"a step that an argument says, up and down", 1, func(b ssatest.Builder, p []*ssa.Value) {
		n := b.Op(ssa.OpLen, p[3])
		id := b.Op(ssa.OpThreadID, p[0])
		steps := func(init *ssa.Value, test, op ssa.Op, limit *ssa.Value) {
			b.Loop([]*ssa.Value{init}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Op(test, v[0], limit) },
				func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
					b.Check(ssa.CheckIndex, v[0], n)
					b.Next(loop, v...)
				}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return []*ssa.Value{b.Op(op, v[0], p[2])} })
		}
		steps(id, ssa.OpLt, ssa.OpAdd, p[1])
		steps(id, ssa.OpGe, ssa.OpSub, b.Int(ssa.Int64, 0))
	}, 0, []hoistLaunch{{[]int64{8}, 20, 3, 20, true}, {[]int64{8}, 21, 3, 20, false}, {[]int64{8}, 20, 0, 20, true}, {[]int64{8}, 20, -1, 20, false},
		{[]int64{8}, 20, math.MaxInt64 - 20, 20, true}, {[]int64{8}, 20, math.MaxInt64 - 19, 20, false}}},

	{"tiles", 1, func(b ssatest.Builder, p []*ssa.Value) {
		n := b.Op(ssa.OpLen, p[3])
		ssatest.Count(b, b.Int(ssa.Int64, 3), p[1], ssa.OpLt, 8, func(b ssatest.Builder, i *ssa.Value) {
			b.Check(ssa.CheckIndex, b.Op(ssa.OpAdd, i, b.Int(ssa.Int64, 7)), n)
		})
	}, 0, []hoistLaunch{{[]int64{1}, 11, 0, 11, true}, {[]int64{1}, 12, 0, 18, false}, {[]int64{1}, 12, 0, 19, true}, {[]int64{1}, 19, 0, 19, true}, {[]int64{1}, 3, 0, 0, true},
		{[]int64{1}, math.MinInt64, 0, 0, true}, {[]int64{1}, math.MaxInt64, 0, math.MaxInt64, false}}},

	{"tiles of a slice", 1, func(b ssatest.Builder, p []*ssa.Value) {
		n := b.Op(ssa.OpLen, p[3])
		ssatest.Count(b, b.Int(ssa.Int64, 0), n, ssa.OpLt, 8, func(b ssatest.Builder, i *ssa.Value) {
			b.Check(ssa.CheckIndex, b.Op(ssa.OpAdd, i, b.Int(ssa.Int64, 7)), n)
		})
	}, 0, []hoistLaunch{{[]int64{1}, 0, 0, 16, true}, {[]int64{1}, 0, 0, 17, false}, {[]int64{1}, 0, 0, 0, true}}},

	{"slices and clamps", 1, func(b ssatest.Builder, p []*ssa.Value) {
		n := b.Op(ssa.OpLen, p[3])
		zero, one := b.Int(ssa.Int64, 0), b.Int(ssa.Int64, 1)
		id := b.Op(ssa.OpThreadID, p[0])
		b.Check(ssa.CheckIndex, b.Op(ssa.OpMin, b.Op(ssa.OpMax, b.Op(ssa.OpSub, id, one), zero), b.Op(ssa.OpSub, n, one)), n)
		b.Check(ssa.CheckSlice, zero, p[1], n)
	}, 0, []hoistLaunch{{[]int64{80}, 8, 0, 8, true}, {[]int64{80}, 9, 0, 8, false}, {[]int64{80}, -1, 0, 8, false}, {[]int64{1}, 0, 0, 0, false}}},

	{"clamps and remainders of what is read", 1, func(b ssatest.Builder, p []*ssa.Value) {
		n, zero, one := b.Op(ssa.OpLen, p[3]), b.Int(ssa.Int64, 0), b.Int(ssa.Int64, 1)
		ssatest.When(b, b.Op(ssa.OpLt, zero, n), func(b ssatest.Builder) {
			read := b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[3], zero))
			b.Check(ssa.CheckIndex, b.Op(ssa.OpMin, b.Op(ssa.OpMax, read, zero), b.Op(ssa.OpSub, p[1], one)), n)
			b.Check(ssa.CheckIndex, b.Op(ssa.OpAnd, b.Op(ssa.OpSub, p[1], one), read), n)
			b.Check(ssa.CheckIndex, b.Op(ssa.OpAdd, b.Op(ssa.OpRem, read, b.Int(ssa.Int64, 10)), b.Int(ssa.Int64, 9)), n)
		})
		ssatest.When(b, b.Op(ssa.OpGt, p[1], zero), func(b ssatest.Builder) {
			b.Check(ssa.CheckIndex, b.Op(ssa.OpRem, b.Op(ssa.OpAdd, n, p[1]), p[1]), n)
		})
	}, 0, []hoistLaunch{{[]int64{1}, 20, 0, 20, true}, {[]int64{1}, 20, 0, 19, false}, {[]int64{1}, 16, 0, 18, false}}},

	{"around each, as far as an argument says", 1, func(b ssatest.Builder, p []*ssa.Value) {
		n, id := b.Op(ssa.OpLen, p[3]), b.Op(ssa.OpThreadID, p[0])
		ssatest.When(b, b.Op(ssa.OpGe, id, p[1]), func(b ssatest.Builder) {
			ssatest.Count(b, b.Op(ssa.OpNeg, p[1]), p[1], ssa.OpLe, 1, func(b ssatest.Builder, k *ssa.Value) {
				b.Check(ssa.CheckIndex, b.Op(ssa.OpAdd, id, k), n)
			})
		})
	}, 0, []hoistLaunch{{[]int64{20}, 3, 0, 23, true}, {[]int64{20}, 3, 0, 22, false}, {[]int64{20}, math.MinInt64, 0, 20, false}}},

	{"neighbours of what is at no edge", 1, func(b ssatest.Builder, p []*ssa.Value) {
		id, n := b.Op(ssa.OpThreadID, p[0]), b.Op(ssa.OpLen, p[3])
		one := b.Int(ssa.Int64, 1)
		ssatest.When(b, b.Op(ssa.OpNe, id, b.Op(ssa.OpSub, p[1], one)), func(b ssatest.Builder) {
			b.Check(ssa.CheckIndex, b.Op(ssa.OpAdd, id, one), n)
		})
		ssatest.When(b, b.Op(ssa.OpNe, p[2], id), func(b ssatest.Builder) {
			b.Check(ssa.CheckIndex, b.Op(ssa.OpSub, id, one), n)
		})
	}, 0, []hoistLaunch{{[]int64{100}, 100, 0, 100, true}, {[]int64{100}, 99, 0, 100, false}, {[]int64{100}, 101, 0, 100, false}, {[]int64{100}, 100, 1, 100, false},
		{[]int64{1}, 1, 0, 0, true}, {[]int64{100}, math.MinInt64, 0, 100, false}, {[]int64{100}, math.MinInt64, 0, 101, true}}},

	{"an index taken apart", 1, func(b ssatest.Builder, p []*ssa.Value) {
		id, n := b.Op(ssa.OpThreadID, p[0]), b.Op(ssa.OpLen, p[3])
		zero, one := b.Int(ssa.Int64, 0), b.Int(ssa.Int64, 1)
		ssatest.When(b, b.Op(ssa.OpGt, p[2], zero), func(b ssatest.Builder) {
			y, x := b.Op(ssa.OpDiv, id, p[2]), b.Op(ssa.OpRem, id, p[2])
			ssatest.When(b, ssatest.AndAlso(b, b.Op(ssa.OpNe, x, zero), func(b ssatest.Builder) *ssa.Value { return b.Op(ssa.OpNe, y, b.Op(ssa.OpSub, p[1], one)) }), func(b ssatest.Builder) {
				b.Check(ssa.CheckIndex, b.Op(ssa.OpSub, id, one), n)
				b.Check(ssa.CheckIndex, b.Op(ssa.OpAdd, id, p[2]), n)
			})
		})
	}, 0, []hoistLaunch{{[]int64{120}, 10, 12, 120, true}, {[]int64{120}, 10, 12, 119, false}, {[]int64{120}, 9, 12, 120, false}, {[]int64{121}, 10, 12, 120, false},
		{[]int64{119}, 10, 12, 120, true}, {[]int64{120}, 1, 120, 0, true}, {[]int64{120}, 10, math.MaxInt64, 120, false}, {[]int64{120}, 10, -12, 120, false}}},

	{"an index taken apart, by what may be below 0", 1, func(b ssatest.Builder, p []*ssa.Value) {
		i := b.Op(ssa.OpSub, b.Op(ssa.OpThreadID, p[0]), b.Int(ssa.Int64, 20))
		y, x := b.Op(ssa.OpDiv, i, p[2]), b.Op(ssa.OpRem, i, p[2])
		test := func(v *ssa.Value, end int64) func(b ssatest.Builder) *ssa.Value {
			return func(b ssatest.Builder) *ssa.Value {
				return ssatest.AndAlso(b, b.Op(ssa.OpGe, v, b.Int(ssa.Int64, 0)), func(b ssatest.Builder) *ssa.Value { return b.Op(ssa.OpLt, v, b.Int(ssa.Int64, end)) })
			}
		}
		ssatest.When(b, ssatest.AndAlso(b, test(y, 5)(b), test(x, 3)), func(b ssatest.Builder) {
			b.Check(ssa.CheckIndex, i, b.Op(ssa.OpLen, p[3]))
		})
	}, 0, []hoistLaunch{{[]int64{60}, 0, 3, 15, true}, {[]int64{60}, 0, 3, 14, false}, {[]int64{21}, 0, -3, 60, false}, {[]int64{60}, 0, 0, 60, false}}},

	{"what is divided by 0", 1, func(b ssatest.Builder, p []*ssa.Value) {
		x := b.Op(ssa.OpRem, p[1], p[2]) // nobody has looked whether it is 0
		ssatest.When(b, b.Op(ssa.OpGt, x, p[1]), func(b ssatest.Builder) {
			b.Check(ssa.CheckIndex, p[1], b.Op(ssa.OpLen, p[3]))
		})
	}, 0, []hoistLaunch{{[]int64{1}, -2, 0, 9, false}, {[]int64{1}, 2, 0, 9, true}, {[]int64{1}, 2, 0, 2, false}}},

	{"an index taken apart twice", 1, func(b ssatest.Builder, p []*ssa.Value) {
		id, n := b.Op(ssa.OpThreadID, p[0]), b.Op(ssa.OpLen, p[3])
		zero, one := b.Int(ssa.Int64, 0), b.Int(ssa.Int64, 1)
		ssatest.When(b, ssatest.AndAlso(b, b.Op(ssa.OpGt, p[1], zero), func(b ssatest.Builder) *ssa.Value { return b.Op(ssa.OpGt, p[2], zero) }), func(b ssatest.Builder) {
			plane := b.Op(ssa.OpRem, id, p[1])
			ssatest.When(b, b.Op(ssa.OpLt, b.Op(ssa.OpDiv, plane, p[2]), b.Op(ssa.OpSub, b.Op(ssa.OpDiv, p[1], p[2]), one)), func(b ssatest.Builder) {
				b.Check(ssa.CheckIndex, b.Op(ssa.OpAdd, id, p[2]), n)
			})
		})
	}, 0, []hoistLaunch{{[]int64{240}, 60, 12, 240, true}, {[]int64{240}, 60, 12, 239, false}, {[]int64{241}, 60, 12, 240, false}, {[]int64{240}, 61, 12, 243, true}, {[]int64{240}, 61, 12, 242, false}}},
}

func TestHoistChecks(t *testing.T) {
	view := ssa.StructOf("View", ssa.Field{Name: "data", Type: ssa.Slice{Elem: ssa.Int64}}, ssa.Field{Name: "stride", Type: ssa.Int64})
	for _, tc := range hoistCases {
		m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Int64, "w"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s"), ssatest.Arg(view, "v")}, func(b ssatest.Builder, p []*ssa.Value) {
			tc.build(b, p)
			b.Return()
		})
		m.Funcs[0].Rank = tc.rank
		opt.Optimize(m, nil)
		fast, test := HoistChecks(m.Funcs[0], new(analysis.Summaries))
		if fast == nil {
			t.Errorf("%s: nothing is hoisted from\n%s", tc.name, m)
			continue
		}
		m.Funcs = append(m.Funcs, fast)
		if err := ssa.Verify(m); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		left := 0
		fast.Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpCheck {
				left++
			}
		})
		if left != tc.left || fast.Name != "k.hoisted" || !opt.HasChecks(m.Funcs[0]) {
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
			if got := test.Holds(LaunchSize{Dims: l.dims, Block: ssa.DefaultBlockDim}, args); got != l.holds {
				t.Errorf("%s: %+v: holds: %v\n%s\n%s", tc.name, l, got, text, m.Funcs[0])
			}
		}
	}
}

// TestHoistNothing is about functions for which there is no launch to ask.
func TestHoistNothing(t *testing.T) {
	for name, change := range map[string]func(f *ssa.Func){
		"a device function":   func(f *ssa.Func) { f.Kernel = false },
		"a kernel for a grid": func(f *ssa.Func) { f.Kind = ssa.GridKernel },
		"no checks":           func(f *ssa.Func) { f.Body.Instrs = f.Body.Instrs[2:] },
		"no formula":          func(f *ssa.Func) { f.Body.Instrs[1].Check = ssa.CheckAssert },
	} {
		m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Bool, "c")}, func(b ssatest.Builder, p []*ssa.Value) {
			id := b.Op(ssa.OpThreadID, p[0])
			b.Check(ssa.CheckIndex, id, id)
			b.Return()
		})
		change(m.Funcs[0])
		if name == "no formula" {
			m.Funcs[0].Body.Instrs[1].Args = m.Funcs[0].Params()[1:2]
		}
		if fast, test := HoistChecks(m.Funcs[0], new(analysis.Summaries)); fast != nil || test != nil {
			t.Errorf("%s: something is hoisted", name)
		}
	}
}
