package main

import (
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

// text is the CUDA of a kernel of a sample or case.
func text(t *testing.T, pkg, kernel string, consts map[int]comptime.Value) *emit.Text {
	t.Helper()
	made, err := frontend.Specialize(frontend.Options{Consts: consts, Env: library.Environment()}, library.Sources(),
		load.Ref{Pkg: "github.com/qdgen/qd/examples/seeds/" + pkg, Name: kernel})
	if err != nil {
		t.Fatal(err)
	}
	target.Outline(made.Module)
	opt.Optimize(made.Module, nil)
	return compile.CUDA.Text(made.Module, emit.Options{})
}

// first makes a value that of a kernel's first parameter after its Thread, Block or Grid.
func first(v comptime.Value) map[int]comptime.Value { return map[int]comptime.Value{1: v} }

func boolOf(v bool) comptime.Value {
	c := comptime.Value{Kind: comptime.Bool, Type: "bool"}
	if v {
		c.Bits = 1
	}
	return c
}

func intOf(v uint64) comptime.Value { return comptime.Value{Kind: comptime.Int, Type: "int", Bits: v} }

const loop = "for ("

// A codeCase is what a document says of the code of a kernel: what is in it, and what is not.
type codeCase struct {
	Name        string
	pkg, kernel string
	consts      map[int]comptime.Value
	has, lacks  []string
	comments    bool     // they count, too
	same        string   // a kernel with the same code,
	renamed     []string // but for these names: one there, one here, ...
}

var codeCases = []codeCase{
	{Name: "warp/code/function", pkg: "warp", kernel: "callsMyFunc", has: []string{"float32 myFunc(float32 a, float32 b)", "const float32 c = "}},
	{Name: "warp/code/lines", pkg: "warp", kernel: "callsMyFunc", has: []string{"// modules.go:", ": c := qd.Sin(b) * a\n", ": return c\n"}, comments: true},
	{Name: "warp/code/constant", pkg: "warp", kernel: "printAnswer", has: []string{"int64(42)"}, lacks: []string{"answer;"}},
	{Name: "warp/code/static", pkg: "warp", kernel: "staticMath", has: []string{"int64(5)", "5.0"}, lacks: []string{"norm("}},
	{Name: "warp/code/conditional", pkg: "warp", kernel: "isRedAvailable", has: []string{"Printf("}, lacks: []string{"else", "if (red"}},
	{Name: "warp/code/else-if", pkg: "cases/warp", kernel: "chooses", has: []string{"x[0] = 2;"}, lacks: []string{"x[0] = 1;", "x[0] = 3;", "else"}},
	{Name: "warp/code/unrolled", pkg: "warp", kernel: "unrolled", lacks: []string{loop, "loopLimit"}},
	{Name: "warp/code/branches-naive", pkg: "warp", kernel: "applyFuncConditionsNaive", has: []string{"applyFuncA(", "applyFuncB(", "applyFuncC("}},
	{Name: "warp/code/branches", pkg: "warp", kernel: "applyFuncConditions", has: []string{"applyFuncA", "applyFuncB"}, lacks: []string{"applyFuncC(", loop}},

	{Name: "triton/code/constant", pkg: "triton", kernel: "sized", consts: map[int]comptime.Value{2: intOf(128)}, has: []string{"lane < 128"}, lacks: []string{"args.size", "256"}},
	{Name: "triton/code/other-constant", pkg: "triton", kernel: "sized", consts: map[int]comptime.Value{2: intOf(256)}, has: []string{"lane < 256"}, lacks: []string{"128"}},
	{Name: "triton/code/shared", pkg: "cases/triton", kernel: "rotated", consts: first(intOf(3)), has: []string{"__shared__", "[3]"}},
	{Name: "triton/code/mask", pkg: "cases/triton", kernel: "plus", consts: map[int]comptime.Value{4: intOf(64)}, has: []string{"args.n", "< n"}, lacks: []string{"blockSize"}},
	{Name: "triton/code/static-range", pkg: "cases/triton", kernel: "powers", consts: first(intOf(5)), has: []string{"x[4] = 16;"}, lacks: []string{loop}},
	{Name: "triton/code/fused", pkg: "cases/triton", kernel: "multiply", consts: first(boolOf(true)), has: []string{"FMA(x[i]"}, lacks: []string{"x[i] * y[i]", "fused"}},
	{Name: "triton/code/not-fused", pkg: "cases/triton", kernel: "multiply", consts: first(boolOf(false)), has: []string{"x[i] * y[i]"}, lacks: []string{"FMA"}},

	{Name: "quadrants/code/fast", pkg: "quadrants", kernel: "compute", consts: first(boolOf(true)), lacks: []string{"* 3", "else"}},
	{Name: "quadrants/code/slow", pkg: "quadrants", kernel: "compute", consts: first(boolOf(false)), has: []string{"* 3"}, lacks: []string{"else"}},
	{Name: "quadrants/code/unmarked", pkg: "cases/quadrants", kernel: "unmarked", consts: first(boolOf(true)), lacks: []string{"* 3", "else"}},
	{Name: "quadrants/code/runtime", pkg: "cases/quadrants", kernel: "atRunTime", has: []string{"* 3", "else", "if (fast)"}},
	{Name: "quadrants/code/unrolled", pkg: "quadrants", kernel: "tens", has: []string{"i = 0: a[i] = i * 10", "i = 1: a[i] = i * 10", "i = 2: a[i] = i * 10"}, lacks: []string{"loop", "launch"}, comments: true},
	{Name: "quadrants/code/parallel", pkg: "quadrants", kernel: "increment", consts: first(boolOf(true)), has: []string{"launch increment.1 over n", "void increment_1("}, lacks: []string{"if enablePass"}, comments: true},
	{Name: "quadrants/code/left-out", pkg: "quadrants", kernel: "increment", consts: first(boolOf(false)), lacks: []string{"launch", "__global__"}, comments: true},
	{Name: "quadrants/code/parallel-in-loop", pkg: "cases/quadrants", kernel: "doublings", consts: first(intOf(3)), has: []string{"launch doublings.1 over", "launch doublings.2 over", "launch doublings.3 over"}, comments: true},
	{Name: "quadrants/code/registers", pkg: "quadrants", kernel: "create", has: []string{"out[0] = 1.0f", "out[1] = 0.0f"}, lacks: []string{loop, "Vec3", "Mat2"}},
	{Name: "quadrants/code/get", pkg: "quadrants", kernel: "readScalars", has: []string{"1.0f", "2.0f", "3.0f"}, lacks: []string{"switch", "else", loop}},
	{Name: "quadrants/code/unpacked", pkg: "quadrants", kernel: "sumOfRow", has: []string{"r0", "r31"}, lacks: []string{"row.r[", "[32]", loop}},
	{Name: "quadrants/code/packed", pkg: "quadrants", kernel: "pickFromRow", has: []string{"array<float32, 32> r;"}, lacks: []string{"r31"}},
	{Name: "quadrants/code/scalars", pkg: "cases/quadrants", kernel: "tilesInMemory", has: []string{"float32 a0;", "float32 a31;", "float32 b0;", "float32 b31;", "float32 scale;"}, lacks: []string{"[32]", "a32"}},
	{Name: "quadrants/code/by-hand", pkg: "cases/quadrants", kernel: "withTag", same: "writtenOut", renamed: []string{"writtenOut", "withTag", "byHand", "byTag"}},

	{Name: "cute/code/mixed", pkg: "cases/cute", kernel: "mixed", consts: first(intOf(3)), has: []string{"i < n; i++", "if (i > 1)"}, lacks: []string{"d <", "d %", "else"}},
	{Name: "cute/code/few", pkg: "cases/cute", kernel: "knownBounds", consts: first(intOf(16)), has: []string{"add64(x[0], 15)"}, lacks: []string{"i < 16"}},
	{Name: "cute/code/many", pkg: "cases/cute", kernel: "knownBounds", consts: first(intOf(17)), has: []string{"i < 17"}},
	{Name: "cute/code/runtime", pkg: "cute", kernel: "ranges", has: []string{"i < n"}},
	{Name: "cute/code/dynamic", pkg: "cases/cute", kernel: "dynamicFor", has: []string{loop}},
	{Name: "cute/code/static", pkg: "cases/cute", kernel: "staticFor", consts: first(intOf(20)), lacks: []string{loop, "while"}},
	{Name: "cute/code/exits", pkg: "cute", kernel: "loopExample", has: []string{loop, "break;"}, lacks: []string{"int64(5)"}},
	{Name: "cute/code/if", pkg: "cute", kernel: "branches", consts: first(boolOf(true)), has: []string{"dynamicVar == 10"}, lacks: []string{"constVar"}},
	{Name: "cute/code/forced", pkg: "cases/cute", kernel: "forced", consts: first(intOf(2)), has: []string{"x[0] = 1;", "x[1] = 1;", "x[1] = 2;", "if ("}, lacks: []string{"x[0] = 2;"}},
	{Name: "cute/code/while", pkg: "cases/cute", kernel: "dynamicWhile", consts: first(intOf(100)), has: []string{"while (m > 1)", "while (k > 1)"}},
	{Name: "cute/code/static-while", pkg: "cases/cute", kernel: "staticWhile", consts: first(intOf(6)), has: []string{"x[0] = 8;"}, lacks: []string{loop, "while"}},
	{Name: "cute/code/without-relu", pkg: "cute", kernel: "gemm", consts: first(boolOf(false)), has: []string{loop}, lacks: []string{"max"}},
	{Name: "cute/code/with-relu", pkg: "cute", kernel: "gemm", consts: first(boolOf(true)), has: []string{loop, "max"}},
}

// TestCode looks for what the documents say of the emitted code: constants that are
// folded, branches and functions that are not there, loops that are unrolled.
func TestCode(t *testing.T) {
	for _, tt := range codeCases {
		t.Run(tt.Name, func(t *testing.T) {
			made := text(t, tt.pkg, tt.kernel, tt.consts)
			code := made.Code()
			if tt.comments {
				code = made.Source
			}
			for _, s := range tt.has {
				if !strings.Contains(code, s) {
					t.Errorf("the code lacks %q:\n%s", s, code)
				}
			}
			for _, s := range tt.lacks {
				if strings.Contains(code, s) {
					t.Errorf("the code has %q:\n%s", s, code)
				}
			}
			if tt.same == "" {
				return
			}
			other := text(t, tt.pkg, tt.same, tt.consts).Code()
			if other = strings.NewReplacer(tt.renamed...).Replace(other); code != other {
				t.Errorf("the code\n%sis not that of %s:\n%s", code, tt.same, other)
			}
		})
	}
}
