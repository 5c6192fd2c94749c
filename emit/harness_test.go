package emit_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/internal/hostshim"
	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/opt"
	lowering "github.com/qdgen/qd/ssa/target"
	"github.com/qdgen/qd/ssa/target/abi"
)

// A target is one of the two languages, as it runs on the host.
type target struct {
	name  string
	emit  func(*ssa.Module, emit.Options) *emit.Text
	both  func([]*ssa.Module) *emit.Text
	args  func(*ssa.Func) abi.Layout
	ext   string
	flags []string // in addition to those for both
}

// The CUDA text must not do what C++ leaves undefined, which NVRTC may exploit:
// the shim's build traps on it.
var targets = []target{
	{"cpp", compile.CPU.Text, compile.CPU.TextOf, abi.CPU.Args, ".cpp", []string{"-fwrapv", "-fno-finite-loops"}},
	{"cuda", compile.CUDA.Text, compile.CUDA.TextOf, abi.GPU.Args, ".cu", []string{"-fsanitize=undefined", "-fno-sanitize=float-divide-by-zero", "-fsanitize-trap=all"}},
}

// commonFlags make any doubt about the text an error, except that a loop may
// turn out not to be vectorizable, and that the shim defines more than is used.
var commonFlags = []string{"-std=c++17", "-O1", "-shared", "-fPIC", "-fno-strict-aliasing", "-ffp-contract=off", "-fno-math-errno",
	"-Wall", "-Wextra", "-Werror", "-Wno-pass-failed", "-Wno-unused-variable", "-Wno-psabi"}

// source is a package of kernels for the front end.
func source(t testing.TB, src string) load.Sources {
	t.Helper()
	qd := &load.Package{Path: load.QDPath}
	for _, name := range []string{
		"thread.go", "math.go", "atomic.go", "printf.go", "constraints.go",
		"float16.go", "stopgradient.go", "grid.go", "static.go", "view.go", "view3.go", "view4.go", "checkindex.go", "assert.go", "rand.go",
	} {
		text, err := os.ReadFile("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		qd.Files = append(qd.Files, load.File{Name: "qd/" + name, Src: text})
	}
	file := load.File{Name: "/home/gopher/k/k.go", Src: []byte("package k\n\nimport (\n\t\"math\"\n\n\t\"github.com/qdgen/qd\"\n)\n\nvar _ = math.Pi\n\n" + src)}
	return load.Map{load.QDPath: qd, "example.com/k": {Path: "example.com/k", Files: []load.File{file}}}
}

// lower makes the optimized module of the only kernel in a source.
func lower(t testing.TB, src string) *ssa.Module {
	t.Helper()
	sources := source(t, src)
	refs, err := frontend.Kernels(sources, "example.com/k")
	if err != nil {
		t.Fatal(err)
	}
	p, err := load.Check(sources, refs[0])
	if err != nil {
		t.Fatal(err)
	}
	m, err := frontend.Lower(p, p.Kernels[0], frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lowering.Outline(m)
	opt.Optimize(m, nil)
	return m
}

// compiler is the C++ compiler, which must be clang: gcc traps on other things.
func compiler(t testing.TB) *clang.Compiler {
	t.Helper()
	testenv.Setup()
	c, err := clang.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	return c
}

// A built is a compiled module.
type built struct {
	target target
	lib    *dl.Lib
}

// build prints a module for a target and compiles it.
func build(t testing.TB, to target, m *ssa.Module, flags ...string) *built {
	t.Helper()
	return compileText(t, to, to.emit(m, emit.Options{}).Source, m.Kernels(), flags...)
}

// compileText compiles a text with kernels.
func compileText(t testing.TB, to target, text string, kernels []*ssa.Func, flags ...string) *built {
	t.Helper()
	cxx := compiler(t)
	if to.name == "cuda" {
		var symbols []string
		for _, k := range kernels {
			symbols = append(symbols, emit.Symbol(k))
		}
		text = hostshim.Wrap(text, symbols...)
	}
	dir := t.TempDir()
	src, so := filepath.Join(dir, "k.cpp"), filepath.Join(dir, "k.so")
	if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	all := append(append([]string{"-lm"}, commonFlags...), append(flags, to.flags...)...)
	data, err := testcache.Value(func() ([]byte, error) {
		if out, err := exec.Command(cxx.Path, append([]string{"-o", so, src}, all...)...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, bytes.TrimSpace(out))
		}
		return os.ReadFile(so)
	}, append([]string{"emit", cxx.Identity(), text}, all...)...)
	if err != nil {
		if len(text) > 20000 {
			text = text[:20000]
		}
		t.Fatalf("%s: %v\n%s", to.name, err, text)
	}
	if err := os.WriteFile(so, data, 0o666); err != nil {
		t.Fatal(err)
	}
	lib, err := dl.Open(so)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	return &built{to, lib}
}

// An array is memory for a slice parameter: elements of a size, in a buffer.
type array struct {
	data []byte
	elem int
}

func newArray(elem, n int) *array { return &array{make([]byte, elem*n+8), elem} }

// get and set are an element's bits.
func (a *array) get(i int) uint64 {
	var b [8]byte
	copy(b[:], a.data[i*a.elem:(i+1)*a.elem])
	return *(*uint64)(unsafe.Pointer(&b))
}

func (a *array) set(i int, bits uint64) {
	b := (*[8]byte)(unsafe.Pointer(&bits))
	copy(a.data[i*a.elem:(i+1)*a.elem], b[:])
}

// run launches a kernel over dims; args are *array for slices, uint64 bits for
// scalars.
func (b *built) run(t testing.TB, f *ssa.Func, dims []int, args ...any) {
	t.Helper()
	threads := 1
	for _, n := range dims {
		threads *= n
	}
	block := b.pack(t, f, dims, args...)
	defer runtime.KeepAlive(args) // block has their addresses as numbers
	name := emit.Symbol(f)
	if b.target.name == "cpp" {
		fn := symbol(t, b.lib, name)
		// In two parts, which must not matter.
		dl.Call(fn, uintptr(unsafe.Pointer(&block[0])), 0, uintptr(threads/3))
		dl.Call(fn, uintptr(unsafe.Pointer(&block[0])), uintptr(threads/3), uintptr(threads))
		return
	}
	const size = 32
	dl.Call(symbol(t, b.lib, name+"_host"), uintptr(unsafe.Pointer(&block[0])), uintptr((threads+size-1)/size), size)
}

// pack makes the argument struct of a launch.
func (b *built) pack(t testing.TB, f *ssa.Func, dims []int, args ...any) []uint64 {
	t.Helper()
	layout := b.target.args(f)
	block := make([]uint64, layout.Size/8)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&block[0])), layout.Size)
	sizes := [4]int64{1, 1, 1, 1}
	for axis, n := range dims {
		sizes[axis] = int64(n)
	}
	layout.Sizes.Put(bytes, sizes)
	for i, arg := range args {
		at := layout.Offsets[i]
		p := f.Params()[i+1]
		switch arg := arg.(type) {
		case *array:
			block[at/8] = uint64(dl.Address(arg.data))
			block[at/8+1] = uint64(len(arg.data) / arg.elem)
			if p.Type.(ssa.Slice).Elem.Size() != arg.elem {
				t.Fatalf("argument %d has elements of %d bytes", i, arg.elem)
			}
		case uint64:
			copy(bytes[at:at+p.Type.Size()], (*[8]byte)(unsafe.Pointer(&arg))[:])
		}
	}
	return block
}

