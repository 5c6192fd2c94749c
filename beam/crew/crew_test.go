package crew_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/teststream"

	"github.com/qdgen/qd"
	qdbeam "github.com/qdgen/qd/beam"
	"github.com/qdgen/qd/beam/crew"
	"github.com/qdgen/qd/beam/internal/equal"
)

//qd:kernel
func square(t qd.Thread, in, out []int64) {
	i := t.ID()
	out[i] = in[i] * in[i]
}

//qd:kernel
func sum(t qd.Thread, starts []int32, in, acc []int64) {
	for i := starts[t.ID()]; i < starts[t.ID()+1]; i++ {
		acc[t.ID()] += in[i]
	}
}

func add(a, b int64) int64 { return a + b }

func init() {
	qdbeam.Register(square, sum, add)
	beam.RegisterDoFn(&trapFn{})
	beam.RegisterDoFn(&countFn{})
	register.Emitter1[int64]()
	register.Function2x1(ends)
	beam.RegisterDoFn(&failFn{})
}

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init() // a worker never returns from here
	os.Exit(m.Run())
}

// once reports whether it is called for the first time, in any process, with a file.
func once(path string) bool {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

// countFn emits the numbers from From to To.
type countFn struct{ From, To int64 }

func (f *countFn) ProcessElement(_ []byte, emit func(int64)) {
	for i := f.From; i < f.To; i++ {
		emit(i)
	}
}

// trapFn kills its process at the first element that equals At, once in the test. It leaves a file for each process.
type trapFn struct {
	Dir   string
	At    int64
	Sleep time.Duration
}

func (f *trapFn) ProcessElement(_ context.Context, x int64) int64 {
	once(filepath.Join(f.Dir, fmt.Sprintf("pid-%d", os.Getpid())))
	time.Sleep(f.Sleep)
	if x == f.At && once(filepath.Join(f.Dir, "killed")) {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	return x
}

// failFn fails at an element as often as Times.
type failFn struct {
	Dir   string
	At    int64
	Times int
}

func (f *failFn) ProcessElement(_ context.Context, x int64) (int64, error) {
	if x != f.At {
		return x, nil
	}
	for i := range f.Times {
		if once(filepath.Join(f.Dir, fmt.Sprintf("failed-%d", i))) {
			return 0, errors.New("a transient failure")
		}
	}
	return x, nil
}

// elements is how many elements the metrics know.
func elements(result beam.PipelineResult) int64 {
	var n int64
	for _, c := range result.Metrics().Query(func(r beam.MetricResult) bool { return r.Namespace() == "qdbeam" && r.Name() == "elements" }).Counters() {
		n += c.Committed
	}
	return n
}

func squares(n int64) []int64 {
	var s []int64
	for i := range n {
		s = append(s, i*i)
	}
	return s
}

// Several processes share the work. One is killed in the middle of a bundle, when the bundle has emitted
// some results: nothing is lost, nothing is double, and the metrics count each element once.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	const branches, each = 4, 500
	p, s := beam.NewPipelineWithRoot()
	var parts []beam.PCollection
	for i := range int64(branches) {
		numbers := beam.ParDo(s, &countFn{i * each, (i + 1) * each}, beam.Impulse(s))
		out := qdbeam.Map(s, square, numbers, qdbeam.Batch(100), qdbeam.Device("go"))
		parts = append(parts, beam.ParDo(s, &trapFn{Dir: dir, At: 740 * 740, Sleep: 100 * time.Microsecond}, out))
	}
	all := beam.Flatten(s, parts...)
	equal.List(s, all, squares(branches*each))
	var total int64
	for _, x := range squares(branches * each) {
		total += x
	}
	equal.Values(s, qdbeam.Combine(s, sum, add, all, qdbeam.Device("go")), total)
	var mu sync.Mutex
	started := 0
	result, err := crew.Run(t.Context(), p, crew.Config{Workers: 3, Started: func(int) {
		mu.Lock()
		started++
		mu.Unlock()
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "killed")); err != nil {
		t.Error("no process was killed")
	}
	if pids, _ := filepath.Glob(filepath.Join(dir, "pid-*")); len(pids) < 2 {
		t.Errorf("%d processes were at work", len(pids))
	}
	if started != 4 {
		t.Errorf("%d processes were started; want 3, and one for that which was killed", started)
	}
	if n := elements(result); n != 2*branches*each {
		t.Errorf("the metrics count %d elements, of %d", n, 2*branches*each)
	}
}

// A process that is killed is replaced however often that happens, as long as bundles are done in between.
func TestKilledOften(t *testing.T) {
	const n, kills = 20, 3
	p, s := beam.NewPipelineWithRoot()
	numbers := beam.ParDo(s, &countFn{0, n}, beam.Impulse(s))
	for i := range int64(kills) {
		numbers = beam.ParDo(s, &trapFn{Dir: t.TempDir(), At: i}, beam.Reshuffle(s, numbers))
	}
	equal.List(s, qdbeam.Map(s, square, numbers, qdbeam.Batch(4), qdbeam.Device("go")), squares(n))
	var started atomic.Int64
	if _, err := crew.Run(t.Context(), p, crew.Config{Workers: 1, Attempts: 2, Started: func(int) { started.Add(1) }}); err != nil {
		t.Fatal(err)
	}
	if started.Load() != 1+kills {
		t.Errorf("%d processes were started; want one, and one for each of %d that were killed", started.Load(), kills)
	}
}

// Prism divides a bundle that is slow. What has been given away does not come again when the process that has the rest is killed.
func TestKilledAfterSplit(t *testing.T) {
	dir := t.TempDir()
	const n = 16
	p, s := beam.NewPipelineWithRoot()
	numbers := beam.Reshuffle(s, beam.ParDo(s, &countFn{0, n}, beam.Impulse(s)))
	slow := beam.ParDo(s, &trapFn{Dir: dir, At: 5, Sleep: 150 * time.Millisecond}, numbers)
	equal.List(s, qdbeam.Map(s, square, slow, qdbeam.Batch(4), qdbeam.Device("go")), squares(n))
	var divided atomic.Int64
	if _, err := crew.Run(t.Context(), p, crew.Config{Workers: 2, Divided: func() { divided.Add(1) }}); err != nil {
		t.Fatal(err)
	}
	if divided.Load() == 0 {
		t.Error("no bundle was divided")
	}
	if _, err := os.Stat(filepath.Join(dir, "killed")); err != nil {
		t.Error("no process was killed")
	}
}

// A bundle that fails is repeated, and what it has emitted before does not count.
func TestRepeated(t *testing.T) {
	for _, tt := range []struct {
		times int
		want  string
	}{{3, ""}, {4, "a transient failure"}} {
		dir := t.TempDir()
		p, s := beam.NewPipelineWithRoot()
		numbers := beam.ParDo(s, &countFn{0, 100}, beam.Impulse(s))
		out := qdbeam.Map(s, square, beam.ParDo(s, &failFn{dir, 90, tt.times}, numbers), qdbeam.Batch(10), qdbeam.Device("go"))
		equal.List(s, out, squares(100))
		result, err := crew.Run(t.Context(), p, crew.Config{Workers: 2})
		switch {
		case tt.want == "" && err != nil:
			t.Fatal(err)
		case tt.want == "":
			if n := elements(result); n != 100 {
				t.Errorf("the metrics count %d elements, of 100", n)
			}
			m := result.Metrics().Query(func(r beam.MetricResult) bool { return r.Namespace() == "qdbeam" })
			for _, c := range m.Counters() {
				if c.Name() == "launches" && c.Committed != 10 {
					t.Errorf("the metrics count %d launches, of 10", c.Committed)
				}
			}
			for _, d := range m.Distributions() {
				if d.Name() != "device_microseconds" || d.Committed.Count != 10 || d.Committed.Sum < 0 || d.Committed.Max > d.Committed.Sum {
					t.Errorf("the times of 10 launches are %s %+v", d.Name(), d.Committed)
				}
			}
			if len(m.Counters()) != 2 || len(m.Distributions()) != 1 {
				t.Errorf("there are %d counters and %d distributions", len(m.Counters()), len(m.Distributions()))
			}
		case err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "(4 attempts)"):
			t.Errorf("the error is %v; want %s", err, tt.want)
		}
	}
}

// A stream in windows, with bundles that fail: each window has each of its elements once, and its time.
func TestRepeatedStream(t *testing.T) {
	c := teststream.NewConfig()
	for i := range int64(4) {
		at := i * 4000
		if err := errors.Join(c.AddElements(at, 10*i+1, 10*i+2, 10*i+3), c.AdvanceWatermark(at+1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.AdvanceWatermarkToInfinity(); err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	col := teststream.Create(s, c)
	col = beam.WindowInto(s, window.NewFixedWindows(8*time.Second), col)
	col = beam.ParDo(s, &failFn{t.TempDir(), 12, 2}, col)
	squares := qdbeam.Map(s, square, col, qdbeam.Batch(2), qdbeam.Device("go"))
	sums := qdbeam.Combine(s, sum, add, squares, qdbeam.Device("go"))
	equal.Values(s, beam.WindowInto(s, window.NewGlobalWindows(), beam.ParDo(s, ends, sums)),
		"448 until 7999", "4528 until 15999")
	result, err := crew.Run(t.Context(), p, crew.Config{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if n := elements(result); n != 2*12 {
		t.Errorf("the metrics count %d elements, of 24", n)
	}
}

// ends tells in which window an element is.
func ends(w beam.Window, x int64) string {
	return fmt.Sprintf("%d until %d", x, w.MaxTimestamp().Milliseconds())
}
