package emit_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/emit"
)

// TestReferences checks which aggregates go by reference: to a function that changes nothing but
// its own variables, and does not assign the parameter. CUDA copies all.
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
			if to.name == "cuda" {
				want = strings.NewReplacer("const ", "", "&", "").Replace(want)
			}
			if !strings.Contains(text, " "+name+want+" {") {
				t.Errorf("%s: %s does not have the parameters %s:\n%s", to.name, name, want, text)
			}
		}
	}
}
