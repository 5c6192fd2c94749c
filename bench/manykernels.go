package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/library"
)

// eight is how many small kernels a package has whose building is timed.
const eight = 8

// manyKernels times the building of a package of eight small kernels, with nothing cached:
// launched one after the other beside as many packages of one kernel each; and the first launch
// beside that of a package of one kernel.
func manyKernels() ([]result, error) {
	compiler, err := clang.Find()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "qdgen-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	packages := load.Map{"all": {Path: "all", Files: []load.File{{Name: "all.go", Src: []byte(smallKernels(0, eight))}}}}
	for i := range eight {
		path := fmt.Sprint("one", i)
		packages[path] = &load.Package{Path: path, Files: []load.File{{Name: path + ".go", Src: []byte(smallKernels(i, i+1))}}}
	}
	src := load.Chain(packages, library.Sources())
	turn := 0
	buildAll := func(refs ...load.Ref) func() (time.Duration, error) {
		return timed(func() error {
			turn++
			c, err := cache.Open(filepath.Join(dir, fmt.Sprint("cache", turn)))
			if err != nil {
				return err
			}
			b := &build.Builder{Cache: c, Version: "bench"}
			for _, ref := range refs {
				if _, err := b.Kernel(context.Background(), src, ref, build.CPP{Compiler: compiler}, build.Options{}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	var shared, single []load.Ref
	for i := range eight {
		name := fmt.Sprint("kernel", i)
		shared = append(shared, load.Ref{Pkg: "all", Name: name})
		single = append(single, load.Ref{Pkg: fmt.Sprint("one", i), Name: name})
	}
	all, alone, err := sideBySide(buildAll(shared...), buildAll(single...))
	if err != nil {
		return nil, err
	}
	first, firstAlone, err := sideBySide(buildAll(shared[0]), buildAll(single[0]))
	if err != nil {
		return nil, err
	}
	return []result{
		{name: "package of 8 kernels, all, cold", ours: all, theirs: alone, note: "beside: 8 packages of one kernel"},
		{name: "package of 8, the first launch", ours: first, theirs: firstAlone, note: "beside: a package of one kernel"},
	}, nil
}

// smallKernels are the kernels from one number up to another, as a package.
func smallKernels(from, to int) string {
	var b strings.Builder
	b.WriteString("package kernels\n\nimport \"github.com/qdgen/qd\"\n")
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, `
//qd:kernel
func kernel%[1]d(t qd.Thread, a float32, x, y []float32) {
	i := t.ID()
	v := x[i]
	for range %[2]d {
		v = v*a + float32(%[1]d)
	}
	y[i] = max(v, y[i])
}
`, i, i+3)
	}
	return b.String()
}
