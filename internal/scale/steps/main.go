// Command steps counts how often each piece of the compiler runs while it compiles a kernel
// of package scale. Built with
//
//	go build -cover -covermode=atomic -coverpkg=github.com/qdgen/qd/...
//
// and called as steps SHAPE SIZE DIR it writes the counts into a folder, for go tool covdata.
package main

import (
	"fmt"
	"os"
	"runtime/coverage"
	"strconv"

	"github.com/qdgen/qd/internal/scale"
)

func main() {
	if err := count(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func count(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("usage: steps SHAPE SIZE DIR")
	}
	shape, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	size, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	s := scale.Shapes()[shape]
	// What the first compilation alone makes is not counted.
	if _, err := s.Compile(2); err != nil {
		return err
	}
	if err := coverage.ClearCounters(); err != nil {
		return err
	}
	if _, err := s.Compile(size); err != nil {
		return err
	}
	if err := coverage.WriteMetaDir(args[2]); err != nil {
		return err
	}
	return coverage.WriteCountersDir(args[2])
}
