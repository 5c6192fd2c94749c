package build_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/printf"
)

// neighbours is a package with kernels that can share a module, and one that cannot.
func neighbours() *files {
	return &files{text: map[string]string{
		"k/k.go": `package k

import "github.com/qdgen/qd"

type pair struct{ a, b int }

func twice(x int) int {
	s := 0
	for i := range x {
		s += i * x
	}
	return s + x
}

//qd:kernel
func first(t qd.Thread, x []int) { x[t.ID()] = twice(x[t.ID()]) }

//qd:kernel
func second(t qd.Thread, x []pair) { x[t.ID()].a = twice(x[t.ID()].b) }

//qd:kernel
func plane(t qd.Thread, x qd.View2[pair]) {
	i, j := t.ID2()
	x.Set(i, j, pair{i, j})
}

//qd:kernel
func generic[T qd.Float](t qd.Thread, x []T) { x[t.ID()] = 1 }

//qd:kernel
func wrong(t qd.Thread, x []int) { x[0] = len(map[int]int{}) }

//qd:kernel
func untyped(t qd.Thread, x []int) { x[0] = "one" }

//qd:kernel
func panics(t qd.Thread, x []int) { if x[0] == 0 { panic("zero") } }

//qd:kernel
func prints(t qd.Thread, x []int) { qd.Printf("%d\n", x[0]); qd.Printf("%d is not %d\n", x[0], t.ID()) }

//qd:kernel
func speaks(t qd.Thread, x []int) { qd.Printf("first: %d\n", x[0]) }

//qd:kernel
func grid(g qd.Grid, x []int) { g.For(len(x), func(i int) { x[i] = i }) }

//qd:kernel
func (p pair) Kernel(t qd.Thread, x []int) { x[t.ID()] = 2 }
`,
		"k/more.go": `package k

import "github.com/qdgen/qd"

//qd:kernel
func third(t qd.Thread, x []int) { x[t.ID()] += 3 }
`,
	}}
}

// launch builds a kernel as a program that has just started does. It gives the module,
// and fails unless the compiler has been run so often.
func (b *bench) launch(name string, compiles int64) *build.Module {
	b.t.Helper()
	c, err := cache.Open(b.dir)
	if err != nil {
		b.t.Fatal(err)
	}
	defer c.Close()
	before := b.tc.compiles.Load()
	ref := load.Ref{Pkg: "k", Name: name}
	m, err := (&build.Builder{Cache: c, Version: "v1"}).Kernel(b.t.Context(), b.src, ref, b.tc, b.opts)
	if err != nil {
		b.t.Fatal(err)
	}
	if n := b.tc.compiles.Load() - before; n != compiles {
		b.t.Errorf("%s: compiled %d times, want %d", name, n, compiles)
	}
	text, err := os.ReadFile(m.Path)
	if err != nil {
		b.t.Fatal(err)
	}
	if m.Grid == nil && !strings.Contains(string(text), `extern "C" void `+m.ABI.Symbol+"(") {
		b.t.Errorf("%s: there is no %s in its module:\n%s", name, m.ABI.Symbol, text)
	}
	return m
}

// sameFormats reports whether a module has the formats.
func sameFormats(m *build.Module, texts ...string) bool {
	return slices.EqualFunc(m.Formats(), texts, func(f printf.Format, text string) bool { return f.Text == text })
}

// listed is what the cache lists its modules as.
func (b *bench) listed() (names []string) {
	b.t.Helper()
	c, err := cache.Open(b.dir)
	if err != nil {
		b.t.Fatal(err)
	}
	entries, err := c.List()
	if err != nil {
		b.t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Kernel)
	}
	return names
}

var alone = []string{"grid"}

