package build_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/abi"
)

// A fakeBug is a toolchain that has a bug for one kernel.
type fakeBug struct {
	build.Toolchain
	kernel string
}

func (f fakeBug) Layout(k *ssa.Func) abi.Layout {
	if k.Name == f.kernel {
		panic("BUG: for a test")
	}
	return f.Toolchain.Layout(k)
}

// A bug of qdgen's in a neighbour does not stop a launch, and is not lost: it is logged, once; tests
// of qdgen panic.
func TestBugInNeighbour(t *testing.T) {
	b := newBench(t, neighbours())
	var log strings.Builder
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(old)
	kernel := func() *build.Module {
		c, err := cache.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		m, err := (&build.Builder{Cache: c, Version: "v1"}).Kernel(t.Context(), b.src, load.Ref{Pkg: "k", Name: "first"}, fakeBug{b.tc, "second"}, b.opts)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	panics := diag.PanicOnBug
	defer func() { diag.PanicOnBug = panics }()
	diag.PanicOnBug = false
	for range 2 {
		kernel()
	}
	if text := log.String(); strings.Count(text, "k.second") != 1 || !strings.Contains(text, "BUG: for a test") || !strings.Contains(text, "please report it") {
		t.Errorf("logged:\n%s", text)
	}
	diag.PanicOnBug = true
	defer func() {
		if v := recover(); v != "BUG: for a test" {
			t.Errorf("recovered %v", v)
		}
	}()
	kernel()
}

// A compilerBug is a toolchain that has a bug where it compiles.
type compilerBug struct{ build.Toolchain }

func (compilerBug) Compile(context.Context, string, *emit.Text) ([]byte, string, error) {
	panic("BUG: where it compiles")
}

// A bug of qdgen's in one of several kernels that are wanted at once, or in what compiles them, ends no program
// and is logged. The others are compiled.
func TestBugInBatch(t *testing.T) {
	panics := diag.PanicOnBug
	defer func() { diag.PanicOnBug = panics }()
	diag.PanicOnBug = false
	for _, c := range []struct {
		bug      string
		tc       func(build.Toolchain) build.Toolchain
		compiles int64
	}{
		{"BUG: for a test", func(tc build.Toolchain) build.Toolchain { return fakeBug{tc, "three"} }, 1},
		{"BUG: where it compiles", func(tc build.Toolchain) build.Toolchain { return compilerBug{tc} }, 0},
	} {
		pkg := "batch" + fmt.Sprint(c.compiles) // bugs of a kernel are reported once
		b := newBench(t, &files{text: map[string]string{pkg + "/k.go": "package " + pkg + `

import "github.com/qdgen/qd"

//qd:kernel
func one(t qd.Thread, x []int) { x[t.ID()] = 1 }

//qd:kernel
func two(t qd.Thread, x []int) { x[t.ID()] = 2 }

//qd:kernel
func three(t qd.Thread, x []int) { x[t.ID()] = 3 }
`}})
		var log strings.Builder
		old := slog.Default()
		slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
		defer slog.SetDefault(old)
		store, err := cache.Open(b.dir)
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		var list []build.Request
		for _, name := range []string{"one", "two", "three"} {
			list = append(list, build.Request{Source: b.src, Kernel: load.Ref{Pkg: pkg, Name: name}, Options: b.opts})
		}
		(&build.Builder{Cache: store, Version: "v1"}).Together(t.Context(), c.tc(b.tc), list)
		if n := b.tc.compiles.Load(); n != c.compiles {
			t.Errorf("%s: compiled %d times, want %d", c.bug, n, c.compiles)
		}
		if text := log.String(); strings.Count(text, c.bug) != 1 || !strings.Contains(text, "please report it") {
			t.Errorf("logged:\n%s", text)
		}
	}
}
