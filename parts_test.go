//go:build !race

package qd_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/qdgen/qd"
)

// Arrays of structs and of matrices, of whose elements threads in the lanes of vectors read and write several numbers at once.

type partsPoint struct {
	At   [3]float32
	Mass float32
	N    int32
	Tag  uint32
	Old  [2]float32
}

type partsMixed struct {
	On    bool
	Small int8
	A, B  float32
	Far   float64
	C     float32
	M     [2][2]int16
}

// partsWhole reads and writes all that an element has.
//
//qd:kernel
func partsWhole(t qd.Thread, ps []partsPoint) {
	i := t.ID()
	p := ps[i]
	v := qd.Sqrt(p.At[0]*p.At[0] + p.At[1]*p.At[1] + p.At[2]*p.At[2])
	p.Old = [2]float32{p.At[2], p.At[0]}
	p.At[0], p.At[1], p.At[2] = p.At[1]+v, p.At[2]*p.Mass, p.At[0]-v
	p.N = p.N*3 - int32(p.Tag)
	p.Tag ^= uint32(p.N) << 3
	p.Mass = v
	ps[i] = p
}

// partsSome writes some of an element, reads what it has and has not written, and leaves in the middle.
//
//qd:kernel
func partsSome(t qd.Thread, ps []partsPoint, out []int32) {
	p := &ps[t.ID()]
	p.At[1] = p.At[0] + 1
	p.Old[0] = p.At[1] * p.Mass
	if p.N%3 == 0 {
		p.N = -p.N
		return
	}
	p.At[2] = p.Old[1]
	p.At[0] = p.At[2] - p.Old[0]
	p.Tag += uint32(p.N)
	for k := range p.N & 7 {
		p.At[k%3] += float32(k)
		p.Mass = p.Mass*0.5 + p.At[1]
	}
	out[t.ID()] = p.N + int32(p.Tag&7)
}

// partsOthers reads elements of the threads beside it, forwards and backwards.
//
//qd:kernel
func partsOthers(t qd.Thread, ps []partsPoint, to [][3]float64) {
	i := t.ID()
	a, b, c := &ps[i], &ps[i+1], &ps[len(ps)-1-i]
	to[i] = [3]float64{float64(a.At[0] + b.At[0]), float64(b.Old[1] - c.Mass), float64(c.N) * float64(a.Tag&255)}
	to[i][1] += to[i][0]
}

// partsOfSizes has numbers of many sizes in an element.
//
//qd:kernel
func partsOfSizes(t qd.Thread, ms []partsMixed, out []float64) {
	m := &ms[t.ID()]
	m.A, m.B = m.B, m.A+float32(m.Small)
	m.Far += float64(m.C)
	m.M[1][0] = m.M[0][1] + int16(m.Small)
	m.M[0][0], m.M[0][1] = m.M[1][1], m.M[1][0]
	m.On = !m.On && m.A > 0
	s := 0.0
	for i := t.ID(); i < len(ms); i += 5 {
		s += ms[i].Far*0 + 1
	}
	out[t.ID()] = s + m.Far
}

// partsColors has elements of three bytes.
//
//qd:kernel
func partsColors(t qd.Thread, from [][3]uint8, gray []uint8, to [][3]uint8) {
	i := t.ID()
	c := from[i]
	g := uint8((uint32(c[0])*77 + uint32(c[1])*150 + uint32(c[2])*29) >> 8)
	gray[i] = g
	to[i] = [3]uint8{c[2] - g, g, c[0] + c[1]}
}

// partsAfter reads, behind numbers that it writes, others and then what it wrote with more.
//
//qd:kernel
func partsAfter(t qd.Thread, ps []partsPoint, out []float32) {
	p := &ps[t.ID()]
	p.At[0] = float32(t.ID()) * 3
	m := p.Mass
	p.N = int32(m*m) + 5
	at := p.At
	out[t.ID()] = at[0] + 2*at[1] + qd.Exp(at[2]/8)*qd.Exp(m/8)
}

// partsMatrices has elements of nine numbers, and of sixteen.
//
//qd:kernel
func partsMatrices(t qd.Thread, a [][3][3]float64, m [][4][4]float32, v [][4]float32) {
	i := t.ID()
	for r := range 3 {
		for c := range r {
			a[i][r][c], a[i][c][r] = a[i][c][r], a[i][r][c]
		}
	}
	w := v[i]
	for r := range 4 {
		var s float32
		for c := range 4 {
			s += m[i][r][c] * w[c]
		}
		v[i][r] = s
	}
}

// TestParts compares what they leave with what Go leaves.
func TestParts(t *testing.T) {
	for _, n := range []int{1, 16, 67} {
		for seed := range uint64(4) {
			want := runParts(t, "go", false, n, seed)
			for _, checked := range []bool{false, true} {
				for k, got := range runParts(t, "cpu", checked, n, seed) {
					if !reflect.DeepEqual(got, want[k]) {
						t.Errorf("%d threads, seed %d, checked %t, result %d: %v, want %v", n, seed, checked, k, got, want[k])
					}
				}
			}
		}
	}
}

// TestPartsLanes runs them in vectors of all widths.
func TestPartsLanes(t *testing.T) { inLanes(t, "^TestParts$", "TestParts") }

// runParts launches them by n threads.
func runParts(t *testing.T, device string, checked bool, n int, seed uint64) (results []any) {
	t.Helper()
	dev, err := qd.Open(device)
	if err != nil {
		t.Fatal(err)
	}
	if checked {
		dev = dev.Checked()
	}
	r := rand.New(rand.NewPCG(seed, 1))
	launch := func(kernel any, args ...any) {
		t.Helper()
		if err := dev.Launch(kernel, qd.Dim(n), args...); err != nil {
			t.Fatal(err)
		}
		results = append(results, args...)
	}
	launch(partsWhole, randomParts[partsPoint](r, n))
	launch(partsSome, randomParts[partsPoint](r, n), make([]int32, n))
	launch(partsOthers, randomParts[partsPoint](r, n+1), make([][3]float64, n))
	launch(partsOfSizes, randomParts[partsMixed](r, n), make([]float64, n))
	launch(partsColors, randomParts[[3]uint8](r, n), make([]uint8, n), make([][3]uint8, n))
	launch(partsAfter, randomParts[partsPoint](r, n), make([]float32, n))
	launch(partsMatrices, randomParts[[3][3]float64](r, n), randomParts[[4][4]float32](r, n), randomParts[[4]float32](r, n))
	return results
}

// randomParts is a slice of n random elements.
func randomParts[T any](r *rand.Rand, n int) []T {
	s := make([]T, n)
	for i := range s {
		randomPart(r, reflect.ValueOf(&s[i]).Elem())
	}
	return s
}

func randomPart(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			randomPart(r, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			randomPart(r, v.Index(i))
		}
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(r.IntN(400))/8 - 20)
	default:
		v.Set(reflect.ValueOf(r.IntN(200)).Convert(v.Type()))
	}
}
