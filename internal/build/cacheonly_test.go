package build_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/build"
)

// portable is a toolchain whose modules are for others too.
type portable struct{ *counter }

func (portable) Portable() string { return "any counter" }

// Without a compiler there are the modules that others have compiled: of the same code, for an instruction set that the processor
// has. Programs with the flags of their users leave none.
func TestCacheOnly(t *testing.T) {
	none := errors.New("there is no compiler")
	for _, text := range []map[string]string{program().text, {"k/k.go": gridText}} {
		src := &files{text: text}
		dir, missing := t.TempDir(), false
		run := func(tc build.Toolchain) *build.Module {
			t.Helper()
			c, err := cache.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			m, err := (&build.Builder{Cache: c, Version: "1"}).Kernel(context.Background(), src, ref, tc, build.Options{})
			if missing = errors.As(err, new(*build.NoModuleError)); err != nil && !missing {
				t.Fatal(err)
			}
			if missing && !errors.Is(err, none) {
				t.Errorf("the error %v does not say why", err)
			}
			return m
		}
		without := func(archs ...string) *build.Module {
			t.Helper()
			t := build.CacheOnly{Toolchain: build.CPP{}, Missing: none}
			for _, arch := range archs {
				t.Offers = append(t.Offers, build.Offer{Arch: arch, Compiler: "any counter"})
			}
			return run(t)
		}
		own := run(&counter{arch: "x86-64-v3"})
		if without("x86-64-v3"); !missing {
			t.Error("a module was found that nobody has offered")
		}
		if own.Grid != nil { // so that it is compiled anew
			src.edit("k/k.go", "x[i] = y[i]", "x[i] = 3 * y[i]")
		} else {
			src.edit("k/k.go", "x[0], 3", "x[0], 4")
		}
		own = run(portable{&counter{arch: "x86-64-v3"}})
		for range 2 { // the second by the first key
			m := without("x86-64-v4", "x86-64-v3", "x86-64-v2")
			if missing || m.Key != own.Key || m.Path != own.Path || !m.Cached || (m.Grid == nil) != (own.Grid == nil) ||
				m.ABI != nil && m.ABI.Symbol != own.ABI.Symbol || len(m.Formats()) != len(own.Formats()) {
				t.Errorf("the module is %+v, not %+v", m, own)
			}
		}
		if without("x86-64-v2", "x86-64"); !missing {
			t.Error("a module was found for another processor")
		}
		src.edit("k/k.go", "//qd:kernel", "// A comment.\n//\n//qd:kernel")
		if without("x86-64-v3"); missing {
			t.Error("the same code was not found")
		}
	}
}

// x86-64-v3 is the name of an instruction set on every system, and a library is for one of them.
func TestCPUOnlySystem(t *testing.T) {
	for _, o := range build.CPUOnly(errors.New("none")).Offers {
		if !slices.Contains(strings.Fields(o.Compiler), runtime.GOOS) {
			t.Errorf("a module for %s of any system is taken: %s", o.Arch, o.Compiler)
		}
	}
}

// Of a module that does not load, the next one is taken that others have made of the code.
func TestReject(t *testing.T) {
	src, dir := &files{text: program().text}, t.TempDir()
	run := func(tc build.Toolchain) *build.Module {
		t.Helper()
		c, err := cache.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		m, err := (&build.Builder{Cache: c, Version: "1"}).Kernel(context.Background(), src, ref, tc, build.Options{})
		if err != nil && !errors.As(err, new(*build.NoModuleError)) {
			t.Fatal(err)
		}
		return m
	}
	wide, narrow := run(portable{&counter{arch: "x86-64-v4"}}), run(portable{&counter{arch: "x86-64-v3"}})
	if wide.Key == narrow.Key {
		t.Fatal("the modules are one")
	}
	if build.Reject(&counter{}, wide.Key) {
		t.Error("a module of a compiler is rejected")
	}
	only := build.CPUOnly(errors.New("there is no compiler"))
	only.Offers = []build.Offer{{Arch: "x86-64-v4", Compiler: "any counter"}, {Arch: "x86-64-v3", Compiler: "any counter"}}
	for _, want := range []*build.Module{wide, narrow, nil} {
		for range 2 { // the second by the first key
			if m := run(only); (m == nil) != (want == nil) || m != nil && m.Key != want.Key {
				t.Errorf("the module is %+v, not %+v", m, want)
			}
		}
		if want != nil && !build.Reject(build.Gradient{Toolchain: only}, want.Key) {
			t.Error("a module is not rejected")
		}
	}
}
