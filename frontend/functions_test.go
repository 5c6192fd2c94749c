package frontend

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/frontend/lower"
)

// TestDeepCalls lowers chains of calls, one within the limit and one beyond.
func TestDeepCalls(t *testing.T) {
	for _, depth := range []int{lower.MaxDepth - 2, lower.MaxDepth + 2} {
		var text strings.Builder
		text.WriteString("package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc f0(x int) int { return x }\n")
		for i := range depth {
			fmt.Fprintf(&text, "func f%d(x int) int { return f%d(x + 1) }\n", i+1, i)
		}
		fmt.Fprintf(&text, "func k(t qd.Thread, x []int) { x[0] = f%d(0) }\n", depth)
		src := sources(t, onePackage("k", "k.go", text.String()))
		_, _, err := Compile(src, load.Ref{Pkg: "k", Name: "k"})
		if depth < lower.MaxDepth {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		var ds *diag.Diagnostics
		if want := fmt.Sprintf("calls are nested deeper than %d functions", lower.MaxDepth); !errors.As(err, &ds) || ds.List[0].Msg != want {
			t.Errorf("error is %v", err)
		}
	}
}

// TestDoublingCalls lowers functions of which each calls the one before twice: where
// they take functions, every call is lowered where it stands.
func TestDoublingCalls(t *testing.T) {
	text := "package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc f0(f func(int) int, n int) int { return f(n) }\n"
	for i := range 30 {
		text += fmt.Sprintf("func f%d(f func(int) int, n int) int { return f%d(f, n) - f%d(f, -n) }\n", i+1, i, i)
	}
	text += "func k(t qd.Thread, x []int) { v := x[1]; x[0] = f30(func(n int) int { v++; return n + v }, v) }\n"
	src := sources(t, onePackage("k", "k.go", text))
	_, _, err := Compile(src, load.Ref{Pkg: "k", Name: "k"})
	var ds *diag.Diagnostics
	if want := fmt.Sprintf("come to more than %d bytes of source", lower.MaxInlined); !errors.As(err, &ds) || !strings.Contains(ds.List[0].Msg, want) {
		t.Errorf("error is %v", err)
	}
}

// TestLoweredInPlace lowers bodies in all the places where calls can stand, left in all
// ways: what comes out must be valid.
func TestLoweredInPlace(t *testing.T) {
	for _, body := range []string{
		"f := func() bool { panic(\"no\") }\n for f() { x[0] = 1 }",
		"f := func() bool { if x[0] > 1 { return true }; panic(\"no\") }\n for f() { x[0] = 1 }",
		"f := func() bool { if x[0] > 1 { return true }; panic(\"no\") }\n for i := 0; i < 3; f() { x[0] = 1 }",
		"f := func() bool { for { } }\n if f() && f() { x[0] = 1 }",
		"f := func() bool { for { } }\n x[0] = 1; if x[1] > 2 || f() { x[0] = 1 }; x[2] = 3",
		"f := func() int { panic(1) }\n y := f() + f(); x[0] = y",
		"f := func() (int, bool) { for {} }\n y, ok := f(); if ok { x[0] = y }",
		"f := func() (a [3]int) { a[1] = 2; if x[0] > 1 { a[2] = 1; return }; return [3]int{1,2,3} }\n y := f(); x[0] = y[1]",
		"var f func(); f = func() { x[0]++ }; f(); g := f; g()",
		"f := func(s []int, p *int) { *p = s[0]; s[1] = *p }; n := 1; f(x, &n); x[2] = n",
		"f := func(p *int) *int { return p }; n := 1; *f(&n) = 3; x[2] = n",
		"type T struct { f int }; f := func() (t T) { t.f++; return t }; x[0] = f().f",
		"f := func(_ int, _ ...int) {}; f(1); f(1, 2, 3); f(1, x...)",
		"for i := range x { f := func() int { i++; return i }; x[0] = f() + f() }",
		"f := func() {}; for f(); ; f() { f(); if x[0] > 1 { break } }",
		"g := func(h func()) { h() }; s := 0; for g(func() { s++ }); s < 10; g(func() { s += 2 }) { g(func() { s-- ; if s == 3 { s = 5; return }; x[0] = s }) }; x[1] = s",
		"g := func(h func() bool) bool { return h() }; s := 0; for g(func() bool { s++; return s < 10 }) { x[s%2]++ }; x[1] = s",
		"a := [3]int{1,2,3}; f := func() { a[1] = 5; s := a[:]; s[0] = 2 }; f(); x[0] = a[0] + a[1]",
		"n := 1; f := func() *int { return &n }; *f() += 2; x[0] = n",
		"x[0] = func() int { switch { case x[1] > 1: return 1; case x[1] > 2: panic(1) }; return 3 }()",
		"x[0] = func() (n int) { for i := range x { n += i; if n > 3 { return } }; n = -n; return n * 2 }()",
		"_ = func(f func(int) int, m int) (n int) { x[0] = f(m); if f(1) > 2 { return f(3) }; for f(2) < 3 { s := x[:f(1)]; s[f(0)]++ }; switch f(1) { case 1, f(2): n++; fallthrough; default: return }; return }",
		"_ = func(f func(int) int, g func() (int, *int)) *int { var q [3]int; a, p := g(); q[f(1)] += a; *p = f(f(a)); q[0], _ = g(); r := &q[f(2)]; *r += 1; for i := range f(3) { q[i] = f(i) }; f(1); h := f; q[h(1)]++; _, s := g(); if f(2) > 1 && *p > 3 { n := f(2); q[n]++ }; return s }",
		"_ = func(t qd.Thread, f func(qd.Thread) []int) { s := f(t); for i, v := range s { s[i] = -v }; copy(s, x); clear(s); qd.Printf(\"%d %d\", len(s), t.ID()); qd.AtomicAdd(&s[0], 1); t.Sync(); x[0] = int(float32(s[1])); y := [2]int{s[1], 2}; _ = y == [2]int{} }",
		"{ f := func() int { return 1 }; x[0] = f() }; { f := func() int { return 2 }; x[0] = f() }",
	} {
		src := sources(t, onePackage("k", "k.go", "package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc k(t qd.Thread, x []int) {\n"+body+"\n}\n"))
		t.Run(body, func(t *testing.T) { mustLower(t, src, load.Ref{Pkg: "k", Name: "k"}) })
	}
}

// TestOtherPackages lowers methods and generic code of packages that the kernel's
// imports, and of those that these import.
func TestOtherPackages(t *testing.T) {
	kernel := onePackage("main", "k.go", `package main

import (
	"example.com/geom"
	"example.com/units"

	"github.com/qdgen/qd"
)

type local struct{ geom.Named[units.Meters] }

type square struct{ side float32 }

func (s square) Area() float32 { return s.side * s.side }

//qd:kernel
func k(t qd.Thread, x []float32) {
	l := local{geom.Named[units.Meters]{Box: geom.Box[units.Meters]{Lo: 1, Hi: 3}}}
	l.Widen(2)
	x[0] = l.Size().Feet() + geom.Total(square{2}, square{3})
	x[1] = geom.Apply(&x[0], units.Meters.Feet)
}
`)
	geom := onePackage("example.com/geom", "geom.go", `package geom

import "example.com/units"

type Named[T units.Length] struct {
	Box[T]
	name int
}

type Box[T units.Length] struct{ Lo, Hi T }

func (b Box[T]) Size() T { return grow(b.Hi, -b.Lo) }

func (b *Box[T]) Widen(by T) { b.Lo, b.Hi = grow(b.Lo, -by), grow(b.Hi, by) }

func grow[T units.Length](x, by T) T { return x + by }

type Shape interface{ Area() float32 }

func Total[S Shape](shapes ...S) (sum float32) {
	for i := range shapes {
		sum += shapes[i].Area()
	}
	return sum
}

func Apply(p *float32, f func(units.Meters) float32) float32 { return f(units.Meters(*p)) }
`)
	units := onePackage("example.com/units", "units.go", `package units

type Length interface{ ~float32 | ~float64 }

type Meters float32

func (m Meters) Feet() float32 { return float32(m) * perMeter }

const perMeter = 3.25
`)
	m := mustLower(t, sources(t, kernel, geom, units), load.Ref{Pkg: "main", Name: "k"})
	var names []string
	for _, f := range m.Funcs {
		names = append(names, f.Name)
	}
	want := "geom.grow[units.Meters] geom.Box[units.Meters].Widen geom.Box[units.Meters].Size units.Meters.Feet square.Area geom.Total[square] geom.Apply_Feet k"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("functions\n%s, want\n%s", got, want)
	}
}
