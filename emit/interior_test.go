package emit_test

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/ssa"
)

//go:embed interior_values_test.go
var interiorValues string

var interiorFunctions = map[string]func(i, j, n, m, a, b int) int{
	"clampedInterior": clampedInterior, "boundedInterior": boundedInterior, "testedInterior": testedInterior,
	"farInterior": farInterior, "calledInterior": calledInterior, "leftInterior": leftInterior, "namedInterior": namedInterior,
	"wrappedInterior": wrappedInterior, "loopedInterior": loopedInterior,
}

// The ways to find a thread's indices.
var interiorFrames = []struct {
	name, ids string
	shape     func(n, m int) []int
}{
	{"flat", "i, j := 0, t.ID()\n\tn, m := 1, t.Dim(0)\n\tat := t.ID()", func(n, m int) []int { return []int{n * m} }},
	{"rows", "i, j := t.ID2()\n\tn, m := t.Dim(0), t.Dim(1)\n\tat := i*m + j", func(n, m int) []int { return []int{n, m} }},
	{"planes", "p, i, j := t.ID3()\n\tn, m := t.Dim(1), t.Dim(2)\n\tat := (p*n+i)*m + j", func(n, m int) []int { return []int{2, n, m} }},
}

// Whatever is clamped and tested, each thread of a range runs once, and gives
// what Go gives.
func TestInterior(t *testing.T) {
	_, functions, _ := strings.Cut(interiorValues, "package emit_test\n")
	for name, want := range interiorFunctions {
		for _, frame := range interiorFrames {
			calls := []string{"out[at] = " + name + "(i, j, n, m, a, b)"}
			// Once the same without a call, if the function leaves at its end only.
			if _, body, _ := strings.Cut(functions, "func "+name+"(i, j, n, m, a, b int) int {\n"); frame.name == "rows" && strings.Count(body[:strings.Index(body, "\n}")], "return ") == 1 {
				calls = append(calls, "_, _, _, _, _ = i, j, n, m, a\n"+strings.Replace(body[:strings.Index(body, "\n}")], "return ", "out[at] = ", 1))
			}
			for variant, call := range calls {
				t.Run(fmt.Sprintf("%s/%s/%d", name, frame.name, variant), func(t *testing.T) {
					m := lower(t, functions+"\n//qd:kernel\nfunc kernel(t qd.Thread, a, b int, out []int, count []int32) {\n\t"+frame.ids+"\n\tcount[at]++\n\t"+call+"\n}\n")
					verify(t, m)
					// In the only row of a flat launch leftInterior is sure to leave, whatever the index is.
					split := name != "leftInterior" || frame.name != "flat"
					if text := compile.CPU.Text(m, emit.Options{}).Source; strings.Contains(text, "_interior(") != split {
						t.Fatalf("an interior is not %v in\n%s", split, text)
					}
					if text := compile.CUDA.Text(m, emit.Options{}).Source; strings.Contains(text, "_interior(") || strings.Contains(text, "always_inline") {
						t.Errorf("CUDA's rows have interiors:\n%s", text)
					}
					checkInterior(t, m, frame.shape, want)
				})
			}
		}
	}
}

// What kernels write lies where Go does not move it, as it does what is on stacks.
var (
	interiorOut   [2 * 3 * 40]int
	interiorCount [2 * 3 * 40]int32
)

func checkInterior(t *testing.T, m *ssa.Module, shape func(n, m int) []int, want func(i, j, n, m, a, b int) int) {
	checkKernel(t, build(t, targets[0], m), m.Kernels()[0], shape, want)
}

