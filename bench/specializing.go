package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/library"
)

//go:embed many/main.go
var manySource []byte

// specializing times the building of 200 specializations of one kernel, with nothing cached, in a process of its own,
// beside the compiler alone on all of the text, in the few files that a build on one core makes, one after the other;
// beside the compiler on the files that the process made, divided by the number of cores; and the front end alone.
func specializing() ([]result, error) {
	compiler, err := clang.Find()
	if err != nil {
		return nil, err
	}
	exe, dir, err := program("many")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	whole, err := sourcesOf(exe, filepath.Join(dir, "whole"), 1)
	if err != nil {
		return nil, err
	}
	cores := runtime.GOMAXPROCS(0)
	var ours, theirs, divided []time.Duration
	files := 0
	for i := range min(*repeats, 3) { // each is half a minute of compiling
		built, err := sourcesOf(exe, filepath.Join(dir, fmt.Sprint("cache", i)), cores)
		if err != nil {
			return nil, err
		}
		ours = append(ours, built.took)
		files = len(built.texts)
		one, err := compileAll(compiler, dir, whole.texts)
		if err != nil {
			return nil, err
		}
		apart, err := compileAll(compiler, dir, built.texts)
		if err != nil {
			return nil, err
		}
		theirs, divided = append(theirs, one), append(divided, apart/time.Duration(cores))
	}
	lowering, err := lowerMany()
	if err != nil {
		return nil, err
	}
	return []result{
		{name: "200 specializations, cold", ours: median(ours), theirs: median(theirs), bound: bound{ratio: 1.5},
			note: fmt.Sprintf("on %d cores; beside: one %s on all of the text, %d files one after the other", cores, filepath.Base(compiler.Path), len(whole.texts))},
		{name: "200 specializations, cold", ours: median(ours), theirs: median(divided),
			note: fmt.Sprintf("beside: the same on the %d emitted files, one after the other, divided by %d cores", files, cores)},
		{name: "of them the front end and emit", ours: lowering},
	}, nil
}

// A manyBuild is what a run of the program made.
type manyBuild struct {
	took  time.Duration
	texts []string // of the modules
}

// sourcesOf runs the program on some cores, with an empty cache.
func sourcesOf(exe, place string, cores int) (b manyBuild, err error) {
	if b.took, _, err = start(exe, place, fmt.Sprint("GOMAXPROCS=", cores)); err != nil {
		return b, err
	}
	b.texts, err = cachedSources(place)
	return b, err
}

// cachedSources are the texts that the modules of a cache were compiled from.
func cachedSources(place string) ([]string, error) {
	c, err := cache.Open(place)
	if err != nil {
		return nil, err
	}
	entries, err := c.List()
	if err != nil {
		return nil, err
	}
	var sources []string
	for _, e := range entries {
		text, err := c.Source(e.Key)
		if err != nil {
			return nil, err
		}
		sources = append(sources, text)
	}
	return sources, nil
}

// compileAll runs the compiler on one text after the other.
func compileAll(compiler *clang.Compiler, dir string, sources []string) (total time.Duration, err error) {
	file, object := filepath.Join(dir, "alone.cpp"), filepath.Join(dir, "alone.so")
	for _, text := range sources {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return 0, err
		}
		args := append(compiler.Flags(), "-shared", "-o", object, file)
		took, out, err := took(exec.Command(compiler.Path, args...))
		if err != nil {
			return 0, fmt.Errorf("%v\n%s", err, out)
		}
		total += took
	}
	return total, nil
}

// lowerMany takes the specializations from source to emitted text, on one core.
func lowerMany() (time.Duration, error) {
	_, count, _ := strings.Cut(string(manySource), "const many = ")
	count, _, _ = strings.Cut(count, "\n")
	many, err := strconv.Atoi(count)
	if err != nil {
		return 0, fmt.Errorf("bench/many/main.go does not say how many: %w", err)
	}
	src := load.Chain(load.Map{"main": {Path: "main", Files: []load.File{{Name: "main.go", Src: manySource}}}}, library.Sources())
	begin := time.Now()
	for n := range many {
		opts := build.Options{Consts: map[int]comptime.Value{1: {Kind: comptime.Int, Type: "int", Bits: uint64(n)}}}
		u := build.NewUnit(compile.CPU, src, load.Ref{Pkg: "main", Name: "blur"}, opts)
		if err := u.RunTo(context.Background(), compile.Print); err != nil {
			return 0, err
		}
	}
	return time.Since(begin), nil
}
