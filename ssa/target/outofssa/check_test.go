package outofssa

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
)

// Random modules are translated right, as they are and optimized, which names fewer values and reads more memory
// inside statements.
func TestRandom(t *testing.T) {
	for seed := range uint64(400) {
		for name, random := range map[string]func(uint64) *ssa.Module{"module": ssatest.RandomModule, "lanes": ssatest.RandomLanes} {
			m := random(seed)
			for _, optimized := range []bool{false, true} {
				if optimized {
					opt.Optimize(m, nil)
				}
				summaries := new(analysis.Summaries)
				for _, f := range m.Funcs {
					if err := Translate(f, summaries).Check(summaries); err != nil {
						t.Fatalf("%s %d: %v\n%v", name, seed, err, f)
					}
				}
			}
		}
	}
}

// A wrong translation is found.
func TestCheck(t *testing.T) {
	var a, sum, diff, load *ssa.Value
	build := func() *ssa.Func {
		m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Int64, "a"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, func(b ssatest.Builder, p []*ssa.Value) {
			a = p[1]
			load = b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[2], a))
			sum = b.Named("sum", b.Op(ssa.OpAdd, a, a))
			diff = b.Named("diff", b.Op(ssa.OpSub, a, sum))
			b.Set(p[2], 0, sum)
			b.Set(p[2], 1, diff)
			b.Set(p[2], 2, load)
			b.Return()
		})
		return m.Funcs[0]
	}
	for name, c := range map[string]struct {
		breaks func(f *Func)
		want   string
	}{
		"as it is": {func(*Func) {}, ""},
		"two values that are live at once share a variable": {func(f *Func) { f.vars[diff.ID] = f.vars[sum.ID] }, "which holds"},
		"a read behind a write":                             {func(f *Func) { f.inline[load.ID] = true }, "has been written since"},
		"no variable":                                       {func(f *Func) { f.vars[sum.ID] = nil }, "has no variable"},
		"another scope":                                     {func(f *Func) { f.vars[sum.ID].Scope = new(Scope) }, "outside of its scope"},
		"a late declaration":                                {func(f *Func) { f.vars[sum.ID].Place = 1000 }, "before it is declared"},
	} {
		fn := build()
		summaries := new(analysis.Summaries)
		f := Translate(fn, summaries)
		c.breaks(f)
		got := fmt.Sprint(f.Check(summaries))
		if c.want == "" && got != "<nil>" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Steps mean what copies mean that happen at once, and so does no step less.
func TestSequence(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		n := 2 + random.IntN(5)
		f := &Func{inline: make([]bool, n), vars: make([]*Variable, n)}
		values := make([]*ssa.Value, n)
		for i := range values {
			values[i] = &ssa.Value{ID: i}
			f.vars[i] = &Variable{Number: i, Values: values[i : i+1]}
		}
		var copies []Copy
		want := make([]int, n)
		for i := range want {
			want[i] = i
			if from := random.IntN(n); random.IntN(4) > 0 && from != i {
				copies = append(copies, Copy{f.vars[i], values[from]})
				want[i] = from
			}
		}
		random.Shuffle(len(copies), func(i, j int) { copies[i], copies[j] = copies[j], copies[i] })
		got, saved := make([]int, n), []int(nil)
		for i := range got {
			got[i] = i
		}
		for _, s := range f.Sequence(copies) {
			switch s.Kind {
			case Save:
				saved = append(saved, got[s.From.ID])
			case Restore:
				got[s.To.Number], saved = saved[len(saved)-1], saved[:len(saved)-1]
			default:
				got[s.To.Number] = got[s.From.ID]
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v for %v by %v", got, want, f.Sequence(copies))
		}
	}
}

// A call that is done behind what follows it is found.
func TestCheckCalls(t *testing.T) {
	m := new(ssa.Module)
	g := ssatest.AddFunc(m, "g", false, []*ssa.Value{ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, []ssa.Type{ssa.Int64}, func(b ssatest.Builder, p []*ssa.Value) {
		b.Set(p[0], 0, b.Int(ssa.Int64, 3))
		b.Return(b.Int(ssa.Int64, 1))
	})
	var call *ssa.Value
	k := ssatest.AddFunc(m, "k", true, []*ssa.Value{ssatest.Arg(ssa.Thread, "t"), ssatest.Arg(ssa.Int64, "a"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
		call = b.Named("c", b.Call(g, p[2])[0])
		b.Set(p[2], 0, b.Named("l", b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[2], p[1]))))
		b.Set(p[2], 1, call)
		b.Return()
	})
	summaries := new(analysis.Summaries)
	f := Translate(k, summaries)
	if err := f.Check(summaries); err != nil {
		t.Fatal(err)
	}
	f.inline[call.ID] = true
	if err := f.Check(summaries); err == nil || !strings.Contains(err.Error(), "a call that it follows") {
		t.Error(err)
	}
}
