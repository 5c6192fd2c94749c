//go:build !race

package qd_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"github.com/qdgen/qd"
)

type complexPair struct{ A, B complex64 }

type complexNumber interface{ ~complex64 | ~complex128 }
type numberOrComplex interface {
	~float32 | ~float64 | complexNumber
}

func complexSum[T numberOrComplex](xs ...T) T {
	var s T
	for _, x := range xs {
		s += x
	}
	return s
}

func complexHorner[T complexNumber](z T, cs [4]T) T {
	var p T
	for i := len(cs) - 1; i >= 0; i-- {
		p = p*z + cs[i]
	}
	return p
}

type complexTree[T complexNumber] struct {
	val  T
	next [2]T
}

func (t *complexTree[T]) add(z T) { t.val += z; t.next[0]--; t.next[1] /= z }

const (
	complexTiny  = 1e-400 + 1i // rounds to 0
	complexThird = (1 + 0i) / 3
	fourOf       = float64(4 + 0i)
	sevenOf      = int(real(7 + 3i))
	runeOf       = 'a' + 0i
	hugeOf       = 0x1p100i
)

var complexMap = map[string]complex64{"a": 1 + 1i, "b": 2i}
var complexArray = [...]complex128{1, 2i, cmplx.Inf(), -1 - 1i}
var complexPoint = struct {
	z complex128
	n int
}{cmplx.Sqrt(-2), 3}

func complexPairOf(f func(complex64) complex64, z complex64) (complex64, complexAlias) {
	return f(f(z)), complexAlias(f(z))
}

type complexAlias complexOther
type complexOther complex64

func complexMixed(t qd.Thread, x []complex128, v []complexPair, c complex64, fl []float64, bs []bool, m qd.Const[[2]complex64]) {
	i := t.ID()
	z := x[i]
	var l complexTree[complex64]
	l.val = c
	for k := 0; k < 4 && cmplx.Abs(z) < 1e3; k++ {
		if k == i {
			continue
		}
		z = z*z + x[i]
		l.add(complex64(z))
		less := &l.next[k&1]
		*less *= complex(0.1, float32(k))
		if imag(z) == 0 {
			z++
			break
		}
	}
	fl[8*i] = real(complexHorner(z, [4]complex128{1, 2i, complexTiny, complexThird}))
	fl[8*i+1] = fourOf + float64(sevenOf) + float64(runeOf)
	fl[8*i+2], fl[8*i+3] = real(hugeOf*z), imag(hugeOf*z)
	a, b := complexPairOf(func(y complex64) complex64 { return y*l.val + m.V[1]/m.V[0] }, v[i].A)
	v[i].A, v[i].B = v[i].B, a
	v[i].B += complex64(b)
	fl[8*i+4] = float64(complexSum(1, 2, float32(real(l.next[0]))))
	w := complexSum(l.next[:]...)
	fl[8*i+5] = float64(imag(w))
	q := qd.Static(complexMap["a"] * complexMap["b"])
	fl[8*i+6] = float64(real(q)) + float64(imag(qd.Static(complexArray[1]/complexArray[3])))
	bs[4*i] = z == x[i] || w != l.next[1] && complexPoint.z != z
	var arr2 [3]complex64
	arr2[i%3] = w
	bs[4*i+1] = arr2 == [3]complex64{}
	bs[4*i+2] = w == l.next[0]
	_, bs[4*i+3] = any(z).(complex128)
	switch {
	case cmplx.IsNaN(complex128(w)):
		fl[8*i+7] = math.NaN()
	case real(complexPoint.z) == 0, i == 2:
		fl[8*i+7] = imag(complexPoint.z) * float64(complexPoint.n)
	}
	x[i] = complexMin(z, complexArray[i%4]) / complex128(c)
	f := cmplx.Conj
	x[i] = f(x[i]) * -1i * (1i * 1i)
}

func complexMin(a, b complex128) (r complex128) {
	less := real(a) < real(b)
	if r = b; less {
		r = a
	}
	return
}

// Complex numbers mixed with what else kernels have: generic types, constants of all kinds, closures, loops, switches.
func TestComplexMixed(t *testing.T) {
	want := ""
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []complex128{1 + 2i, 3, 0.25i, 0, cmplx.NaN(), cmplx.Inf(), -0.5 + 0.5i}
		n := len(x)
		v := make([]complexPair, n)
		for i := range v {
			v[i] = complexPair{complex(float32(i), 1), complex64(x[i])}
		}
		fl, bs := make([]float64, 8*n), make([]bool, 4*n)
		if err := dev.Launch(complexMixed, qd.Dim(n), x, v, 1i, fl, bs, qd.C([2]complex64{2i, 3 - 1i})); err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(x, v, fl, bs)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}
