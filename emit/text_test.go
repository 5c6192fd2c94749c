package emit_test

import (
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/abi"
)

const saxpy = `
//qd:kernel
func saxpy(t qd.Thread, a float32, x, y []float32) {
	i := t.ID()
	y[i] += a * x[i]
}
`

// The whole text of a kernel, as a reader sees it.
func TestWholeText(t *testing.T) {
	const want = `// kernel saxpy of package example.com/k in C++, emitted by qdgen

using int64 = long long;
using uint8 = unsigned char;
using float32 = float;

// A Go slice: its elements and their number.
template <class T> struct slice {
    T* data;
    int64 len;
    T& operator[](int64 i) const { return data[i]; }
};

using float32x8 = float32 __attribute__((vector_size(32)));

namespace vec {

// Reads numbers that lie next to each other; with a mask those of its lanes, and 0 for the others.
template <class V, class T> static inline V load(const T* p) {
    V v;
    __builtin_memcpy(&v, p, sizeof(V));
    return v;
}

// Writes numbers, or bools, that lie next to each other; with a mask those of its lanes only.
template <class T, class V> static inline void store(T* p, V v) {
    if constexpr (sizeof(v[0]) == sizeof(T)) {
        __builtin_memcpy(p, &v, sizeof(V));
    } else {
        using bytes = uint8 __attribute__((vector_size(sizeof(V) / sizeof(v[0]))));
        store((uint8*)p, __builtin_convertvector(-v, bytes));
    }
}
}

// The place of one thread in the launch: the row-major index.
struct Thread {
    int64 flat;
    int64 ID() const { return flat; }
};

// k.go:13: func saxpy(t qd.Thread, a float32, x, y []float32) {
static inline void saxpy_wide(Thread t, float32 a, slice<float32> x, slice<float32> y) {
    // k.go:14: i := t.ID()
    const int64 i = t.ID();
    // k.go:15: y[i] += a * x[i]
    vec::store(&y[i], vec::load<float32x8>(&y[i]) + a * vec::load<float32x8>(&x[i]));
}

struct saxpy_args {
    int64 dim[4];
    float32 a;
    slice<float32> x;
    slice<float32> y;
};
static_assert(sizeof(saxpy_args) == 72, "the host lays out the arguments so");

// k.go:13: func saxpy(t qd.Thread, a float32, x, y []float32) {
[[gnu::cold, gnu::noinline]] static void saxpy_thread(Thread t, float32 a, slice<float32> x, slice<float32> y) {
    // k.go:14: i := t.ID()
    const int64 i = t.ID();
    // k.go:15: y[i] += a * x[i]
    y[i] += a * x[i];
}

extern "C" void saxpy(const saxpy_args* args, int64 begin, int64 end) {
    // A copy: what threads write cannot change it.
    const saxpy_args a = *args;
    int64 flat = begin;
    const int64 W = 8;
#pragma clang loop unroll_count(4)
    for (; flat + W <= end; flat += W) {
        saxpy_wide(Thread{flat}, a.a, a.x, a.y);
    }
#pragma clang loop vectorize(disable)
    for (; flat < end; flat++) {
        saxpy_thread(Thread{flat}, a.a, a.x, a.y);
    }
}
`
	if got := compile.CPU.Text(lower(t, saxpy), emit.Options{}).Source; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestLines(t *testing.T) {
	text := compile.CPU.Text(lower(t, saxpy), emit.Options{})
	lines := strings.Split(strings.TrimSuffix(text.Source, "\n"), "\n")
	if len(lines) != len(text.Lines) {
		t.Fatalf("%d lines, but statements for %d", len(lines), len(text.Lines))
	}
	want := map[string]int{
		"y[i] += a * x[i];":            15,
		"// k.go:15: y[i] += a * x[i]": 15,
		"const int64 i = t.ID();":      14,
		"static inline void saxpy_wide(Thread t, float32 a, slice<float32> x, slice<float32> y) {": 13,
		"using int64 = long long;":    0,
		"const saxpy_args a = *args;": 0,
	}
	for i, l := range lines {
		line, ok := want[strings.TrimSpace(l)]
		if !ok {
			continue
		}
		delete(want, strings.TrimSpace(l))
		got := 0
		if s := text.Lines[i]; s != nil {
			got = s.Pos.Line
		}
		if got != line {
			t.Errorf("%q comes from line %d, want %d", l, got, line)
		}
	}
	for l := range want {
		t.Errorf("no line %q", l)
	}
}

// With line directives every line is attributed either to its Go statement or
// to its own place in the text.
func TestLineDirectives(t *testing.T) {
	text := compile.CPU.Text(lower(t, saxpy), emit.Options{LineDirectives: true})
	directive := regexp.MustCompile(`^#line (\d+) "(.*)"$`)
	file, next := "", 0
	lines := strings.Split(text.Source, "\n")
	for i, l := range lines {
		if m := directive.FindStringSubmatch(l); m != nil {
			file = m[2]
			next, _ = strconv.Atoi(m[1])
			continue
		}
		switch {
		case l == "" || strings.HasPrefix(strings.TrimSpace(l), "//"):
		case strings.Contains(l, "y[i] +="):
			if file != "/home/gopher/k/k.go" || next != 15 {
				t.Errorf("line %q is at %s:%d", l, file, next)
			}
		case file == "saxpy.cpp" && next != i+1:
			t.Errorf("line %d %q is at %s:%d", i+1, l, file, next)
		case strings.Contains(l, "saxpy_thread(Thread{flat}") && file != "saxpy.cpp":
			t.Errorf("line %q is at %s:%d", l, file, next)
		}
		next++
	}
}

// Code tells programs apart, not comments.
func TestCode(t *testing.T) {
	a := compile.CPU.Text(lower(t, saxpy), emit.Options{})
	b := compile.CPU.Text(lower(t, "// a comment\n\n"+strings.Replace(saxpy, "y[i] += ", "y[i]  +=  ", 1)), emit.Options{})
	c := compile.CPU.Text(lower(t, strings.Replace(saxpy, "+=", "-=", 1)), emit.Options{})
	if a.Source == b.Source {
		t.Error("the comments do not differ")
	}
	if a.Code() != b.Code() {
		t.Error("a comment changed the code")
	}
	if a.Code() == c.Code() {
		t.Error("another program has the same code")
	}
	if strings.Contains(a.Code(), "//") {
		t.Error("the code has comments")
	}
}

// Go text that would end a comment, or continue it on the next line, does not.
func TestHostileComments(t *testing.T) {
	m := lower(t, saxpy)
	k := m.Kernels()[0]
	k.Decl.Text = "func f() { // \u0001 \t ends in \\"
	k.Body.Walk(func(in *ssa.Instr) {
		if in.Stmt != nil {
			in.Stmt.Text = "x := '\n' // \\"
		}
	})
	for _, l := range strings.Split(compile.CPU.Text(m, emit.Options{}).Source, "\n") {
		if strings.HasSuffix(l, `\`) || strings.ContainsAny(l, "\t\x01") {
			t.Errorf("line %q", l)
		}
	}
	build(t, targets[0], m)
}

// The same module gives the same text, every time.
func TestDeterminism(t *testing.T) {
	for _, to := range targets {
		for _, g := range goldens {
			want := to.emit(lower(t, g.src), emit.Options{}).Source
			for range 5 {
				if got := to.emit(lower(t, g.src), emit.Options{}).Source; got != want {
					t.Fatalf("%s %s differs:\n%s\nand\n%s", to.name, g.name, got, want)
				}
			}
		}
	}
}

func TestSymbol(t *testing.T) {
	for name, want := range map[string]string{
		"saxpy": "saxpy", "memcpy": "memcpy_", "sinf": "sinf_", "double": "double_", "main": "main_",
		"Map[float32].Kernel": "Map_float32_Kernel", "axpy[float64]": "axpy_float64", "π": "u03c0", "__x": "x__x", "T.f": "T_f",
	} {
		if got := emit.Symbol(&ssa.Func{Name: name}); got != want {
			t.Errorf("the symbol of %s is %s, want %s", name, got, want)
		}
	}
}

func TestArgsLayout(t *testing.T) {
	f := ssa.NewFunc("f")
	for _, p := range []ssa.Type{ssa.Thread, ssa.Bool, ssa.Int16, ssa.Slice{Elem: ssa.Bool}, ssa.Float32, ssa.Int64, ssa.Uint8} {
		f.Body.AddParam(p, "")
	}
	offsets := []int{32, 34, 40, 56, 64, 72}
	for _, tc := range []struct {
		name string
		args func(*ssa.Func) abi.Layout
		kind ssa.Kind
		rank int
		want abi.Layout
	}{
		{"cpp", abi.CPU.Args, ssa.ThreadKernel, 3, abi.Layout{Size: 80}},
		{"cuda, ID", abi.GPU.Args, ssa.ThreadKernel, 0, abi.Layout{Size: 88, Sizes: abi.Sizes{Threads: 80}}},
		{"cuda, ID3", abi.GPU.Args, ssa.ThreadKernel, 3, abi.Layout{Size: 136, Sizes: abi.Sizes{Threads: 80, Divisors: 88, Rank: 3}}},
		{"cuda, blocks", abi.GPU.Args, ssa.BlockKernel, 1, abi.Layout{Size: 80}},
		{"cuda, blocks, ID2", abi.GPU.Args, ssa.BlockKernel, 2, abi.Layout{Size: 112, Sizes: abi.Sizes{Divisors: 80, Rank: 2}}},
	} {
		f.Kind, f.Rank = tc.kind, tc.rank
		tc.want.Offsets = offsets
		if got := tc.args(f); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
	}
}

// The front end refuses what a launch on CUDA cannot pass, and nothing else: it counts as the layout does.
func TestLargestArgs(t *testing.T) {
	for _, params := range []struct{ list, body string }{
		{"a [507]int", ""},
		{"a [501]int, x []int", "i, j := t.ID2()\n\tx[i] = a[j]"},
		{"a [497]int, x []int", "i, j, k, l := t.ID4()\n\tx[i+j] = a[k+l]"},
		{"a [504]int, x []int", "x[t.Lane()] = a[t.BlockDim()]"},
	} {
		f := lower(t, "//qd:kernel\nfunc f(t qd.Thread, "+params.list+") {\n\t"+params.body+"\n}\n").Kernels()[0]
		if got := abi.GPU.Args(f).Size; got != 4096 {
			t.Errorf("the arguments for %s are %d bytes, want 4096", params.list, got)
		}
	}
}
