package par_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/fakenvrtc"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/par"
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
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run", "^TestPar")
	cmd.Env = fakenvrtc.Env(t)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS: TestParSort/cuda:0") {
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

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var lengths = []int{0, 1, 2, 256, 1025, 70001}

func randoms[T any](n int, f func(r *rand.Rand) T) []T {
	r := rand.New(rand.NewPCG(uint64(n), 5))
	x := make([]T, n)
	for i := range x {
		x[i] = f(r)
	}
	return x
}

func floats(n int) []float32 {
	return randoms(n, func(r *rand.Rand) float32 { return float32(r.NormFloat64()) })
}

// affine is a function x -> a*x + b; to combine two is associative, but not commutative.
type affine struct{ A, B int64 }

func after(f, g affine) affine { return affine{g.A * f.A, g.A*f.B + g.B} }

// same compares bits, so that results on devices are the same.
func same(x, y []float32) bool {
	return slices.EqualFunc(x, y, func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) })
}

func TestParReduce(t *testing.T) {
	sums := make(map[int][]float32) // those of the first device
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, n := range lengths {
			host, ints := floats(n), randoms(n, func(r *rand.Rand) int64 { return r.Int64() })
			x, y := qd.From(dev, host), qd.From(dev, ints)
			out, number := qd.Zeros[float32](dev, 4), qd.From(dev, []int64{-1})
			must(t, par.Sum(dev, x, out.Sub(0, 1)))
			must(t, par.Dot(dev, x, x, out.Sub(1, 2)))
			var sum, squares float64
			var total int64
			for i, v := range host {
				sum += float64(v)
				squares += float64(v) * float64(v)
				total += ints[i]
			}
			must(t, par.Sum(dev, y, number))
			if got := number.Slice()[0]; got != total {
				t.Errorf("the sum of %d integers is %d, not %d", n, got, total)
			}
			if n == 0 {
				if err := par.Min(dev, x, out); err == nil || !strings.Contains(err.Error(), "no elements") {
					t.Errorf("Min of nothing: %v", err)
				}
				continue
			}
			must(t, par.Min(dev, x, out.Sub(2, 3)))
			must(t, par.Max(dev, x, out.Sub(3, 4)))
			got := out.Slice()
			if d := math.Abs(float64(got[0]) - sum); d > 1e-4*squares || got[2] != slices.Min(host) || got[3] != slices.Max(host) || math.Abs(float64(got[1])-squares) > 1e-5*squares {
				t.Errorf("of %d elements: %v; the sum is %v, that of the squares %v", n, got, sum, squares)
			}
			if sums[n] == nil {
				sums[n] = got
			} else if !same(sums[n], got) {
				t.Errorf("of %d elements: %v, but on another device %v", n, got, sums[n])
			}
			functions := randoms(n, func(r *rand.Rand) affine { return affine{r.Int64(), r.Int64()} })
			all := affine{1, 0}
			for _, f := range functions {
				all = after(all, f)
			}
			f, result := qd.From(dev, functions), qd.Zeros[affine](dev, 1)
			must(t, par.Reduce(dev, f, result, after))
			if got := result.Slice()[0]; got != all {
				t.Errorf("Reduce of %d elements gives %v, not %v", n, got, all)
			}
		}
		c := int64(3)
		x, out := qd.From(dev, []int64{1, 2, 3}), qd.Zeros[int64](dev, 1)
		must(t, par.Reduce(dev, x, out, qd.NewFunc(func(a, b int64) int64 { return (a + b) % c }, qd.Capture("c", c))))
		if got := out.Slice()[0]; got != 0 {
			t.Errorf("a function that captures: %d", got)
		}
	})
}

