package qd_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

// skewGrid is for skewed, whose configurations give different results.
var skewGrid = qd.TuneGrid(func(_ tuneConfig, a qd.Args) qd.Dims { return qd.Dim(a.Len("x")) })

// skews are configurations of skewed.
func skews(skews ...float32) (configs []tuneConfig) {
	for _, skew := range skews {
		configs = append(configs, tuneConfig{Skew: skew})
	}
	return configs
}

// What differs stays left out, by the difference that it was compared with.
func TestTuneVerifyKept(t *testing.T) {
	for _, dev := range opened(t, "cpu") {
		t.Setenv("QD_CACHE_SIZE", "")
		k, by, log := qd.NewKernel(skewed).WithDevice(dev), unmeasured()+1, tuneLog(t)
		for _, c := range []struct {
			within float64
			want   string // what is said
		}{
			{0.125, "measured 3 of 3"}, {0.125, ""}, {0.25, "measured 3 of 3"}, {0.25, ""}, {0, "measured 3 of 3"}, {0, ""},
		} {
			tuned := qd.Tune(k, skews(1, 1.001, 8), skewGrid, qd.TuneKey("by"), qd.TuneVerify(c.within))
			if best, err := tuned.Best(make([]float32, 4), by); err != nil || best == skews(8)[0] {
				t.Errorf("within %v the best is %v, %v", c.within, best, err)
			}
			if got := log(); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("within %v the log is %q, want %q", c.within, got, c.want)
			}
		}
	}
}
