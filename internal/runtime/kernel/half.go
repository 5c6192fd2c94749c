package kernel

import (
	"math"
	"reflect"
)

// A Half is a format of floats of 16 bits: the number of bits of the fraction.
type Half int

// The formats, of qd.Float16 and of qd.BFloat16.
const (
	Float16  Half = 10
	BFloat16 Half = 7
)

// EachHalf calls f for each float of 16 bits in a value of a type that lies at an offset.
func EachHalf(t reflect.Type, at uintptr, f func(offset uintptr, format Half)) {
	switch {
	case IsQD(t, "Float16"):
		f(at, Float16)
		return
	case IsQD(t, "BFloat16"):
		f(at, BFloat16)
		return
	}
	switch t.Kind() {
	case reflect.Array:
		for i := range t.Len() {
			EachHalf(t.Elem(), at+uintptr(i)*t.Elem().Size(), f)
		}
	case reflect.Struct:
		for i := range t.NumField() {
			EachHalf(t.Field(i).Type, at+t.Field(i).Offset, f)
		}
	}
}

// emax is the largest exponent, and least the smallest one of a normal number.
func (h Half) emax() int  { return 1<<(14-h) - 1 }
func (h Half) least() int { return 1 - h.emax() }

// Float is the number that bits are of.
func (h Half) Float(bits uint16) float32 {
	fraction, exponent := int(bits)&(1<<h-1), int(bits&0x7fff)>>h
	x := math.Ldexp(float64(fraction), h.least()-int(h))
	switch {
	case exponent == 2*h.emax()+1 && fraction == 0:
		x = math.Inf(1)
	case exponent == 2*h.emax()+1:
		x = math.NaN()
	case exponent > 0:
		x = math.Ldexp(float64(fraction+1<<h), exponent-1+h.least()-int(h))
	}
	if bits>>15 != 0 {
		x = -x
	}
	return float32(x)
}

// Bits are those of the nearest number, that with an even fraction of two.
func (h Half) Bits(x float32) uint16 {
	sign := uint16(math.Float32bits(x) >> 16 & 0x8000)
	inf := uint16(2*h.emax()+1) << h
	a := math.Abs(float64(x))
	switch {
	case x != x:
		return sign | inf | 1<<(h-1)
	case x == 0:
		return sign
	}
	_, exp := math.Frexp(a)
	exp = max(exp-1, h.least())
	// A carry out of the fraction goes into the exponent, up to the infinity.
	units := math.RoundToEven(math.Ldexp(a, int(h)-exp))
	bits := units + float64(exp-h.least())*float64(int(1)<<h)
	return sign | uint16(min(bits, float64(inf)))
}