func checkKernel(t *testing.T, b *built, k *ssa.Func, shape func(n, m int) []int, want func(i, j, n, m, a, b int) int) {
	fn := symbol(t, b.lib, emit.Symbol(k))
	random := rand.New(rand.NewPCG(1, 2))
	for width := 1; width <= 40; width++ {
		values := []int{math.MinInt, math.MinInt + 1, -1 << 62, -1 << 31, -3, -1, 0, 1, 2, width / 2, width - 1, width, width + 1, 1000, 1 << 40, math.MaxInt - 1, math.MaxInt}
		for range 60 {
			dims := shape(1+random.IntN(3), width)
			x, y := values[random.IntN(len(values))], values[random.IntN(len(values))]
			threads := 1
			for _, d := range dims {
				threads *= d
			}
			begin := random.IntN(threads)
			end := begin + 1 + random.IntN(threads-begin)
			if random.IntN(3) == 0 {
				begin, end = 0, threads
			}
			out, count := interiorOut[:threads], interiorCount[:threads]
			clear(out)
			clear(count)
			block := words([]int{1, 1, 1, 1})
			copy(block, words(dims))
			block = append(block, uint64(x), uint64(y),
				uint64(dl.Address(out)), uint64(threads), uint64(dl.Address(count)), uint64(threads))
			dl.Call(fn, uintptr(unsafe.Pointer(&block[0])), uintptr(begin), uintptr(end))
			for at := range threads {
				wantOut, wantCount := 0, int32(0)
				if at >= begin && at < end {
					n, m := 1, dims[len(dims)-1]
					if len(dims) > 1 {
						n = dims[len(dims)-2]
					}
					wantOut, wantCount = want(at/m%n, at%m, n, m, x, y), 1
				}
				if out[at] != wantOut || count[at] != wantCount {
					t.Fatalf("dims %v, threads %d to %d, a = %d, b = %d: thread %d ran %d times and gave %d, want %d times and %d",
						dims, begin, end, x, y, at, count[at], out[at], wantCount, wantOut)
				}
			}
		}
	}
}

// Each operation by itself, so that no bound is hidden behind that of another.
func TestInteriorSites(t *testing.T) {
	ops := map[string]func(x, y int) int{
		"<": func(x, y int) int { return truth(x < y) }, "<=": func(x, y int) int { return truth(x <= y) },
		">": func(x, y int) int { return truth(x > y) }, ">=": func(x, y int) int { return truth(x >= y) },
		"==": func(x, y int) int { return truth(x == y) }, "!=": func(x, y int) int { return truth(x != y) },
		"min": func(x, y int) int { return min(x, y) }, "max": func(x, y int) int { return max(x, y) },
	}
	operands := []struct {
		text  string
		index func(j int) int
		bound func(m, b int) int
		x, y  string
	}{
		{"small", func(j int) int { return j - 1 }, func(_, _ int) int { return 1 }, "j-1", "1"},
		{"size", func(j int) int { return j + 2 }, func(m, _ int) int { return m - 1 }, "j+2", "m-1"},
		{"any", func(j int) int { return j + 1 }, func(_, b int) int { return b }, "j+1", "b"},
	}
	all := new(ssa.Module)
	want := make(map[*ssa.Func]func(i, j, n, m, a, b int) int)
	for op, compute := range ops {
		for _, o := range operands {
			for _, swap := range []bool{false, true} {
				x, y := o.x, o.y
				if swap {
					x, y = y, x
				}
				body := fmt.Sprintf("v := 0\n\tif %s %s %s { v = 1 }\n\tout[at] = v", x, op, y)
				if op == "min" || op == "max" {
					body = fmt.Sprintf("out[at] = %s(%s, %s)", op, x, y)
				}
				src := fmt.Sprintf("//qd:kernel\nfunc kernel%d(t qd.Thread, a, b int, out []int, count []int32) {\n\ti, j := t.ID2()\n\tm := t.Dim(1)\n\tat := i*m + j\n\tcount[at]++\n\t%s\n}\n", len(want), body)
				m := lower(t, src)
				k := m.Kernels()[0]
				all.Funcs = append(all.Funcs, k)
				want[k] = func(_, j, _, m, _, b int) int {
					if swap {
						return compute(o.bound(m, b), o.index(j))
					}
					return compute(o.index(j), o.bound(m, b))
				}
				// An index is none in particular, and is not cut off near the beginning.
				split := !(o.text == "any" && (op == "==" || op == "!=")) && !(o.text == "small" && op == "min")
				if text := compile.CPU.Text(m, emit.Options{}).Source; strings.Contains(text, "_interior(") != split {
					t.Errorf("%s %s %s: split is not %v:\n%s", x, op, y, split, text)
				}
			}
		}
	}
	b := build(t, targets[0], all)
	for k, f := range want {
		checkKernel(t, b, k, interiorFrames[1].shape, f)
	}
}

