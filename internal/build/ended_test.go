package build_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
)

// A context that ends while several kernels are compiled says nothing about them: they are compiled together later.
func TestEndedTogether(t *testing.T) {
	b := newBench(t, neighbours())
	c, err := cache.Open(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	b.tc.meanwhile = func() error {
		cancel(why)
		return &build.Error{Kernel: "first", Err: why} // as of a compiler that was stopped
	}
	_, err = (&build.Builder{Cache: c, Version: "v1"}).Kernel(ctx, b.src, load.Ref{Pkg: "k", Name: "first"}, b.tc, b.opts)
	if n := b.tc.compiles.Load(); !errors.Is(err, why) || n != 1 {
		t.Errorf("%v after %d compiles", err, n)
	}
	b.tc.meanwhile = nil
	b.launch("first", 1)
	b.launch("second", 0)
}

// A compiler that hangs when it is asked what it is does not keep a build from ending with its context.
func TestEndedBeforePipeline(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the compiler is a shell script")
	}
	b := newBench(t, program())
	cc := filepath.Join(t.TempDir(), "cc")
	if err := os.WriteFile(cc, []byte("#!/bin/sh\nexec sleep 600\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("QD_CXX", cc)
	compiler, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	c, err := cache.Open(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	why := errors.New("enough")
	for _, tc := range []build.Toolchain{build.CPP{Compiler: compiler}, build.Gradient{Toolchain: build.CPP{Compiler: compiler}}} {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(20*time.Millisecond, func() { cancel(why) })
		if _, err := (&build.Builder{Cache: c, Version: "v1"}).Kernel(ctx, b.src, b.ref, tc, b.opts); err != why {
			t.Errorf("%T: the error is %v", tc, err)
		}
	}
}
