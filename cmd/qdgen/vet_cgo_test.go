package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestVetCgo reports what is wrong with kernels beside C where the author wrote it: drivers have what cgo made of it.
func TestVetCgo(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("cgo needs a C compiler: ", err)
	}
	dir := newModule(t, []byte(`-- kernels.go --
package app

// static int twice(int x) { return 2 * x; }
import "C"

import "github.com/qdgen/qd"

func launch(n int) {
	x := []int{int(C.twice(3))}
	qd.Launch(fill, qd.Dim(1), []string{"a"})
	qd.Launch(func(t qd.Thread, x []int) { x[t.ID()] = int(C.twice(4)) }, qd.Dim(1), x)
	qd.NewKernel(func(t qd.Thread, x []int) { x[t.ID()] = n })
}

//qd:kernel
func fill(t qd.Thread, x []int) { x[t.ID()] = 3 }
`))
	want := []string{
		"kernels.go:10:29: argument []string{…} of type []string does not fit parameter x of fill",
		"kernels.go:11:57: package C is not available in kernels",
		"kernels.go:12:56: the kernel captures n",
	}
	cgo := append(inModule[:len(inModule):len(inModule)], "CGO_ENABLED=1")
	qdgen(t, dir, cgo, "vet").want(t, 1, nil, want)
	tool := program(t, dir, "go", cgo, "vet", "-vettool="+binary, ".")
	tool.want(t, 1, nil, want)
	for line := range strings.Lines(tool.stderr) {
		if !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "kernels.go:") {
			t.Errorf("go vet reports elsewhere: %s", line)
		}
	}
}