func TestParSpecialFloats(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	onAll(t, func(t *testing.T, dev *qd.Device) {
		host := make([]float64, 3000)
		host[1], host[2500] = -inf, inf
		x, out := qd.From(dev, host), qd.Zeros[float64](dev, 3)
		must(t, par.Min(dev, x, out))
		must(t, par.Max(dev, x, out.Sub(1, 2)))
		must(t, par.Sum(dev, x, out.Sub(2, 3)))
		if got := out.Slice(); got[0] != -inf || got[1] != inf || got[2] == got[2] {
			t.Error(got)
		}
		must(t, x.Sub(2000, 2001).Fill(nan))
		must(t, par.Min(dev, x, out))
		must(t, par.Max(dev, x, out.Sub(1, 2)))
		if got := out.Slice(); got[0] == got[0] || got[1] == got[1] {
			t.Error("NaN is lost", got)
		}
	})
}

func TestParScan(t *testing.T) {
	first := make(map[int][]float32)
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, n := range lengths {
			ints := randoms(n, func(r *rand.Rand) int32 { return r.Int32() })
			functions := randoms(n, func(r *rand.Rand) affine { return affine{r.Int64(), r.Int64()} })
			x, f, y := qd.From(dev, ints), qd.From(dev, functions), qd.From(dev, floats(n))
			out, g := qd.Zeros[int32](dev, n), qd.Zeros[affine](dev, n)
			must(t, par.Scan(dev, x, out))
			must(t, par.ScanFunc(dev, f, g, after))
			must(t, par.Scan(dev, y, y))
			for i := 1; i < n; i++ {
				ints[i] += ints[i-1]
				functions[i] = after(functions[i-1], functions[i])
			}
			if !slices.Equal(out.Slice(), ints) || !slices.Equal(g.Slice(), functions) {
				t.Errorf("of %d elements: wrong", n)
			}
			if got := y.Slice(); first[n] == nil {
				first[n] = got
			} else if !same(first[n], got) {
				t.Errorf("floats of %d elements differ from those of another device", n)
			}
		}
	})
}

func sorts[K par.Key](t *testing.T, dev *qd.Device, x []K) {
	t.Helper()
	a, pairs, values := qd.From(dev, x), qd.From(dev, x), make([]int32, len(x))
	for i := range values {
		values[i] = int32(i)
	}
	v := qd.From(dev, values)
	must(t, par.Sort(dev, a))
	must(t, par.SortPairs(dev, pairs, v))
	slices.SortStableFunc(values, func(i, j int32) int { return cmp.Compare(x[i], x[j]) })
	want := make([]K, len(x))
	for i, at := range values {
		want[i] = x[at]
	}
	equal := func(a, b K) bool {
		return a == b && math.Signbit(float64(a)) == math.Signbit(float64(b)) || a != a && b != b
	}
	if got := a.Slice(); !slices.EqualFunc(got, want, equal) {
		t.Errorf("%d elements of type %T are not sorted", len(x), x)
	}
	if got := pairs.Slice(); !slices.EqualFunc(got, want, equal) {
		t.Errorf("%d keys of type %T are not sorted", len(x), x)
	}
	if got := v.Slice(); !slices.Equal(got, values) {
		t.Errorf("%d values of keys of type %T are not as they should be", len(x), x)
	}
}

func TestParSort(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, n := range lengths {
			sorts(t, dev, floats(n))
			if n > 1025 {
				continue
			}
			sorts(t, dev, randoms(n, func(r *rand.Rand) int8 { return int8(r.Uint32()) }))
			sorts(t, dev, randoms(n, func(r *rand.Rand) uint16 { return uint16(r.Uint32()) }))
			sorts(t, dev, randoms(n, func(r *rand.Rand) int { return int(r.Uint64()) }))
			sorts(t, dev, randoms(n, func(r *rand.Rand) int32 { return r.Int32N(7) - 3 }))
			sorts(t, dev, randoms(n, func(r *rand.Rand) float64 {
				return [...]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, -1, r.Float64(), math.SmallestNonzeroFloat64}[r.IntN(9)]
			}))
			sorts(t, dev, randoms(n, func(r *rand.Rand) float32 { return [...]float32{0, float32(math.Copysign(0, -1))}[r.IntN(2)] }))
		}
	})
}

