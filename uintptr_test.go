//go:build !race

package qd_test

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/qdgen/qd"
)

const wordSize = 4 << (^uintptr(0) >> 63)

type addressed struct {
	N    uint16
	Word uintptr
}

//qd:kernel
func words(t qd.Thread, by uintptr, a addressed, x []uintptr, out []uint64) {
	i := t.ID()
	v := x[i]*by + a.Word
	for range 3 {
		v ^= v>>uint(i%70) + uintptr(a.N)<<1
	}
	v /= uintptr(i + 1)
	x[i] = v | ^uintptr(0)>>(8*wordSize-3)
	out[i] = uint64(v)%1000 + uint64(uintptr(float64(i)*1.5)) + uint64(uintptr(int32(i)-5)>>7)
}

//qd:kernel
func validTexts(t qd.Thread, text []byte, ok []bool) {
	n := len(text) / t.Dim(0)
	ok[t.ID()] = utf8.Valid(text[t.ID()*n : (t.ID()+1)*n])
}

// Numbers of type uintptr are the same on every device.
func TestUintptr(t *testing.T) {
	const n = 100
	by := uint64(0xdeadbeefcafe)
	var first, firstOut []uint64
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, out := make([]uintptr, n), make([]uint64, n)
		for i := range x {
			x[i] = uintptr(uint64(i) * 0x9e3779b97f4a7c15)
		}
		must(t, dev.Launch(words, qd.Dim(n), uintptr(by), addressed{7, uintptr(huge(60))}, x, out))
		got := make([]uint64, n)
		for i, v := range x {
			got[i] = uint64(v)
		}
		if first == nil {
			first, firstOut = got, out
		}
		if !slices.Equal(got, first) || !slices.Equal(out, firstOut) {
			t.Errorf("%x %d, not %x %d", got, out, first, firstOut)
		}
	})
}

// utf8.Valid looks at words of eight bytes, which are numbers of type uintptr.
func TestUTF8Valid(t *testing.T) {
	const size = 64
	base := []byte("plain text of many words, and äöü, 世界 and 🙂 to the end of it......")[:size]
	var text []byte
	var want []bool
	for i := range size {
		for _, b := range []byte{'a', 0x80, 0xc3, 0xff} {
			line := slices.Clone(base)
			line[i] = b
			text, want = append(text, line...), append(want, utf8.Valid(line))
		}
	}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		ok := make([]bool, len(want))
		must(t, dev.Launch(validTexts, qd.Dim(len(ok)), text, ok))
		if !slices.Equal(ok, want) {
			t.Errorf("%v, not %v", ok, want)
		}
	})
	if !slices.Contains(want, true) || !slices.Contains(want, false) {
		t.Error("the texts are all alike")
	}
}
