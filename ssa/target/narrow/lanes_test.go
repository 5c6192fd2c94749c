package narrow_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target/narrow"
)

// Threads of random kernels leave the same memory if what differs between them is narrow where it may be.
func TestRandomLanes(t *testing.T) {
	seeds := ssatest.Trials()
	narrowed, ran := 0, 0
	for seed := range seeds {
		m := ssatest.RandomLanes(seed)
		opt.Optimize(m, nil)
		wide := m.Clone()
		k := m.Kernels()[0]
		if narrow.Lanes(k, analysis.NewLanes(k)) {
			narrowed++
		}
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("seed %d: %v\n%s\nof\n%s", seed, err, m, wide)
		}
		want, faults, ended := ssatest.LaunchLanes(wide.Kernels()[0], 1)
		if !ended {
			continue
		}
		got, stopped, ended := ssatest.LaunchLanes(k, 1)
		if !ended {
			continue // it converts more, and the steps are counted
		}
		ran++
		if got != want || !slices.Equal(faults, stopped) {
			t.Fatalf("seed %d: it runs differently:\n%s%v\nnot:\n%s%v\n%s\nof\n%s", seed, got, stopped, want, faults, m, wide)
		}
	}
	if narrowed < int(seeds)/20 || ran < int(seeds)/2 {
		t.Errorf("of %d kernels %d are narrower, and %d ran: the generator has lost its bite", seeds, narrowed, ran)
	}
}

// Which numbers are narrow in the lanes of vectors. Each kernel computes a number of a byte, x.
func TestLanes(t *testing.T) {
	type (
		builder = ssatest.Builder
		value   = *ssa.Value
	)
	word := ssa.Int64
	var asked value // in place of the number
	// sum adds a number in each of n turns.
	sum := func(b builder, n value, add func(b builder, sum value) value) value {
		return b.Loop([]value{b.Int(word, 0), b.Int(word, 0)}, func(b builder, v []value) value { return b.Op(ssa.OpLt, v[0], n) },
			func(b builder, loop *ssa.Instr, v []value) { b.Next(loop, v[0], add(b, v[1])) },
			func(b builder, v []value) []value { return []value{b.Op(ssa.OpAdd, v[0], b.Int(word, 1)), v[1]} }).Results[1]
	}
	for _, tt := range []struct {
		name string
		want bool
		make func(b builder, x, n value) value
	}{
		{"a product of three", true, func(b builder, x, _ value) value { return b.Op(ssa.OpMul, b.Op(ssa.OpMul, x, x), x) }},
		{"a product of four", false, func(b builder, x, _ value) value {
			square := b.Op(ssa.OpMul, x, x)
			return b.Op(ssa.OpMul, square, square)
		}},
		{"a sum of 9 turns", true, func(b builder, x, _ value) value {
			return sum(b, b.Int(word, 9), func(b builder, sum value) value { return b.Op(ssa.OpAdd, sum, b.Op(ssa.OpMul, x, x)) })
		}},
		{"a sum of turns in turns", true, func(b builder, x, _ value) value {
			return sum(b, b.Int(word, 9), func(b builder, outer value) value {
				return b.Op(ssa.OpSub, outer, sum(b, b.Int(word, 9), func(b builder, sum value) value { return b.Op(ssa.OpAdd, x, sum) }))
			})
		}},
		{"a sum of 2^24 turns", false, func(b builder, x, _ value) value {
			return sum(b, b.Int(word, 1<<24), func(b builder, sum value) value { return b.Op(ssa.OpAdd, sum, x) })
		}},
		{"a sum of n turns", false, func(b builder, x, n value) value {
			return sum(b, n, func(b builder, sum value) value { return b.Op(ssa.OpAdd, sum, x) })
		}},
		{"what doubles", false, func(b builder, x, _ value) value {
			return sum(b, b.Int(word, 9), func(b builder, sum value) value { return b.Op(ssa.OpAdd, sum, b.Op(ssa.OpAdd, sum, x)) })
		}},
		{"bits that are there", true, func(b builder, x, n value) value {
			asked = b.Op(ssa.OpMul, b.Op(ssa.OpAdd, x, n), x)
			return b.Op(ssa.OpAnd, b.Op(ssa.OpShr, asked, b.Int(ssa.Uint64, 16)), b.Int(word, 0xffff))
		}},
		{"bits that are not", false, func(b builder, x, n value) value {
			asked = b.Op(ssa.OpMul, b.Op(ssa.OpAdd, x, n), x)
			return b.Op(ssa.OpAnd, b.Op(ssa.OpShr, asked, b.Int(ssa.Uint64, 17)), b.Int(word, 0xffff))
		}},
		{"a number of a table", true, func(b builder, x, _ value) value {
			table := b.Make(ssa.Array{Elem: word, Len: 2}, b.Int(word, -3), b.Int(word, 300))
			return b.Op(ssa.OpMul, x, b.Op(ssa.OpElem, table, b.Op(ssa.OpAnd, x, b.Int(word, 1))))
		}},
		{"a number of a table of large ones", false, func(b builder, x, _ value) value {
			table := b.Make(ssa.Array{Elem: word, Len: 2}, b.Int(word, -3), b.Int(word, 1<<24))
			return b.Op(ssa.OpMul, x, b.Op(ssa.OpElem, table, b.Op(ssa.OpAnd, x, b.Int(word, 1))))
		}},
		{"one operation for two conversions", false, func(b builder, x, n value) value {
			wide := b.Op(ssa.OpMul, n, x)
			small := b.Op(ssa.OpRem, wide, b.Int(word, 100))
			return b.Op(ssa.OpXor, wide, b.Op(ssa.OpAdd, small, b.Int(word, 1)))
		}},
	} {
		var last value
		asked = nil
		m := ssatest.KernelOf("k", []value{ssatest.Arg(ssa.Slice{Elem: ssa.Uint8}, "in"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "out"), ssatest.Arg(word, "n")}, func(b builder, p []value) {
			i := b.Op(ssa.OpThreadID, p[0])
			x := b.Convert(word, b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[1], i)))
			last = tt.make(b, x, p[3])
			// What computes with it keeps it narrow.
			smaller := b.IfElse(b.Op(ssa.OpLt, last, b.Int(word, 1000)), []ssa.Type{word}, func(b builder) { b.Yield(last) }, func(b builder) { b.Yield(b.Int(word, 7)) }).Result()
			b.Store(b.Op(ssa.OpIndexAddr, p[2], i), smaller)
			b.Return()
		})
		k := m.Kernels()[0]
		narrow.Lanes(k, analysis.NewLanes(k))
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("%s: %v\n%s", tt.name, err, m)
		}
		if asked != nil {
			last = asked
		}
		if got := last.Type == ssa.Int32; got != tt.want {
			t.Errorf("%s is narrow: %v\n%s", tt.name, got, m)
		}
	}
}

