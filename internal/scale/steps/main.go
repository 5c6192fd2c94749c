// Command steps counts how often each piece of the compiler runs while it compiles a kernel
// of package scale. Built with
//
//	go build -cover -covermode=atomic -coverpkg=github.com/qdgen/qd/...
//
// and called as steps LIB SHAPE SIZE DIR it writes the counts into a folder, for go tool covdata. LIB is
// a folder with the source of package qd for kernels.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/coverage"
	"strconv"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/scale"
)

func main() {
	if err := count(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func count(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("usage: steps LIB SHAPE SIZE DIR")
	}
	lib, err := library(args[0])
	if err != nil {
		return err
	}
	shape, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	size, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	s := scale.Shapes()[shape]
	// What the first compilation alone makes is not counted.
	if _, err := s.Compile(2, lib); err != nil {
		return err
	}
	if err := coverage.ClearCounters(); err != nil {
		return err
	}
	if _, err := s.Compile(size, lib); err != nil {
		return err
	}
	if err := coverage.WriteMetaDir(args[3]); err != nil {
		return err
	}
	return coverage.WriteCountersDir(args[3])
}

// library reads package qd.
func library(dir string) (load.Map, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	lib := &load.Package{Path: load.QDPath}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		lib.Files = append(lib.Files, load.File{Name: e.Name(), Src: text})
	}
	return load.Map{load.QDPath: lib}, nil
}
