package emit_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/emit"
)

// TestReferences checks which aggregates go by reference: to a function that changes nothing but
// its own variables, and does not assign the parameter.
func TestReferences(t *testing.T) {
	m := lower(t, `
type vec [4]float32

type pair struct{ a, b vec }

func (v vec) sum() float32 { return v[0] + v[1] + v[2] + v[3] }

func (v vec) scaled(by float32) (r vec) {
	for i := range r {
		r[i] = v[i] * by
	}
	return r
}

func (p pair) total(more vec) float32 { return p.a.sum() + p.b.scaled(2).sum() + more[0] }

func (v vec) halved() vec {
	v[0] /= 2
	return v
}

func (v vec) store(x []vec, i int) float32 {
	x[i][0] = 1
	return v[0]
}

func (v vec) storeBelow(x []vec, i int) float32 { return v.store(x, i) + v[1] }

func (v vec) count(n *int32) float32 {
	qd.AtomicAdd(n, 1)
	return v[0]
}

//qd:kernel
func k(t qd.Thread, x []vec, p []pair, y []float32, n []int32) {
	i := t.ID()
	y[i] = x[i].scaled(2).sum() + x[i].halved().sum() + p[i].total(x[i])
	y[i+1] = x[i].store(x, i) + x[i].storeBelow(x, i) + x[i].count(&n[0])
}
`)
	for _, to := range targets {
		text := to.emit(m, emit.Options{}).Source
		for name, want := range map[string]string{
			"vec_sum":        "(const array<float32, 4>& v)",
			"vec_scaled":     "(const array<float32, 4>& v, float32 by)",
			"pair_total":     "(const pair_& p, const array<float32, 4>& more)",
			"vec_halved":     "(array<float32, 4> v)",
			"vec_store":      "(array<float32, 4> v, slice<array<float32, 4>> x, int64 i)",
			"vec_storeBelow": "(array<float32, 4> v, slice<array<float32, 4>> x, int64 i)",
			"vec_count":      "(array<float32, 4> v, int32* n)",
		} {
			if !strings.Contains(text, " "+name+want+" {") {
				t.Errorf("%s: %s does not have the parameters %s:\n%s", to.name, name, want, text)
			}
		}
	}
}

// A table that is passed to a kernel is not copied where the kernel only reads it.
func TestTables(t *testing.T) {
	m := lower(t, `
type row struct{ of [4]uint16 }

func (r row) at(i int) uint16 { return r.of[i&3] }

//qd:kernel
func k(t qd.Thread, table [4]uint16, r row, changed [4]uint16, y []uint16) {
	i := t.ID()
	changed[i&3]++
	y[i] = table[i&3] + 10*r.at(i+1) + 100*changed[0]
}
`)
	forTargets(t, func(t *testing.T, to target) {
		b := build(t, to, m)
		const packed = 4<<48 | 3<<32 | 2<<16 | 1 // 1, 2, 3, 4
		y := newArray(2, 4)
		b.run(t, m.Kernels()[0], []int{4}, uint64(packed), uint64(packed), uint64(packed), y)
		for i, want := range []uint64{1 + 20 + 200, 2 + 30 + 100, 3 + 40 + 100, 4 + 10 + 100} {
			if got := y.get(i); got != want {
				t.Errorf("%s: y[%d] = %d, want %d", to.name, i, got, want)
			}
		}
	})
	text := targets[1].emit(m, emit.Options{}).Source
	for _, want := range []string{"const array<uint16, 4>& table = args.table;", "const row& r = args.r;", " array<uint16, 4> changed = args.changed;", "row_at(const row& r, int64 i)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
