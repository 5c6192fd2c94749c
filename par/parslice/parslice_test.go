package parslice_test

import (
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/fakenvrtc"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/par"
	"github.com/qdgen/qd/par/parslice"
)

func TestMain(m *testing.M) {
	fakenvrtc.Main()
	testenv.Setup()
	os.Exit(m.Run())
}

// TestWithoutGPU runs the tests once more, in a process with a device "cuda:0" that runs the CUDA text on the host.
func TestWithoutGPU(t *testing.T) {
	if os.Getenv("QD_FAKENVRTC_HELPER") != "" {
		t.Skip("this is that process")
	}
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run", "^TestSlices")
	cmd.Env = fakenvrtc.Env(t)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS: TestSlices/cuda:0") {
		t.Errorf("%v\n%s", err, out)
	}
}

func onAll(t *testing.T, f func(t *testing.T, dev *qd.Device)) {
	names := []string{"go", "cpu", "cuda:0"}
	if os.Getenv("QD_FAKENVRTC_HELPER") != "" {
		names = names[2:] // the others are tested in another process
	}
	for _, name := range names {
		dev, err := qd.Open(name)
		if err != nil {
			t.Logf("without device %s: %v", name, err)
			continue
		}
		t.Run(name, func(t *testing.T) { f(t, dev) })
	}
}

// ok is a result without an error.
func ok[T any](t *testing.T) func(r T, err error) T {
	return func(r T, err error) T {
		t.Helper()
		must(t, err)
		return r
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// bits are those of floats, so that results are compared to the last one.
func bits(x []float32) []uint32 {
	b := make([]uint32, len(x))
	for i, v := range x {
		b[i] = math.Float32bits(v)
	}
	return b
}

func expect[T comparable](t *testing.T, what string, n int, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s of %d elements: %.60v, not %.60v", what, n, got, want)
	}
}

// affine is a function x -> a*x + b; to combine two is associative, but not commutative.
type affine struct{ A, B int64 }

func after(f, g affine) affine { return affine{g.A * f.A, g.A*f.B + g.B} }

func positive(v float32) bool { return v > 0 }

func greater(a, b float32) float32 { return max(a, b) }

// Every function leaves and returns what that of package par does of arrays, to the last bit, and nothing else changes.
func TestSlices(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, n := range []int{0, 1, 2, 257, 70001} {
			r := rand.New(rand.NewPCG(uint64(n), 7))
			// The slices are parts of longer ones: what is beside them stays.
			whole, keys, functions := make([]float32, n+2), make([]int16, n), make([]affine, n)
			for i := range whole {
				whole[i] = float32(r.NormFloat64())
			}
			for i := range keys {
				keys[i], functions[i] = int16(r.IntN(5)), affine{r.Int64(), r.Int64()}
			}
			before := slices.Clone(whole)
			x := whole[1 : n+1]
			a, k, f := qd.From(dev, x), qd.From(dev, keys), qd.From(dev, functions)
			out, count := qd.Zeros[float32](dev, 1), qd.Zeros[int](dev, 1)
			number := ok[float32](t)
			must(t, par.Sum(dev, a, out))
			expect(t, "Sum", n, bits([]float32{number(parslice.Sum(dev, x))}), bits(out.Slice()))
			must(t, par.Dot(dev, a, a, out))
			expect(t, "Dot", n, bits([]float32{number(parslice.Dot(dev, x, slices.Clone(x)))}), bits(out.Slice()))
			if n > 0 {
				must(t, par.Min(dev, a, out))
				expect(t, "Min", n, bits([]float32{number(parslice.Min(dev, x))}), bits(out.Slice()))
				must(t, par.Max(dev, a, out))
				expect(t, "Max", n, bits([]float32{number(parslice.Max(dev, x))}), bits(out.Slice()))
				all := qd.Zeros[affine](dev, 1)
				must(t, par.Reduce(dev, f, all, after))
				expect(t, "Reduce", n, []affine{ok[affine](t)(parslice.Reduce(dev, functions, after))}, all.Slice())
			}
			counts, counted := make([]int32, 9), qd.Zeros[int32](dev, 9)
			must(t, par.Histogram(dev, a, -1, 2, counted))
			must(t, parslice.Histogram(dev, x, -1, 2, counts))
			expect(t, "Histogram", n, counts, counted.Slice())

			some := qd.Zeros[float32](dev, n)
			must(t, par.Select(dev, a, some, count, positive))
			expect(t, "Select", n, bits(ok[[]float32](t)(parslice.Select(dev, x, positive))), bits(some.Slice()[:count.Slice()[0]]))
			someKeys := qd.Zeros[int16](dev, n)
			must(t, par.Unique(dev, k, someKeys, count))
			expect(t, "Unique", n, ok[[]int16](t)(parslice.Unique(dev, keys)), someKeys.Slice()[:count.Slice()[0]])
			must(t, par.ReduceByKey(dev, k, a, someKeys, some, count, greater))
			gotKeys, got, err := parslice.ReduceByKey(dev, keys, x, greater)
			must(t, err)
			expect(t, "the keys of ReduceByKey", n, gotKeys, someKeys.Slice()[:count.Slice()[0]])
			expect(t, "the values of ReduceByKey", n, bits(got), bits(some.Slice()[:count.Slice()[0]]))
			expect(t, "what functions only read", n, bits(whole), bits(before))

			sums, g := make([]float32, n), qd.Zeros[affine](dev, n)
			must(t, par.Scan(dev, a, some))
			must(t, parslice.Scan(dev, x, sums))
			expect(t, "Scan", n, bits(sums), bits(some.Slice()))
			expect(t, "the elements of Scan", n, bits(whole), bits(before))
			must(t, parslice.Scan(dev, x, x))
			expect(t, "Scan in place", n, bits(x), bits(sums))
			must(t, par.ScanFunc(dev, f, g, after))
			must(t, parslice.ScanFunc(dev, functions, functions, after))
			expect(t, "ScanFunc", n, functions, g.Slice())

			copy(x, before[1:])
			must(t, par.SortPairs(dev, k, a))
			must(t, parslice.SortPairs(dev, keys, x))
			expect(t, "the keys of SortPairs", n, keys, k.Slice())
			expect(t, "the values of SortPairs", n, bits(x), bits(a.Slice()))
			must(t, parslice.Sort(dev, x))
			if !slices.IsSorted(x) {
				t.Errorf("%d elements are not sorted", n)
			}
			expect(t, "what is beside a slice", n, []float32{whole[0], whole[n+1]}, []float32{before[0], before[n+1]})
		}
	})
}

