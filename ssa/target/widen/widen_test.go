package widen_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target/widen"
)

// kernel is one of x[i] += f(y[i]), where body computes f.
func kernel(body func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value) *ssa.Module {
	floats := ssa.Slice{Elem: ssa.Float32}
	return ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(floats, "x"), ssatest.Arg(floats, "y"), ssatest.Arg(ssa.Int64, "n")}, func(b ssatest.Builder, p []*ssa.Value) {
		i := b.Op(ssa.OpThreadID, p[0])
		v := b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[2], i))
		b.Store(b.Op(ssa.OpIndexAddr, p[1], i), body(b, i, v))
		b.Return()
	})
}

// repeat is a loop of n iterations over a number, which each iteration changes.
func repeat(b ssatest.Builder, n, x *ssa.Value, do func(b ssatest.Builder, i, x *ssa.Value) *ssa.Value) *ssa.Value {
	return b.Loop([]*ssa.Value{b.Int(ssa.Int64, 0), x}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Op(ssa.OpLt, v[0], n) },
		func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop, v[0], do(b, v[0], v[1])) },
		func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
			return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1)), v[1]}
		}).Results[1]
}

// overArray adds up elements of an array, and changes them.
func overArray(b ssatest.Builder, y *ssa.Value, at func(b ssatest.Builder, j, a *ssa.Value) *ssa.Value) *ssa.Value {
	a := b.Op(ssa.OpLocal, b.Zero(ssa.Array{Elem: ssa.Float32, Len: 8}))
	return repeat(b, b.Func.Params()[3], y, func(b ssatest.Builder, j, x *ssa.Value) *ssa.Value {
		p := at(b, b.Op(ssa.OpAnd, j, b.Int(ssa.Int64, 7)), a)
		b.Store(p, b.Op(ssa.OpAdd, x, b.Op(ssa.OpLoad, p)))
		return b.Op(ssa.OpMul, x, b.Op(ssa.OpLoad, p))
	})
}

// oneOf computes x by one of several branches, as a switch does.
func oneOf(branches int) func(b ssatest.Builder, j, x *ssa.Value) *ssa.Value {
	return func(b ssatest.Builder, j, x *ssa.Value) *ssa.Value {
		if branches == 0 {
			return x
		}
		is := b.Op(ssa.OpLt, x, b.Float(ssa.Float64, float64(branches)))
		return b.IfElse(is, []ssa.Type{ssa.Float64}, func(b ssatest.Builder) {
			for k := range 4 {
				x = b.Op(ssa.OpMul, x, b.Float(ssa.Float64, float64(branches+k)))
			}
			b.Yield(x)
		}, func(b ssatest.Builder) { b.Yield(oneOf(branches-1)(b, j, x)) }).Result()
	}
}

