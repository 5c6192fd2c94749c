package widen_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target"
	"github.com/qdgen/qd/ssa/target/widen"
)

// Threads of random kernels leave the same memory in lanes as alone, in vectors of any width. Where registers are small,
// the lanes run iterations in groups.
func TestRandom(t *testing.T) {
	taken, rare, versions, masked, stops, inTurn := 0, 0, 0, 0, 0, 0
	parts := make(map[ssa.Op]int) // numbers that are accessed
	why := make(map[string]int)
	for seed := range uint64(*ssatest.Seeds) {
		m := ssatest.RandomLanes(seed)
		opt.Optimize(m, nil)
		target.NumberChecks(m)
		k := m.Kernels()[0]
		want, faults, ended := ssatest.LaunchLanes(k, 1)
		if !ended {
			continue
		}
		for _, c := range []struct {
			lanes int
			table *widen.Costs
		}{{1, &widen.CPU}, {4, &widen.CPU}, {8, &widen.CPU}, {16, &widen.CPU}, {16, widen.TinyCPU}} {
			lanes := c.lanes
			summaries := new(analysis.Summaries)
			d := &widen.Widener{Summaries: summaries, Table: c.table, Lanes: lanes}
			made := d.Kernel(k)
			wide := k.Wide
			if wide.By == nil {
				why[wide.Why]++
				break
			}
			taken++
			for _, f := range made[:len(made)-1] {
				switch params := f.Params(); {
				case f.Rare:
					rare++
				case len(params) > 0 && params[len(params)-1].Name == "mask":
					masked++
				default:
					versions++
				}
			}
			wide.By.Body.Walk(func(in *ssa.Instr) {
				parts[in.Op] += max(len(in.Results), len(in.Args))
				if in.Op == ssa.OpCall && !slices.Contains(made, in.Callee) {
					inTurn++
				}
			})
			last := len(m.Funcs) - 1
			both := &ssa.Module{Name: "k", Funcs: slices.Concat(m.Funcs[:last], made, m.Funcs[last:])}
			if err := ssa.Verify(both); err != nil {
				t.Fatalf("seed %d, %d lanes: %v\n%v", seed, lanes, err, both)
			}
			got, stopped, ended := ssatest.LaunchLanes(wide.By, int64(lanes))
			if len(stopped) > 0 {
				stops++
			}
			if !ended || got != want || len(faults) > 0 && !stopLike(stopped, faults) {
				t.Fatalf("seed %d, %d lanes:\n%s%v\nalone:\n%s%v\n%v", seed, lanes, got, stopped, want, faults, both)
			}
		}
	}
	if stops < taken/20 {
		t.Errorf("%d of %d stop", stops, taken)
	}
	t.Log(taken, rare, versions, masked, parts[ssa.OpConcat], why)
	if parts[ssa.OpConcat] < taken/20 {
		t.Errorf("%d vectors are put together from those of groups, in %d functions", parts[ssa.OpConcat], taken)
	}
	if taken < *ssatest.Seeds {
		t.Errorf("of %d kernels only %d have vectors: %v", *ssatest.Seeds, taken/4, why)
	}
	for op, least := range map[ssa.Op]int{ssa.OpLocal: taken / 20, ssa.OpLoadParts: taken, ssa.OpStoreParts: taken, ssa.OpLoadStrided: taken / 16, ssa.OpStoreStrided: taken} {
		t.Log(op, parts[op])
		if parts[op] < least {
			t.Errorf("%d numbers by %v, in %d functions", parts[op], op, taken)
		}
	}
	if rare == 0 {
		t.Error("no kernel has a function for lanes that have iterations left")
	}
	if inTurn < taken/20 {
		t.Errorf("%d kernels call functions for one lane after the other at %d places", taken, inTurn)
	}
	if versions < taken/20 || masked < taken/20 {
		t.Errorf("%d kernels call %d functions for all lanes, and %d with a mask", taken, versions, masked)
	}
}

// stopLike reports whether each of the threads that stopped, of those that run at once, is one that stops alone, and that
// one stopped.
func stopLike(stopped, alone []string) bool {
	for _, at := range stopped {
		if !slices.Contains(alone, at) {
			return false
		}
	}
	return len(stopped) > 0
}
