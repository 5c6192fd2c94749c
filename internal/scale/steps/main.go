// Command steps counts how often each piece of the compiler runs while it compiles kernels of package scale. Built with
//
//	go build -cover -covermode=atomic -coverpkg=github.com/qdgen/qd/...
//
// and called as steps LIB META it reads lines SHAPE SIZE "DIR". For each it writes the counts into a folder, and answers
// with a line: "counted", or what went wrong. go tool covdata reads the counts where the file of META is with them. LIB is
// a folder with the source of package qd for kernels.
package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime/coverage"
	"runtime/debug"
	"strings"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/scale"
)

func main() {
	if err := serve(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: steps LIB META")
	}
	lib, err := library(args[0])
	if err != nil {
		return err
	}
	if err := coverage.WriteMetaDir(args[1]); err != nil {
		return err
	}
	// What kernels have left behind is collected once for several of them.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(400 << 20)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var shape, size int
		var dir string
		if _, err := fmt.Sscanf(lines.Text(), "%d %d %q", &shape, &size, &dir); err != nil {
			return err
		}
		answer := "counted"
		if err := count(lib, scale.Shapes()[shape], size, dir); err != nil {
			answer = strings.ReplaceAll(err.Error(), "\n", "; ")
		}
		fmt.Println(answer)
	}
	return lines.Err()
}

// count compiles the kernel of a shape, and writes what has run meanwhile.
func count(lib load.Map, s scale.Shape, size int, dir string) error {
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
	return coverage.WriteCountersDir(dir)
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
