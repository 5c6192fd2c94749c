package qdbeam_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	qdbeam "github.com/qdgen/qd/beam"
	"github.com/qdgen/qd/beam/internal/equal"
)

// Without keys there is one result, however the elements are cut.
func TestCombine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var in []int64
	largest := int64(-1 << 62)
	for range 1000 {
		x := -r.Int64N(1 << 40)
		in = append(in, x)
		largest = max(largest, x)
	}
	for _, dev := range []string{"go", "cpu"} {
		for _, segment := range []int{1, 7, 1000} {
			p, s := beam.NewPipelineWithRoot()
			got := qdbeam.Combine(s, greatest, maxInt64, beam.CreateList(s, in), qdbeam.Batch(300), qdbeam.Segment(segment), qdbeam.Device(dev))
			equal.Values(s, got, largest)
			ptest.RunAndValidate(t, p)
		}
	}
}

// Elements of all windows and keys are in one batch, and are reduced apart.
func TestCombineWindows(t *testing.T) {
	in, _ := floats(40)
	want := map[string]stat{}
	for i, x := range in {
		k := "odd"
		if i%2 == 0 {
			k = "even"
		}
		for _, end := range []int{i/5*5 + 5, i/5*5 + 10} {
			at := fmt.Sprintf("%s %%v at %d until %d", k, end*1000-1, end*1000-1)
			want[at] = addStats(want[at], stat{x, 1})
		}
	}
	var all []any
	for at, sum := range want {
		all = append(all, fmt.Sprintf(at, sum))
	}
	p, s := beam.NewPipelineWithRoot()
	col := beam.WindowInto(s, window.NewSlidingWindows(5*time.Second, 10*time.Second), beam.ParDo(s, atSecond, beam.CreateList(s, in)))
	sums := qdbeam.Combine(s, stats, addStats, beam.ParDo(s, byParity, col), qdbeam.Segment(3), qdbeam.Device("go"))
	equal.Values(s, beam.WindowInto(s, window.NewGlobalWindows(), beam.ParDo(s, placedKV, sums)), all...)
	ptest.RunAndValidate(t, p)
}
