package qd_test

import (
	"testing"

	"github.com/qdgen/qd"
)

// A tape of 1,000 small launches: what recording a launch costs beside the launch itself, and what its backward kernel costs.
func BenchmarkTape(b *testing.B) {
	dev, err := qd.Open("cpu")
	if err != nil {
		b.Skip(err)
	}
	const launches = 1000
	x, y := qd.Zeros[float64](dev, 16).WithGrad(), qd.Zeros[float64](dev, 16)
	z := qd.Zeros[float64](dev, 16)
	each := func(b *testing.B, f func() error) {
		b.Helper()
		for range launches {
			if err := f(); err != nil {
				b.Fatal(err)
			}
		}
	}
	perLaunch := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/launches, "ns/launch")
	}
	b.Run("launch", func(b *testing.B) {
		for b.Loop() {
			each(b, func() error { return dev.Launch(mulBy, qd.Dim(16), x, y, z) })
		}
		perLaunch(b)
	})
	b.Run("record", func(b *testing.B) {
		tape := qd.NewTape(dev)
		for b.Loop() {
			each(b, func() error { return tape.Launch(mulBy, qd.Dim(16), x, y, z) })
			tape.Reset()
		}
		perLaunch(b)
	})
	b.Run("record and copy", func(b *testing.B) {
		tape := qd.NewTape(dev)
		for b.Loop() {
			each(b, func() error { return tape.Launch(mulBy, qd.Dim(16), x, z, z) })
			tape.Reset()
		}
		perLaunch(b)
	})
	b.Run("backward", func(b *testing.B) {
		tape := qd.NewTape(dev)
		each(b, func() error { return tape.Launch(mulBy, qd.Dim(16), x, z, z) })
		seed := make([]float64, 16)
		for b.Loop() {
			if err := tape.BackwardFrom(z, seed); err != nil {
				b.Fatal(err)
			}
		}
		perLaunch(b)
	})
}
