package opt

import (
	"math"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
)

// checkCase builds checks in a function (a, b int64, c bool, x, y float32, s []int64);
// those whose Message is "proven" are removed by the pass, and no others.
type checkCase struct {
	name  string
	build func(b ssatest.Builder, p ssatest.Params, c checkMaker)
}

type checkMaker struct{ t *testing.T }

func (checkMaker) proven(b ssatest.Builder, c ssa.Check, args ...*ssa.Value) {
	b.Append(&ssa.Instr{Op: ssa.OpCheck, Check: c, Args: args, Message: "proven"})
}

func (checkMaker) open(b ssatest.Builder, c ssa.Check, args ...*ssa.Value) {
	b.Append(&ssa.Instr{Op: ssa.OpCheck, Check: c, Args: args, Message: "open"})
}

func orElse(b ssatest.Builder, x *ssa.Value, y func(b ssatest.Builder) *ssa.Value) *ssa.Value {
	return b.IfElse(x, []ssa.Type{ssa.Bool}, func(b ssatest.Builder) { b.Yield(b.Bool(true)) }, func(b ssatest.Builder) { b.Yield(y(b)) }).Result()
}

var checkCases = []checkCase{
	{"range over a length", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		n := b.Op(ssa.OpLen, p.S)
		ssatest.Count(b, b.Int(ssa.Int64, 0), n, ssa.OpLt, 1, func(b ssatest.Builder, i *ssa.Value) {
			c.proven(b, ssa.CheckIndex, i, n)
			c.open(b, ssa.CheckIndex, b.Op(ssa.OpAdd, i, b.Int(ssa.Int64, 1)), n)
			c.open(b, ssa.CheckIndex, b.Op(ssa.OpSub, i, b.Int(ssa.Int64, 1)), n)
			c.proven(b, ssa.CheckSlice, i, n, n)
		})
	}},
	{"loop from another start", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		n := b.Op(ssa.OpLen, p.S)
		ssatest.Count(b, b.Int(ssa.Int64, 1), n, ssa.OpLt, 1, func(b ssatest.Builder, i *ssa.Value) {
			c.proven(b, ssa.CheckIndex, b.Op(ssa.OpSub, i, b.Int(ssa.Int64, 1)), n)
		})
		ssatest.Count(b, p.A, n, ssa.OpLt, 1, func(b ssatest.Builder, i *ssa.Value) { c.open(b, ssa.CheckIndex, i, n) })
		ssatest.Count(b, b.Int(ssa.Int64, 0), n, ssa.OpLe, 1, func(b ssatest.Builder, i *ssa.Value) { c.open(b, ssa.CheckIndex, i, n) })
		ssatest.Count(b, b.Int(ssa.Int64, 0), p.A, ssa.OpLt, 1, func(b ssatest.Builder, i *ssa.Value) { c.open(b, ssa.CheckIndex, i, n) })
	}},
	{"steps", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		n := b.Op(ssa.OpLen, p.S)
		ssatest.Count(b, b.Int(ssa.Int64, 0), n, ssa.OpLt, 4, func(b ssatest.Builder, i *ssa.Value) { c.proven(b, ssa.CheckIndex, i, n) })
		ssatest.Count(b, b.Int(ssa.Int64, 0), p.A, ssa.OpLt, 2, func(b ssatest.Builder, i *ssa.Value) { // a step may wrap
			c.open(b, ssa.CheckShift, i)
		})
		ssatest.Count(b, b.Int(ssa.Int64, 0), p.A, ssa.OpLt, 1, func(b ssatest.Builder, i *ssa.Value) { c.proven(b, ssa.CheckShift, i) })
		ssatest.Count(b, b.Int(ssa.Int64, 0), p.A, ssa.OpLe, 1, func(b ssatest.Builder, i *ssa.Value) { c.open(b, ssa.CheckShift, i) })
		ssatest.Count(b, b.Op(ssa.OpSub, n, b.Int(ssa.Int64, 1)), b.Int(ssa.Int64, 0), ssa.OpGe, -1, func(b ssatest.Builder, i *ssa.Value) { c.proven(b, ssa.CheckIndex, i, n) })
		ssatest.Count(b, b.Op(ssa.OpSub, n, b.Int(ssa.Int64, 1)), b.Int(ssa.Int64, 0), ssa.OpGt, -1, func(b ssatest.Builder, i *ssa.Value) {
			c.proven(b, ssa.CheckIndex, i, n)
			c.proven(b, ssa.CheckIndex, b.Op(ssa.OpSub, i, b.Int(ssa.Int64, 1)), n)
		})
		ssatest.Count(b, n, b.Int(ssa.Int64, 0), ssa.OpGe, -1, func(b ssatest.Builder, i *ssa.Value) { c.open(b, ssa.CheckIndex, i, n) })
		ssatest.Count(b, b.Int(ssa.Int64, 0), n, ssa.OpNe, 1, func(b ssatest.Builder, i *ssa.Value) { c.open(b, ssa.CheckIndex, i, n) })
	}},
	{"a length that the test and the body compute", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		b.Loop([]*ssa.Value{b.Int(ssa.Int64, 0)}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
			return b.Op(ssa.OpLt, v[0], b.Op(ssa.OpSub, b.Op(ssa.OpLen, p.S), b.Int(ssa.Int64, 1)))
		}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
			n := b.Op(ssa.OpLen, p.S)
			c.proven(b, ssa.CheckIndex, b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1)), n)
			c.proven(b, ssa.CheckIndex, v[0], b.Op(ssa.OpSub, n, b.Int(ssa.Int64, 1)))
			c.open(b, ssa.CheckIndex, v[0], b.Op(ssa.OpSub, n, b.Int(ssa.Int64, 2)))
			b.Next(loop, v...)
		}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
			return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1))}
		})
	}},
	{"steps that are no constants", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		n := b.Op(ssa.OpLen, p.S)
		by := func(step *ssa.Value, do func(b ssatest.Builder, i *ssa.Value)) {
			b.Loop([]*ssa.Value{b.Int(ssa.Int64, 0)}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Op(ssa.OpLt, v[0], n) },
				func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { do(b, v[0]); b.Next(loop, v...) },
				func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return []*ssa.Value{b.Op(ssa.OpAdd, step, v[0])} })
		}
		by(b.Convert(ssa.Int64, b.Convert(ssa.Uint16, p.A)), func(b ssatest.Builder, i *ssa.Value) { c.proven(b, ssa.CheckIndex, i, n) })
		by(b.Convert(ssa.Int64, b.Convert(ssa.Int16, p.A)), func(b ssatest.Builder, i *ssa.Value) { c.open(b, ssa.CheckIndex, i, n) })
		by(b.Op(ssa.OpMax, p.A, b.Int(ssa.Int64, 1)), func(b ssatest.Builder, i *ssa.Value) { c.open(b, ssa.CheckIndex, i, n) }) // may wrap
	}},
	{"a counter that the loop changes", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		n := b.Op(ssa.OpLen, p.S)
		b.Loop([]*ssa.Value{b.Int(ssa.Int64, 0)}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Op(ssa.OpLt, v[0], n) },
			func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
				c.open(b, ssa.CheckIndex, v[0], n)
				b.Next(loop, b.Op(ssa.OpSub, v[0], p.A))
			}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
				return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1))}
			})
	}},
	{"a counter of eight bits", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		n := b.Op(ssa.OpLen, p.S)
		wide := func(b ssatest.Builder, i *ssa.Value) *ssa.Value { return b.Convert(ssa.Int64, i) }
		ssatest.Count(b, b.Int(ssa.Int8, 0), b.Int(ssa.Int8, 100), ssa.OpLt, 1, func(b ssatest.Builder, i *ssa.Value) {
			c.proven(b, ssa.CheckIndex, wide(b, i), b.Int(ssa.Int64, 100))
			c.open(b, ssa.CheckIndex, wide(b, i), b.Int(ssa.Int64, 99))
			c.open(b, ssa.CheckIndex, wide(b, i), n)
		})
		ssatest.Count(b, b.Int(ssa.Int8, 0), b.Int(ssa.Int8, 127), ssa.OpLt, 2, func(b ssatest.Builder, i *ssa.Value) { c.open(b, ssa.CheckIndex, wide(b, i), b.Int(ssa.Int64, 127)) })
		ssatest.Count(b, b.Int(ssa.Int8, 0), b.Int(ssa.Int8, 126), ssa.OpLt, 2, func(b ssatest.Builder, i *ssa.Value) { c.proven(b, ssa.CheckIndex, wide(b, i), b.Int(ssa.Int64, 127)) })
		ssatest.Count(b, b.Int(ssa.Uint8, 9), b.Int(ssa.Uint8, 0), ssa.OpGt, -1, func(b ssatest.Builder, i *ssa.Value) { c.proven(b, ssa.CheckIndex, wide(b, i), b.Int(ssa.Int64, 10)) })
	}},
	{"guards", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		n := b.Op(ssa.OpLen, p.S)
		ssatest.When(b, ssatest.AndAlso(b, b.Op(ssa.OpGe, p.A, b.Int(ssa.Int64, 0)), func(b ssatest.Builder) *ssa.Value { return b.Op(ssa.OpLt, p.A, n) }), func(b ssatest.Builder) {
			c.proven(b, ssa.CheckIndex, p.A, n)
		})
		c.open(b, ssa.CheckIndex, p.A, n)
		c.proven(b, ssa.CheckIndex, p.A, n)
		b.IfElse(orElse(b, b.Op(ssa.OpLt, p.B, b.Int(ssa.Int64, 1)), func(b ssatest.Builder) *ssa.Value {
			return b.Op(ssa.OpGe, p.B, b.Op(ssa.OpSub, n, b.Int(ssa.Int64, 1)))
		}), nil,
			func(b ssatest.Builder) { c.open(b, ssa.CheckIndex, p.B, n); b.Return() }, nil)
		c.proven(b, ssa.CheckIndex, p.B, n)
		c.proven(b, ssa.CheckIndex, b.Op(ssa.OpSub, p.B, b.Int(ssa.Int64, 1)), n)
		c.proven(b, ssa.CheckIndex, b.Op(ssa.OpAdd, p.B, b.Int(ssa.Int64, 1)), n)
		c.open(b, ssa.CheckIndex, b.Op(ssa.OpAdd, p.B, b.Int(ssa.Int64, 2)), n)
	}},
	{"guards that are over", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		n := b.Op(ssa.OpLen, p.S)
		ssatest.When(b, b.Op(ssa.OpLt, p.A, n), func(b ssatest.Builder) { c.open(b, ssa.CheckIndex, p.A, n) })
		c.open(b, ssa.CheckIndex, p.A, n)
		ssatest.When(b, p.C, func(b ssatest.Builder) { c.open(b, ssa.CheckIndex, p.B, n) })
		c.open(b, ssa.CheckIndex, p.B, n)
	}},
	{"a guard in the cond of a loop", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		n := b.Op(ssa.OpLen, p.S)
		b.Loop([]*ssa.Value{b.Int(ssa.Int64, 0)}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
			return ssatest.AndAlso(b, b.Op(ssa.OpLt, v[0], n), func(b ssatest.Builder) *ssa.Value {
				c.proven(b, ssa.CheckIndex, v[0], n)
				return p.C
			})
		}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
			c.proven(b, ssa.CheckIndex, v[0], n)
			b.Next(loop, v...)
		}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
			return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1))}
		})
	}},
	{"clamps", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		n := b.Op(ssa.OpLen, p.S)
		top := b.Op(ssa.OpSub, n, b.Int(ssa.Int64, 1))
		zero := b.Int(ssa.Int64, 0)
		i := b.Op(ssa.OpMin, b.Op(ssa.OpMax, p.A, zero), top)
		c.open(b, ssa.CheckIndex, i, n) // of no elements
		ssatest.When(b, b.Op(ssa.OpGt, n, zero), func(b ssatest.Builder) {
			c.proven(b, ssa.CheckIndex, b.Op(ssa.OpMin, b.Op(ssa.OpMax, p.B, zero), top), n)
			c.proven(b, ssa.CheckIndex, b.Op(ssa.OpMax, b.Op(ssa.OpMin, p.B, top), zero), n)
			j := b.IfElse(b.Op(ssa.OpLt, p.B, zero), []ssa.Type{ssa.Int64}, func(b ssatest.Builder) { b.Yield(zero) }, func(b ssatest.Builder) { b.Yield(p.B) }).Result()
			k := b.IfElse(b.Op(ssa.OpGt, j, top), []ssa.Type{ssa.Int64}, func(b ssatest.Builder) { b.Yield(top) }, func(b ssatest.Builder) { b.Yield(j) }).Result()
			c.proven(b, ssa.CheckIndex, k, n)
			c.open(b, ssa.CheckIndex, j, n)
		})
	}},
	{"remainders, masks, shifts and quotients", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		n := b.Op(ssa.OpLen, p.S)
		eight := b.Int(ssa.Int64, 8)
		c.open(b, ssa.CheckIndex, b.Op(ssa.OpRem, p.A, eight), eight) // may be negative
		c.proven(b, ssa.CheckIndex, b.Op(ssa.OpAnd, p.A, b.Int(ssa.Int64, 7)), eight)
		c.open(b, ssa.CheckIndex, b.Op(ssa.OpAnd, p.A, eight), eight)
		ssatest.When(b, ssatest.AndAlso(b, b.Op(ssa.OpGe, p.A, b.Int(ssa.Int64, 0)), func(b ssatest.Builder) *ssa.Value { return b.Op(ssa.OpLt, p.A, n) }), func(b ssatest.Builder) {
			c.proven(b, ssa.CheckIndex, b.Op(ssa.OpRem, p.A, eight), eight)
			c.proven(b, ssa.CheckIndex, b.Op(ssa.OpRem, b.Op(ssa.OpAnd, p.B, b.Int(ssa.Int64, 1<<40)), n), n)
			c.proven(b, ssa.CheckIndex, b.Op(ssa.OpShr, p.A, b.Int(ssa.Int64, 1)), n)
			c.proven(b, ssa.CheckIndex, b.Op(ssa.OpDiv, p.A, b.Int(ssa.Int64, 2)), n)
			c.open(b, ssa.CheckIndex, b.Op(ssa.OpMul, p.A, b.Int(ssa.Int64, 2)), n)
		})
	}},
	{"tables of tables", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		eight := b.Int(ssa.Int64, 8)
		y, x := b.Op(ssa.OpAnd, p.A, b.Int(ssa.Int64, 7)), b.Op(ssa.OpAnd, p.B, b.Int(ssa.Int64, 7))
		at := b.Op(ssa.OpAdd, b.Op(ssa.OpMul, y, eight), x)
		c.proven(b, ssa.CheckIndex, at, b.Int(ssa.Int64, 64))
		c.open(b, ssa.CheckIndex, at, b.Int(ssa.Int64, 63))
	}},
	{"the other end of a slice", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		n := b.Op(ssa.OpLen, p.S)
		ssatest.Count(b, b.Int(ssa.Int64, 0), n, ssa.OpLt, 1, func(b ssatest.Builder, i *ssa.Value) {
			c.proven(b, ssa.CheckIndex, b.Op(ssa.OpSub, b.Op(ssa.OpSub, n, b.Int(ssa.Int64, 1)), i), n)
			c.open(b, ssa.CheckIndex, b.Op(ssa.OpSub, n, i), n)
		})
	}},
	{"one comparison without a sign", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		n := b.Op(ssa.OpLen, p.S)
		ssatest.When(b, b.Op(ssa.OpLt, b.Convert(ssa.Uint64, p.A), b.Convert(ssa.Uint64, n)), func(b ssatest.Builder) { c.proven(b, ssa.CheckIndex, p.A, n) })
		ssatest.When(b, b.Op(ssa.OpLt, b.Convert(ssa.Uint64, p.A), b.Convert(ssa.Uint64, p.B)), func(b ssatest.Builder) { c.open(b, ssa.CheckIndex, p.A, p.B) })
	}},
	{"sums that wrap", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		next := b.Op(ssa.OpAdd, p.A, b.Int(ssa.Int64, 1))
		ssatest.When(b, b.Op(ssa.OpGe, p.A, b.Int(ssa.Int64, 0)), func(b ssatest.Builder) { c.open(b, ssa.CheckShift, next) })
		n := b.Convert(ssa.Int64, b.Op(ssa.OpAdd, b.Convert(ssa.Uint8, p.A), b.Int(ssa.Uint8, 1)))
		c.proven(b, ssa.CheckIndex, n, b.Int(ssa.Int64, 256))
		c.open(b, ssa.CheckIndex, b.Op(ssa.OpSub, n, b.Int(ssa.Int64, 1)), b.Int(ssa.Int64, 256))
	}},
	{"divisors, counts, pointers and assertions", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		zero := b.Int(ssa.Int64, 0)
		c.open(b, ssa.CheckDivide, p.A)
		c.proven(b, ssa.CheckDivide, p.A)
		ssatest.When(b, b.Op(ssa.OpNe, p.B, zero), func(b ssatest.Builder) { c.proven(b, ssa.CheckDivide, p.B) })
		ssatest.When(b, b.Op(ssa.OpLt, p.B, zero), func(b ssatest.Builder) {
			c.proven(b, ssa.CheckDivide, p.B)
			c.open(b, ssa.CheckShift, p.B)
		})
		c.open(b, ssa.CheckShift, p.B)
		c.proven(b, ssa.CheckShift, p.B)
		at := b.Op(ssa.OpLoad, b.Op(ssa.OpLocal, b.Op(ssa.OpIndexAddr, p.S, zero)))
		c.open(b, ssa.CheckNil, at)
		c.proven(b, ssa.CheckNil, at)
		c.open(b, ssa.CheckAssert, p.C)
		c.proven(b, ssa.CheckAssert, p.C)
		test := b.Op(ssa.OpLt, p.B, b.Op(ssa.OpLen, p.S))
		c.open(b, ssa.CheckAssert, test)
		c.proven(b, ssa.CheckIndex, p.B, b.Op(ssa.OpLen, p.S))
	}},
	{"counts in loops", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		// turns counts in a variable as often as it has turns: what do adds to it.
		turns := func(b ssatest.Builder, n int64, first *ssa.Value, do func(b ssatest.Builder, v *ssa.Value) *ssa.Value) *ssa.Value {
			return b.Loop([]*ssa.Value{b.Int(ssa.Int64, 0), first}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Op(ssa.OpLt, v[0], b.Int(ssa.Int64, n)) },
				func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop, v[0], do(b, v[1])) },
				func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
					return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1)), v[1]}
				}).Results[1]
		}
		plus := func(b ssatest.Builder, v *ssa.Value, n int64) *ssa.Value { return b.Op(ssa.OpAdd, v, b.Int(v.Type, n)) }
		index := func(b ssatest.Builder, v *ssa.Value, n int64) { // of an array of n elements, and not of one fewer
			c.open(b, ssa.CheckIndex, v, b.Int(ssa.Int64, n-1))
			c.proven(b, ssa.CheckIndex, v, b.Int(ssa.Int64, n))
		}
		zero := b.Int(ssa.Int64, 0)
		all := turns(b, 3, zero, func(b ssatest.Builder, n *ssa.Value) *ssa.Value {
			return turns(b, 3, n, func(b ssatest.Builder, n *ssa.Value) *ssa.Value {
				c.proven(b, ssa.CheckIndex, n, b.Int(ssa.Int64, 9))
				return plus(b, n, 1)
			})
		})
		index(b, all, 10)
		some := turns(b, 5, zero, func(b ssatest.Builder, n *ssa.Value) *ssa.Value {
			more := b.IfElse(p.C, []ssa.Type{ssa.Int64}, func(b ssatest.Builder) {
				c.proven(b, ssa.CheckIndex, n, b.Int(ssa.Int64, 9))
				b.Yield(plus(b, n, 2))
			}, func(b ssatest.Builder) { b.Yield(n) })
			return more.Result()
		})
		index(b, some, 11)
		down := turns(b, 4, b.Int(ssa.Int64, 7), func(b ssatest.Builder, n *ssa.Value) *ssa.Value {
			c.proven(b, ssa.CheckShift, plus(b, n, -4))
			c.open(b, ssa.CheckShift, plus(b, n, -5))
			return b.Op(ssa.OpSub, n, b.Int(ssa.Int64, 1))
		})
		c.proven(b, ssa.CheckShift, plus(b, down, -3))
		c.open(b, ssa.CheckShift, plus(b, down, -4))
		// Some that nobody counts: the factor, the number of turns and a type that is too small.
		c.open(b, ssa.CheckIndex, turns(b, 2, zero, func(b ssatest.Builder, n *ssa.Value) *ssa.Value { return plus(b, b.Op(ssa.OpMul, n, n), 1) }), b.Int(ssa.Int64, 100))
		c.open(b, ssa.CheckShift, turns(b, 2, p.A, func(b ssatest.Builder, n *ssa.Value) *ssa.Value { return plus(b, n, 1) }))
		for _, n := range []int64{math.MinInt64, math.MaxInt64, 1<<62 + 1, -1 << 62} { // sums of which wrap
			c.open(b, ssa.CheckIndex, turns(b, 3, b.Int(ssa.Int64, 5), func(b ssatest.Builder, v *ssa.Value) *ssa.Value {
				some := b.IfElse(p.C, []ssa.Type{ssa.Int64}, func(b ssatest.Builder) { b.Yield(plus(b, v, -1)) }, func(b ssatest.Builder) { b.Yield(plus(b, v, 1)) })
				return plus(b, some.Result(), n)
			}), b.Int(ssa.Int64, 100))
		}
		small := turns(b, 200, b.Int(ssa.Int8, 0), func(b ssatest.Builder, n *ssa.Value) *ssa.Value { return plus(b, n, 1) })
		c.open(b, ssa.CheckShift, small)
		c.proven(b, ssa.CheckShift, turns(b, 127, b.Int(ssa.Int8, 0), func(b ssatest.Builder, n *ssa.Value) *ssa.Value { return plus(b, n, 1) }))
	}},
	{"where loops end", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		n := b.Op(ssa.OpLen, p.S)
		ends := func(first, bound *ssa.Value, op ssa.Op, step int64, leaves bool) *ssa.Value {
			return b.Loop([]*ssa.Value{first}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Op(op, v[0], bound) },
				func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
					b.IfElse(p.C, nil, func(b ssatest.Builder) {
						if leaves {
							b.Break(loop, b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 9)))
						} else {
							b.Break(loop, v[0])
						}
					}, nil)
					b.Next(loop, v[0])
				}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
					return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, step))}
				}).Result()
		}
		zero := b.Int(ssa.Int64, 0)
		up := ends(zero, n, ssa.OpLt, 1, false)
		c.proven(b, ssa.CheckSlice, zero, up, n)
		c.open(b, ssa.CheckIndex, up, n)
		c.open(b, ssa.CheckSlice, zero, ends(zero, n, ssa.OpLt, 2, false), n)
		c.open(b, ssa.CheckSlice, zero, ends(zero, n, ssa.OpLt, 1, true), n)
		c.open(b, ssa.CheckSlice, zero, ends(zero, n, ssa.OpLe, 1, false), n)
		c.proven(b, ssa.CheckSlice, zero, ends(n, zero, ssa.OpGt, -1, false), n)
		c.open(b, ssa.CheckShift, ends(n, zero, ssa.OpGe, -1, false))
		c.open(b, ssa.CheckShift, ends(p.A, zero, ssa.OpGt, -1, false)) // which may begin below
	}},
	{"bits", func(b ssatest.Builder, p ssatest.Params, c checkMaker) {
		c.proven(b, ssa.CheckIndex, b.Bits(ssa.BitsLen, b.Convert(ssa.Uint32, p.A)), b.Int(ssa.Int64, 33))
		c.open(b, ssa.CheckIndex, b.Bits(ssa.BitsLen, b.Convert(ssa.Uint32, p.A)), b.Int(ssa.Int64, 32))
	}},
}

