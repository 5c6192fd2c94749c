package qd_test

import (
	"math"
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func squareLoss(t qd.Thread, w, x []float64, sum []float64) {
	i := t.ID()
	d := w[i]*x[i] - 1
	qd.AtomicAdd(&sum[0], d*d)
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d elements, not %d", what, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= 1e-9*(1+math.Abs(want[i]))) {
			t.Errorf("%s: element %d is %v, not %v", what, i, got[i], want[i])
		}
	}
}

func TestTapeLoss(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		host, xs := []float64{0.5, -1, 2, 3}, []float64{1, 2, -0.5, 0.25}
		w := qd.From(dev, host).WithGrad()
		x, sum := qd.From(dev, xs), qd.Zeros[float64](dev, 1)
		tape := qd.NewTape(dev)
		if err := tape.Launch(squareLoss, qd.Dim(4), w, x, sum); err != nil {
			t.Fatal(err)
		}
		if err := tape.Backward(sum); err != nil {
			t.Fatal(err)
		}
		var want []float64
		for i := range host {
			want = append(want, 2*(host[i]*xs[i]-1)*xs[i])
		}
		near(t, "gradient", w.Grad().Slice(), want)
	})
}
