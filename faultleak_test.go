//go:build linux && !race

package qd_test

import (
	"bytes"
	"os"
	"strconv"
	"testing"

	"github.com/qdgen/qd"
)

// largeOwn keeps local arrays of all threads of a block over a barrier: 2 MiB, which are not on the stack.
//
//qd:kernel
func largeOwn(t qd.Thread, x []float64, n int) {
	s := qd.Shared[float64](t, 256)
	i, lane := t.ID(), t.Lane()
	var own [1024]float64
	for j := range n {
		own[j] = float64(i + j)
	}
	s[lane] = own[n-1]
	t.Sync()
	sum := s[(lane+1)%256]
	for j := range n {
		sum += own[j]
	}
	x[i] = sum
}

// A launch that fails gives back the memory that its blocks have for the local arrays of their threads.
func TestFaultLeaksNothing(t *testing.T) {
	dev, err := qd.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	dev = dev.Checked()
	resident := func() int {
		text, err := os.ReadFile("/proc/self/statm")
		if err != nil {
			t.Skip(err)
		}
		pages, err := strconv.Atoi(string(bytes.Fields(text)[1]))
		if err != nil {
			t.Fatal(err)
		}
		return pages * os.Getpagesize()
	}
	kernel := qd.NewKernel(largeOwn).WithBlockDim(256)
	run := func(times int) {
		for range times {
			if err := dev.Launch(kernel, qd.Dim(256), make([]float64, 100), 1024); !isFault(err) {
				t.Fatal(err)
			}
		}
	}
	run(10)
	before := resident()
	const times = 100
	run(times)
	if grown := resident() - before; grown > times<<20 { // else each has left 2 MiB
		t.Errorf("%d faults have left %d MiB", times, grown>>20)
	}
	x := make([]float64, 256)
	if err := dev.Launch(kernel, qd.Dim(256), x, 1024); err != nil || x[0] != 1+1023+1023*512 {
		t.Errorf("%v, %v", x[0], err)
	}
}
