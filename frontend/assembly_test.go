package frontend

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/load"
)

// TestAssemblyTag calls a function in assembly, and gives one to a kernel, where another build has it in Go that cannot stand
// for it: the message names that build.
func TestAssemblyTag(t *testing.T) {
	fast := &load.Package{Path: "x.org/fast", Files: []load.File{
		{Name: "fast.go", Src: []byte("//go:build !slow\n\npackage fast\n\nfunc Clz(x uint64) uint64\n")},
		{Name: "slow.go", Src: []byte("//go:build slow\n\npackage fast\n\ntype extra int\n\nfunc Clz(x uint64) uint64 { return x }\n")},
	}}
	user := onePackage("p", "k.go", `package p

import (
	"github.com/qdgen/qd"
	"x.org/fast"
)

func k(t qd.Thread, x []uint64) { x[0] = through(x[0]) }

func through(x uint64) uint64 { return fast.Clz(x) }
`)
	_, err := Specialize(Options{}, sources(t, user, fast), load.Ref{Pkg: "p", Name: "k"})
	if err == nil || !strings.Contains(err.Error(), "slow.go has it in Go, for builds with //go:build slow") {
		t.Errorf("%v", err)
	}
}

// TestCallsShown refuses what stands deep in another package.
func TestCallsShown(t *testing.T) {
	other := onePackage("x.org/other", "other/other.go", `package other

func A(x []int) int { return b(x) }

func b(x []int) int { return c(x) + 1 }

func c(x []int) int { return d(x) }

func d(x []int) int {
	go func() {}()
	return x[0]
}
`)
	user := onePackage("p", "p/k.go", `package p

import (
	"github.com/qdgen/qd"
	"x.org/other"
)

func k(t qd.Thread, x []int) { x[0] = own(x) }

func own(x []int) int { return other.A(x) }
`)
	_, err := Specialize(Options{}, sources(t, user, other), load.Ref{Pkg: "p", Name: "k"})
	const want = "\n\tp/k.go:8:39: calls own\n\t... 3 more calls ...\n\tother/other.go:7:30: calls other.d"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v\nwant%s", err, want)
	}
}