// Which kernels get vectors, and why others do not.
func TestKernel(t *testing.T) {
	param := func(b ssatest.Builder, k int) *ssa.Value { return b.Func.Params()[k] }
	square := func(b ssatest.Builder, _, x *ssa.Value) *ssa.Value { return b.Op(ssa.OpMul, x, x) }
	for name, c := range map[string]struct {
		lanes int
		why   string
		body  func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value
	}{
		"no loop": {8, "", square2(square)},
		"loop":    {16, "", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value { return repeat(b, param(b, 3), y, square) }},
		"short loop": {16, "", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			return repeat(b, b.Int(ssa.Int64, 4), y, square)
		}},
		"float64": {8, "", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			return b.Convert(ssa.Float32, repeat(b, param(b, 3), b.Convert(ssa.Float64, y), square))
		}},
		"two branches": {8, "", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			return b.Convert(ssa.Float32, repeat(b, param(b, 3), b.Convert(ssa.Float64, y), oneOf(2)))
		}},
		"one of many branches": {0, "most of what it does has no vectors", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			return b.Convert(ssa.Float32, repeat(b, param(b, 3), b.Convert(ssa.Float64, y), oneOf(16)))
		}},
		"function without vectors": {0, "most of what it does has no vectors", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			return repeat(b, param(b, 3), y, func(b ssatest.Builder, _, x *ssa.Value) *ssa.Value { return b.Math(ssa.Gamma, ssa.Float32, x)[0] })
		}},
		"function without vectors before a long loop": {16, "", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			y = repeat(b, b.Int(ssa.Int64, 16), y, func(b ssatest.Builder, _, x *ssa.Value) *ssa.Value { return b.Math(ssa.Gamma, ssa.Float32, x)[0] })
			return repeat(b, b.Int(ssa.Int64, 10000), y, square)
		}},
		"function with vectors": {16, "", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value { return b.Math(ssa.Sin, ssa.Float32, y)[0] }},
		"along a row": {0, "elements that lie next to each other", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			n := param(b, 3)
			first := b.Op(ssa.OpMul, i, n)
			return repeat(b, n, y, func(b ssatest.Builder, j, x *ssa.Value) *ssa.Value {
				return b.Op(ssa.OpAdd, x, b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, param(b, 2), b.Op(ssa.OpAdd, first, j))))
			})
		}},
		"along a row, with what an iteration needs of the one before": {16, "", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			n := param(b, 3)
			first := b.Op(ssa.OpMul, i, n)
			return repeat(b, n, y, func(b ssatest.Builder, j, x *ssa.Value) *ssa.Value {
				loaded := b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, param(b, 2), b.Op(ssa.OpAdd, first, j)))
				return b.Op(ssa.OpMul, b.Op(ssa.OpAdd, x, loaded), b.Op(ssa.OpAdd, b.Op(ssa.OpMul, x, x), loaded))
			})
		}},
		"along a row, the largest": {0, "elements that lie next to each other", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			n := param(b, 3)
			first := b.Op(ssa.OpMul, i, n)
			return repeat(b, n, y, func(b ssatest.Builder, j, x *ssa.Value) *ssa.Value {
				loaded := b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, param(b, 2), b.Op(ssa.OpAdd, first, j)))
				return b.Op(ssa.OpMax, b.Op(ssa.OpMul, loaded, loaded), x)
			})
		}},
		"array": {16, "", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			return overArray(b, y, func(b ssatest.Builder, j, a *ssa.Value) *ssa.Value { return b.Op(ssa.OpElemAddr, a, j) })
		}},
		"slice of an array": {16, "", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			return overArray(b, y, func(b ssatest.Builder, j, a *ssa.Value) *ssa.Value {
				return b.Op(ssa.OpIndexAddr, b.Op(ssa.OpSliceOf, a), j)
			})
		}},
		"array by other indices": {0, "most of what it does has no vectors", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			return overArray(b, y, func(b ssatest.Builder, j, a *ssa.Value) *ssa.Value {
				return b.Op(ssa.OpElemAddr, a, b.Op(ssa.OpAnd, b.Op(ssa.OpMul, i, j), b.Int(ssa.Int64, 7)))
			})
		}},
		"address of an element": {0, "whose address is a value", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			return overArray(b, y, func(b ssatest.Builder, j, a *ssa.Value) *ssa.Value {
				first, last := b.Op(ssa.OpElemAddr, a, b.Int(ssa.Int64, 0)), b.Op(ssa.OpElemAddr, a, b.Int(ssa.Int64, 7))
				return b.IfElse(b.Op(ssa.OpLt, j, i), []ssa.Type{first.Type}, func(b ssatest.Builder) { b.Yield(first) }, func(b ssatest.Builder) { b.Yield(last) }).Result()
			})
		}},
		"large array": {0, "too large for the stack", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			a := b.Op(ssa.OpLocal, b.Zero(ssa.Array{Elem: ssa.Float32, Len: 1025}))
			b.Store(b.Op(ssa.OpElemAddr, a, i), y)
			return b.Op(ssa.OpLoad, b.Op(ssa.OpElemAddr, a, b.Op(ssa.OpSub, b.Int(ssa.Int64, 1000), i)))
		}},
		"atomic": {16, "", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			y = repeat(b, param(b, 3), y, square)
			return b.Append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicAdd, Args: []*ssa.Value{b.Op(ssa.OpIndexAddr, param(b, 1), i), y}}, ssa.Float32).Result()
		}},
		"atomic alone": {0, "atomic operations have no vectors", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			return b.Append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicAdd, Args: []*ssa.Value{b.Op(ssa.OpIndexAddr, param(b, 1), i), y}}, ssa.Float32).Result()
		}},
		"sizes": {0, "often converts integers to another size", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			convert := func(v *ssa.Value, t ssa.Type) *ssa.Value {
				return b.Append(&ssa.Instr{Op: ssa.OpConvert, Args: []*ssa.Value{v}}, t).Result()
			}
			n := convert(convert(y, ssa.Uint32), ssa.Uint64)
			return convert(convert(b.Op(ssa.OpShr, b.Op(ssa.OpMul, n, n), b.Int(ssa.Uint64, 9)), ssa.Uint32), ssa.Float32)
		}},
		"lock": {0, "an atomic operation in a loop, for which a thread may wait", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			return b.Loop([]*ssa.Value{y}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				first := b.Op(ssa.OpIndexAddr, param(b, 1), b.Int(ssa.Int64, 0))
				old := b.Append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicExch, Args: []*ssa.Value{first, y}}, ssa.Float32).Result()
				return b.Op(ssa.OpLt, old, y)
			}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop, v[0]) },
				func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return v }).Results[0]
		}},
		"check": {16, "", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			b.Check(ssa.CheckIndex, i, b.Op(ssa.OpLen, param(b, 2)))
			return y
		}},
		"check for a block": {0, "check", func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
			b.Check(ssa.CheckSync, b.Op(ssa.OpLt, i, b.Int(ssa.Int64, 3)))
			return y
		}},
	} {
		m := kernel(c.body)
		k := m.Kernels()[0]
		d := &widen.Widener{Summaries: new(analysis.Summaries), Table: &widen.CPU}
		d.Kernel(k)
		if k.Wide.Lanes != c.lanes || !strings.Contains(k.Wide.Why, c.why) || (c.lanes > 0) != (k.Wide.By != nil) {
			t.Errorf("%s: %d lanes, %q, want %d, %q\n%v", name, k.Wide.Lanes, k.Wide.Why, c.lanes, c.why, m)
		}
	}
}

