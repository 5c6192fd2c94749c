package frontend

import (
	"errors"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// TestUnpackedHints wants advice that can be followed: as many indices as name one element.
func TestUnpackedHints(t *testing.T) {
	const decls = "type state struct {\n\tv i32.Vec3 `qd:\"unpacked\"`\n\tm i32.Mat3 `qd:\"unpacked\"`\n\tc [2][2][2]int32 `qd:\"unpacked\"`\n\td [1][1][1][2]int32 `qd:\"unpacked\"`\n}"
	const one = "[i] with an i known at compile time; or remove"
	const two = "[i][j] with i and j known at compile time; or remove"
	for _, c := range []struct{ expr, want string }{
		{"s.v.Dot(s.v)", "s.v" + one},
		{"s.m[1].Dot(i32.Vec3{})", "s.m" + two},
		{"s.m[1].Add(i32.Vec3{})[0]", "s.m" + two},
		{"s.m.MulVec(i32.Vec3{})[0]", "s.m" + two},
		{"s.m[1][:2][0]", "s.m" + two},
		{"[2][2]int32(s.c[1])[0][1]", "s.c[i][j][k] with i, j and k known at compile time; or remove"},
		{"[1][1][1][2]int32(s.d)[0][0][0][0]", "s.d[i][j][k][i3] with i, j, k and i3 known at compile time; or remove"},
	} {
		_, _, err := Compile(sources(t, onePackage("p", "p.go", kernelOf("var s state; x[0] = int("+c.expr+")", decls))), load.Ref{Pkg: "p", Name: "k"})
		var ds *diag.Diagnostics
		if !errors.As(err, &ds) || !strings.HasPrefix(ds.List[0].Hint, "use the elements one by one, "+c.want) {
			t.Errorf("%s: %v, want %q", c.expr, err, c.want)
		}
	}
}

// TestFloatsOnlyHint wants advice for vectors and for matrices of integers, on which a method of
// floats only is called.
func TestFloatsOnlyHint(t *testing.T) {
	for _, body := range []string{"var v i32.Vec3; x[0] = int(v.Norm())", "var m i32.Mat3; x[0] = int(m.Inverse()[0][0])"} {
		_, _, err := Compile(sources(t, onePackage("p", "p.go", kernelOf(body, ""))), load.Ref{Pkg: "p", Name: "k"})
		var ds *diag.Diagnostics
		if !errors.As(err, &ds) || !strings.Contains(ds.List[0].Hint, "only floats have this method, and the elements are integers: convert them, as in f32.") {
			t.Errorf("%s: %v", body, err)
		}
	}
}
