package ssa

import "testing"

// checkCase builds checks in a function (a, b int64, c bool, x, y float32, s []int64);
// those whose Message is "proven" are removed by the pass, and no others.
type checkCase struct {
	name  string
	build func(b builder, p params, c checkMaker)
}

type checkMaker struct{ t *testing.T }

func (checkMaker) proven(b builder, c Check, args ...*Value) {
	b.Append(&Instr{Op: OpCheck, Check: c, Args: args, Message: "proven"})
}

func (checkMaker) open(b builder, c Check, args ...*Value) {
	b.Append(&Instr{Op: OpCheck, Check: c, Args: args, Message: "open"})
}

// count is a loop of i from lo by step while "i op n".
func count(b builder, lo, n *Value, op Op, step int64, do func(b builder, i *Value)) {
	b.loop([]*Value{lo}, func(b builder, v []*Value) *Value { return b.op(op, v[0], n) },
		func(b builder, loop *Instr, v []*Value) { do(b, v[0]); b.next(loop, v...) },
		func(b builder, v []*Value) []*Value {
			if step < 0 {
				return []*Value{b.op(OpSub, v[0], b.int(v[0].Type, -step))}
			}
			return []*Value{b.op(OpAdd, v[0], b.int(v[0].Type, step))}
		})
}

// when is an If with a block.
func when(b builder, cond *Value, do func(b builder)) {
	b.ifelse(cond, nil, func(b builder) { do(b); b.yield() }, nil)
}

// andAlso is Go's x && y, orElse x || y.
func andAlso(b builder, x *Value, y func(b builder) *Value) *Value {
	return b.ifelse(x, []Type{Bool}, func(b builder) { b.yield(y(b)) }, func(b builder) { b.yield(b.bool(false)) }).Result()
}

func orElse(b builder, x *Value, y func(b builder) *Value) *Value {
	return b.ifelse(x, []Type{Bool}, func(b builder) { b.yield(b.bool(true)) }, func(b builder) { b.yield(y(b)) }).Result()
}

