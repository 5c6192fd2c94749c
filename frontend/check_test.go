package frontend

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// What each expression is checked for, and where the check says that it is. What
// cannot fail has no check.
func TestChecks(t *testing.T) {
	for _, test := range []struct{ code, want string }{
		{"x[i] = y[i+1]", "10:9 index, 10:2 index"},
		{"x[0]++", "10:2 index"},
		{"n = a[i] + a[2]", "10:6 index"},
		{"p := &s.a; n = p[i]", "10:17 index"},
		{"s.a[i], x[1] = 2, 3", "10:2 index, 10:10 index"},
		{"n = len(x[i:])", "10:10 slice"},
		{"n = len(a[:])", ""},
		{"n = len(a[:i])", "10:10 slice"},
		{"n /= i", "10:4 divide"},
		{"n = i / 3 % n", "10:12 divide"},
		{"f = f / g", ""},
		{"n = 1 << i", "10:8 shift"},
		{"n >>= 3", ""},
		{"n >>= uint(i)", ""},
		{"n <<= i", "10:4 shift"},
		{"n = *q", "10:6 nil"},
		{"*q = n", "10:2 nil"},
		{"n = r.a[1]", "10:8 nil"},
		{"r.s.a = a", "10:4 nil, 10:6 nil"},
		{"n = s.s.a[i]", "10:10 nil, 10:6 index"},
		{"v := &n; *v = 3", ""},
		{"v := &x[i]; *v = 3", "10:8 index"},
		{"v := new(int); *v = 3", ""},
		{"qd.AtomicAdd(q, 1)", "10:15 nil"},
		{"qd.AtomicAdd(&x[n], 1)", "10:16 index"},
		{"for k := range x { n += x[k] }", "10:26 index"},
		{"for _, v := range x { n += v }", ""},
		{"for _, v := range a { n += v }", ""},
		{"for _, v := range q2 { n += v }", "10:9 nil"},
		{"for range q2 { n++ }", ""},
		{"n = len(q2)", ""},
		{"w := q2[:]; n = w[0]", "10:7 nil, 10:18 index"},
		{"if q != nil && *q > 0 { n++ }", "10:17 nil"},
		{"clear(x); copy(x, a[:])", ""},
		{"n = [3]int{1}[n]", "10:6 index"},
		{"switch x[i] { case y[i]: }", "10:9 index, 10:21 index"},
	} {
		t.Run(test.code, func(t *testing.T) {
			code := fmt.Sprintf(`package k

import "github.com/qdgen/qd"

type st struct { a [3]int; s *st2 }
type st2 struct { a [3]int }

//qd:kernel
func k(t qd.Thread, x, y []int, n, i int, f, g float64) { var a [3]int; var s st; var q *int; var r *st; var q2 *[3]int
	%s
	_, _, _, _, _ = a, s, q, r, q2
}
`, test.code)
			src := sources(t, onePackage("k", "k.go", code))
			p, err := load.Check(src, load.Ref{Pkg: "k", Name: "k"})
			if err != nil {
				t.Fatal(err)
			}
			for _, checked := range []bool{true, false} {
				m, err := Lower(p, p.Kernels[0], Options{Checked: checked})
				if err != nil {
					t.Fatal(err)
				}
				if err := ssa.Verify(m); err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, f := range m.Funcs {
					f.Body.Walk(func(in *ssa.Instr) {
						if in.Op == ssa.OpCheck {
							got = append(got, fmt.Sprintf("%d:%d %v", in.Pos.Line, in.Pos.Col, in.Check))
						}
					})
				}
				want := test.want
				if !checked {
					want = ""
				}
				if strings.Join(got, ", ") != want {
					t.Errorf("checked %v: got %s, want %s\n%s", checked, strings.Join(got, ", "), want, m)
				}
			}
		})
	}
}
