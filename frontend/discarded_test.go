package frontend

import (
	"slices"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// TestDiscarded wants a warning where the result of a method that changes nothing is dropped,
// and nowhere else.
func TestDiscarded(t *testing.T) {
	const decls = `
type mine [3]int

func (m *mine) bump() int { m[0]++; return m[0] }

type body struct{ f32.Vec3 }
`
	for _, c := range []struct{ body, msg, hint string }{
		{"var v f32.Vec3; v.Normalize(); x[0] = int(v[0])", "the result of v.Normalize is not used, and v does not change", "assign the result: v = v.Normalize()"},
		{"var vs [2]f32.Vec3; vs[x[0]].Add(vs[0])", "the result of vs[x[0]].Add is not used, and vs[x[0]] does not change", "assign the result: vs[x[0]] = vs[x[0]].Add(vs[0])"},
		{"var b body; b.Scale(2); x[0] = int(b.Vec3[1])", "the result of b.Scale is not used, and b does not change", "use the result"},
		{"var m f32.Mat3; m.MulVec(f32.Vec3{})", "the result of m.MulVec is not used, and m does not change", "use the result"},
		{"var q f32.Quat; q.Conj()", "the result of q.Conj is not used, and q does not change", "assign the result: q = q.Conj()"},
		{"var v f32.Vec3; v = v.Normalize(); _ = v.Add(v); x[0] = int(v[0])", "", ""},
		{"var m mine; m.bump(); x[0] = m[0]", "", ""},
		{"v := qd.ViewOf2(x, 1, 1); v.Set(0, 0, 1); v.At(0, 0)", "", ""},
		{"qd.AtomicAdd(&x[0], 1)", "", ""},
	} {
		var got []diag.Diagnostic
		opts := Options{Warn: func(d diag.Diagnostic) { got = append(got, d) }}
		mustLowerWith(t, sources(t, onePackage("p", "p.go", kernelOf(c.body, decls))), load.Ref{Pkg: "p", Name: "k"}, opts)
		same := func(d diag.Diagnostic) bool { return d.Msg == c.msg && d.Hint == c.hint }
		if len(got) > 1 || len(got) == 0 != (c.msg == "") || len(got) == 1 && !slices.ContainsFunc(got, same) {
			t.Errorf("%s: %v, want %q, %q", c.body, got, c.msg, c.hint)
		}
	}
}
