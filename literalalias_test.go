package qd_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

type (
	aliasedThread = qd.Thread
	aliasedGrid   = qd.Grid
	someCount     int
)

//qd:kernel
func storeAs[T, U qd.Number](t qd.Thread, x []T, y []U) { y[t.ID()] = U(x[t.ID()]) }

// launchOnce has an instance of a kernel on a line with a literal that is none. Its name is like that of a literal.
func launchOnce[T, U qd.Number](dev *qd.Device, x []T, y []U) error {
	return launchAfter(dev, func(x T) U { return U(x) }, storeAs[T, U], x, y)
}

func launchAfter[T, U qd.Number](dev *qd.Device, f func(T) U, k any, x []T, y []U) error {
	if err := dev.Launch(k, qd.Dim(len(x)), x, y); err != nil {
		return err
	}
	for i, v := range x {
		if y[i] != f(v) {
			return fmt.Errorf("%v became %v", v, y[i])
		}
	}
	return nil
}

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
		if err := launchOnce(dev, []float64{1.5, -2}, make([]int32, 2)); err != nil {
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