// The first launch compiles what can share a module; what cannot is compiled when it is
// launched.
func TestTogether(t *testing.T) {
	b := newBench(t, neighbours())
	m := b.launch("second", 1)
	if m.Name != "k" || m.Kernel != "second" || m.Cached {
		t.Errorf("%+v", m)
	}
	text, _ := os.ReadFile(m.Path)
	if head, _, _ := strings.Cut(string(text), "\n"); head != "// kernels first, second, plane, panics, prints, speaks, third of package k in C++, emitted by qdgen" {
		t.Errorf("the module begins with %q", head)
	}
	for _, name := range []string{"twice", "Thread", "Thread_2"} {
		if n := strings.Count(string(text), " "+name+"(int64") + strings.Count(string(text), "struct "+name+" {"); n != 1 {
			t.Errorf("%s is defined %d times:\n%s", name, n, text)
		}
	}
	if got := b.listed(); len(got) != 1 || got[0] != "k.first, second, plane, panics and 3 more" {
		t.Errorf("the cache lists %q", got)
	}
	emits := b.tc.emits.Load()
	for _, name := range []string{"first", "plane", "panics", "prints", "speaks", "third"} {
		if other := b.launch(name, 0); !sameFormats(other, "%d\n", "%d is not %d\n", "first: %d\n") || other.ABI.Prints != (name == "prints" || name == "speaks") {
			t.Errorf("%s: formats %v, prints %t", name, other.ABI.Formats, other.ABI.Prints)
		} else if other.Key != m.Key || other.Path != m.Path || other.Name != "k" || !other.Cached || other.ABI.Symbol != name {
			t.Errorf("%+v is not in %+v", other, m)
		}
	}
	if b.tc.emits.Load() != emits {
		t.Error("kernels that were built together are lowered again")
	}
	for _, name := range alone {
		if m := b.launch(name, 1); m.Name != name || m.Cached {
			t.Errorf("%+v", m)
		}
	}
	for _, compiles := range []int64{1, 0} { // its name is that of the declaration
		if m := b.launch("generic[float64]", compiles); m.Kernel != "generic[float64]" || m.Name != m.Kernel {
			t.Errorf("%+v", m)
		}
	}
	for _, name := range append(alone, "first", "second", "third", "plane") {
		b.launch(name, 0)
	}
}

// What an edit has compiled, when every kernel is launched again.
func TestTogetherEdits(t *testing.T) {
	for _, test := range []struct {
		name     string
		edit     func(*files)
		compiled map[string]bool
	}{
		{"nothing", func(*files) {}, nil},
		{"comment", func(f *files) {
			f.edit("k/k.go", "//qd:kernel\nfunc first", "// It is the first.\n//\n//qd:kernel\nfunc first")
		}, nil},
		{"error elsewhere", func(f *files) { f.edit("k/k.go", `"one"`, `"two"`) }, nil},
		{"one kernel", func(f *files) { f.edit("k/more.go", "+= 3", "+= 4") }, map[string]bool{"third": true}},
		{"device function", func(f *files) { f.edit("k/k.go", "s + x", "s - x") }, map[string]bool{"first": true, "second": true}},
		{"format", func(f *files) { f.edit("k/k.go", "first: %d", "1st: %d") }, map[string]bool{"speaks": true}},
		{"check", func(f *files) { f.edit("k/k.go", "[]int) { if x[0] == 0", "[]int) { if x[0] == 1") }, map[string]bool{"panics": true}},
		{"one alone", func(f *files) { f.edit("k/k.go", "x[i] = i", "x[i] = i + 1") }, map[string]bool{"grid": true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			src := neighbours()
			b := newBench(t, src)
			all := []string{"first", "second", "plane", "third", "prints", "speaks", "panics", "grid"}
			b.launch("first", 1)
			for _, name := range alone {
				b.launch(name, 1)
			}
			test.edit(src)
			for range 2 {
				for _, name := range all {
					want := int64(0)
					if test.compiled[name] {
						want = 1
					}
					b.launch(name, want)
				}
				test.compiled = nil
			}
		})
	}
}

// A kernel that is launched after an edit is compiled alone: nobody waits for the others.
func TestEditedAlone(t *testing.T) {
	src := neighbours()
	b := newBench(t, src)
	b.launch("first", 1)
	src.edit("k/more.go", "+= 3", "+= 4")
	lowered := build.Count.Lowered.Load()
	if m := b.launch("third", 1); m.Name != "third" {
		t.Errorf("%+v", m)
	}
	if n := build.Count.Lowered.Load() - lowered; n != 1 {
		t.Errorf("lowered %d kernels", n)
	}
}

// With its module every kernel in it is gone, and comes back.
func TestSharedModuleGone(t *testing.T) {
	for _, how := range []string{"evicted", "damaged"} {
		t.Run(how, func(t *testing.T) {
			b := newBench(t, neighbours())
			m := b.launch("first", 1)
			if how == "evicted" {
				if err := os.RemoveAll(filepath.Dir(m.Path)); err != nil {
					t.Fatal(err)
				}
			} else if err := os.WriteFile(m.Path, []byte("damage"), 0o666); err != nil {
				t.Fatal(err)
			}
			if again := b.launch("third", 1); again.Key != m.Key || again.Name != "k" {
				t.Errorf("%+v is not %+v", again, m)
			}
			b.launch("first", 0)
			b.launch("plane", 0)
		})
	}
}

