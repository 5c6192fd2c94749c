package main

import (
	"runtime"
	"strings"
	"testing"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/internal/testenv"
)

// onAMD64 gives what prints the machine code of a package for a processor of this kind. It skips the test where there is none,
// or where the tests run with other numbers of lanes.
func onAMD64(t *testing.T) (machineCode func(arch, pkg string, flags ...string) string) {
	t.Helper()
	if compile.Lanes != 0 || runtime.GOARCH != "amd64" {
		t.Skip("other lanes, or another processor")
	}
	c, err := clang.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	return func(arch, pkg string, flags ...string) string {
		t.Helper()
		env := []string{"QD_CXX=" + c.Path + " -march=" + arch}
		return qdgen(t, ".", env, append([]string{"emit", pkg, "--target", "asm"}, flags...)...).stdout
	}
}

// TestAnywhere looks for the instructions that read and write what lies anywhere for the lanes of a mask, in the machine
// code for processors that have them.
func TestAnywhere(t *testing.T) {
	t.Parallel()
	machineCode := onAMD64(t)
	for _, tt := range []struct {
		arch          string
		reads, writes bool
	}{{"x86-64-v2", false, false}, {"x86-64-v3", true, false}, {"x86-64-v4", true, true}} {
		asm := machineCode(tt.arch, "./testdata/anywhere")
		if !strings.Contains(asm, "follow") {
			t.Fatalf("%s: no machine code", tt.arch)
		}
		for name, want := range map[string]bool{"gatherd": tt.reads, "gatherq": tt.reads, "scatterd": tt.writes} {
			if got := strings.Contains(asm, name); got != want {
				t.Errorf("%s: %s: %v, want %v", tt.arch, name, got, want)
			}
		}
	}
}
