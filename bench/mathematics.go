package main

import (
	_ "embed"
	"fmt"
	"math"
	"reflect"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/dl"
)

//go:embed native/math.cpp
var mathSource []byte

//qd:kernel
func mathExp[T qd.Float](t qd.Thread, x, z []T) { i := t.ID(); z[i] = qd.Exp(x[i]) }

//qd:kernel
func mathLog[T qd.Float](t qd.Thread, x, z []T) { i := t.ID(); z[i] = qd.Log(x[i]) }

//qd:kernel
func mathSin[T qd.Float](t qd.Thread, x, z []T) { i := t.ID(); z[i] = qd.Sin(x[i]) }

//qd:kernel
func mathTanh[T qd.Float](t qd.Thread, x, z []T) { i := t.ID(); z[i] = qd.Tanh(x[i]) }

//qd:kernel
func mathErf[T qd.Float](t qd.Thread, x, z []T) { i := t.ID(); z[i] = qd.Erf(x[i]) }

//qd:kernel
func mathCbrt[T qd.Float](t qd.Thread, x, z []T) { i := t.ID(); z[i] = qd.Cbrt(x[i]) }

//qd:kernel
func mathPow[T qd.Float](t qd.Thread, x, z []T) { i := t.ID(); z[i] = qd.Pow(x[i], 1.7) }

// mathCall is the price of an option by Black and Scholes.
//
//qd:kernel
func mathCall[T qd.Float](t qd.Thread, x, z []T) {
	i := t.ID()
	spot := x[i]
	const strike, rate, volatility, years = 1.1, 0.03, 0.2, 1.5
	root := volatility * qd.Sqrt(T(years))
	d1 := (qd.Log(spot/strike) + (rate+0.5*volatility*volatility)*years) / root
	d2 := d1 - root
	z[i] = spot*cumulative(d1) - strike*qd.Exp(T(-rate*years))*cumulative(d2)
}

func cumulative[T qd.Float](x T) T { return 0.5 * qd.Erfc(-x*(1/math.Sqrt2)) }

// mathematics times functions of package math over arrays, beside those of the C library: as clang calls them, and
// those for vectors that glibc has.
func mathematics() ([]result, error) {
	dev, err := qd.Open("cpu")
	if err != nil {
		return nil, err
	}
	scalar, err := buildNative("math.cpp", mathSource)
	if err != nil {
		return nil, err
	}
	vectors, err := buildNative("math.cpp", mathSource, "-fveclib=libmvec", "-Wl,--no-as-needed", "-lmvec")
	if err != nil {
		vectors = nil // the compiler or the system has none
	}
	results, err := mathOf[float32](functions32, dev, scalar, vectors)
	if err != nil {
		return results, err
	}
	more, err := mathOf[float64](functions64, dev, scalar, vectors)
	return append(results, more...), err
}

// A function is a kernel, and the name of the functions beside it without their type.
type function struct {
	name   string
	kernel any
}

var (
	functions32 = []function{
		{"exp", mathExp[float32]}, {"log", mathLog[float32]}, {"sin", mathSin[float32]}, {"tanh", mathTanh[float32]},
		{"erf", mathErf[float32]}, {"cbrt", mathCbrt[float32]}, {"pow", mathPow[float32]}, {"call", mathCall[float32]},
	}
	functions64 = []function{
		{"exp", mathExp[float64]}, {"log", mathLog[float64]}, {"sin", mathSin[float64]}, {"tanh", mathTanh[float64]},
		{"erf", mathErf[float64]}, {"cbrt", mathCbrt[float64]}, {"pow", mathPow[float64]}, {"call", mathCall[float64]},
	}
)

func mathOf[T float32 | float64](kernels []function, dev *qd.Device, scalar, vectors *dl.Lib) (results []result, err error) {
	const n = 1 << 16
	x, z, theirs := make([]T, n), make([]T, n), make([]T, n)
	for i := range x {
		x[i] = 0.01 + T(i)*(3.0/n)
	}
	typ := reflect.TypeFor[T]().String()
	for _, f := range kernels {
		l, err := dev.Bind(f.kernel, qd.Dim(n), x, z)
		if err != nil {
			return results, err
		}
		for _, side := range []struct {
			name string
			lib  *dl.Lib
		}{{"libm", scalar}, {"libmvec", vectors}} {
			if side.lib == nil {
				continue
			}
			addr, err := side.lib.Symbol(f.name + "_" + typ)
			if err != nil {
				return results, err
			}
			call := func() error { dl.Call(addr, n, dl.Address(x), dl.Address(theirs)); return nil }
			da, db, err := sideBySide(rested(l.Launch), rested(call))
			if err != nil {
				return results, err
			}
			for i := range z {
				if d := math.Abs(float64(z[i] - theirs[i])); !(d <= 2e-6*math.Abs(float64(z[i]))+1e-7) {
					return results, fmt.Errorf("%s of %v is %v here and %v there", f.name, x[i], z[i], theirs[i])
				}
			}
			results = append(results, result{name: fmt.Sprintf("math %s %s, %s", f.name, typ, side.name), ours: da, theirs: db})
		}
	}
	return results, nil
}
