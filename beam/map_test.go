package qdbeam_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/teststream"
	"github.com/qdgen/qd"
	qdbeam "github.com/qdgen/qd/beam"
	"github.com/qdgen/qd/beam/internal/equal"
	"github.com/qdgen/qd/f32"
)

// place prints a window by its end.
func place(w beam.Window, at beam.EventTime, x any) string {
	return fmt.Sprintf("%v at %v until %v", x, at.Milliseconds(), w.MaxTimestamp().Milliseconds())
}

func floats(n int) (in, squares []float64) {
	for i := range n {
		in = append(in, float64(i))
		squares = append(squares, float64(i)*float64(i))
	}
	return in, squares
}

// A kernel runs on each device, in batches that end where they like.
func TestMap(t *testing.T) {
	in, squares := floats(1003)
	for _, dev := range []string{"go", "cpu"} {
		for _, kernel := range []any{square, squareAll} {
			p, s := beam.NewPipelineWithRoot()
			equal.List(s, qdbeam.Map(s, kernel, beam.CreateList(s, in), qdbeam.Batch(100), qdbeam.Device(dev)), squares)
			result := ptest.RunAndValidate(t, p)
			count := map[string]int64{}
			var timed int64
			m := result.Metrics().Query(func(r beam.MetricResult) bool { return r.Namespace() == "qdbeam" })
			for _, c := range m.Counters() {
				count[c.Name()] += c.Result()
			}
			for _, d := range m.Distributions() {
				if d.Name() == "device_microseconds" {
					timed += d.Result().Count
				}
			}
			if count["elements"] != 1003 || count["launches"] < 11 || timed != count["launches"] {
				t.Errorf("%s: the counters are %v, with %d times", dev, count, timed)
			}
		}
	}
}

// Constants, values and elements arrive with all their bits.
func TestMapStructs(t *testing.T) {
	sun := f32.Vec3{0.5, float32(math.Copysign(0, -1)), -1}
	q := quality{Steps: 3, Sun: sun, name: "night"}
	var in []int
	var want []body
	for i := range 50 {
		in = append(in, i)
		b := toBody(i)
		for range q.Steps {
			b.At = b.At.Add(b.Speed.Scale(half(0.1))).Add(sun)
		}
		b.Hits++
		b.Alive = true
		b.secret += 2
		want = append(want, b)
	}
	for _, dev := range []string{"go", "cpu"} {
		p, s := beam.NewPipelineWithRoot()
		bodies := beam.ParDo(s, toBody, beam.CreateList(s, in))
		bodies = beam.Reshuffle(s, bodies) // through the coder
		moved := qdbeam.Map(s, move, bodies, qdbeam.Args(qd.C(q), qd.C(half), 0.1), qdbeam.Batch(7), qdbeam.Device(dev))
		equal.List(s, moved, want)
		ptest.RunAndValidate(t, p)
	}
}

// The threads of an element fill an array, and so do those of a block.
func TestMapArrays(t *testing.T) {
	in, want := []int32{3, 1, 2}, []strip{}
	for _, x := range in {
		var r strip
		for lane := range r {
			r[lane] = uint16(int(x)*100 + lane)
		}
		want = append(want, r)
	}
	for _, dev := range []string{"go", "cpu"} {
		p, s := beam.NewPipelineWithRoot()
		col := beam.CreateList(s, in)
		equal.List(s, qdbeam.Map(s, row, col, qdbeam.ThreadsPerElement(8), qdbeam.Device(dev)), want)
		equal.List(s, qdbeam.Map(s, rowByBlock, col, qdbeam.Device(dev), qdbeam.BlockDim(32)), want)
		ptest.RunAndValidate(t, p)
	}
}

// What a kernel does not write is zero, not what the batch before has left.
func TestMapUnwritten(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	got := qdbeam.Map(s, odd, beam.Create(s, int64(1), int64(3), int64(2), int64(4), int64(5), int64(6)), qdbeam.Batch(2), qdbeam.Device("go"))
	equal.Values(s, got, int64(1), int64(3), int64(0), int64(0), int64(5), int64(0))
	ptest.RunAndValidate(t, p)
}

