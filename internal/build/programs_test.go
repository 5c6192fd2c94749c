package build_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
)

// constants is a package with a kernel that is specialized.
func constants() *files {
	return &files{text: map[string]string{"c/c.go": `package c

import "github.com/qdgen/qd"

type pair struct{ a, b int }

func sum[T qd.Number](x, y T) T { return x + y }

//qd:kernel
func kernel(t qd.Thread, n qd.Const[int], x []pair) {
	for i := range n.V {
		x[t.ID()].a = sum(x[t.ID()].a, i)
		x[t.ID()].b = int(sum(float64(x[t.ID()].b), 0.5))
	}
}
`}}
}

// Specializations share the program that was checked, as long as it is that of the source,
// and do not get in each other's way.
func TestSharedPrograms(t *testing.T) {
	src := constants()
	lower := func(n int) *load.Program {
		opts := build.Options{Consts: map[int]comptime.Value{1: {Kind: comptime.Int, Type: "int", Bits: uint64(n)}}}
		s, err := build.Lower(src, load.Ref{Pkg: "c", Name: "kernel"}, opts)
		if err != nil {
			t.Error(err)
			return nil
		}
		return s.Program
	}
	first := lower(1)
	var wg sync.WaitGroup
	for n := range 16 {
		wg.Go(func() {
			if p := lower(n); p != first {
				t.Errorf("constant %d has a program of its own", n)
			}
		})
	}
	wg.Wait()
	src.edit("c/c.go", "0.5", "0.25")
	second := lower(1)
	if second == first {
		t.Error("an edit is not noticed")
	}
	if lower(2) != second {
		t.Error("the program of the new source is not shared")
	}
	src.edit("c/c.go", "0.25", "undefined")
	opts := build.Options{Consts: map[int]comptime.Value{1: {Kind: comptime.Int, Type: "int", Bits: 1}}}
	for range 2 {
		if _, err := build.Lower(src, load.Ref{Pkg: "c", Name: "kernel"}, opts); err == nil {
			t.Error("an error is forgotten")
		}
	}
}

// A program that is checked anew takes the place of the one before, and no other one's. Of goroutines that check one at
// once all have the same.
func TestKeptPrograms(t *testing.T) {
	src := &files{text: map[string]string{}}
	const names = "abcd" // as many as are kept
	for _, name := range names {
		src.text[fmt.Sprintf("%c/%[1]c.go", name)] = fmt.Sprintf(`package %c

import "github.com/qdgen/qd"

//qd:kernel
func kept(t qd.Thread, x []int) { x[t.ID()] = 1 }
`, name)
	}
	lower := func(name rune) *load.Program {
		s, err := build.Lower(src, load.Ref{Pkg: string(name), Name: "kept"}, build.Options{})
		if err != nil {
			t.Error(err)
			return nil
		}
		return s.Program
	}
	var wg sync.WaitGroup
	var all [8]*load.Program
	for i := range all {
		wg.Go(func() { all[i] = lower('a') })
	}
	wg.Wait()
	for _, p := range all {
		if p != all[0] {
			t.Error("goroutines have programs of their own")
		}
	}
	src.edit("a/a.go", "= 1", "= 2")
	programs := map[rune]*load.Program{}
	for _, name := range names {
		programs[name] = lower(name)
		for _, before := range names[:strings.IndexRune(names, name)] {
			if lower(before) != programs[before] {
				t.Errorf("the program of kernel %c is lost", before)
			}
		}
	}
}

// The cache lists specializations with their constants.
func TestListedConstants(t *testing.T) {
	b := newBench(t, constants())
	for n, want := range map[uint64]string{3: "c.kernel(3)", 1 << 60: "c.kernel(1152921504606846976)"} {
		c, err := cache.Open(b.dir)
		if err != nil {
			t.Fatal(err)
		}
		opts := build.Options{Consts: map[int]comptime.Value{1: {Kind: comptime.Int, Type: "int", Bits: n}}}
		if _, err := (&build.Builder{Cache: c, Version: "v1"}).Kernel(t.Context(), b.src, load.Ref{Pkg: "c", Name: "kernel"}, b.tc, opts); err != nil {
			t.Fatal(err)
		}
		if got := b.listed(); !slices.Contains(got, want) {
			t.Errorf("the cache lists %q, not %q", got, want)
		}
	}
}

// What lowering warns of is logged, once in a process however often the kernel is lowered,
// for several devices or specializations.
func TestWarnings(t *testing.T) {
	var log strings.Builder
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(old)
	name := fmt.Sprintf("c/c%d.go", time.Now().UnixNano()) // another one if the test runs again
	src := &files{text: map[string]string{name: `package c

import "github.com/qdgen/qd"

//qd:kernel
func kernel(t qd.Thread, x []int) {
	for i := range qd.Static(1025) {
		x[t.ID()] += i
	}
}
`}}
	for range 2 {
		if _, err := build.Lower(src, load.Ref{Pkg: "c", Name: "kernel"}, build.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(log.String(), "level=WARN"); n != 1 || !strings.Contains(log.String(), name+":7:2: ") || !strings.Contains(log.String(), "qd.Dynamic") {
		t.Errorf("logged %q", log.String())
	}
}
