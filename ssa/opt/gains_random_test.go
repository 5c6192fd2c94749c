package opt

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/interp"
	"github.com/qdgen/qd/ssa/ssatest"
)

// A countMaker makes functions that count in loops, under conditions, and check what they have counted.
type countMaker struct {
	*rand.Rand
	bits   *ssa.Value // which branches are taken
	checks int32
}

// plus is a value and a constant that is small most of the time.
func (m *countMaker) plus(b ssatest.Builder, v *ssa.Value) *ssa.Value {
	n := int64(m.IntN(9) - 4)
	if m.IntN(30) == 0 {
		n = int64(m.Uint64())
	}
	return b.Op([]ssa.Op{ssa.OpAdd, ssa.OpSub}[m.IntN(2)], v, b.Int(v.Type, n))
}

// some is a condition that holds in some calls.
func (m *countMaker) some(b ssatest.Builder) *ssa.Value {
	bit := b.Op(ssa.OpAnd, b.Op(ssa.OpShr, m.bits, b.Int(ssa.Int64, int64(m.IntN(64)))), b.Int(ssa.Int64, 1))
	return b.Op(ssa.OpNe, bit, b.Int(ssa.Int64, 0))
}

// check checks a value, or one near it.
func (m *countMaker) check(b ssatest.Builder, v *ssa.Value) {
	x := b.Convert(ssa.Int64, v)
	if m.IntN(2) == 0 {
		x = b.Op(ssa.OpAdd, x, b.Int(ssa.Int64, int64(m.IntN(9)-4)))
	}
	in := &ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckShift, Args: []*ssa.Value{x}}
	if m.IntN(2) == 0 {
		in.Check, in.Args = ssa.CheckIndex, []*ssa.Value{x, b.Int(ssa.Int64, int64(m.IntN(40)))}
	}
	m.checks++
	in.Number = m.checks
	b.Append(in)
}

// steps goes on from a value, in a loop or in none. It gives nil where it has left the loop.
func (m *countMaker) steps(b ssatest.Builder, v *ssa.Value, loop *ssa.Instr, depth int) *ssa.Value {
	for range 1 + m.IntN(4) {
		switch k := m.IntN(9); {
		case k < 2:
			v = m.plus(b, v)
		case k < 4:
			m.check(b, v)
		case k < 6:
			v = b.IfElse(m.some(b), []ssa.Type{v.Type}, func(b ssatest.Builder) { b.Yield(m.plus(b, v)) }, func(b ssatest.Builder) { b.Yield(v) }).Result()
		case k == 6 && loop != nil:
			b.IfElse(m.some(b), nil, func(b ssatest.Builder) {
				if at := m.plus(b, v); m.IntN(2) == 0 {
					b.Break(loop, b.Int(ssa.Int64, 0), at)
				} else {
					b.Next(loop, loop.Cond().Params[0], at)
				}
			}, nil)
		case depth < 3:
			v = m.loop(b, v, depth)
		}
	}
	return v
}

// loop counts in a loop of known length, up or down, and in the variable v by the way.
func (m *countMaker) loop(b ssatest.Builder, v *ssa.Value, depth int) *ssa.Value {
	first, last, step, op := int64(0), int64(m.IntN(5)), int64(1+m.IntN(2)), ssa.OpLt
	if m.IntN(3) == 0 {
		first, last, step, op = last, first, -step, ssa.OpGt
	}
	moves := m.IntN(4) == 0
	in := b.Loop([]*ssa.Value{b.Int(ssa.Int64, first), v}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Op(op, v[0], b.Int(ssa.Int64, last)) },
		func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
			b.Next(loop, v[0], m.steps(b, v[1], loop, depth+1))
		}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
			next := v[1]
			if moves {
				next = m.plus(b, next)
			}
			return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, step)), next}
		})
	if m.IntN(2) == 0 {
		m.check(b, in.Results[0])
	}
	return in.Results[1]
}

// TestCountsRandom removes checks of what random functions count, and runs them with and without: each call fails at the same
// check, or at none.
func TestCountsRandom(t *testing.T) {
	removed, made, failed := 0, 0, 0
	for seed := range ssatest.Trials() {
		build := func() (*ssa.Func, int) {
			m := &countMaker{Rand: rand.New(rand.NewPCG(seed, 7))}
			module := &ssa.Module{Name: "m"}
			f := ssatest.AddFunc(module, "f", false, []*ssa.Value{ssatest.Arg(ssa.Int64, "bits")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
				m.bits = p[0]
				typ := []ssa.Type{ssa.Int64, ssa.Int64, ssa.Int8, ssa.Uint8, ssa.Uint32}[m.IntN(5)]
				v := b.Int(typ, int64(m.IntN(9)))
				if m.IntN(8) == 0 {
					v = b.Convert(typ, m.bits)
				}
				for range 3 {
					v = m.steps(b, m.loop(b, v, 0), nil, 0)
				}
				m.check(b, v)
				b.Return()
			})
			if err := ssa.Verify(module); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, f)
			}
			return f, int(m.checks)
		}
		all, n := build()
		some, _ := build()
		before := NumChecks(some.Body)
		checks(some, new(analysis.Summaries))
		made, removed = made+n, removed+before-NumChecks(some.Body)
		p, q := interp.Compile(all), interp.Compile(some)
		r := rand.New(rand.NewPCG(seed, 8))
		for range 20 {
			bits := r.Uint64()
			at := func(p *interp.Program) int32 {
				_, err := p.Run(&interp.Env{Steps: 100000}, [][]byte{interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, bits))})
				var fault *interp.Fault
				switch {
				case errors.As(err, &fault):
					return fault.Instr.Number
				case err != nil:
					t.Fatalf("seed %d: %v", seed, err)
				}
				return 0
			}
			want := at(p)
			if want != 0 {
				failed++
			}
			if got := at(q); got != want {
				t.Fatalf("seed %d, bits %x: check %d fails, want %d (0 for none):\n%s\n%s", seed, bits, got, want, all, some)
			}
		}
	}
	t.Logf("%d of %d checks are proven; %d calls fail", removed, made, failed)
	if removed < made/10 || failed < int(ssatest.Trials()) {
		t.Errorf("%d of %d checks are proven, and %d calls fail: the generator has lost its bite", removed, made, failed)
	}
}
