package cpu

import (
	"math"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/qdgen/qd/internal/dl"
)

// throughputs are the launches that are compared with OpenMP: memory-bound, a
// grid that fits in a cache and one that does not, and threads of uneven cost.
var throughputs = []struct {
	name          string
	kernel        string
	rows, columns int
	launches      int // in a round
}{
	{"saxpy-64MB", "saxpy", 1, 16 << 20, 1},
	{"saxpy-256KB", "saxpy", 1, 64 << 10, 200},
	{"stencil-4096", "stencil", 4096, 4096, 1},
	{"stencil-512", "stencil", 512, 512, 25},
	{"stencil-256", "stencil", 256, 256, 50},
	{"mandel-512", "mandel", 512, 512, 1},
	{"mandel-64", "mandel", 64, 64, 10},
}

// BenchmarkThroughput runs the same functions on this package's workers and on
// OpenMP's, on the same memory, by turns. It reports the medians of both and OpenMP's
// over ours: below 1 where we are slower. Each iteration is a round of both. Where
// other processes want the processors too, the ratio of the fastest quarters is the
// steadier figure.
func BenchmarkThroughput(b *testing.B) {
	path := filepath.Join(b.TempDir(), "openmp.so")
	if out, err := exec.Command(compiler(b), "-fopenmp", "-x", "c++", "/dev/null", "-shared", "-o", path).CombinedOutput(); err != nil {
		b.Skipf("the compiler has no OpenMP: %s", out)
	}
	compile(b, "kernels.cpp", path, "-fopenmp", "-shared", "-fPIC")
	m, err := Load(path, nil)
	if err != nil {
		b.Fatal(err)
	}
	// OpenMP's threads spin after a launch, with clang's library for 200 ms, in which
	// they would hinder ours.
	if set, err := m.Symbol("kmp_set_blocktime"); err == nil {
		dl.Call(set, uintptr(spinOpenMP.Milliseconds()))
	}
	for _, c := range throughputs {
		b.Run(c.name, func(b *testing.B) {
			n := c.rows * c.columns
			x, y, out := make([]float32, n), make([]float32, n), make([]int32, n)
			for i := range x {
				x[i], y[i] = 1, 2
			}
			defer runtime.KeepAlive([]any{x, y, out})
			var args []*args // of the launches of a round, by turns
			switch c.kernel {
			case "saxpy":
				args = append(args, slice(slice(newArgs(n).half(math.Float32bits(0.5)), x), y))
			case "stencil":
				args = append(args, slice(slice(newArgs(c.rows, c.columns), x), y), slice(slice(newArgs(c.rows, c.columns), y), x))
			case "mandel":
				args = append(args, slice(newArgs(c.rows, c.columns), out).half(256))
			}
			round := func(kernel *Kernel, p *Pool) func() float64 {
				var launches []*Launch
				for _, a := range args {
					launches = append(launches, kernel.Launch(a.buf, int64(n), int64(c.columns)))
				}
				return func() float64 {
					launches[0].RunOn(p) // wakes the workers
					start := now()
					for i := range c.launches {
						launches[i%len(launches)].RunOn(p)
					}
					return float64(now()-start) / float64(c.launches)
				}
			}
			ourRound := round(kernel(b, m, c.kernel), &defaultPool)
			theirRound := round(kernel(b, m, "omp_"+c.kernel), NewPool(1))
			var ours, theirs []float64
			for b.Loop() {
				time.Sleep(2 * spinOpenMP)
				ours = append(ours, ourRound())
				theirs = append(theirs, theirRound())
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(quantile(ours, 0.5)/1000, "us/launch")
			b.ReportMetric(quantile(theirs, 0.5)/1000, "us/openmp")
			b.ReportMetric(quantile(theirs, 0.5)/quantile(ours, 0.5), "ratio")
			b.ReportMetric(quantile(theirs, 0.25)/quantile(ours, 0.25), "ratio-fastest")
		})
	}
}

// spinOpenMP is how long OpenMP's threads spin: longer than any pause in a round.
const spinOpenMP = 5 * time.Millisecond

func quantile(v []float64, q float64) float64 {
	slices.Sort(v)
	return v[int(q*float64(len(v)))]
}

// BenchmarkLaunch is the overhead of a prepared launch.
func BenchmarkLaunch(b *testing.B) {
	m := module(b, "kernels.cpp", nil)
	for _, threads := range []int64{1, 100, 10_000} {
		b.Run(strconv.FormatInt(threads, 10), func(b *testing.B) {
			l := kernel(b, m, "empty").Launch(newArgs(int(threads)).buf, threads, 0)
			b.ReportAllocs()
			for b.Loop() {
				l.Run()
			}
		})
	}
}
