package qd_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdreg"
)

var streamGain = 1

func init() {
	qdreg.Vars("github.com/qdgen/qd_test", map[string]any{"streamGain": &streamGain})
}

//qd:kernel
func countLong(t qd.Thread, x []int) {
	for i := range 3_000_000 {
		x[t.ID()] += i & 1
	}
}

//qd:kernel
func gainedOnStream(t qd.Thread, x []int) { x[t.ID()] = streamGain }

//qd:kernel
func gainedRunOnStream(g qd.Grid, x []int) {
	g.For(len(x), func(i int) { x[i] = streamGain })
}

// A launch on a stream has the value of a package variable from when it was launched, also if it runs later, behind a
// long one: alone, as a run of a Grid kernel, and in a graph.
func TestStreamVariables(t *testing.T) {
	for _, dev := range devices(t) {
		long, first, second, third, run := make([]int, 4), make([]int, 4), make([]int, 4), make([]int, 4), make([]int, 4)
		s, err := dev.NewStream()
		must(t, err)
		streamGain = 1
		graph, err := dev.Record(func(s *qd.Stream) error { return s.Launch(gainedOnStream, qd.Dim(4), third) })
		must(t, err)
		must(t, s.Launch(countLong, qd.Dim(4), long))
		must(t, s.Launch(gainedOnStream, qd.Dim(4), first))
		streamGain = 2
		must(t, s.Launch(countLong, qd.Dim(4), long))
		must(t, s.Launch(gainedOnStream, qd.Dim(4), second))
		streamGain = 3
		must(t, s.Launch(countLong, qd.Dim(4), long))
		must(t, graph.LaunchOn(s))
		streamGain = 4
		must(t, s.Launch(countLong, qd.Dim(4), long))
		must(t, s.Run(gainedRunOnStream, run))
		streamGain = 5
		must(t, s.Sync(t.Context()))
		for i, x := range [][]int{first, second, third, run} {
			if want := i + 1; !slices.Equal(x, []int{want, want, want, want}) {
				t.Errorf("%v: %v, want %d", dev, x, want)
			}
		}
		must(t, graph.Close())
		must(t, s.Close())
	}
}
