package cpu

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"
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
// OpenMP's, in a process of their own, by turns. It reports the medians of both and
// OpenMP's over ours: below 1 where we are slower. Each iteration is a round of
// both. Where other processes want the processors too, the ratio of the fastest
// quarters is the steadier figure.
func BenchmarkThroughput(b *testing.B) {
	m := module(b, "kernels.cpp", nil)
	program := filepath.Join(b.TempDir(), "openmp")
	if out, err := exec.Command(compiler(b), "-fopenmp", "-x", "c++", "/dev/null", "-fsyntax-only").CombinedOutput(); err != nil {
		b.Skipf("the compiler has no OpenMP: %s", out)
	}
	compile(b, "kernels.cpp", program, "-fopenmp")
	for _, c := range throughputs {
		b.Run(c.name, func(b *testing.B) {
			n := c.rows * c.columns
			x, y, out := make([]float32, n), make([]float32, n), make([]int32, n)
			for i := range x {
				x[i], y[i] = 1, 2
			}
			defer runtime.KeepAlive([]any{x, y, out})
			k := kernel(b, m, c.kernel)
			var launches []*Launch
			switch c.kernel {
			case "saxpy":
				a := slice(slice(newArgs(n).half(math.Float32bits(0.5)), x), y)
				launches = append(launches, k.Launch(a.buf, int64(n), 0))
			case "stencil":
				there := slice(slice(newArgs(c.rows, c.columns), x), y)
				back := slice(slice(newArgs(c.rows, c.columns), y), x)
				launches = append(launches, k.Launch(there.buf, int64(n), int64(c.columns)), k.Launch(back.buf, int64(n), int64(c.columns)))
			case "mandel":
				a := slice(newArgs(c.rows, c.columns), out).half(256)
				launches = append(launches, k.Launch(a.buf, int64(n), int64(c.columns)))
			}
			ourRound := func() float64 {
				launches[0].Run() // wakes the workers
				start := now()
				for i := range c.launches {
					launches[i%len(launches)].Run()
				}
				return float64(now()-start) / float64(c.launches)
			}
			theirRound := openMP(b, program, c.kernel, c.rows, c.columns, c.launches)
			var ours, theirs []float64
			for b.Loop() {
				// OpenMP's threads spin for a while after their last launch.
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

// spinOpenMP is how long OpenMP's threads spin: much longer than any pause in a
// round, much shorter than the usual 200 ms.
const spinOpenMP = 20 * time.Millisecond

// openMP starts the program and returns a function that has it run a round of
// launches and gives the nanoseconds per launch.
func openMP(b *testing.B, program, kernel string, rows, columns, launches int) func() float64 {
	cmd := exec.Command(program, kernel, strconv.Itoa(rows), strconv.Itoa(columns), strconv.Itoa(launches))
	cmd.Env = append(os.Environ(), fmt.Sprint("KMP_BLOCKTIME=", spinOpenMP.Milliseconds()))
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			b.Error(err)
		}
	})
	return func() (ns float64) {
		if _, err := in.Write([]byte("\n")); err != nil {
			b.Fatal(err)
		}
		if _, err := fmt.Fscanln(out, &ns); err != nil {
			b.Fatal(err)
		}
		return ns
	}
}

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
