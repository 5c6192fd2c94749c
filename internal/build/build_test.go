package build_test

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target"
	"github.com/qdgen/qd/ssa/target/abi"
)

// counter is a toolchain that counts. What it makes is the text.
type counter struct {
	arch            string
	emits, compiles atomic.Int64
	meanwhile       func() error // called by Compile
}

func (*counter) Target() string   { return "cpp" }
func (c *counter) Arch() string   { return c.arch }
func (*counter) Identity() string { return "a compiler" }

// Pipeline is that of C++; a text is counted when the pipeline is about to be gone through, which is once for each
// kernel that is not found by its first key.
func (c *counter) Pipeline() compile.Pipeline {
	c.emits.Add(1)
	return compile.CPU
}

func (*counter) Layout(k *ssa.Func) abi.Layout { return build.CPP{}.Layout(k) }

func (c *counter) Compile(_ context.Context, _ string, text *emit.Text) ([]byte, string, error) {
	c.compiles.Add(1)
	if c.meanwhile != nil {
		if err := c.meanwhile(); err != nil {
			return nil, "", err
		}
	}
	return []byte(text.Source), ".so", nil
}

// files are packages that tests edit: text by "path/file.go".
type files struct {
	mu   sync.Mutex
	text map[string]string
}

func (f *files) Package(path string) (*load.Package, error) {
	if path == load.QDPath {
		return qdSource{}.Package(path)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var p *load.Package
	for _, name := range slices.Sorted(maps.Keys(f.text)) {
		if filepath.ToSlash(filepath.Dir(name)) != path {
			continue
		}
		if p == nil {
			p = &load.Package{Path: path}
		}
		p.Files = append(p.Files, load.File{Name: name, Src: []byte(f.text[name])})
	}
	return p, nil
}

func (f *files) edit(name, from, to string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !strings.Contains(f.text[name], from) {
		panic("no " + from + " in " + name)
	}
	f.text[name] = strings.Replace(f.text[name], from, to, 1)
}

// program is a kernel with a device function of another package.
func program() *files {
	return &files{text: map[string]string{
		"k/k.go": `package k

import (
	"example.com/dev"
	"github.com/qdgen/qd"
)

//qd:kernel
func kernel(t qd.Thread, x []int) {
	x[t.ID()] = dev.F(max(x[0], 3))
}

func other(t qd.Thread, x []int) {}
`,
		"k/more.go":              "package k\n\nfunc unused() int { return 1 }\n",
		"example.com/dev/dev.go": "package dev\n\n// F is called.\nfunc F(x int) int { return x + 7 }\n",
	}}
}

var ref = load.Ref{Pkg: "k", Name: "kernel"}

// A bench is what a test builds with.
type bench struct {
	t    *testing.T
	dir  string
	tc   *counter
	src  load.Sources
	ref  load.Ref
	opts build.Options
}

func newBench(t *testing.T, src load.Sources) *bench {
	return &bench{t: t, dir: t.TempDir(), tc: &counter{arch: "vax"}, src: src, ref: ref}
}

// build builds as a program that has just started does, and checks how many pipelines have been
// begun and how often the compiler has been run so far, and that the artifact is the code
// of the source as it is.
func (b *bench) build(emits, compiles int64) *build.Module {
	b.t.Helper()
	m := b.buildOld(emits, compiles)
	spec, err := build.Lower(b.src, b.ref, build.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	got, err := os.ReadFile(m.Path)
	if err != nil {
		b.t.Fatal(err)
	}
	if text := compile.CPU.Text(spec.Module, emit.Options{}); code(string(got)) != code(text.Source) {
		b.t.Errorf("the artifact is not of this source:\n%s", got)
	}
	return m
}

// code is emitted text without the comments on lines of Go.
func code(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(line), "//") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// buildOld does not look into the artifact.
func (b *bench) buildOld(emits, compiles int64) *build.Module {
	b.t.Helper()
	c, err := cache.Open(b.dir)
	if err != nil {
		b.t.Fatal(err)
	}
	defer c.Close()
	before := b.tc.compiles.Load()
	m, err := (&build.Builder{Cache: c, Version: "v1"}).Kernel(b.t.Context(), b.src, b.ref, b.tc, b.opts)
	if err != nil {
		b.t.Fatal(err)
	}
	if e, c := b.tc.emits.Load(), b.tc.compiles.Load(); e != emits || c != compiles {
		b.t.Errorf("%d pipelines begun, compiled %d times, want %d and %d", e, c, emits, compiles)
	}
	if m.Cached != (b.tc.compiles.Load() == before) {
		b.t.Errorf("Cached is %t", m.Cached)
	}
	return m
}

// What has not changed is neither parsed nor lowered again.
func TestFirstKey(t *testing.T) {
	b := newBench(t, program())
	first := b.build(1, 1)
	second := b.build(1, 1)
	if !reflect.DeepEqual(first.ABI, second.ABI) || first.Key != second.Key || first.Path != second.Path || second.Kernel != "kernel" {
		t.Errorf("%+v is not %+v", second, first)
	}
	if len(first.ABI.Params) != 1 || !first.ABI.Params[0].Written {
		t.Errorf("%+v", first.ABI)
	}
}

// A checked build has the kernel with fewer checks beside it, and the launches that
// it stands in for; so has one that was found built.
func TestHoisted(t *testing.T) {
	b := newBench(t, program())
	if m := b.build(1, 1); m.ABI.Hoisted != nil || len(m.ABI.Sites) != 0 {
		t.Errorf("a release build has checks: %+v", m.ABI)
	}
	b.opts.Checked = true
	for range 2 {
		m := b.buildOld(2, 2)
		if m.ABI.Hoisted == nil || m.ABI.Hoisted.Symbol == m.ABI.Symbol || len(m.ABI.Sites) == 0 {
			t.Fatalf("%+v", m.ABI)
		}
		buf := make([]byte, m.ABI.Size)
		for length, want := range map[uint64]bool{9: false, 10: true, 11: true} {
			binary.NativeEndian.PutUint64(buf[m.ABI.Params[0].Offset+8:], length)
			if got := m.ABI.Holds(target.LaunchSize{Dims: []int64{10}, Block: ssa.DefaultBlockDim}, buf); got != want {
				t.Errorf("10 threads, %d elements: %t", length, got)
			}
		}
	}
}

func TestEdits(t *testing.T) {
	tests := []struct {
		name            string
		edit            func(*files)
		emits, compiles int64
	}{
		{"comment", func(f *files) { f.edit("k/k.go", "import", "// A comment.\nimport") }, 2, 1},
		{"another kernel", func(f *files) { f.edit("k/k.go", "x []int) {}", "x []int) { x[0] = 1 }") }, 2, 1},
		{"another file", func(f *files) { f.edit("k/more.go", "1", "2") }, 2, 1},
		{"comment of a device function", func(f *files) { f.edit("example.com/dev/dev.go", "is called", "is useful") }, 2, 1},
		{"kernel", func(f *files) { f.edit("k/k.go", "x[0], 3", "x[0], 4") }, 2, 2},
		{"device function", func(f *files) { f.edit("example.com/dev/dev.go", "7", "8") }, 2, 2},
		{"file added", func(f *files) { f.text["k/max.go"] = "package k\n\nfunc max(x, y int) int { return x - y }\n" }, 2, 2},
		{"file added that does not matter", func(f *files) { f.text["k/n.go"] = "package k\n" }, 2, 1},
		{"file added elsewhere", func(f *files) { f.text["example.com/else/e.go"] = "package else\n" }, 1, 1},
		{"file removed", func(f *files) { delete(f.text, "k/more.go") }, 2, 1},
		{"file renamed", func(f *files) {
			f.text["example.com/dev/f.go"] = f.text["example.com/dev/dev.go"]
			delete(f.text, "example.com/dev/dev.go")
		}, 2, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			src := program()
			b := newBench(t, src)
			b.build(1, 1)
			test.edit(src)
			b.build(test.emits, test.compiles)
			b.build(test.emits, test.compiles) // the first key holds again
		})
	}
}

// An edit while the compiler runs is seen by the next build.
func TestEditWhileCompiling(t *testing.T) {
	src := program()
	b := newBench(t, src)
	b.tc.meanwhile = func() error {
		src.edit("example.com/dev/dev.go", "7", "8")
		b.tc.meanwhile = nil
		return nil
	}
	old := b.buildOld(1, 1)
	if m := b.build(2, 2); m.Key == old.Key {
		t.Error("the edit is lost")
	}
	b.build(2, 2)
}

// TestDisk is about a package in a directory.
func TestDisk(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	src := program()
	write("go.mod", "module example.com\n")
	write("k/k.go", src.text["k/k.go"])
	write("dev/dev.go", src.text["example.com/dev/dev.go"])
	write("dev2/dev.go", strings.Replace(src.text["example.com/dev/dev.go"], "7", "8", 1))
	disk, pkg, err := load.Disk(filepath.Join(dir, "k", "k.go"))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, load.Chain(qdSource{}, disk))
	b.ref.Pkg = pkg.Path
	b.build(1, 1)
	b.build(1, 1)
	write("k/readme.txt", "This is no Go.")
	write("k/never_plan9.go", "package k\n\nfunc max(x, y int) int { return 1 }\n")
	b.build(1, 1)
	write("k/k_test.go", "package k\n") // it could assign to a variable
	b.build(2, 1)
	write("k/max.go", "package k\n\nfunc max(x, y int) int { return 1 }\n")
	b.build(3, 2)
	if err := os.Remove(filepath.Join(dir, "k", "max.go")); err != nil {
		t.Fatal(err)
	}
	b.build(4, 2)
	write("k/k.go", strings.Replace(src.text["k/k.go"], "example.com/dev", "example.com/dev2", 1))
	b.build(5, 3)
}

