// Origin is a program whose source is edited after it was built. It launches the kernels
// that its arguments name, and prints their results.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"example.com/origin/lib"
	"github.com/qdgen/qd"
)

const note = "one"

func main() {
	device := flag.String("device", "", "device to run on")
	from := flag.String("copy", "", "what edit copies")
	to := flag.String("to", "", "and where")
	stats := flag.Bool("stats", false, "tell on standard error what the launches have cost")
	flag.Parse()
	tune(int32(flag.NArg() - len(note)))
	dev, err := qd.Open(*device)
	check(err)
	for _, name := range flag.Args() {
		switch name {
		case "fields":
			p := make([]P, 3)
			check(dev.Launch(fields, qd.Dim(3), p))
			fmt.Println(name, p)
		case "order":
			x := make([]int32, 1)
			check(dev.Launch(order, qd.Dim(1), 1, 2, x))
			fmt.Println(name, x)
		case "scale":
			x := make([]int32, 1)
			check(dev.Launch(scale, qd.Dim(1), x))
			fmt.Println(name, x)
		case "literals":
			x, y := make([]int32, 1), make([]int32, 1)
			literals(dev, x, y)
			fmt.Println(name, append(x, y...))
		case "lib":
			x := []int32{4}
			check(dev.Launch(lib.Double, qd.Dim(1), x))
			fmt.Println(name, x)
		case "edit":
			text, err := os.ReadFile(*from)
			check(err)
			check(os.WriteFile(*to, text, 0o666))
		}
	}
	if *stats {
		s := qd.Stats()
		fmt.Fprintf(os.Stderr, "lowered %d compiled %d cached %d\n", s.Lowered, s.Compiled, s.Cached)
	}
}

// check ends the program on an error.
func check(err error) {
	if err == nil {
		return
	}
	kind := "error"
	if source := (*qd.SourceError)(nil); errors.As(err, &source) {
		kind = "*qd.SourceError"
	}
	fmt.Fprintf(os.Stderr, "%s\n%v\n", kind, err)
	os.Exit(1)
}