var checkCases = []checkCase{
	{"range over a length", func(b builder, p params, c checkMaker) {
		n := b.op(OpLen, p.s)
		count(b, b.int(Int64, 0), n, OpLt, 1, func(b builder, i *Value) {
			c.proven(b, CheckIndex, i, n)
			c.open(b, CheckIndex, b.op(OpAdd, i, b.int(Int64, 1)), n)
			c.open(b, CheckIndex, b.op(OpSub, i, b.int(Int64, 1)), n)
			c.proven(b, CheckSlice, i, n, n)
		})
	}},
	{"loop from another start", func(b builder, p params, c checkMaker) {
		n := b.op(OpLen, p.s)
		count(b, b.int(Int64, 1), n, OpLt, 1, func(b builder, i *Value) {
			c.proven(b, CheckIndex, b.op(OpSub, i, b.int(Int64, 1)), n)
		})
		count(b, p.a, n, OpLt, 1, func(b builder, i *Value) { c.open(b, CheckIndex, i, n) })
		count(b, b.int(Int64, 0), n, OpLe, 1, func(b builder, i *Value) { c.open(b, CheckIndex, i, n) })
		count(b, b.int(Int64, 0), p.a, OpLt, 1, func(b builder, i *Value) { c.open(b, CheckIndex, i, n) })
	}},
	{"steps", func(b builder, p params, c checkMaker) {
		n := b.op(OpLen, p.s)
		count(b, b.int(Int64, 0), n, OpLt, 4, func(b builder, i *Value) { c.proven(b, CheckIndex, i, n) })
		count(b, b.int(Int64, 0), p.a, OpLt, 2, func(b builder, i *Value) { // a step may wrap
			c.open(b, CheckShift, i)
		})
		count(b, b.int(Int64, 0), p.a, OpLt, 1, func(b builder, i *Value) { c.proven(b, CheckShift, i) })
		count(b, b.int(Int64, 0), p.a, OpLe, 1, func(b builder, i *Value) { c.open(b, CheckShift, i) })
		count(b, b.op(OpSub, n, b.int(Int64, 1)), b.int(Int64, 0), OpGe, -1, func(b builder, i *Value) { c.proven(b, CheckIndex, i, n) })
		count(b, b.op(OpSub, n, b.int(Int64, 1)), b.int(Int64, 0), OpGt, -1, func(b builder, i *Value) {
			c.proven(b, CheckIndex, i, n)
			c.proven(b, CheckIndex, b.op(OpSub, i, b.int(Int64, 1)), n)
		})
		count(b, n, b.int(Int64, 0), OpGe, -1, func(b builder, i *Value) { c.open(b, CheckIndex, i, n) })
		count(b, b.int(Int64, 0), n, OpNe, 1, func(b builder, i *Value) { c.open(b, CheckIndex, i, n) })
	}},
	{"a length that the test and the body compute", func(b builder, p params, c checkMaker) {
		b.loop([]*Value{b.int(Int64, 0)}, func(b builder, v []*Value) *Value {
			return b.op(OpLt, v[0], b.op(OpSub, b.op(OpLen, p.s), b.int(Int64, 1)))
		}, func(b builder, loop *Instr, v []*Value) {
			n := b.op(OpLen, p.s)
			c.proven(b, CheckIndex, b.op(OpAdd, v[0], b.int(Int64, 1)), n)
			c.proven(b, CheckIndex, v[0], b.op(OpSub, n, b.int(Int64, 1)))
			c.open(b, CheckIndex, v[0], b.op(OpSub, n, b.int(Int64, 2)))
			b.next(loop, v...)
		}, func(b builder, v []*Value) []*Value { return []*Value{b.op(OpAdd, v[0], b.int(Int64, 1))} })
	}},
	{"steps that are no constants", func(b builder, p params, c checkMaker) {
		n := b.op(OpLen, p.s)
		by := func(step *Value, do func(b builder, i *Value)) {
			b.loop([]*Value{b.int(Int64, 0)}, func(b builder, v []*Value) *Value { return b.op(OpLt, v[0], n) },
				func(b builder, loop *Instr, v []*Value) { do(b, v[0]); b.next(loop, v...) },
				func(b builder, v []*Value) []*Value { return []*Value{b.op(OpAdd, step, v[0])} })
		}
		by(b.convert(Int64, b.convert(Uint16, p.a)), func(b builder, i *Value) { c.proven(b, CheckIndex, i, n) })
		by(b.convert(Int64, b.convert(Int16, p.a)), func(b builder, i *Value) { c.open(b, CheckIndex, i, n) })
		by(b.op(OpMax, p.a, b.int(Int64, 1)), func(b builder, i *Value) { c.open(b, CheckIndex, i, n) }) // may wrap
	}},
	{"a counter that the loop changes", func(b builder, p params, c checkMaker) {
		n := b.op(OpLen, p.s)
		b.loop([]*Value{b.int(Int64, 0)}, func(b builder, v []*Value) *Value { return b.op(OpLt, v[0], n) },
			func(b builder, loop *Instr, v []*Value) {
				c.open(b, CheckIndex, v[0], n)
				b.next(loop, b.op(OpSub, v[0], p.a))
			}, func(b builder, v []*Value) []*Value { return []*Value{b.op(OpAdd, v[0], b.int(Int64, 1))} })
	}},
	{"a counter of eight bits", func(b builder, p params, c checkMaker) {
		n := b.op(OpLen, p.s)
		wide := func(b builder, i *Value) *Value { return b.convert(Int64, i) }
		count(b, b.int(Int8, 0), b.int(Int8, 100), OpLt, 1, func(b builder, i *Value) {
			c.proven(b, CheckIndex, wide(b, i), b.int(Int64, 100))
			c.open(b, CheckIndex, wide(b, i), b.int(Int64, 99))
			c.open(b, CheckIndex, wide(b, i), n)
		})
		count(b, b.int(Int8, 0), b.int(Int8, 127), OpLt, 2, func(b builder, i *Value) { c.open(b, CheckIndex, wide(b, i), b.int(Int64, 127)) })
		count(b, b.int(Int8, 0), b.int(Int8, 126), OpLt, 2, func(b builder, i *Value) { c.proven(b, CheckIndex, wide(b, i), b.int(Int64, 127)) })
		count(b, b.int(Uint8, 9), b.int(Uint8, 0), OpGt, -1, func(b builder, i *Value) { c.proven(b, CheckIndex, wide(b, i), b.int(Int64, 10)) })
	}},
	{"guards", func(b builder, p params, c checkMaker) {
		n := b.op(OpLen, p.s)
		when(b, andAlso(b, b.op(OpGe, p.a, b.int(Int64, 0)), func(b builder) *Value { return b.op(OpLt, p.a, n) }), func(b builder) {
			c.proven(b, CheckIndex, p.a, n)
		})
		c.open(b, CheckIndex, p.a, n)
		c.proven(b, CheckIndex, p.a, n)
		b.ifelse(orElse(b, b.op(OpLt, p.b, b.int(Int64, 1)), func(b builder) *Value { return b.op(OpGe, p.b, b.op(OpSub, n, b.int(Int64, 1))) }), nil,
			func(b builder) { c.open(b, CheckIndex, p.b, n); b.ret() }, nil)
		c.proven(b, CheckIndex, p.b, n)
		c.proven(b, CheckIndex, b.op(OpSub, p.b, b.int(Int64, 1)), n)
		c.proven(b, CheckIndex, b.op(OpAdd, p.b, b.int(Int64, 1)), n)
		c.open(b, CheckIndex, b.op(OpAdd, p.b, b.int(Int64, 2)), n)
	}},
	{"guards that are over", func(b builder, p params, c checkMaker) {
		n := b.op(OpLen, p.s)
		when(b, b.op(OpLt, p.a, n), func(b builder) { c.open(b, CheckIndex, p.a, n) })
		c.open(b, CheckIndex, p.a, n)
		when(b, p.c, func(b builder) { c.open(b, CheckIndex, p.b, n) })
		c.open(b, CheckIndex, p.b, n)
	}},
	{"a guard in the cond of a loop", func(b builder, p params, c checkMaker) {
		n := b.op(OpLen, p.s)
		b.loop([]*Value{b.int(Int64, 0)}, func(b builder, v []*Value) *Value {
			return andAlso(b, b.op(OpLt, v[0], n), func(b builder) *Value {
				c.proven(b, CheckIndex, v[0], n)
				return p.c
			})
		}, func(b builder, loop *Instr, v []*Value) {
			c.proven(b, CheckIndex, v[0], n)
			b.next(loop, v...)
		}, func(b builder, v []*Value) []*Value { return []*Value{b.op(OpAdd, v[0], b.int(Int64, 1))} })
	}},
	{"clamps", func(b builder, p params, c checkMaker) {
		n := b.op(OpLen, p.s)
		top := b.op(OpSub, n, b.int(Int64, 1))
		zero := b.int(Int64, 0)
		i := b.op(OpMin, b.op(OpMax, p.a, zero), top)
		c.open(b, CheckIndex, i, n) // of no elements
		when(b, b.op(OpGt, n, zero), func(b builder) {
			c.proven(b, CheckIndex, b.op(OpMin, b.op(OpMax, p.b, zero), top), n)
			c.proven(b, CheckIndex, b.op(OpMax, b.op(OpMin, p.b, top), zero), n)
			j := b.ifelse(b.op(OpLt, p.b, zero), []Type{Int64}, func(b builder) { b.yield(zero) }, func(b builder) { b.yield(p.b) }).Result()
			k := b.ifelse(b.op(OpGt, j, top), []Type{Int64}, func(b builder) { b.yield(top) }, func(b builder) { b.yield(j) }).Result()
			c.proven(b, CheckIndex, k, n)
			c.open(b, CheckIndex, j, n)
		})
	}},
	{"remainders, masks, shifts and quotients", func(b builder, p params, c checkMaker) {
		n := b.op(OpLen, p.s)
		eight := b.int(Int64, 8)
		c.open(b, CheckIndex, b.op(OpRem, p.a, eight), eight) // may be negative
		c.proven(b, CheckIndex, b.op(OpAnd, p.a, b.int(Int64, 7)), eight)
		c.open(b, CheckIndex, b.op(OpAnd, p.a, eight), eight)
		when(b, andAlso(b, b.op(OpGe, p.a, b.int(Int64, 0)), func(b builder) *Value { return b.op(OpLt, p.a, n) }), func(b builder) {
			c.proven(b, CheckIndex, b.op(OpRem, p.a, eight), eight)
			c.proven(b, CheckIndex, b.op(OpRem, b.op(OpAnd, p.b, b.int(Int64, 1<<40)), n), n)
			c.proven(b, CheckIndex, b.op(OpShr, p.a, b.int(Int64, 1)), n)
			c.proven(b, CheckIndex, b.op(OpDiv, p.a, b.int(Int64, 2)), n)
			c.open(b, CheckIndex, b.op(OpMul, p.a, b.int(Int64, 2)), n)
		})
	}},
	{"tables of tables", func(b builder, p params, c checkMaker) {
		eight := b.int(Int64, 8)
		y, x := b.op(OpAnd, p.a, b.int(Int64, 7)), b.op(OpAnd, p.b, b.int(Int64, 7))
		at := b.op(OpAdd, b.op(OpMul, y, eight), x)
		c.proven(b, CheckIndex, at, b.int(Int64, 64))
		c.open(b, CheckIndex, at, b.int(Int64, 63))
	}},
	{"the other end of a slice", func(b builder, p params, c checkMaker) {
		n := b.op(OpLen, p.s)
		count(b, b.int(Int64, 0), n, OpLt, 1, func(b builder, i *Value) {
			c.proven(b, CheckIndex, b.op(OpSub, b.op(OpSub, n, b.int(Int64, 1)), i), n)
			c.open(b, CheckIndex, b.op(OpSub, n, i), n)
		})
	}},
	{"one comparison without a sign", func(b builder, p params, c checkMaker) {
		n := b.op(OpLen, p.s)
		when(b, b.op(OpLt, b.convert(Uint64, p.a), b.convert(Uint64, n)), func(b builder) { c.proven(b, CheckIndex, p.a, n) })
		when(b, b.op(OpLt, b.convert(Uint64, p.a), b.convert(Uint64, p.b)), func(b builder) { c.open(b, CheckIndex, p.a, p.b) })
	}},
	{"sums that wrap", func(b builder, p params, c checkMaker) {
		next := b.op(OpAdd, p.a, b.int(Int64, 1))
		when(b, b.op(OpGe, p.a, b.int(Int64, 0)), func(b builder) { c.open(b, CheckShift, next) })
		n := b.convert(Int64, b.op(OpAdd, b.convert(Uint8, p.a), b.int(Uint8, 1)))
		c.proven(b, CheckIndex, n, b.int(Int64, 256))
		c.open(b, CheckIndex, b.op(OpSub, n, b.int(Int64, 1)), b.int(Int64, 256))
	}},
	{"divisors, counts, pointers and assertions", func(b builder, p params, c checkMaker) {
		zero := b.int(Int64, 0)
		c.open(b, CheckDivide, p.a)
		c.proven(b, CheckDivide, p.a)
		when(b, b.op(OpNe, p.b, zero), func(b builder) { c.proven(b, CheckDivide, p.b) })
		when(b, b.op(OpLt, p.b, zero), func(b builder) {
			c.proven(b, CheckDivide, p.b)
			c.open(b, CheckShift, p.b)
		})
		c.open(b, CheckShift, p.b)
		c.proven(b, CheckShift, p.b)
		at := b.op(OpLoad, b.op(OpLocal, b.op(OpIndexAddr, p.s, zero)))
		c.open(b, CheckNil, at)
		c.proven(b, CheckNil, at)
		c.open(b, CheckAssert, p.c)
		c.proven(b, CheckAssert, p.c)
		test := b.op(OpLt, p.b, b.op(OpLen, p.s))
		c.open(b, CheckAssert, test)
		c.proven(b, CheckIndex, p.b, b.op(OpLen, p.s))
	}},
	{"bits", func(b builder, p params, c checkMaker) {
		c.proven(b, CheckIndex, b.bits(BitsLen, b.convert(Uint32, p.a)), b.int(Int64, 33))
		c.open(b, CheckIndex, b.bits(BitsLen, b.convert(Uint32, p.a)), b.int(Int64, 32))
	}},
}

