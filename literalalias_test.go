package qd_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

type (
	aliasedThread = qd.Thread
	aliasedGrid   = qd.Grid
	someCount     int
)

// TestLiteralAlias launches function literals that name their qd.Thread or qd.Grid in their own way.
func TestLiteralAlias(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []int32{1, 2}
		if err := dev.Launch(func(t aliasedThread, x []int32) { x[t.ID()] *= 3 }, qd.Dim(2), x); err != nil {
			t.Fatal(err)
		}
		// The literal of a kernel is not the other one on its line.
		double := func(n someCount, k *qd.Kernel) *qd.Kernel { return k }
		k := double(func(n someCount) someCount { return n }(3), qd.NewKernel(func(t qd.Thread, x []int32) { x[t.ID()]++ }))
		if err := dev.Launch(k, qd.Dim(2), x); err != nil {
			t.Fatal(err)
		}
		err := dev.Run(func(g aliasedGrid, x []int32) {
			g.For(len(x), func(i int) { x[i] += int32(i) })
		}, x)
		if want := []int32{4, 8}; err != nil || !slices.Equal(x, want) {
			t.Fatalf("%v, %v, want %v", x, err, want)
		}
	})
}