// Elements of different windows and times share a batch, and each keeps its own: of sliding windows
// an element has several, and is computed once.
func TestMapWindows(t *testing.T) {
	for _, tt := range []struct {
		name    string
		windows *window.Fn
		ends    func(second int) []int
	}{
		{"fixed", window.NewFixedWindows(10 * time.Second), func(s int) []int { return []int{s/10*10 + 10} }},
		{"sliding", window.NewSlidingWindows(5*time.Second, 10*time.Second), func(s int) []int { return []int{s/5*5 + 5, s/5*5 + 10} }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in, squares := floats(40)
			var want []any
			for i, x := range squares {
				for _, end := range tt.ends(i) {
					want = append(want, fmt.Sprintf("%v at %d until %d", x, i*1000, end*1000-1))
				}
			}
			p, s := beam.NewPipelineWithRoot()
			col := beam.WindowInto(s, tt.windows, beam.ParDo(s, atSecond, beam.CreateList(s, in)))
			col = qdbeam.Map(s, square, col, qdbeam.Batch(16), qdbeam.Device("go"))
			equal.Values(s, beam.WindowInto(s, window.NewGlobalWindows(), beam.ParDo(s, placed, col)), want...)
			result := ptest.RunAndValidate(t, p)
			for _, c := range result.Metrics().Query(func(r beam.MetricResult) bool { return r.Name() == "elements" }).Counters() {
				if c.Result() != 40 {
					t.Errorf("%d elements were computed, of 40", c.Result())
				}
			}
		})
	}
}

// The same through keys.
func TestMapKV(t *testing.T) {
	in, _ := floats(9)
	p, s := beam.NewPipelineWithRoot()
	col := qdbeam.MapKV(s, square, beam.ParDo(s, byParity, beam.CreateList(s, in)), qdbeam.Batch(4))
	even, odd := 0.0, 0.0
	for _, x := range in {
		if int(x)%2 == 0 {
			even += x * x
		} else {
			odd += x * x
		}
	}
	total := qdbeam.Combine(s, stats, addStats, col)
	equal.Values(s, beam.ParDo(s, placedKV, total),
		"even "+place(window.GlobalWindow{}, window.GlobalWindow{}.MaxTimestamp(), stat{even, 5}),
		"odd "+place(window.GlobalWindow{}, window.GlobalWindow{}.MaxTimestamp(), stat{odd, 4}))
	ptest.RunAndValidate(t, p)
}

// A stream: elements come in several bundles, and windows close as the watermark passes.
func TestMapStream(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	c := teststream.NewConfig()
	if err := c.AddElements(1000, 1.0, 2.0); err != nil {
		t.Fatal(err)
	}
	if err := c.AdvanceWatermark(5000); err != nil {
		t.Fatal(err)
	}
	if err := c.AddElements(7000, 3.0); err != nil {
		t.Fatal(err)
	}
	if err := c.AddElements(12000, 4.0); err != nil {
		t.Fatal(err)
	}
	if err := c.AdvanceWatermarkToInfinity(); err != nil {
		t.Fatal(err)
	}
	col := beam.WindowInto(s, window.NewFixedWindows(10*time.Second), teststream.Create(s, c))
	col = qdbeam.Map(s, square, col, qdbeam.Device("go"))
	sums := qdbeam.Combine(s, stats, addStats, beam.ParDo(s, byParity, col), qdbeam.Device("go"))
	got := beam.WindowInto(s, window.NewGlobalWindows(), beam.ParDo(s, placedKV, sums))
	equal.Values(s, got,
		"odd {10 2} at 9999 until 9999", "even {4 1} at 9999 until 9999", "even {16 1} at 19999 until 19999")
	ptest.RunAndValidate(t, p)
}

