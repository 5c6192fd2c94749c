package corpus

import (
	"bytes"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/fakenvrtc"
	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/target"
	"github.com/qdgen/qd/ssa/target/tiles"
)

var (
	update      = flag.Bool("update", false, "write the expected sections of the corpus and its digests anew")
	interchange = flag.Bool("interchange", false, "run launches of several dimensions with the last two axes interchanged, on device cpu")
)

const root = "../.."

// files are the corpus. With -update the tests write into them, each into
// sections of its own, and TestMain saves them.
var files []*File

func TestMain(m *testing.M) {
	fakenvrtc.Main()
	if dir := os.Getenv(digestsEnv); dir != "" {
		text, err := digests(dir)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Print(text)
		return
	}
	flag.Parse()
	device.AlwaysInterchange = *interchange
	var err error
	if files, err = Load(root); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	slog.SetLogLoggerLevel(slog.LevelWarn) // some hundred modules are loaded
	testenv.Setup()
	cache, err := os.MkdirTemp("", "qdgen-corpus-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := testcache.Dir(cache); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("QD_CACHE", cache)
	status := m.Run()
	os.RemoveAll(cache)
	if *update {
		for _, f := range files {
			if err := os.WriteFile(f.Path, f.Format(), 0o644); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		if err := saved.write(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(status)
}

// TestFormat demands that every case is written as Format writes it.
func TestFormat(t *testing.T) {
	for _, f := range files {
		text, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		if !*update && !bytes.Equal(text, f.Format()) {
			t.Errorf("%s is not as go test -update writes it", f.Path)
		}
	}
}

// TestGenerated demands that package kernels is current.
func TestGenerated(t *testing.T) {
	want, err := Generate(files)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string][]byte{}
	paths, err := filepath.Glob("kernels/z*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if have[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range Stale(want, have) {
		t.Errorf("kernels/%s is out of date: run go generate ./internal/corpus", name)
	}
}

// ownSources are the sources of package qd and of those of vectors and matrices, as they are on disk.
var ownSources = sync.OnceValue(func() load.Map {
	own := load.Map{load.QDPath: sourceOf(load.QDPath, root,
		"thread.go", "grid.go", "math.go", "scalar.go", "atomic.go", "printf.go", "constraints.go",
		"float16.go", "stopgradient.go", "view.go", "view3.go", "view4.go", "checkindex.go", "assert.go", "rand.go", "static.go", "z*.go")}
	for _, name := range []string{"bools", "f32", "f64", "i32", "u32", "tile", "mathx"} {
		path := load.QDPath + "/" + name
		own[path] = sourceOf(path, filepath.Join(root, name), "*.go")
	}
	return own
})

// sourceOf is the source of a package in a directory, without its tests.
func sourceOf(path, dir string, patterns ...string) *load.Package {
	pkg := &load.Package{Path: path}
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			panic(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				panic(err)
			}
			pkg.Files = append(pkg.Files, load.File{Name: filepath.Base(name), Src: text})
		}
	}
	return pkg
}

// sourcesOf are the sources of a file's kernels.
func sourcesOf(f *File) load.Sources {
	return load.Chain(load.Map{"corpus": {Path: "corpus", Files: []load.File{{Name: f.Name + ".go", Src: []byte(f.Source)}}}}, ownSources(), load.Standard{})
}

// lower translates a kernel to SSA that is not optimized yet.
func lower(f *File, k *Kernel, opts frontend.Options) (*ssa.Module, error) {
	_, modules, err := frontend.CompileWith(opts, sourcesOf(f), load.Ref{Pkg: "corpus", Name: k.Name})
	if err != nil {
		return nil, err
	}
	tiles.Lower(modules[0], tiles.AnyMachine, nil)
	target.Outline(modules[0])
	return modules[0], nil
}

// An optimizedModule is the SSA of a kernel as it is emitted, or the error, made when a test first asks for it.
type optimizedModule struct {
	sync.Once
	m   *ssa.Module
	err error
}

var optimizedModules sync.Map // of a *Kernel

// optimized translates a kernel to SSA as it is emitted, for several tests: they leave it as it is.
func optimized(t *testing.T, f *File, k *Kernel) *ssa.Module {
	t.Helper()
	v, _ := optimizedModules.LoadOrStore(k, new(optimizedModule))
	o := v.(*optimizedModule)
	o.Do(func() {
		if o.m, o.err = lower(f, k, frontend.Options{}); o.err == nil {
			opt.Optimize(o.m, nil)
		}
	})
	if o.err != nil {
		t.Fatal(o.err)
	}
	return o.m
}

// forEachKernel runs a parallel subtest for every kernel.
func forEachKernel(t *testing.T, test func(t *testing.T, f *File, k *Kernel)) {
	oneByOne(t, func(t *testing.T, f *File, k *Kernel) {
		t.Parallel()
		test(t, f, k)
	})
}

// oneByOne runs a subtest for every kernel.
func oneByOne(t *testing.T, test func(t *testing.T, f *File, k *Kernel)) {
	for _, f := range files {
		for _, k := range f.Kernels {
			name := f.Name
			if len(f.Kernels) > 1 {
				name += "/" + k.Name
			}
			t.Run(name, func(t *testing.T) {
				defer func() {
					if v := recover(); v != nil {
						t.Fatalf("%v\n%s", v, debug.Stack()) // and go on with the other kernels
					}
				}()
				test(t, f, k)
			})
		}
	}
}
