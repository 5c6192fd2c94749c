package frontend

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

// A reader is an Environment that has code for each qd.Static, and notes what that reads.
type reader struct{ got []string }

func (*reader) Var(string, string) (comptime.Value, error) { return comptime.Value{}, ErrNotRegistered }

func (r *reader) Static(_ StaticSite, _ []comptime.Value, reads Reads) (comptime.Value, error) {
	var names []string
	for _, v := range reads.Vars {
		names = append(names, v.Name)
	}
	r.got = append(r.got, fmt.Sprintf("%s calls %t unseen %t", strings.Join(names, " "), reads.Calls, reads.Unseen))
	return intValue(1), nil
}

// TestReads finds what the arguments of qd.Static read.
func TestReads(t *testing.T) {
	const text = `package p

import (
	"math"
	"strings"

	"github.com/qdgen/qd"
)

var a, b, fixed = 1, 2, 3
var table = map[int]int{1: 2}
var ops = map[int]func(int) int{1: direct}

func init() { a, b = 5, 6; table[1], ops[1] = 3, nil }

type T struct{ n int }

func (t T) sum() int { return t.n + b }

type I interface{ sum() int }

func direct(n int) int          { return a + n + fixed }
func indirect(n int) int        { if n == 0 { return direct(n) }; return T{n}.sum() + indirect(n-1) }
func pure(n int) int            { return int(math.Sqrt(float64(n))) }
func apply(f func(int) int) int { return f(1) }
func library(n int) int         { return strings.Count("a", "b") + n }
func dynamic(i I) int           { return i.sum() }
func inserted(n int) int        { return func() int { return table[n] }() }

//qd:kernel
func k(t qd.Thread, x []int, n qd.Const[int]) { x[0] = qd.Static(%s) }
`
	for _, test := range []struct{ expr, want string }{
		{"a + n.V", "a calls false unseen false"},
		{"fixed + n.V + 0*table[1]", "table calls false unseen false"},
		{"fixed + n.V", " calls false unseen false"},
		{"direct(n.V)", "a calls true unseen false"},
		{"indirect(n.V)", "a b calls true unseen false"},
		{"pure(n.V) + b", "b calls true unseen false"},
		{"inserted(n.V)", "table calls true unseen false"},
		{"ops[n.V](1)", "ops calls true unseen true"},
		{"apply(direct) + n.V", "a calls true unseen true"},
		{"library(n.V)", " calls true unseen true"},
		{"dynamic(T{n.V})", " calls true unseen true"},
	} {
		env := &reader{}
		opts := Options{Env: env, Consts: map[int]comptime.Value{2: intValue(1)}}
		_, err := Specialize(opts, sources(t, onePackage("p", "k.go", fmt.Sprintf(text, test.expr))), load.Ref{Pkg: "p", Name: "k"})
		if got := strings.Join(env.got, "; "); err != nil || got != test.want {
			t.Errorf("%s: %q, want %q (%v)", test.expr, got, test.want, err)
		}
	}
}