// What is part of the keys.
func TestKeys(t *testing.T) {
	b := newBench(t, program())
	b.build(1, 1)
	b.tc.arch = "pdp"
	b.build(2, 2)
	b.ref.Name = "other"
	b.build(3, 3)
	b.opts.Checked = true
	b.build(4, 3) // it has no checks: the same code
	b.opts.Checked = false
	b.build(4, 3)

	c, err := cache.Open(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&build.Builder{Cache: c, Version: "v2"}).Kernel(t.Context(), b.src, b.ref, b.tc, b.opts); err != nil {
		t.Fatal(err)
	}
	if e, c := b.tc.emits.Load(), b.tc.compiles.Load(); e != 5 || c != 3 {
		t.Errorf("another qdgen emitted %d times and compiled %d times", e, c)
	}
}

// TestDamage damages every file of the cache in turn.
func TestDamage(t *testing.T) {
	for _, part := range []string{"index", "modules"} {
		t.Run(part, func(t *testing.T) {
			b := newBench(t, program())
			b.build(1, 1)
			damaged := 0
			err := filepath.WalkDir(b.dir, func(path string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() || !strings.Contains(path, string(filepath.Separator)+part+string(filepath.Separator)) {
					return err
				}
				damaged++
				return os.WriteFile(path, []byte("damage"), 0o666)
			})
			if err != nil || damaged == 0 {
				t.Fatal(damaged, err)
			}
			if part == "index" {
				b.build(2, 1)
				b.build(2, 1)
			} else {
				b.build(2, 2)
				b.build(2, 2)
			}
		})
	}
}

