package build_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/testenv"
)

// Flags of QD_CXX that ask for another processor get vectors of its size.
func TestVectorsOfAskedProcessor(t *testing.T) {
	for _, arch := range []string{"x86-64-v2", "x86-64-v3"} {
		t.Setenv("QD_CXX", "clang++ -march="+arch)
		c, err := clang.Find()
		if err != nil {
			testenv.Missing(t, err)
		}
		if got, want := (build.CPP{Compiler: c}).Pipeline(), compile.CPUOf(arch); !slices.Equal(got.Stages, want.Stages) || got.Vectors != want.Vectors {
			t.Errorf("%s: not the pipeline of that processor", arch)
		}
	}
}

// What launches know of a module says how many threads run at once, also when it is found built. Kernels without
// vectors have none.
func TestLanesInABI(t *testing.T) {
	defer func(lanes int) { compile.Lanes = lanes }(compile.Lanes)
	compile.Lanes = 8
	wide := program()
	wide.text["k/k.go"] = strings.Replace(wide.text["k/k.go"], "x[t.ID()] = dev.F(max(x[0], 3))", "for range x[0] {\n\t\tx[t.ID()] += dev.F(3)\n\t}", 1)
	b := newBench(t, wide)
	for range 2 {
		if m := b.buildOld(1, 1); m.ABI.Lanes != 8 {
			t.Errorf("%d lanes, want 8", m.ABI.Lanes)
		}
	}
	b = newBench(t, wide)
	b.opts.Checked = true
	if m := b.buildOld(1, 1); m.ABI.Hoisted == nil || m.ABI.Lanes != 8 {
		t.Errorf("checked: %d lanes, want 8 of the kernel with fewer checks", m.ABI.Lanes)
	}
	alone := program()
	alone.text["k/k.go"] = strings.Replace(alone.text["k/k.go"], "kernel(t qd.Thread, x []int) {\n\tx[t.ID()] = dev.F(max(x[0], 3))", "kernel(b qd.Block, x []int) {\n\tx[b.ID()] = dev.F(3)", 1)
	if m := newBench(t, alone).build(1, 1); m.ABI.Lanes != 0 {
		t.Errorf("%d lanes of a kernel of blocks, whose threads are blocks to a launch", m.ABI.Lanes)
	}
}
