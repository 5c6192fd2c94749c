//go:build !race

package qd_test

import (
	"math"
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func sumsOfProducts(t qd.Thread, x, y, z, sum, difference, converted, across []float64) {
	i := t.ID()
	sum[i] = x[i]*y[i] + z[i]
	difference[i] = z[i] - x[i]*y[i]
	converted[i] = float64(x[i]*y[i]) + z[i]
	p := x[i] * y[i]
	q := p
	across[i] = q + z[i]
}

// Where a build is fused x*y + z may round once, everywhere or nowhere; else it rounds twice, and so it does where the
// product is converted.
func TestFused(t *testing.T) {
	dev := cpuDevice(t)
	const n = 37
	x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = 1+float64(i)*0x1p-30, 1-float64(i)*0x1p-29
		z[i] = -x[i] * y[i]
	}
	type results struct{ sum, difference, converted, across []float64 }
	launch := func(dev *qd.Device) results {
		r := results{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
		if err := dev.Launch(sumsOfProducts, qd.Dim(n), x, y, z, r.sum, r.difference, r.converted, r.across); err != nil {
			t.Fatal(err)
		}
		return r
	}
	plain, fused := launch(dev), launch(dev.Fused())
	if again := launch(dev); again.sum[5] != plain.sum[5] {
		t.Error("a fused build has taken the place of another")
	}
	isFused := fused.sum[5] != 0
	for i := range x {
		once := math.FMA(x[i], y[i], z[i])
		if plain.sum[i] != 0 || plain.difference[i] != 2*z[i] || plain.converted[i] != 0 || plain.across[i] != 0 {
			t.Errorf("%d: not fused: %v, %v, %v, %v", i, plain.sum[i], plain.difference[i], plain.converted[i], plain.across[i])
		}
		if fused.converted[i] != 0 {
			t.Errorf("%d: what is converted is fused: %v", i, fused.converted[i])
		}
		if want := math.FMA(-x[i], y[i], z[i]); isFused && (fused.sum[i] != once || fused.difference[i] != want || fused.across[i] != once) {
			t.Errorf("%d: fused: %v, %v, %v, want %v, %v", i, fused.sum[i], fused.difference[i], fused.across[i], once, want)
		}
	}
	if c := dev.Checked().Fused(); c != dev.Fused().Checked() || c == dev.Fused() || c.Fused() != c {
		t.Error("checked and fused builds of a device are mixed up")
	}
}

func TestFusedByEnvironment(t *testing.T) {
	dev := cpuDevice(t)
	t.Setenv("QD_FUSE", "1")
	opened, err := qd.Open("cpu")
	if err != nil || opened != dev.Fused() {
		t.Errorf("QD_FUSE=1 opens %p, %v, want %p", opened, err, dev.Fused())
	}
}