// A launch that fails fails its bundle, and the pipeline tells why.
func TestMapFault(t *testing.T) {
	for _, dev := range []string{"go", "cpu"} {
		p, s := beam.NewPipelineWithRoot()
		col := beam.Create(s, 0, 1, 7)
		qdbeam.Map(s, lookupTable, col, qdbeam.Args(qd.C([4]float64{1, 2, 3, 4})), qdbeam.Checked(), qdbeam.Device(dev))
		_, err := beam.Run(context.Background(), "prism", p)
		if err == nil {
			t.Fatalf("%s: no error", dev)
		}
		for _, want := range []string{"lookupTable", "kernels_test.go:", "index out of range [7] with length 4"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error is %v; want %s", dev, err, want)
			}
		}
	}
}

// Mistakes are found when the pipeline is made.
func TestMapMistakes(t *testing.T) {
	captured := 2.0
	_, s := beam.NewPipelineWithRoot()
	col := beam.Create(s, 1.0, 2.0)
	ints := beam.Create(s, 1, 2)
	kv := beam.ParDo(s, byParity, col)
	for _, tt := range []struct {
		want string
		make func() (beam.PCollection, error)
	}{
		{"takes a collection of float64; this one is of int", func() (beam.PCollection, error) { return qdbeam.TryMap(s, square, ints) }},
		{"takes a collection of float64; this one is of KV<string,float64>", func() (beam.PCollection, error) { return qdbeam.TryMap(s, square, kv) }},
		{"KV of any key and float64; this one is of float64", func() (beam.PCollection, error) { return qdbeam.TryMapKV(s, square, col) }},
		{"not registered: call qdbeam.Register(beam_test.unregistered)", func() (beam.PCollection, error) { return qdbeam.TryMap(s, unregistered, col) }},
		{"a function literal", func() (beam.PCollection, error) {
			return qdbeam.TryMap(s, func(t qd.Thread, in, out []float64) { out[t.ID()] = captured }, col)
		}},
		{"<nil> is not a function", func() (beam.PCollection, error) { return qdbeam.TryMap(s, nil, col) }},
		{"want a kernel func(t qd.Thread, ..., []In, []Out)", func() (beam.PCollection, error) { return qdbeam.TryMap(s, half, col) }},
		{"Args gives 0 values", func() (beam.PCollection, error) { return qdbeam.TryMap(s, lookupTable, ints) }},
		{"value 1 of qdbeam.Args: 3 (int) is no qd.Const[[4]float64]", func() (beam.PCollection, error) {
			return qdbeam.TryMap(s, lookupTable, ints, qdbeam.Args(3))
		}},
		{"[2]int32 has no name", func() (beam.PCollection, error) { return qdbeam.TryMap(s, nameless, ints) }},
		{"a batch has -1 elements", func() (beam.PCollection, error) { return qdbeam.TryMap(s, square, col, qdbeam.Batch(-1)) }},
		{"only a kernel of a qd.Thread", func() (beam.PCollection, error) {
			return qdbeam.TryMap(s, squareAll, col, qdbeam.ThreadsPerElement(2))
		}},
		{"is no launch", func() (beam.PCollection, error) {
			return qdbeam.TryMap(s, square, col, qdbeam.ThreadsPerElement(1<<20))
		}},
		{"[]int32, []In, []Out", func() (beam.PCollection, error) { return qdbeam.TryCombine(s, square, addStats, col) }},
		{"want a func(qdbeam_test.stat, qdbeam_test.stat) qdbeam_test.stat", func() (beam.PCollection, error) {
			return qdbeam.TryCombine(s, stats, maxInt64, col)
		}},
		{"or KV of any key and float64; this one is of int", func() (beam.PCollection, error) { return qdbeam.TryCombine(s, stats, addStats, ints) }},
	} {
		_, err := tt.make()
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("the error is %v; want %s", err, tt.want)
		}
	}
}

//qd:kernel
func unregistered(t qd.Thread, in, out []float64) { out[t.ID()] = in[t.ID()] }