// Mistakes are errors, and change nothing.
func TestSlicesErrors(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, ints := []float32{1, 2, 3}, []int32{4, 5, 6}
		for want, call := range map[string]func() error{
			"par: Dot: the arrays have 3 and 2 elements":    func() error { _, err := parslice.Dot(dev, x, x[:2]); return err },
			"par: Min: the array has no elements":           func() error { _, err := parslice.Min(dev, x[:0]); return err },
			"parslice: Scan: the slices overlap":            func() error { return parslice.Scan(dev, x[:2], x[1:]) },
			"par: Scan: the arrays have 3 and 2 elements":   func() error { return parslice.Scan(dev, x, make([]float32, 2)) },
			"parslice: SortPairs: the slices overlap":       func() error { return parslice.SortPairs(dev, x, x) },
			"parslice: Histogram: the slices overlap":       func() error { return parslice.Histogram(dev, ints, 0, 9, ints[2:]) },
			"par: SortPairs: there are 3 keys and 2 values": func() error { return parslice.SortPairs(dev, x, ints[:2]) },
		} {
			if err := call(); err == nil || err.Error() != want {
				t.Errorf("the error is %v, not %s", err, want)
			}
		}
		if !slices.Equal(x, []float32{1, 2, 3}) || !slices.Equal(ints, []int32{4, 5, 6}) {
			t.Error("mistakes have changed the slices", x, ints)
		}
	})
}

//qd:kernel
func outside(t qd.Thread, x []int) { x[len(x)+t.ID()] = 1 }

// On devices that work on host memory a function neither waits for what runs on streams nor returns its faults.
func TestOtherStreams(t *testing.T) {
	for _, name := range []string{"go", "cpu"} {
		dev, err := qd.Open(name)
		if err != nil {
			t.Logf("without device %s: %v", name, err)
			continue
		}
		dev = dev.Checked()
		stream, err := dev.NewStream()
		must(t, err)
		must(t, stream.Launch(outside, qd.Dim(1), qd.Zeros[int](dev, 3)))
		if err := dev.Wait(); err == nil {
			t.Fatalf("%s: there is no fault", name)
		}
		x := []int{2, 1, 1}
		if sum, err := parslice.Sum(dev, x); sum != 4 || err != nil {
			t.Errorf("%s: the sum is %d: %v", name, sum, err)
		}
		if different, err := parslice.Unique(dev, x); !slices.Equal(different, []int{2, 1}) || err != nil {
			t.Errorf("%s: %v: %v", name, different, err)
		}
		if err := stream.Close(); err == nil {
			t.Errorf("%s: the stream has lost its fault", name)
		}
	}
}

// A slice whose array is nothing else's is there until the kernels have run.
func TestSlicesOfNobody(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for range 20 {
			sum := ok[int](t)(parslice.Sum(dev, slices.Repeat([]int{3}, 5000)))
			runtime.GC()
			if sum != 15000 {
				t.Fatal(sum)
			}
		}
	})
}