// As many lanes compute as numbers of 32 bits have room in a vector if no number needs more bits.
func TestNarrow(t *testing.T) {
	for _, c := range []struct {
		factor int64
		lanes  int
	}{{100, 16}, {1 << 24, 8}} {
		bytes := ssa.Slice{Elem: ssa.Uint8}
		m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(bytes, "x"), ssatest.Arg(bytes, "y")}, func(b ssatest.Builder, p []*ssa.Value) {
			i := b.Op(ssa.OpThreadID, p[0])
			n := b.Convert(ssa.Int64, b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[1], i)))
			product := b.Op(ssa.OpMul, n, b.Int(ssa.Int64, c.factor))
			b.Store(b.Op(ssa.OpIndexAddr, p[2], i), b.Convert(ssa.Uint8, b.Op(ssa.OpDiv, b.Op(ssa.OpMul, product, product), b.Int(ssa.Int64, 1000))))
			b.Return()
		})
		k := m.Kernels()[0]
		d := &widen.Widener{Summaries: new(analysis.Summaries), Table: &widen.CPU}
		d.Kernel(k)
		if k.Wide.Lanes != c.lanes {
			t.Errorf("a factor of %d: %d lanes, want %d\n%v", c.factor, k.Wide.Lanes, c.lanes, k.Wide.By)
		}
	}
}

// Vectors are not halved for the sake of shuffles if they have fewer bytes to shuffle than the shortest vector.
func TestShuffledBytes(t *testing.T) {
	m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Slice{Elem: ssa.Uint8}, "rgb"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "sums"), ssatest.Arg(ssa.Int64, "n")}, func(b ssatest.Builder, p []*ssa.Value) {
		i := b.Op(ssa.OpThreadID, p[0])
		first := b.Op(ssa.OpMul, i, b.Int(ssa.Int64, 3))
		sum := repeat(b, p[3], b.Int(ssa.Int64, 0), func(b ssatest.Builder, j, sum *ssa.Value) *ssa.Value {
			at := b.Op(ssa.OpAdd, first, b.Op(ssa.OpMul, j, b.Int(ssa.Int64, 3)))
			bits := b.Int(ssa.Uint8, 0)
			for k := range int64(3) {
				bits = b.Op(ssa.OpXor, bits, b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[1], b.Op(ssa.OpAdd, at, b.Int(ssa.Int64, k)))))
			}
			return b.Op(ssa.OpAdd, sum, b.Convert(ssa.Int64, bits))
		})
		b.Store(b.Op(ssa.OpIndexAddr, p[2], i), sum)
		b.Return()
	})
	k := m.Kernels()[0]
	d := &widen.Widener{Summaries: new(analysis.Summaries), Table: &widen.CPU}
	if d.Kernel(k); k.Wide.Lanes != 8 {
		t.Errorf("%d lanes, %q\n%v", k.Wide.Lanes, k.Wide.Why, k.Wide.By)
	}
}

func square2(f func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value) func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
	return func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value { return f(b, i, f(b, i, y)) }
}

// Where lanes leave a loop by its test, what they agree on in the test is no mask, and nobody finds out which lanes leave.
func TestLoopTest(t *testing.T) {
	k := kernel(func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
		n := b.Func.Params()[3]
		return b.Loop([]*ssa.Value{b.Int(ssa.Int64, 0), y}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
			return b.Op(ssa.OpAnd, b.Op(ssa.OpLt, v[0], n), b.Op(ssa.OpLt, v[1], y))
		}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
			b.Next(loop, v[0], b.Op(ssa.OpMul, v[1], v[1]))
		},
			func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
				return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1)), v[1]}
			}).Results[1]
	}).Kernels()[0]
	d := &widen.Widener{Summaries: new(analysis.Summaries), Table: &widen.CPU}
	d.Kernel(k)
	if k.Wide.By == nil {
		t.Fatal(k.Wide.Why)
	}
	masks := map[ssa.Op]int{}
	k.Wide.By.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLoop {
			for _, b := range in.Blocks {
				b.Walk(func(in *ssa.Instr) {
					switch {
					case in.Op == ssa.OpAny || in.Op == ssa.OpSelect:
						masks[in.Op]++
					case len(in.Results) == 1 && in.Results[0].Type == ssa.Type(ssa.Vec{Elem: ssa.Bool, Lanes: k.Wide.Lanes}):
						masks[in.Op]++
					}
				})
			}
		}
	})
	want := map[ssa.Op]int{ssa.OpLt: 1, ssa.OpAnd: 1, ssa.OpAny: 1, ssa.OpSelect: 1}
	if !maps.Equal(masks, want) {
		t.Errorf("operations with masks: %v, want %v\n%v", masks, want, k.Wide.By)
	}
}