func TestChecks(t *testing.T) {
	for _, tc := range checkCases {
		m := &ssa.Module{Name: "m"}
		f := ssatest.Kernel(m, func(b ssatest.Builder, p ssatest.Params) {
			tc.build(b, p, checkMaker{t})
			if b.Terminator() == nil {
				b.Return()
			}
		})
		if err := ssa.Verify(m); err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		cse(f, new(analysis.Summaries)) // a length is one value
		before := f.String()
		open := 0
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpCheck && in.Message == "open" {
				open++
			}
		})
		changed := checks(f, new(analysis.Summaries))
		if err := ssa.Verify(m); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		var left []string
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpCheck && in.Message == "open" {
				open--
			} else if in.Op == ssa.OpCheck {
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
		f := ssatest.Kernel(&ssa.Module{Name: "m"}, func(b ssatest.Builder, p ssatest.Params) {
			n := b.Op(ssa.OpLen, p.S)
			for k := range int64(count) {
				i := b.Op(ssa.OpAdd, b.Op(ssa.OpMul, p.A, b.Int(ssa.Int64, k)), p.B)
				b.Check(ssa.CheckIndex, b.Op(ssa.OpAdd, i, b.Int(ssa.Int64, k)), n)
				b.Check(ssa.CheckIndex, b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p.S, i)), n)
			}
			b.Return()
		})
		b.StartTimer()
		checks(f, new(analysis.Summaries))
	}
	b.ReportMetric(2*count, "checks/op")
}