func TestParHistogram(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, n := range lengths {
			host := floats(n)
			if n > 2 {
				host[0], host[1] = float32(math.NaN()), float32(math.Inf(1))
			}
			for _, bins := range []int{1, 7, 1000} {
				want := make([]int32, bins)
				for _, v := range host {
					if v >= -1 && v < 2 {
						want[min(int((v+1)*float32(float64(bins)/3)), bins-1)]++
					}
				}
				counts := qd.From(dev, make([]int32, bins))
				must(t, par.Histogram(dev, qd.From(dev, host), -1, 2, counts))
				if got := counts.Slice(); !slices.Equal(got, want) {
					t.Errorf("of %d elements in %d bins: %v, not %v", n, bins, got, want)
				}
			}
		}
	})
}

// The range of integers may be wider than their type.
func TestParHistogramOfIntegers(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		host := make([]int8, 256)
		for i := range host {
			host[i] = int8(i - 128)
		}
		counts := qd.Zeros[int32](dev, 5)
		must(t, par.Histogram(dev, qd.From(dev, host), -128, 127, counts))
		if got := counts.Slice(); !slices.Equal(got, []int32{51, 51, 51, 51, 51}) {
			t.Error(got)
		}
	})
}

func isEven(v int32) bool { return v%2 == 0 }

func sumOf(a, b int64) int64 { return a + b }

func TestParSelect(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, n := range lengths {
			host := randoms(n, func(r *rand.Rand) int32 { return r.Int32N(3) + int32(r.Int32N(2000)/1999) })
			values := randoms(n, func(r *rand.Rand) int64 { return r.Int64() })
			x, v := qd.From(dev, host), qd.From(dev, values)
			out, outValues, count := qd.Zeros[int32](dev, n), qd.Zeros[int64](dev, n), qd.From(dev, []int{-1})
			check := func(what string, got, want []int32) {
				t.Helper()
				if c := count.Slice()[0]; c != len(want) || !slices.Equal(got[:c], want) {
					t.Errorf("%s of %d elements: %d, not %d", what, n, c, len(want))
				}
			}
			must(t, par.Select(dev, x, out, count, isEven))
			var want []int32
			for _, v := range host {
				if isEven(v) {
					want = append(want, v)
				}
			}
			check("Select", out.Slice(), want)
			must(t, par.Unique(dev, x, out, count))
			check("Unique", out.Slice(), slices.Compact(slices.Clone(host)))
			must(t, out.Fill(-1))
			must(t, par.ReduceByKey(dev, x, v, out, outValues, count, sumOf))
			check("ReduceByKey", out.Slice(), slices.Compact(slices.Clone(host)))
			var sums []int64
			for i, v := range values {
				if i == 0 || host[i] != host[i-1] {
					sums = append(sums, 0)
				}
				sums[len(sums)-1] += v
			}
			if got := outValues.Slice()[:len(sums)]; !slices.Equal(got, sums) {
				t.Errorf("ReduceByKey of %d elements: the values are wrong", n)
			}
		}
	})
}

func times(a, b float64) float64 { return a * b }

func isBig(v float64) bool { return v > 0.5 }

