//go:build !race

package qd_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/qdgen/qd"
)

// An odd struct has unpacked fields between fields of other alignments.
type odd struct {
	a    int8
	r    [5]float32 `qd:"unpacked"`
	b    bool
	m    [2][3]int16 `qd:"unpacked"`
	c    int8
	d    [3]float64 `qd:"unpacked"`
	flag [3]bool    `qd:"unpacked"`
	rest []int32
}

// A plain struct is one without slices.
type plain struct {
	a int8
	r [3]int64 `qd:"unpacked"`
	n [3]int8  `qd:"unpacked"`
	v [2]uint16
}

//qd:kernel
func unpackedArgs(t qd.Thread, o odd, one plain, k qd.Const[plain], ps []plain, out []float64) {
	i := t.ID()
	sum := float64(o.a) + float64(o.c)*10 + float64(len(o.rest))*0.5 + float64(o.rest[i])
	for j := range o.r {
		sum += float64(o.r[j]) * float64(j+1)
	}
	for j := range o.d {
		sum += o.d[j] / float64(j+3)
		if o.flag[j] && o.b {
			sum += 1000
		}
	}
	for j := range qd.Static(2) {
		for l := range qd.Static(3) {
			sum += float64(o.m[j][l]) * float64(7*j+l)
		}
	}
	p := &ps[i]
	for j := range p.r {
		p.r[j] = p.r[j]*2 + one.r[2-j] + k.V.r[j]
		p.n[j] -= int8(j) + p.a
	}
	p.v[i&1] += uint16(one.n[1])
	out[i] = sum
}

// TestUnpackedArguments wants every device to find the fields of what it is launched with
// where Go has them.
func TestUnpackedArguments(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	fill := func(p unsafe.Pointer, n uintptr) {
		for i := range n {
			*(*byte)(unsafe.Add(p, i)) = byte(rnd.Uint32())
		}
	}
	o := odd{a: -3, r: [5]float32{1, 2, 3, 4, 5}, b: true, m: [2][3]int16{{-1, 300, 7}, {9, 11, -32768}}, c: 5, d: [3]float64{0.1, 0.2, 0.3}, flag: [3]bool{true, false, true}, rest: []int32{4, 5, 6, 7}}
	one := plain{1, [3]int64{1 << 40, -2, 3}, [3]int8{4, 5, 6}, [2]uint16{7, 8}}
	start := make([]plain, 4)
	fill(unsafe.Pointer(&start[0]), 4*unsafe.Sizeof(start[0]))
	var want []plain
	var wantOut []float64
	for _, name := range []string{"go", "cpu"} {
		dev, err := qd.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		got, out := append([]plain(nil), start...), make([]float64, 4)
		if err := dev.Launch(unpackedArgs, qd.Dim(4), o, one, qd.C(plain{r: [3]int64{10, 20, 30}}), got, out); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want, wantOut = got, out
			if reflect.DeepEqual(want, start) {
				t.Fatal("nothing has changed")
			}
		}
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(out, wantOut) {
			t.Errorf("%s: %v %v, want %v %v", name, got, out, want, wantOut)
		}
	}
}

//qd:kernel
func unpackedByThread(t qd.Thread, ps []plain) {
	i := t.ID()
	ps[i].r[i] = 1
}

// What the front end refuses of an unpacked field, device "go" refuses too.
func TestUnpackedRefused(t *testing.T) {
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	err = dev.Launch(unpackedByThread, qd.Dim(2), make([]plain, 2))
	var ds *qd.Diagnostics
	if !errors.As(err, &ds) || !strings.Contains(ds.List[0].Msg, "the index of unpacked field r is not known at compile time: i is the index of the thread") {
		t.Errorf("error %v", err)
	}
}