// Records that are lost cost lowering, and compile nothing.
func TestSharedRecordsGone(t *testing.T) {
	b := newBench(t, neighbours())
	m := b.launch("first", 1)
	c, err := cache.Open(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"v2", "v3"} {
		for _, name := range []string{"third", "first"} {
			got, err := (&build.Builder{Cache: c, Version: version}).Kernel(t.Context(), b.src, load.Ref{Pkg: "k", Name: name}, b.tc, b.opts)
			if err != nil || got.Key != m.Key || got.Name != "k" || !got.Cached {
				t.Errorf("%+v, %v", got, err)
			}
		}
	}
	if n := b.tc.compiles.Load(); n != 1 {
		t.Errorf("compiled %d times", n)
	}
}

// Who comes while the records of a module are being written, and finds only some, compiles nothing.
func TestSharedRecordsMissing(t *testing.T) {
	b := newBench(t, neighbours())
	m := b.launch("first", 1)
	c, err := cache.Open(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	records := 0
	err = filepath.WalkDir(b.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Dir(name) == filepath.Dir(m.Path) {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil || os.Remove(name) != nil {
			return err
		}
		records++
		for _, kernel := range []string{"third", "first"} {
			version := fmt.Sprint(records, kernel)
			got, err := (&build.Builder{Cache: c, Version: version}).Kernel(t.Context(), b.src, load.Ref{Pkg: "k", Name: kernel}, b.tc, b.opts)
			if err != nil || got.Key != m.Key || got.Name != "k" || !got.Cached {
				t.Errorf("without %s: %+v, %v", name, got, err)
			}
		}
		return os.WriteFile(name, text, 0o666)
	})
	if n := b.tc.compiles.Load(); err != nil || n != 1 || records < 4 {
		t.Errorf("compiled %d times, %d records, %v", n, records, err)
	}
}

// No more than 32 neighbours are compiled together.
func TestManyTogether(t *testing.T) {
	var text strings.Builder
	text.WriteString("package k\n\nimport \"github.com/qdgen/qd\"\n")
	for i := range 300 {
		text.WriteString("\n//qd:kernel\nfunc " + kernelName(i) + "(t qd.Thread, x []int) { x[t.ID()] = " + kernelName(i)[1:] + " }\n")
	}
	b := newBench(t, &files{text: map[string]string{"k/k.go": text.String()}})
	m := b.launch(kernelName(40), 1)
	if got := b.listed(); got[0] != "k.k132, k133, k134, k135 and 28 more" {
		t.Errorf("the cache lists %q", got)
	}
	for _, i := range []int{32, 63} {
		if o := b.launch(kernelName(i), 0); o.Key != m.Key {
			t.Errorf("kernel %d is elsewhere", i)
		}
	}
	b.launch(kernelName(31), 1)
	b.launch(kernelName(299), 1)
	b.launch(kernelName(288), 0)
}

func kernelName(i int) string {
	return "k" + string(rune('1'+i/100)) + string(rune('0'+i/10%10)) + string(rune('0'+i%10))
}

// Where the compiler refuses the kernels together, each is compiled alone when it is
// launched, nobody tries them together again, and the log says which they are.
func TestRefusedTogether(t *testing.T) {
	var log bytes.Buffer
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	b := newBench(t, neighbours())
	refused := false
	b.tc.meanwhile = func() error {
		if !refused {
			refused = true
			return &build.Error{Kernel: "first", Target: "cpp", Err: errors.New("too much")}
		}
		return nil
	}
	if m := b.launch("first", 2); m.Name != "first" {
		t.Errorf("%+v", m)
	}
	if text := log.String(); !strings.Contains(text, "kernel k.first, second, plane, panics and 3 more cannot be compiled: too much") {
		t.Errorf("the log has %q", text)
	}
	log.Reset()
	for _, name := range []string{"second", "third", "plane"} {
		if m := b.launch(name, 1); m.Name != name {
			t.Errorf("%+v", m)
		}
	}
	b.launch("first", 0)
	if log.Len() > 0 {
		t.Errorf("the log has %q", log.String())
	}
}

// The kernel that is launched may be what the compiler refuses. That is its error, and the
// others are compiled together without it.
func TestRefusedAlone(t *testing.T) {
	b := newBench(t, neighbours())
	c, err := cache.Open(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	want := &build.Error{Kernel: "first", Err: errors.New("too much")}
	b.tc.meanwhile = func() error { return want }
	_, err = (&build.Builder{Cache: c, Version: "v1"}).Kernel(t.Context(), b.src, load.Ref{Pkg: "k", Name: "first"}, b.tc, b.opts)
	if !errors.Is(err, want) {
		t.Errorf("%v", err)
	}
	b.tc.meanwhile = nil
	m := b.launch("third", 1)
	if text, _ := os.ReadFile(m.Path); m.Name != "k" || strings.Contains(string(text), "void first(") {
		t.Errorf("%+v", m)
	}
	b.launch("second", 0)
	b.launch("first", 1)
}