// Gradients go through the functions: each is compared with what it is.
func TestParGradient(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		const n = 1100
		host := randoms(n, func(r *rand.Rand) float64 { return 0.5 + r.Float64() })
		keys := randoms(n, func(r *rand.Rand) int32 { return r.Int32N(3) })
		most, product := slices.Index(host, slices.Max(host)), 1.0
		for _, v := range host[:300] {
			product *= v
		}
		for name, c := range map[string]struct {
			run  func(tape *qd.Tape, x, y *qd.Array[float64]) error
			want func(i int) float64
		}{
			"Sum": {func(tape *qd.Tape, x, y *qd.Array[float64]) error { return par.Sum(tape, x, y) }, func(int) float64 { return 1 }},
			"Dot": {func(tape *qd.Tape, x, y *qd.Array[float64]) error { return par.Dot(tape, x, x, y) }, func(i int) float64 { return 2 * host[i] }},
			"Max": {func(tape *qd.Tape, x, y *qd.Array[float64]) error { return par.Max(tape, x, y) }, func(i int) float64 {
				if i == most {
					return 1
				}
				return 0
			}},
			"Reduce": {func(tape *qd.Tape, x, y *qd.Array[float64]) error { return par.Reduce(tape, x.Sub(0, 300), y, times) }, func(i int) float64 {
				if i < 300 {
					return product / host[i]
				}
				return 0
			}},
			"Scan": {func(tape *qd.Tape, x, y *qd.Array[float64]) error {
				z := qd.Zeros[float64](dev, n)
				if err := par.Scan(tape, x, z); err != nil {
					return err
				}
				return par.Sum(tape, z, y)
			}, func(i int) float64 { return float64(n - i) }},
			"Select": {func(tape *qd.Tape, x, y *qd.Array[float64]) error {
				z, count := qd.Zeros[float64](dev, n), qd.Zeros[int](dev, 1)
				if err := par.Select(tape, x, z, count, isBig); err != nil {
					return err
				}
				return par.Dot(tape, z, z, y)
			}, func(i int) float64 {
				if host[i] > 0.5 {
					return 2 * host[i]
				}
				return 0
			}},
			"SortPairs": {func(tape *qd.Tape, x, y *qd.Array[float64]) error {
				k, z := qd.From(dev, keys), qd.Zeros[float64](dev, n)
				if err := tape.Launch(double, qd.Dim(n), x, z); err != nil {
					return err
				}
				if err := par.SortPairs(tape, k, z); err != nil {
					return err
				}
				return par.Dot(tape, z, z, y)
			}, func(i int) float64 { return 8 * host[i] }},
			"ReduceByKey": {func(tape *qd.Tape, x, y *qd.Array[float64]) error {
				k, v, count := qd.Zeros[int32](dev, n), qd.Zeros[float64](dev, n), qd.Zeros[int](dev, 1)
				if err := par.ReduceByKey(tape, qd.From(dev, keys), x, k, v, count, times); err != nil {
					return err
				}
				return par.Sum(tape, v, y)
			}, func(i int) float64 {
				g := 1.0
				for j := i - 1; j >= 0 && keys[j] == keys[i]; j-- {
					g *= host[j]
				}
				for j := i + 1; j < n && keys[j] == keys[i]; j++ {
					g *= host[j]
				}
				return g
			}},
		} {
			t.Run(name, func(t *testing.T) {
				tape := qd.NewTape(dev)
				x, y := qd.From(dev, host).WithGrad(), qd.Zeros[float64](dev, 1)
				must(t, c.run(tape, x, y))
				must(t, tape.Backward(y))
				for i, g := range x.Grad().Slice() {
					if want := c.want(i); math.Abs(g-want) > 1e-9*max(1, math.Abs(want)) {
						t.Fatalf("the derivative by element %d is %v, not %v", i, g, want)
					}
				}
			})
		}
	})
}

//qd:kernel
func double(t qd.Thread, x, y []float64) { y[t.ID()] = 2 * x[t.ID()] }