// Indices stay as small as the thread's code has them, and a number that all lanes add stays a number.
func TestIndices(t *testing.T) {
	k := kernel(func(b ssatest.Builder, i, y *ssa.Value) *ssa.Value {
		x, bin := b.Func.Params()[1], b.Convert(ssa.Int64, b.Convert(ssa.Int32, repeat(b, b.Func.Params()[3], y, func(b ssatest.Builder, _, x *ssa.Value) *ssa.Value { return b.Op(ssa.OpMul, x, x) })))
		b.Append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicAdd, Args: []*ssa.Value{b.Op(ssa.OpIndexAddr, x, bin), b.Float(ssa.Float32, 1)}}, ssa.Float32)
		return b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, x, bin))
	}).Kernels()[0]
	d := &widen.Widener{Summaries: new(analysis.Summaries), Table: &widen.CPU}
	d.Kernel(k)
	if k.Wide.By == nil {
		t.Fatal(k.Wide.Why)
	}
	found := 0
	k.Wide.By.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpGather || in.Op == ssa.OpAtomicLanes {
			found++
			if in.Args[1].Type != ssa.Type(ssa.Vec{Elem: ssa.Int32, Lanes: k.Wide.Lanes}) || in.Op == ssa.OpAtomicLanes && in.Args[2].Type != ssa.Type(ssa.Float32) {
				t.Errorf("%v has operands of %v and %v", in.Op, in.Args[1].Type, in.Args[len(in.Args)-1].Type)
			}
		}
	})
	if found != 2 {
		t.Errorf("%d accesses, want 2\n%v", found, k.Wide.By)
	}
}

// Threads that compute with the numbers of a struct run in lanes without a loop, which read and write its numbers at
// once: those of several loads where the first is, and of several stores where the last is. What they do not write is
// not written.
func TestParts(t *testing.T) {
	elem := ssatest.Particle
	for _, c := range []struct {
		name   string
		work   int
		stores []int // numbers of each store, nil for a kernel without vectors
	}{
		{"much to compute", 40, []int{3, 1}},
		{"little to compute", 0, nil},
	} {
		m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Slice{Elem: elem}, "ps")}, func(b ssatest.Builder, p []*ssa.Value) {
			at := b.Op(ssa.OpIndexAddr, p[1], b.Op(ssa.OpThreadID, p[0]))
			place, mass := b.FieldAddr(at, 0), b.FieldAddr(at, 1)
			number := func(k int) *ssa.Value { return b.Op(ssa.OpElemAddr, place, b.Int(ssa.Int64, int64(k))) }
			x, y := b.Op(ssa.OpLoad, number(0)), b.Op(ssa.OpLoad, mass)
			for range c.work {
				x = b.Op(ssa.OpAdd, b.Op(ssa.OpMul, x, y), y)
			}
			for k := range 3 {
				b.Store(number(k), x)
			}
			b.Store(b.FieldAddr(at, 3), b.Op(ssa.OpAdd, b.Op(ssa.OpLoad, b.FieldAddr(at, 3)), b.Op(ssa.OpLoad, b.FieldAddr(at, 3))))
			b.Return()
		})
		if err := ssa.Verify(m); err != nil {
			t.Fatal(err)
		}
		k := m.Kernels()[0]
		d := &widen.Widener{Summaries: new(analysis.Summaries), Table: &widen.CPU}
		d.Kernel(k)
		loads := 0
		var stores []int
		if k.Wide.By != nil {
			k.Wide.By.Body.Walk(func(in *ssa.Instr) {
				switch in.Op {
				case ssa.OpLoadParts:
					loads++
				case ssa.OpStoreParts:
					stores = append(stores, len(in.Args)-1)
				case ssa.OpGather, ssa.OpScatter:
					t.Errorf("%s: %v", c.name, in)
				}
			})
		}
		if wide := k.Wide.By != nil; wide != (c.stores != nil) || wide && loads != 1 || !slices.Equal(stores, c.stores) {
			t.Errorf("%s: %d loads, want 1 at most, stores of %v numbers, want %v: %s\n%v", c.name, loads, stores, c.stores, k.Wide.Why, k.Wide.By)
		}
	}
}