func TestChecks(t *testing.T) {
	for _, tc := range checkCases {
		m := &Module{Name: "m"}
		f := testFunc(m, func(b builder, p params) {
			tc.build(b, p, checkMaker{t})
			if b.Terminator() == nil {
				b.ret()
			}
		})
		if err := Verify(m); err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		cse(f) // a length is one value
		before := f.String()
		open := 0
		f.Body.Walk(func(in *Instr) {
			if in.Op == OpCheck && in.Message == "open" {
				open++
			}
		})
		changed := checks(f)
		if err := Verify(m); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		var left []string
		f.Body.Walk(func(in *Instr) {
			if in.Op == OpCheck && in.Message == "open" {
				open--
			} else if in.Op == OpCheck {
				left = append(left, in.String())
			}
		})
		if open != 0 || len(left) > 0 || changed != (before != f.String()) {
			t.Errorf("%s: %d checks too many are gone; these were not proven: %q\n%s\nbefore:\n%s", tc.name, open, left, f, before)
		}
	}
}

// BenchmarkChecks is the pass over a function of many checks that are not proven, of
// one length.
func BenchmarkChecks(b *testing.B) {
	const count = 500
	for b.Loop() {
		b.StopTimer()
		f := testFunc(&Module{Name: "m"}, func(b builder, p params) {
			n := b.op(OpLen, p.s)
			for k := range int64(count) {
				i := b.op(OpAdd, b.op(OpMul, p.a, b.int(Int64, k)), p.b)
				b.check(CheckIndex, b.op(OpAdd, i, b.int(Int64, k)), n)
				b.check(CheckIndex, b.op(OpLoad, b.op(OpIndexAddr, p.s, i)), n)
			}
			b.ret()
		})
		b.StartTimer()
		checks(f)
	}
	b.ReportMetric(2*count, "checks/op")
}
