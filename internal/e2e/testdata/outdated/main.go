// Command outdated has a generated file, after which its source is edited.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/qdgen/qd"

	"example.com/outdated/lib"
)

type E struct{ V int }

func (e E) M() int { return e.V }

// T has the method M of E, as long as it has none of its own.
type T struct{ E }

func help(x int) int { return x + 1 }

//qd:kernel
func sum(t qd.Thread, x []int) { x[t.ID()] = T{E{10}}.M() + max(t.ID(), 6) + help(lib.Double(1)) }

func main() {
	device := flag.String("device", "", "device")
	flag.Parse()
	if err := run(*device); err != nil {
		fmt.Fprintf(os.Stderr, "%T\n%v\n", err, err)
		os.Exit(1)
	}
}

func run(device string) error {
	dev, err := qd.Open(device)
	if err != nil {
		return err
	}
	x := make([]int, 2)
	if err := dev.Launch(sum, qd.Dim(len(x)), x); err != nil {
		return err
	}
	fmt.Println(x)
	return nil
}
