package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/library"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/target"
)

// code is the CUDA of a kernel of a sample, without comments and what every text begins
// with.
func code(t *testing.T, pkg, kernel string, consts map[int]comptime.Value) string {
	t.Helper()
	made, err := frontend.Specialize(frontend.Options{Consts: consts, Env: library.Environment()}, library.Sources(),
		load.Ref{Pkg: "github.com/qdgen/qd/examples/seeds/" + pkg, Name: kernel})
	if err != nil {
		t.Fatal(err)
	}
	target.Outline(made.Module)
	opt.Optimize(made.Module, nil)
	text := compile.CUDA.Text(made.Module, emit.Options{}).Code()
	return regexp.MustCompile(`(?m)^\s*//.*$`).ReplaceAllString(text, "")
}

func boolOf(v bool) comptime.Value {
	c := comptime.Value{Kind: comptime.Bool, Type: "bool"}
	if v {
		c.Bits = 1
	}
	return c
}

// TestCode looks for what the documents say of the emitted code: constants that are
// folded, branches and functions that are not there, loops that are unrolled.
func TestCode(t *testing.T) {
	const loop = "for ("
	for _, tt := range []struct {
		pkg, kernel string
		consts      map[int]comptime.Value
		has, lacks  []string
	}{
		{"warp", "callsMyFunc", nil, []string{"myFunc(", "const float32 c = "}, nil},
		{"warp", "printAnswer", nil, []string{"42"}, nil},
		{"warp", "isRedAvailable", nil, nil, []string{"else"}},
		{"warp", "unrolled", nil, nil, []string{loop, "loopLimit"}},
		{"warp", "applyFuncConditionsNaive", nil, []string{"applyFuncA(", "applyFuncB(", "applyFuncC("}, nil},
		{"warp", "applyFuncConditions", nil, []string{"applyFuncA", "applyFuncB"}, []string{"applyFuncC(", loop}},
		{"quadrants", "compute", map[int]comptime.Value{1: boolOf(true)}, nil, []string{"* 3", "else"}},
		{"quadrants", "compute", map[int]comptime.Value{1: boolOf(false)}, []string{"* 3"}, []string{"else"}},
		{"quadrants", "readScalars", nil, []string{"1.0f", "2.0f", "3.0f"}, []string{"switch", "else", loop}},
		{"cute", "gemm", map[int]comptime.Value{1: boolOf(false)}, []string{loop}, []string{"max"}},
		{"cute", "gemm", map[int]comptime.Value{1: boolOf(true)}, []string{loop, "max"}, nil},
		{"cute", "branches", map[int]comptime.Value{1: boolOf(true)}, []string{"dynamicVar == 10"}, []string{"constVar"}},
	} {
		t.Run(tt.kernel, func(t *testing.T) {
			text := code(t, tt.pkg, tt.kernel, tt.consts)
			for _, s := range tt.has {
				if !strings.Contains(text, s) {
					t.Errorf("the code lacks %q:\n%s", s, text)
				}
			}
			for _, s := range tt.lacks {
				if strings.Contains(text, s) {
					t.Errorf("the code has %q:\n%s", s, text)
				}
			}
		})
	}
}
