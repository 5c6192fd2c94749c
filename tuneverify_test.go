package qd_test

import (
	"slices"
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

// What was compared with another first configuration counts for nothing.
func TestTuneVerifyReference(t *testing.T) {
	bad := skews(8)[0]
	good := []tuneConfig{{Per: 1, Skew: 1}, {Per: 2, Skew: 1}}
	for _, dev := range opened(t, "cpu") {
		t.Setenv("QD_CACHE_SIZE", "")
		k, by, log := qd.NewKernel(skewed).WithDevice(dev), unmeasured()+1, tuneLog(t)
		for _, c := range []struct {
			configs []tuneConfig
			fit     []tuneConfig
			want    string // what is said
		}{
			{[]tuneConfig{bad, good[0], good[1]}, []tuneConfig{bad}, "measured 3 of 3"},
			{[]tuneConfig{bad, good[0], good[1]}, []tuneConfig{bad}, ""},
			{[]tuneConfig{good[0], good[1], bad}, good, "measured 3 of 3"},
			{[]tuneConfig{good[0], bad}, good[:1], ""},
			{[]tuneConfig{bad, good[0]}, []tuneConfig{bad}, "measured 2 of 2"},
			{good, good, "measured 1 of 2"},
		} {
			tuned := qd.Tune(k, c.configs, skewGrid, qd.TuneKey("by"), qd.TuneVerify(0))
			if best, err := tuned.Best(make([]float32, 4), by); err != nil || !slices.Contains(c.fit, best.(tuneConfig)) {
				t.Errorf("of %v the best is %v, %v", c.configs, best, err)
			}
			if got := log(); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("%v: the log is %q, want %q", c.configs, got, c.want)
			}
		}
		// Without a comparison nothing is left out.
		if err := qd.Tune(k, []tuneConfig{bad}, skewGrid, qd.TuneKey("by")).Run(make([]float32, 4), by); err != nil {
			t.Error(err)
		}
		if err := qd.Tune(k, []tuneConfig{bad, good[0]}, skewGrid, qd.TuneKey("by")).Run(make([]float32, 4), by); err != nil {
			t.Error(err)
		}
		if got := log(); strings.Contains(got, "left out") {
			t.Errorf("without a comparison the log is %q", got)
		}
	}
}

// choosy has a first configuration that does not run with negative numbers.
func choosy(t qd.Thread, c qd.Const[tuneConfig], x []float32, by float32) {
	if c.V.Per == 1 && x[0] < 0 {
		panic("a negative number")
	}
	x[t.ID()] = by
}

// When the first configuration is launched in another way, the others are compared with its results anew, as they are
// with those of the next one when it fails.
func TestTuneVerifyReferenceChanges(t *testing.T) {
	configs := addConfigs()
	for _, dev := range opened(t, "cpu") {
		t.Setenv("QD_CACHE_SIZE", "")
		k, by, log := qd.NewKernel(choosy).WithDevice(dev), unmeasured()+1, tuneLog(t)
		for _, c := range []struct {
			threads int     // of the first configuration, which should be 2
			x       float32 // what the memory has
			configs int
			fit     []tuneConfig
			want    string // what is said
		}{
			{1, 0, 2, configs[:1], "measured 2 of 2"},
			{2, 0, 2, configs[:2], "measured 2 of 2"},
			{1, -1, 2, configs[1:2], "measured 2 of 2"},
			{1, 0, 2, configs[1:2], ""},
			{2, 0, 2, configs[:2], "measured 2 of 2"},
			{2, -1, 3, configs[1:], "measured 2 of 3"},
			{2, 0, 3, configs[1:], ""},
		} {
			tuned := qd.Tune(k, configs[:c.configs], qd.TuneGrid(func(config tuneConfig, _ qd.Args) qd.Dims {
				if config == configs[0] {
					return qd.Dim(c.threads)
				}
				return qd.Dim(2)
			}), qd.TuneKey("by"), qd.TuneVerify(0))
			if best, err := tuned.Best([]float32{c.x, 0}, by); err != nil || !slices.Contains(c.fit, best.(tuneConfig)) {
				t.Errorf("%+v: the best is %v, %v", c, best, err)
			}
			if got := log(); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("%+v: the log is %q", c, got)
			}
		}
	}
}
