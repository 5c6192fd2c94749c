package live_test

import (
	"math/rand/v2"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis/live"
	"github.com/qdgen/qd/ssa/ssatest"
)

// plain is a View in which each instruction is evaluated where it stands.
type plain struct{}

func (plain) IsStatement(*ssa.Instr) bool             { return true }
func (plain) IsLogical(*ssa.Instr) bool               { return false }
func (plain) IsUsed(*ssa.Value) bool                  { return true }
func (plain) Leaves(v *ssa.Value, f func(*ssa.Value)) { f(v) }
func (plain) Operands(in *ssa.Instr, f func(v *ssa.Value)) {
	for _, a := range in.Args {
		f(a)
	}
}

// What is needed later conflicts with what gets its value meanwhile, around loops too.
func TestConflicts(t *testing.T) {
	var a, b, sum, last *ssa.Value
	var loop *ssa.Instr
	m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Int64, "a"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, func(build ssatest.Builder, p []*ssa.Value) {
		a = p[1]
		b = build.Op(ssa.OpAdd, a, a)
		loop = build.Loop([]*ssa.Value{a}, func(c ssatest.Builder, v []*ssa.Value) *ssa.Value { return c.Op(ssa.OpLt, v[0], b) },
			func(d ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
				sum = d.Op(ssa.OpAdd, v[0], b)
				d.Next(loop, sum)
			},
			func(_ ssatest.Builder, v []*ssa.Value) []*ssa.Value { return v })
		last = build.Op(ssa.OpMul, loop.Result(), loop.Result())
		build.Set(p[2], 0, last)
		build.Return()
	})
	found := live.Find(m.Funcs[0], plain{}, []*ssa.Value{a, b, a, sum, last})
	if len(found.Candidates) != 4 || found.Index(loop.Result()) != -1 {
		t.Fatalf("candidates %v", found.Candidates)
	}
	conflict := func(v, w *ssa.Value) bool {
		var of live.Set
		of.Add(found.Index(w))
		return of.Meets(found.At[found.Index(v)])
	}
	for _, c := range []struct {
		v, w *ssa.Value
		want bool
	}{{b, a, true}, {sum, b, true}, {sum, a, false}, {last, b, false}, {last, sum, false}} {
		if got := conflict(c.v, c.w); got != c.want {
			t.Errorf("%v while %v is live: %v", c.v, c.w, got)
		}
	}
}

// What only feeds what nobody reads is not used either, around loops too.
func TestUses(t *testing.T) {
	var unused, fed, kept, call *ssa.Value
	m := new(ssa.Module)
	f := ssatest.AddFunc(m, "f", false, nil, []ssa.Type{ssa.Int64}, func(b ssatest.Builder, _ []*ssa.Value) { b.Return(b.Int(ssa.Int64, 1)) })
	k := ssatest.AddFunc(m, "k", true, []*ssa.Value{ssatest.Arg(ssa.Thread, "t"), ssatest.Arg(ssa.Int64, "a"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
		fed = b.Op(ssa.OpAdd, p[1], p[1])
		loop := b.Loop([]*ssa.Value{fed, p[1]}, func(c ssatest.Builder, v []*ssa.Value) *ssa.Value { return c.Op(ssa.OpLt, v[1], p[1]) },
			func(d ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { d.Next(loop, p[1], v[1]) },
			func(_ ssatest.Builder, v []*ssa.Value) []*ssa.Value { return v })
		unused = b.Op(ssa.OpMul, loop.Results[0], loop.Results[0])
		call = b.Call(f)[0]
		kept = loop.Results[1]
		b.Set(p[2], 0, kept)
		b.Return()
	})
	found := live.FindUses(k, func(in *ssa.Instr) bool { return in.Op.Effect() == ssa.Pure })
	for name, c := range map[string]struct {
		v    *ssa.Value
		uses int
		dead bool
	}{"unused": {unused, 0, true}, "what feeds it": {fed, 0, true}, "what is stored": {kept, 1, false}, "a call": {call, 0, false}} {
		if got, dead := found.Count[c.v.ID], found.IsDead(c.v.Def); got != c.uses || dead != c.dead {
			t.Errorf("%s is used %d times, dead: %v", name, got, dead)
		}
	}
	if len(found.Exits[kept.Def]) != 1 {
		t.Errorf("the loop has the exits %v", found.Exits[kept.Def])
	}
}

// A Set does what a map of numbers does.
func TestSet(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		sets, maps := make([]live.Set, 3), []map[int]bool{{}, {}, {}}
		for range 100 {
			i, j := random.IntN(3), random.IntN(3)
			n := random.IntN(1 << random.IntN(9))
			switch random.IntN(6) {
			case 0, 1, 2:
				sets[i].Add(n)
				maps[i][n] = true
			case 3:
				sets[i].Remove(n)
				delete(maps[i], n)
			case 4:
				sets[i].Union(sets[j])
				for n := range maps[j] {
					maps[i][n] = true
				}
			default:
				if random.IntN(4) > 0 || i == j {
					continue
				}
				sets[i].Without(sets[j])
				for n := range maps[j] {
					delete(maps[i], n)
				}
			}
			for n := range 256 {
				var one live.Set
				one.Add(n)
				if sets[i].Meets(one) != maps[i][n] || one.Meets(sets[i]) != maps[i][n] {
					t.Fatalf("%d is in the set: %v, in the map: %v", n, sets[i].Meets(one), maps[i][n])
				}
			}
			both := false
			for n := range maps[i] {
				both = both || maps[j][n]
			}
			if c := sets[i].Clone(); c.Meets(sets[j]) != both {
				t.Fatalf("the sets meet: %v, the maps: %v", c.Meets(sets[j]), both)
			}
		}
	}
}
