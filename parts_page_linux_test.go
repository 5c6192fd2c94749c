//go:build !race

package qd_test

import (
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"github.com/qdgen/qd"
)

//qd:kernel
func someOfBytes(t qd.Thread, x []uint8, turns int, y []int32) {
	i := t.ID()
	a, b, c := int32(x[4*i]), int32(x[4*i+1]), int32(x[4*i+2])
	for range turns { // which gives it lanes
		a, b, c = b*3+1, c^a, a-b
	}
	y[i] = a
}

//qd:kernel
func someOfFloats(t qd.Thread, x []float32, turns int, y []float32) {
	i := t.ID()
	a, b := x[2*i], x[8*i+1]
	for range turns {
		a, b = b*0.5+1, a-b
	}
	y[i] = a + b
}

// before gives memory behind which there is none: a program that reads there ends.
func before[T any](t *testing.T, n int) []T {
	t.Helper()
	size, page := n*int(unsafe.Sizeof(*new(T))), syscall.Getpagesize()
	rounded := (size + page - 1) / page * page
	all, err := syscall.Mmap(-1, 0, rounded+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	noError(t, err)
	t.Cleanup(func() { _ = syscall.Munmap(all) })
	noError(t, syscall.Mprotect(all[rounded:], syscall.PROT_NONE))
	return unsafe.Slice((*T)(unsafe.Pointer(&all[rounded-size])), n)
}

// TestPartsAtPage reads some of the numbers of each element, up to the last one that there is.
func TestPartsAtPage(t *testing.T) {
	const n = 64
	bytes, floats := before[uint8](t, 4*n-1), before[float32](t, 8*n-6)
	for i := range bytes {
		bytes[i] = uint8(i * 37)
	}
	for i := range floats {
		floats[i] = float32(i%19) - 7
	}
	run := func(name string) (ints []int32, numbers []float32) {
		dev, err := qd.Open(name)
		noError(t, err)
		ints, numbers = make([]int32, n), make([]float32, n)
		noError(t, dev.Launch(someOfBytes, qd.Dim(n), bytes, 3, ints))
		noError(t, dev.Launch(someOfFloats, qd.Dim(n), floats, 3, numbers))
		return ints, numbers
	}
	wantInts, wantNumbers := run("go")
	if ints, numbers := run("cpu"); !slices.Equal(ints, wantInts) || !slices.Equal(numbers, wantNumbers) {
		t.Errorf("%v and %v, want %v and %v", ints, numbers, wantInts, wantNumbers)
	}
}