// Many builds of one kernel at once compile it once.
func TestManyAtOnce(t *testing.T) {
	c, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tc := &counter{arch: "vax"}
	b := &build.Builder{Cache: c, Version: "v1"}
	src := program()
	modules := make([]*build.Module, 32)
	var wg sync.WaitGroup
	for i := range modules {
		wg.Go(func() {
			m, err := b.Kernel(t.Context(), src, ref, tc, build.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			modules[i] = m
		})
	}
	wg.Wait()
	if n := tc.compiles.Load(); n != 1 {
		t.Errorf("%d compiles", n)
	}
	compiled := 0
	for _, m := range modules {
		if m == nil || m.Key != modules[0].Key || m.Path != modules[0].Path || !reflect.DeepEqual(m.ABI, modules[0].ABI) {
			t.Fatalf("%+v is not %+v", m, modules[0])
		}
		if !m.Cached {
			compiled++
		}
	}
	if compiled != 1 {
		t.Errorf("%d modules say that they were compiled", compiled)
	}
}

// Errors are of the documented types, and what failed is tried again.
func TestErrors(t *testing.T) {
	src := program()
	b := newBench(t, src)
	c, err := cache.Open(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	fail := func(target any) {
		t.Helper()
		_, err := (&build.Builder{Cache: c, Version: "v1"}).Kernel(t.Context(), src, b.ref, b.tc, build.Options{})
		if !errors.As(err, target) {
			t.Errorf("error is %v", err)
		}
	}
	src.edit("k/k.go", "3", "undefined")
	fail(new(*diag.Diagnostics))
	src.edit("k/k.go", "undefined", "append(x, 1)[0]")
	fail(new(*diag.Diagnostics))
	src.edit("k/k.go", "append(x, 1)[0]", "3")
	b.ref.Name = "lost"
	fail(new(*load.NotFoundError))
	b.ref.Name = "kernel"
	b.tc.meanwhile = func() error { return &build.Error{Kernel: "kernel", Err: errors.New("out of cards")} }
	fail(new(*build.Error))
	fail(new(*build.Error))
	b.tc.meanwhile = nil
	b.build(6, 3) // three of the pipelines have ended in the front end
}

func TestErrorNamesLines(t *testing.T) {
	e := &build.Error{Kernel: "saxpy", Target: "cpp", Err: errors.New("clang: exit status 1"), Messages: []build.Message{
		{Severity: "error", Text: "no such thing", Line: 3, Code: "  y = x;", GoPos: "saxpy.go:14", GoText: "y := x"},
		{Severity: "warning", Text: "about nothing"},
	}}
	want := "qd: the emitted cpp of kernel saxpy does not compile: clang: exit status 1\n" +
		"\terror: no such thing\n\t\tline 3: y = x;\n\t\tsaxpy.go:14: y := x\n\twarning: about nothing"
	if e.Error() != want {
		t.Error(e)
	}
	e = &build.Error{Kernel: "saxpy", Target: "cpp", Err: errors.New("clang: has no directory to work in")}
	if want := "qd: the emitted cpp of kernel saxpy cannot be compiled: clang: has no directory to work in"; e.Error() != want {
		t.Error(e)
	}
}
