package errors

import (
	"errors"
	"fmt"

	"github.com/qdgen/qd"
)

type figure interface{ area() float64 }

type square struct{ a float64 }

type circle struct{ r float64 }

func (s square) area() float64 { return s.a * s.a }

func (c circle) area() float64 { return 3 * c.r * c.r }

func areaOf(f figure) float64 { return f.area() } // want "the dynamic type of f is not known at compile time: it is square \\(interfaces.go:24\\) or circle \\(interfaces.go:26\\)"

func figureOf(c bool, x float64) figure {
	if c {
		return square{x}
	}
	return circle{x}
}

var errBad = errors.New("bad")

var ErrAgain = errors.New("exported")

var changing figure = square{1}

func change() { changing = circle{1} }

var computed = figureOf(true, 1)

type wrapped struct{ e int }

func (w wrapped) Error() string { return "wrapped" }

var errWrapped error = &wrapped{1}

func (w wrapped) Unwrap() error { return nil }

func ifBad(x float64) error {
	if x < 0 {
		return errBad
	}
	return nil
}

type list interface{ first() []float64 }

type values []float64

func (v values) first() []float64 { return v }

type pointing struct{ p *float64 }

type keeper interface{ keep(*float64) }

func (p *pointing) keep(to *float64) { p.p = to }

func keepIn(k keeper) {
	local := 1.0
	k.keep(&local) // want "what the call is given outlives local, which it points to"
}

//qd:kernel
func dynamicTypes(t qd.Thread, x []float64, s []figure) { // want "parameter s has type \\[\\]figure: interfaces are known at compile time only, by their dynamic types"
	x[0] = areaOf(figureOf(x[0] > 1, x[1]))
	var f figure = square{1}
	if x[2] > 0 {
		f = circle{2}
	}
	x[2] = f.area() // want "the dynamic type of f is not known at compile time: it is circle \\(interfaces.go:76\\) or square \\(interfaces.go:74\\)"
	f = square{2}
	for i := range x {
		x[i] = f.area() // want "the dynamic type of f is not known at compile time: it is square \\(interfaces.go:79\\) or circle \\(interfaces.go:82\\)"
		f = circle{x[i]}
	}
	var none figure
	x[3] = none.area()            // want "none is nil here: in Go, the call of its method area panics"
	_ = none.(square)             // want "none is nil, not a square"
	_ = figure(square{}).(circle) // want "square\\{\\} is a square, not a circle"
	var g, h any = []int{1}, []int{2}
	if g == h { // want "the dynamic type \\[\\]int of both operands cannot be compared: in Go this comparison panics"
		x[4] = 1
	}
	var p pointing
	keepIn(&p)
}

//qd:kernel
func errorValues(t qd.Thread, x []float64) {
	err := error(errBad)
	x[0] = float64(len(err.Error())) + float64(len(errCounting.Error())) // want "method Error of \\*counting, which package variable errCounting holds, cannot be called in a kernel"
	made := fmt.Errorf("%d: %w", t.ID(), errBad)
	x[0] = float64(len(made.Error())) // want "made.Error\\(\\) is a text that the kernel makes when it runs: it can only be the argument of panic, or a part of one"
	if made == errors.New("bad") {
		x[0] = 1
	}
	if made == made { // want "the value used here is a text"
		x[0] = 1
	}
	if w, ok := made.(interface{ Unwrap() error }); ok && w.Unwrap() == errBad { // want "method Unwrap of an error that fmt.Errorf makes cannot be called in a kernel"
		x[0] = 1
	}
	if ErrAgain == err { // want "package variable ErrAgain is exported, so any package may assign to it, so that its dynamic type is not known"
		x[1] = 1
	}
	x[2] = changing.area()          // want "package variable changing is assigned at interfaces.go:35, so that its dynamic type is not known"
	x[3] = computed.area()          // want "package variable computed has an initial value whose dynamic type the source does not show"
	if errors.Is(wrapped{1}, err) { // want "errors.Is of a wrapped, which has a method Unwrap, is not supported in a kernel"
		x[4] = 1
	}
	held := pointed
	if p, ok := held.(*wrapped); ok { // want "held is a pointer of a package variable: what it points to is not known in a kernel"
		x[5] = float64(p.e)
	}
	if err := ifBad(x[6]); err != nil {
		x[6] = err.(wrapped).value() // want "the dynamic type of err is not known at compile time: it is errBad \\(interfaces.go:49\\) or nil \\(interfaces.go:51\\)"
	}
	if errors.Join(err) != nil { // want "errors.Join is not supported in a kernel"
		x[7] = 1
	}
	if errors.ErrUnsupported == err { // want "package variable errors.ErrUnsupported belongs to a package from which kernels can only use constants, types and functions"
		x[8] = 1
	}
}

func (w wrapped) value() float64 { return float64(w.e) }

var pointed error = &wrapped{1}

//qd:kernel
func errorOfFormat(t qd.Thread, x []int) {
	err := fmt.Errorf(fmt.Sprint("element ", x[0])) // want "whether the error that fmt.Errorf makes wraps another is not known at compile time"
	if err != nil {
		x[0] = 1
	}
}

type counting struct{ calls int }

func (c *counting) Error() string { c.calls++; return "counting" }

var errCounting error = &counting{}

//qd:kernel
func oneOrNil(t qd.Thread, x []float64) {
	var f figure
	if x[0] > 1 {
		f = square{x[0]}
	}
	s, ok := f.(square)
	if ok || f != nil {
		x[1] = s.a + f.(square).a
	}
	x[2] = f.area()     // want "the dynamic type of f is not known at compile time: it is nil \\(interfaces.go:[0-9]+\\) or square \\(interfaces.go:[0-9]+\\)"
	x[3] = f.(circle).r // want "f is a square, not a circle"
	for i := range qd.Dynamic(3) {
		f = square{float64(i)}
	}
	x[4] = f.(square).a // want "the dynamic type of f is not known at compile time: it is nil \\(interfaces.go:[0-9]+\\) or square \\(interfaces.go:[0-9]+\\)"
}
