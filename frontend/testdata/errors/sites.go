package errors

import (
	"os"
	"strings"

	"github.com/qdgen/qd"
)

func collected(n int) int { return len(append([]int{n}, n)) }

func environment() string { return os.Getenv("HOME") }

var threshold = 1

func init() { threshold = 2 }

//qd:kernel
func sites(t qd.Thread, x []int) {
	name := "abc"
	x[0] = len(qd.Static(strings.ToUpper(name))) // want "qd.Static\\(strings.ToUpper\\(name\\)\\) needs package strings, and no code for it is registered"
	x[1] = qd.Static(collected(3))               // want "qd.Static\\(collected\\(3\\)\\) needs Go that kernels do not have \\(sites.go:[0-9:]+: a kernel cannot allocate memory: the capacity of \\[\\]int{…} is 1\\), and no code for it is registered"
	x[2] = len(qd.Static(environment()))         // want "qd.Static\\(environment\\(\\)\\) needs compiled Go, and no code for it is registered"
	x[3] = qd.Static(threshold)                  // want "package variable threshold is assigned at sites.go:16, and only a program with generated code knows its value"
	i := t.ID()
	x[4] = qd.Static(collected(i)) // want "argument of qd.Static is not known at compile time"
}