// Remainders, and clamps and tests in short loops, each by itself.
func TestInteriorOffsets(t *testing.T) {
	looped := func(f func(j, k, m, d int) int) func(j, m, d, b int) int {
		return func(j, m, d, _ int) (v int) {
			for k := -2; k < 5; k += 3 {
				v = 7*v + f(j, k, m, d)
			}
			return v
		}
	}
	const loop = "v := 0\n\tfor k := -2; k < 5; k += 3 { v = 7*v + %s }\n\tout[at] = v"
	const tests = "v := 0\n\tfor k := -2; k < 5; k += 3 {\n\t\tv *= 7\n\t\tif %s { v++ }\n\t}\n\tout[at] = v"
	// Offsets that may be any number, and loops between such numbers. Some of these end at once, or never come to 100.
	anyNumber := func(f func(j, m, b int) int) func(j, m, d, b int) int {
		return func(j, m, _, b int) int { return f(j, m, b) }
	}
	between := func(f func(j, k, m, b int) int) func(j, m, d, b int) int {
		return func(j, m, _, b int) (v int) {
			for k, turns := b-4, 0; k <= b; k++ {
				v = 7*v + f(j, k, m, b)
				if turns++; turns == 100 {
					break
				}
			}
			return v
		}
	}
	const (
		counted = "v, turns := 0, 0\n\tfor k := b-4; k <= b; k++ {\n\t\tv = 7*v + %s\n\t\tif turns++; turns == 100 { break }\n\t}\n\tout[at] = v"
		down    = "v := 0\n\tfor k := min(b, 9); k > -3; k -= 2 { v = 7*v + max(j+k, 0) + 3*min(m-1, j-k) }\n\tout[at] = v"
		span    = "v, r := 0, max(min(b, 9), -9)\n\tfor k := max(j-r, 0); k <= min(j+r, m-1); k++ { v = 7*v + k }\n\tout[at] = v"
	)
	all := new(ssa.Module)
	want := make(map[*ssa.Func]func(j, m, d, b int) int)
	for _, tt := range []struct {
		body string
		want func(j, m, d, b int) int
	}{
		{"out[at] = (j+2)%m", func(j, m, d, _ int) int { return (j + 2) % m }},
		{"out[at] = (j-2)%m", func(j, m, d, _ int) int { return (j - 2) % m }},
		{"out[at] = (j+m+2)%m", func(j, m, d, _ int) int { return (j + m + 2) % m }},
		{"out[at] = (j-2+m)%m", func(j, m, d, _ int) int { return (j - 2 + m) % m }},
		{"out[at] = (j+3)%d", func(j, m, d, _ int) int { return (j + 3) % d }},
		{"out[at] = (j-3)%d", func(j, m, d, _ int) int { return (j - 3) % d }},
		{"out[at] = (j+d+2)%d", func(j, m, d, _ int) int { return (j + d + 2) % d }},
		{"out[at] = (j+d-2)%d", func(j, m, d, _ int) int { return (j + d - 2) % d }},
		{"out[at] = max((j+m-2)%m, 3)", func(j, m, d, _ int) int { return max((j+m-2)%m, 3) }},
		{fmt.Sprintf(loop, "(j+k)%m"), looped(func(j, k, m, d int) int { return (j + k) % m })},
		{fmt.Sprintf(loop, "(j-k+m)%m"), looped(func(j, k, m, d int) int { return (j - k + m) % m })},
		{fmt.Sprintf(loop, "(k+j+d)%d"), looped(func(j, k, m, d int) int { return (k + j + d) % d })},
		{fmt.Sprintf(loop, "min(j+k, m-1)"), looped(func(j, k, m, d int) int { return min(j+k, m-1) })},
		{fmt.Sprintf(loop, "max(j-k, 1)"), looped(func(j, k, m, d int) int { return max(j-k, 1) })},
		{fmt.Sprintf(loop, "min(j-k, d)"), looped(func(j, k, m, d int) int { return min(j-k, d) })},
		{fmt.Sprintf(loop, "max(j-1+k, m-d)"), looped(func(j, k, m, d int) int { return max(j-1+k, m-d) })},
		{fmt.Sprintf(tests, "j+k < m"), looped(func(j, k, m, d int) int { return truth(j+k < m) })},
		{fmt.Sprintf(tests, "j-k <= d"), looped(func(j, k, m, d int) int { return truth(j-k <= d) })},
		{fmt.Sprintf(tests, "j+k >= 1"), looped(func(j, k, m, d int) int { return truth(j+k >= 1) })},
		{fmt.Sprintf(tests, "j+k == 1"), looped(func(j, k, m, d int) int { return truth(j+k == 1) })},
		{fmt.Sprintf(tests, "j+k != m-1"), looped(func(j, k, m, d int) int { return truth(j+k != m-1) })},
		{"out[at] = max(j+b, 0)", anyNumber(func(j, m, b int) int { return max(j+b, 0) })},
		{"out[at] = min(j-b, m-1)", anyNumber(func(j, m, b int) int { return min(j-b, m-1) })},
		{"out[at] = min(j-b+2, b)", anyNumber(func(j, m, b int) int { return min(j-b+2, b) })},
		{"out[at] = max(j+b-3, m+b)", anyNumber(func(j, m, b int) int { return max(j+b-3, m+b) })},
		{"out[at] = 0\n\tif j+b/2 < m { out[at]++ }", anyNumber(func(j, m, b int) int { return truth(j+b/2 < m) })},
		{"out[at] = 0\n\tif j-b >= 0 { out[at]++ }", anyNumber(func(j, m, b int) int { return truth(j-b >= 0) })},
		{fmt.Sprintf(counted, "max(j+k, 0)"), between(func(j, k, m, b int) int { return max(j+k, 0) })},
		{fmt.Sprintf(counted, "min(j+k, m-1)"), between(func(j, k, m, b int) int { return min(j+k, m-1) })},
		{fmt.Sprintf(counted, "max(j-k, 0)"), between(func(j, k, m, b int) int { return max(j-k, 0) })},
		{fmt.Sprintf(counted, "min(j-k, m-1)"), between(func(j, k, m, b int) int { return min(j-k, m-1) })},
		{fmt.Sprintf(counted, "min(j-k+b, b)"), between(func(j, k, m, b int) int { return min(j-k+b, b) })},
		{down, func(j, m, _, b int) (v int) {
			for k := min(b, 9); k > -3; k -= 2 {
				v = 7*v + max(j+k, 0) + 3*min(m-1, j-k)
			}
			return v
		}},
		{span, func(j, m, _, b int) (v int) {
			r := max(min(b, 9), -9)
			for k := max(j-r, 0); k <= min(j+r, m-1); k++ {
				v = 7*v + k
			}
			return v
		}},
	} {
		src := fmt.Sprintf("//qd:kernel\nfunc kernel%d(t qd.Thread, a, b int, out []int, count []int32) {\n\ti, j := t.ID2()\n\tm, d := t.Dim(1), max(b, 1)\n\t_ = d\n\tat := i*m + j\n\tcount[at]++\n\t%s\n}\n", len(want), tt.body)
		m := lower(t, src)
		k := m.Kernels()[0]
		all.Funcs = append(all.Funcs, k)
		want[k] = tt.want
		if text := compile.CPU.Text(m, emit.Options{}).Source; !strings.Contains(text, "_interior(") {
			t.Errorf("%s: no row is split:\n%s", tt.body, text)
		}
	}
	b := build(t, targets[0], all)
	for k, f := range want {
		checkKernel(t, b, k, interiorFrames[1].shape, func(_, j, _, m, _, b int) int { return f(j, m, max(b, 1), b) })
	}
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func words(is []int) []uint64 {
	var ws []uint64
	for _, i := range is {
		ws = append(ws, uint64(i))
	}
	return ws
}

// The loops over rows, and what is printed at clamps and tests.
func TestInteriorText(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"clamps", `
//qd:kernel
func kernel(t qd.Thread, x, y []float32) {
	i, j := t.ID2()
	m := t.Dim(1)
	y[i*m+j] = x[i*m+max(j-1, 0)] + x[i*m+max(0, min(j+2, m-1))]
}`, `
static inline void kernel_interior_wide(Thread t, slice<float32> x, slice<float32> y) {
    const int64 i = t.id[0];
    const int64 j = t.id[1];
    const int64 m = t.dim[1];
    vec::store(&y[i * m + j], vec::load<float32x8>(&x[i * m + (j - 1)]) + vec::load<float32x8>(&x[i * m + (j + 2)]));
}
[[gnu::cold, gnu::noinline]] static void kernel_interior(Thread t, slice<float32> x, slice<float32> y) {
    const int64 i = t.id[0];
    const int64 j = t.id[1];
    const int64 m = t.dim[1];
    y[i * m + j] = x[i * m + (j - 1)] + x[i * m + (j + 2)];
}
[[gnu::always_inline]] static inline void kernel_thread(Thread t, slice<float32> x, slice<float32> y) {
    const int64 i = t.id[0];
    const int64 j = t.id[1];
    const int64 m = t.dim[1];
    const int64 prod = i * m;
    y[prod + j] = x[prod + go::max(j - 1, int64(0))] + x[prod + go::max(int64(0), go::min(j + 2, m - 1))];
}
extern "C" void kernel(const kernel_args* args, int64 begin, int64 end) {
    const kernel_args a = *args;
    const bool twice = apart(a.x, a.y);
    const int64 width = a.dim[1];
    for (int64 flat = begin; flat < end;) {
        const int64 row = flat / width, first = flat % width;
        const int64 stop = end - flat < width - first ? first + (end - flat) : width;
        const int64 lo = qd::between(first, 1, stop);
        const int64 hi = qd::between(lo, width - 2, stop);
#pragma clang loop vectorize(disable)
        for (int64 col = first; col < lo; col++) {
            kernel_thread(Thread{row * width + col, {row, col}, {a.dim[0], a.dim[1], a.dim[2], a.dim[3]}}, a.x, a.y);
        }
        int64 col = lo;
        const int64 W = 8;
        do {
#pragma clang loop unroll_count(4)
            for (; col + W <= hi; col += W) {
                kernel_interior_wide(Thread{row * width + col, {row, col}, {a.dim[0], a.dim[1], a.dim[2], a.dim[3]}}, a.x, a.y);
            }
        } while (twice && qd::step_back(col, W, lo, hi));
#pragma clang loop vectorize(disable)
        for (; col < hi; col++) {
            kernel_interior(Thread{row * width + col, {row, col}, {a.dim[0], a.dim[1], a.dim[2], a.dim[3]}}, a.x, a.y);
        }
#pragma clang loop vectorize(disable)
        for (int64 col = hi; col < stop; col++) {
            kernel_thread(Thread{row * width + col, {row, col}, {a.dim[0], a.dim[1], a.dim[2], a.dim[3]}}, a.x, a.y);
        }
        flat += stop - first;
    }
}
`},
		// A guard may end the row anywhere: what is behind it keeps the pragma.
		{"guard", `
//qd:kernel
func kernel(t qd.Thread, inner int32, x []float32) {
	i := t.ID()
	if i >= int(inner) {
		return
	}
	x[i]++
}`, `
static inline void kernel_interior_wide(Thread t, int32, slice<float32> x) {
    const int64 i = t.ID();
    vec::store(&x[i], vec::load<float32x8>(&x[i]) + 1.0f);
}
[[gnu::cold, gnu::noinline]] static void kernel_interior(Thread t, int32, slice<float32> x) {
    const int64 i = t.ID();
    x[i] += 1.0f;
}
[[gnu::always_inline]] static inline void kernel_thread(Thread t, int32 inner, slice<float32> x) {
    const int64 i = t.ID();
    if (i >= int64(inner)) {
        return;
    }
    x[i] += 1.0f;
}
extern "C" void kernel(const kernel_args* args, int64 begin, int64 end) {
    const kernel_args a = *args;
    const int64 hi = qd::between(begin, qd::cut(int64(a.inner)), end);
    int64 flat = begin;
    const int64 W = 8;
#pragma clang loop unroll_count(4)
    for (; flat + W <= hi; flat += W) {
        kernel_interior_wide(Thread{flat}, a.inner, a.x);
    }
#pragma clang loop vectorize(disable)
    for (; flat < hi; flat++) {
        kernel_interior(Thread{flat}, a.inner, a.x);
    }
#pragma clang loop vectorize(enable)
    for (int64 flat = hi; flat < end; flat++) {
        kernel_thread(Thread{flat}, a.inner, a.x);
    }
}
`},
		{"device function", `
func at(x []float32, i int) float32 {
	if i < 0 || i >= len(x) {
		return 0
	}
	return x[i]
}

//qd:kernel
func kernel(t qd.Thread, x, y []float32) {
	i := t.ID()
	y[i] = at(x, i-1) + at(x, i+1)
}`, `
static inline void kernel_interior_wide(Thread t, slice<float32> x, slice<float32> y) {
    const int64 i = t.ID();
    int64 i_2 = i - 1;
    const float32x8 value = vec::load<float32x8>(&x[i_2]);
    i_2 = i + 1;
    const float32x8 value_2 = vec::load<float32x8>(&x[i_2]);
    vec::store(&y[i], value + value_2);
}
[[gnu::cold, gnu::noinline]] static void kernel_interior(Thread t, slice<float32> x, slice<float32> y) {
    const int64 i = t.ID();
    int64 i_2 = i - 1;
    const float32 x_elem = x[i_2];
    i_2 = i + 1;
    const float32 x_elem_2 = x[i_2];
    y[i] = x_elem + x_elem_2;
}
[[gnu::always_inline]] static inline void kernel_thread(Thread t, slice<float32> x, slice<float32> y) {
    const int64 i = t.ID();
    int64 i_2 = i - 1;
    float32 result = 0.0f;
    if (!(i_2 < 0 || i_2 >= x.len)) {
        result = x[i_2];
    }
    i_2 = i + 1;
    float32 result_2 = 0.0f;
    if (!(i_2 < 0 || i_2 >= x.len)) {
        result_2 = x[i_2];
    }
    y[i] = result + result_2;
}
extern "C" void kernel(const kernel_args* args, int64 begin, int64 end) {
    const kernel_args a = *args;
    const int64 lo = qd::between(begin, 1, end);
    const int64 hi = qd::between(lo, a.x.len - 1, end);
#pragma clang loop vectorize(disable)
    for (int64 flat = begin; flat < lo; flat++) {
        kernel_thread(Thread{flat}, a.x, a.y);
    }
    int64 flat = lo;
    const int64 W = 8;
#pragma clang loop unroll_count(4)
    for (; flat + W <= hi; flat += W) {
        kernel_interior_wide(Thread{flat}, a.x, a.y);
    }
#pragma clang loop vectorize(disable)
    for (; flat < hi; flat++) {
        kernel_interior(Thread{flat}, a.x, a.y);
    }
#pragma clang loop vectorize(enable)
    for (int64 flat = hi; flat < end; flat++) {
        kernel_thread(Thread{flat}, a.x, a.y);
    }
}
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var lines []string
			text := compile.CPU.Text(lower(t, tt.src), emit.Options{}).Code()
			for line := range strings.Lines(text[strings.Index(text, "static inline void kernel_interior"):]) {
				lines = append(lines, line)
			}
			got, keep := "\n", true
			for _, line := range lines {
				if strings.HasPrefix(line, "struct ") {
					keep = false
				}
				if keep {
					got += line
				}
				if strings.HasPrefix(line, "static_assert") {
					keep = true
				}
			}
			if got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// What is not split, because it would not help or because there is nothing to
// split at.
func TestNoInterior(t *testing.T) {
	for name, body := range map[string]string{
		"no clamp":             "x[i*m+j] = 1",
		"long loop":            "for k := range n { x[k*m+j] = float32(k) }\n\tif j > 0 { x[j] = 1 }",
		"atomic":               "qd.AtomicAdd(&x[max(j-1, 0)], 1)",
		"printf":               `qd.Printf("%d", max(j-1, 0))`,
		"other axis":           "x[max(i-1, 0)*m+j] = 1",
		"bound that is read":   "x[j] = x[min(j+1, int(x[0]))]",
		"bound with the index": "x[j] = x[min(j+1, m-j)]",
		"place in the middle":  "if j == limit { x[i*m+j] = 1 }",
		"offset that is read":  "x[j] = x[max(j+int(x[0]), 0)]",
		"other type":           "if int32(j) > 0 { x[j] = 1 }",
		"flat":                 "if t.ID() > 0 { x[j] = 1 }",
	} {
		t.Run(name, func(t *testing.T) {
			m := lower(t, "//qd:kernel\nfunc kernel(t qd.Thread, limit int, x []float32) {\n\ti, j := t.ID2()\n\tn, m := t.Dim(0), t.Dim(1)\n\t_, _, _, _ = i, j, n, m\n\t"+body+"\n}\n")
			if text := compile.CPU.Text(m, emit.Options{}).Source; strings.Contains(text, "_interior(") {
				t.Errorf("split:\n%s", text)
			}
		})
	}
}

// What lies in a struct that is passed to the kernel is the same for a whole row.
func TestInteriorOfStruct(t *testing.T) {
	text := compile.CPU.Text(lower(t, `
type field struct {
	data []float32
	size [2]int
	w    int
}

//qd:kernel
func k(t qd.Thread, f field, out []float32) {
	i, j := t.ID2()
	out[i*f.w+j] = f.data[i*f.w+min(j+1, f.w-1)]
}
`), emit.Options{}).Source
	if want := "const int64 hi = qd::between(first, qd::cut(a.f_w - 1), stop);"; !strings.Contains(text, want) {
		t.Errorf("no %s in\n%s", want, text)
	}
}