// A narrow number that leaves a loop in the place of a variable that is not narrow is made wide, also if only low bits of
// that are asked for.
func TestLanesExit(t *testing.T) {
	word := ssa.Int64
	m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Slice{Elem: ssa.Uint8}, "in"), ssatest.Arg(ssa.Slice{Elem: ssa.Uint8}, "out")}, func(b ssatest.Builder, p []*ssa.Value) {
		i := b.Op(ssa.OpThreadID, p[0])
		x := b.Convert(word, b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[1], i)))
		loop := b.Loop([]*ssa.Value{b.Int(word, 0), b.Int(word, 0)}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Op(ssa.OpLt, v[1], b.Int(word, 5)) },
			func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
				found := b.Op(ssa.OpRem, b.Op(ssa.OpMul, x, b.Op(ssa.OpMul, x, x)), b.Int(word, 300))
				b.IfElse(b.Op(ssa.OpLt, found, b.Int(word, 100)), nil, func(b ssatest.Builder) { b.Break(loop, found, v[1]) }, nil)
				b.Next(loop, v...)
			},
			func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
				return []*ssa.Value{v[0], b.Op(ssa.OpAdd, v[1], b.Int(word, 1))}
			})
		b.Store(b.Op(ssa.OpIndexAddr, p[2], i), b.Convert(ssa.Uint8, loop.Results[0]))
		b.Return()
	})
	k := m.Kernels()[0]
	if !narrow.Lanes(k, analysis.NewLanes(k)) {
		t.Error("nothing is narrow")
	}
	if err := ssa.Verify(m); err != nil {
		t.Errorf("%v\n%s", err, m)
	}
}
