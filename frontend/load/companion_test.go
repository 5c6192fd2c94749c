package load

import (
	"errors"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
)

// A directive of a companion is checked: that its function exists, and that the signatures fit.
func TestCompanions(t *testing.T) {
	tests := []struct{ text, want, hint string }{
		{"//qd:gradient f\nfunc g(x, adj float64) float64 { return adj }", "", ""},
		{"// g is the derivative.\n//\n//qd:gradient f\nfunc g(x, adj float64) float64 { return adj }", "", ""},
		{"//qd:replay f\nfunc g(x float64) float64 { return x }", "", ""},
		{"//qd:gradient f\nfunc g(x float64) float64 { return x }", "a/a.go:5:1: g does not have the signature of the gradient of f", "declare it as func g(float64, float64) float64"},
		{"//qd:gradient f\nfunc g(x, adj float32) float32 { return x }", "a/a.go:5:1: g does not have the signature of the gradient of f", "declare it as func g(float64, float64) float64"},
		{"//qd:gradient f\nfunc g[T any](x, adj T) T { return x }", "does not have the signature", "declare it as func g(float64, float64) float64"},
		{"//qd:replay f\nfunc g(x, adj float64) float64 { return x }", "a/a.go:5:1: g does not have the signature of the replay of f", "declare it as func g(float64) float64"},
		{"//qd:gradient h\nfunc g(x, adj float64) float64 { return x }", "a/a.go:5:1: //qd:gradient: there is no function h", "write the name of a function of this package, that of a method as T.Method"},
		{"//qd:gradient\nfunc g(x, adj float64) float64 { return x }", "a/a.go:5:1: //qd:gradient names no function", "write //qd:gradient and the name of the function, as in //qd:gradient softplus or //qd:gradient Spring.Force"},
		{"//qd:gradient f as below\nfunc g(x, adj float64) float64 { return x }", "names no function", ""},
		{"//qd:gradient f\nfunc g(x, adj float64) float64 { return adj }\n\n//qd:gradient f\nfunc h(x, adj float64) float64 { return adj }", "a/a.go:8:1: f has two functions with the directive //qd:gradient", "remove one of them"},
		{"//qd:gradient T.m\nfunc g(t T, x, adj float64) (T, float64) { return t, adj }\n\ntype T struct{ a float32 }\n\nfunc (t T) m(x float64) float64 { return x }\n\nvar v = T.m", "", ""},
		{"//qd:gradient p.m\nfunc g[E any](t p[E], y []float64, yGrad []float64, adj E) p[E] { return t }\n\ntype p[E any] struct{ a E }\n\nfunc (t p[E]) m(y []float64) (E, int) { return t.a, 1 }\n", "", ""},
	}
	for _, tt := range tests {
		src := sources(map[string]string{"a/a.go": "package a\n\nfunc f(x float64) float64 { return x }\n\n" + tt.text + "\n\nfunc k() {\n\tf(1)\n}\n"})
		if strings.Contains(tt.text, "T.m") {
			src = sources(map[string]string{"a/a.go": "package a\n\nfunc f(x float64) float64 { return x }\n\n" + tt.text + "\n\nfunc k() {\n\tT{}.m(1)\n}\n"})
		}
		if strings.Contains(tt.text, "p.m") {
			src = sources(map[string]string{"a/a.go": "package a\n\nfunc f(x float64) float64 { return x }\n\n" + tt.text + "\n\nfunc k() {\n\tp[float32]{}.m(nil)\n}\n"})
		}
		p, err := Check(src, Ref{Pkg: "a", Name: "k"})
		if tt.want == "" {
			if err != nil {
				t.Errorf("%s\n%v", tt.text, err)
				continue
			}
			if len(p.companions) != 1 {
				t.Errorf("%s\n%v", tt.text, p.companions)
			}
			continue
		}
		var ds *diag.Diagnostics
		if !errors.As(err, &ds) || len(ds.List) != 1 {
			t.Errorf("%s\n%v", tt.text, err)
			continue
		}
		d := ds.List[0]
		if got := d.Pos.String() + ": " + d.Msg; !strings.Contains(got, tt.want) || tt.hint != "" && d.Hint != tt.hint {
			t.Errorf("%s\n%s (%s)", tt.text, got, d.Hint)
		}
	}
}