func TestParErrors(t *testing.T) {
	dev, err := qd.Open("go")
	must(t, err)
	x, y, one := qd.Zeros[float32](dev, 3), qd.Zeros[float32](dev, 2), qd.Zeros[int](dev, 1)
	for want, err := range map[string]error{
		"par: Dot: the arrays have 3 and 2 elements":                                             par.Dot(dev, x, y, y),
		"par: Sum: the array for the result has 0 elements; it needs 1":                          par.Sum(dev, x, y.Sub(0, 0)),
		"par: Scan: the arrays have 3 and 2 elements":                                            par.Scan(dev, x, y),
		"par: Select: the array for what is kept has 2 elements; it needs 3":                     par.Select(dev, x, y, one, func(float32) bool { return true }),
		"par: Reduce: the array has no elements":                                                 par.Reduce(dev, x.Sub(0, 0), y, func(a, b float32) float32 { return a }),
		"par: Histogram: the range from 1 to 1 is empty":                                         par.Histogram(dev, x, 1, 1, qd.Zeros[int32](dev, 1)),
		"par: Histogram: the range from -3e+38 to 3e+38 is too wide for numbers of type float32": par.Histogram(dev, x, -3e38, 3e38, qd.Zeros[int32](dev, 1)),
		"par: Histogram: the range from 0 to 1e-44 is too narrow for numbers of type float32":    par.Histogram(dev, x, 0, 1e-44, qd.Zeros[int32](dev, 1)),
		"par: SortPairs: there are 3 keys and 2 values":                                          par.SortPairs(dev, x, y),
		"par: Sort: an array was not made by qd.From or qd.Zeros":                                par.Sort(dev, new(qd.Array[int])),
		"par: Sum: the launcher is nil; give a device, a stream or a tape":                       par.Sum(nil, x, y),
		"par: Reduce: the function is nil":                                                       par.Reduce(dev, x, y, nil),
		"par: ScanFunc: the function is nil":                                                     par.ScanFunc(dev, x, x, nil),
		"par: Select: the function is nil":                                                       par.Select(dev, x, x, one, nil),
		"par: ReduceByKey: the function is nil":                                                  par.ReduceByKey(dev, x, x, x, x, one, nil),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("the error is %v, not %s", err, want)
		}
	}
	x.Free()
	if err := par.Sum(dev, x, y); err == nil || !strings.Contains(err.Error(), "par: Sum: ") || !strings.Contains(err.Error(), "freed") {
		t.Errorf("of a freed array: %v", err)
	}
}

// In a function that Record calls, each function is an error, however many elements there are.
func TestParRecorded(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, n := range []int{0, 3, 100_000} {
			x, y, one := qd.Zeros[float32](dev, n), qd.Zeros[float32](dev, n), qd.Zeros[float32](dev, 1)
			count, bins := qd.Zeros[int](dev, 1), qd.Zeros[int32](dev, 3)
			for name, f := range map[string]func(s *qd.Stream) error{
				"Sum":       func(s *qd.Stream) error { return par.Sum(s, x, one) },
				"Min":       func(s *qd.Stream) error { return par.Min(s, x, one) },
				"Max":       func(s *qd.Stream) error { return par.Max(s, x, one) },
				"Dot":       func(s *qd.Stream) error { return par.Dot(s, x, y, one) },
				"Reduce":    func(s *qd.Stream) error { return par.Reduce(s, x, one, func(a, b float32) float32 { return a }) },
				"Scan":      func(s *qd.Stream) error { return par.Scan(s, x, y) },
				"ScanFunc":  func(s *qd.Stream) error { return par.ScanFunc(s, x, y, func(a, b float32) float32 { return a }) },
				"Sort":      func(s *qd.Stream) error { return par.Sort(s, x) },
				"SortPairs": func(s *qd.Stream) error { return par.SortPairs(s, x, y) },
				"Histogram": func(s *qd.Stream) error { return par.Histogram(s, x, 0, 1, bins) },
				"Select":    func(s *qd.Stream) error { return par.Select(s, x, y, count, func(v float32) bool { return true }) },
				"Unique":    func(s *qd.Stream) error { return par.Unique(s, x, y, count) },
				"ReduceByKey": func(s *qd.Stream) error {
					return par.ReduceByKey(s, x, y, x, y, count, func(a, b float32) float32 { return a })
				},
			} {
				g, err := dev.Record(f)
				if n == 0 && err != nil && g == nil && slices.Contains([]string{"Min", "Max", "Reduce"}, name) && err.Error() == "par: "+name+": the array has no elements" {
					continue
				}
				want := "par: " + name + ": qd: make an array on " + dev.String() + ": a graph has launches only, "
				if err == nil || g != nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), "; do this before Record, or after the launch of the graph") {
					t.Errorf("%s of %d: %v", name, n, err)
				}
			}
		}
	})
}