func symbol(t testing.TB, lib *dl.Lib, name string) uintptr {
	t.Helper()
	fn, err := lib.Symbol(name)
	if err != nil {
		t.Fatal(err)
	}
	return fn
}

// forTargets runs a test for both targets at once: compilers take the time.
func forTargets(t *testing.T, test func(t *testing.T, to target)) {
	var wg sync.WaitGroup
	defer wg.Wait()
	for _, to := range targets {
		t.Run(to.name, func(t *testing.T) { test(t, to) })
	}
}

// mapKernel adds a kernel to m that computes out[i] = f(in[i]) for several
// slices in and out.
func mapKernel(m *ssa.Module, name string, in, out []ssa.Type, f func(b *ssa.Block, in []*ssa.Value) []*ssa.Value) *ssa.Func {
	k := ssa.NewFunc(name)
	k.Kernel = true
	b := k.Body
	thread := b.AddParam(ssa.Thread, "t")
	var slices, values []*ssa.Value
	for i, t := range append(append([]ssa.Type(nil), in...), out...) {
		p := b.AddParam(ssa.Slice{Elem: t}, fmt.Sprintf("s%d", i))
		slices = append(slices, p)
	}
	id := b.Append(&ssa.Instr{Op: ssa.OpThreadID, Args: []*ssa.Value{thread}, Rank: 1}, ssa.Int64).Result()
	for i, t := range in {
		ptr := b.Append(&ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{slices[i], id}}, ssa.Pointer{Elem: t}).Result()
		values = append(values, b.Append(&ssa.Instr{Op: ssa.OpLoad, Args: []*ssa.Value{ptr}}, t).Result())
	}
	for i, v := range f(b, values) {
		ptr := b.Append(&ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{slices[len(in)+i], id}}, ssa.Pointer{Elem: out[i]}).Result()
		b.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{ptr, v}})
	}
	b.Append(&ssa.Instr{Op: ssa.OpReturn})
	m.Funcs = append(m.Funcs, k)
	return k
}

// op appends an instruction with one result.
func op(b *ssa.Block, o ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	return b.Append(&ssa.Instr{Op: o, Args: args}, t).Result()
}

func constant(b *ssa.Block, t ssa.Type, bits uint64) *ssa.Value {
	c := ssa.IntConst(ssa.Int64, bits)
	switch {
	case ssa.IsInteger(t):
		c = ssa.IntConst(t, bits)
	case t == ssa.Bool:
		c = ssa.BoolConst(bits != 0)
	case t == ssa.Float32:
		c = ssa.Float32Const(fromBits[float32](bits))
	case t == ssa.Float64:
		c = ssa.Float64Const(fromBits[float64](bits))
	}
	return b.Append(&ssa.Instr{Op: ssa.OpConst, Const: c}, t).Result()
}

// lineOf numbers text, for messages.
func numbered(text string) string {
	var b strings.Builder
	for i, l := range strings.Split(text, "\n") {
		fmt.Fprintf(&b, "%4d %s\n", i+1, l)
	}
	return b.String()
}

func verify(t testing.TB, m *ssa.Module) {
	t.Helper()
	if err := ssa.Verify(m); err != nil {
		t.Fatal(err)
	}
}
