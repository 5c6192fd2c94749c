// Modules launches kernels as its arguments say, on device "cpu", and prints what they
// compute, then what that has cost: a line of qd.Stats.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdreg"
)

func init() { qdreg.Vars("main", map[string]any{"scale": &scale}) }

func main() {
	dev, err := qd.Open("cpu")
	check(err)
	var results []string
	for _, arg := range os.Args[1:] {
		name, value, _ := strings.Cut(arg, "=")
		n, _ := strconv.Atoi(value)
		x := []int{3}
		switch name {
		case "first":
			check(dev.Launch(first, qd.Dim(1), x))
		case "second":
			check(dev.Launch(second, qd.Dim(1), x))
		case "third":
			check(dev.Launch(third, qd.Dim(1), x))
		case "foo":
			check(dev.Launch(foo, qd.Dim(1), x))
		case "bar":
			check(dev.Launch(bar, qd.Dim(1), x))
		case "power":
			check(dev.Launch(power, qd.Dim(1), qd.C(n), x))
		case "same":
			check(dev.Launch(same, qd.Dim(1), qd.C(n), x))
		case "scaled":
			scale = n
			check(dev.Launch(scaled, qd.Dim(1), x))
		case "powers": // up to n, all at once
			var specs []any
			for i := range n {
				specs = append(specs, qd.Spec(power, qd.C(i)))
			}
			check(dev.Build(specs...))
		default:
			check(fmt.Errorf("no kernel %q", name))
		}
		results = append(results, fmt.Sprint(x[0]))
	}
	fmt.Println(strings.Join(results, " "))
	s := qd.Stats()
	fmt.Printf("lowered %d compiled %d cached %d loaded %d\n", s.Lowered, s.Compiled, s.Cached, s.Loaded)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
