package tiles_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// Loops become pipelines where a turn can know before what it will load. They mean the same.
func TestPipelines(t *testing.T) {
	lib := library(t)
	for _, tt := range []struct {
		name, before, body string
		places             int    // operands with several places
		says               string // about the loop
	}{
		{"both operands", "", "sum = tile.Dot(tile.Load2(b, v, k, 0, 8, 4), tile.Load2(b, v, 0, 0, 4, 4), sum)", 2, "the loop is a pipeline of 3 stages"},
		{"an operand that is used otherwise too", "", "u := tile.Load2(b, v, k, 0, 8, 4); sum = tile.Dot(u, tile.Load2(b, v, k, 0, 4, 4), sum).Add(tile.Full(b, 1, u.Sum()))", 1, "the loop is a pipeline"},
		{"a guard", "", "if k == n { break }; sum = tile.Dot(tile.Load2(b, v, k, 0, 8, 4), tile.Load2(b, v, 0, 0, 4, 4), sum)", 2, "the loop is a pipeline"},
		{"left after the product", "", "sum = tile.Dot(tile.Load2(b, v, k, 0, 8, 4), tile.Load2(b, v, 0, 0, 4, 4), sum); if k == n { break }", 0, "may leave a turn in its middle"},
		{"a turn that is skipped", "", "if k == 1 { continue }; sum = tile.Dot(tile.Load2(b, v, k, 0, 8, 4), tile.Load2(b, v, 0, 0, 4, 4), sum)", 0, "may leave a turn in its middle"},
		{"what a turn has written", "", "sum = tile.Dot(tile.Load2(b, v, k, 0, 8, 4), tile.Load2(b, v, 0, 0, 4, 4), sum); sum.Store2(v, k+1, 0)", 0, "writes memory that a later turn may load"},
		{"what a product says", "at := 0", "sum = tile.Dot(tile.Load2(b, v, at, 0, 8, 4), tile.Load2(b, v, 0, k, 4, 4), sum); at = int(sum.Max()) % 4", 1, "the loop is a pipeline"},
	} {
		source := kernel("\nv := qd.ViewOf2(y, 16, 8)\nsum := tile.Zeros2[float32](b, 8, 4)\n" + tt.before + "\nfor k := 0; k < n+2; k++ {\n" + tt.body + "\n}\nsum.Store2(v, 4, 4)\n")
		want, _ := run(t, upTo(t, lib, source, compile.Lower))
		src := load.Chain(load.Map{"k": {Path: "k", Files: []load.File{{Name: "k.go", Src: []byte(source)}}}}, lib)
		for stages := 1; stages <= 4; stages++ {
			u := &compile.Unit{Pipeline: compile.CUDA, Kernel: load.Ref{Pkg: "k", Name: "k"}, Source: src, Options: eval.Options{Stages: stages}}
			var said []string
			u.Remarks = func(r ssa.Remark) {
				if r.Pass == "tiles" && strings.HasPrefix(r.Text, "the loop") {
					said = append(said, r.Text)
				}
			}
			u.Observe = compile.Verifying(func(err error) { t.Errorf("%v\n%s", err, source) })
			if err := u.RunTo(context.Background(), compile.Optimize); err != nil {
				t.Fatalf("%v\n%s", err, source)
			}
			if got, _ := run(t, u.Module); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s, %d stages:\n%v\n%v\n%v", tt.name, stages, got, want, u.Module)
			}
			if wanted := map[int]string{1: "compiled with one stage", 3: tt.says}[stages]; len(said) != 1 || !strings.Contains(said[0], wanted) {
				t.Errorf("%s, %d stages: nobody says %q, but %q", tt.name, stages, wanted, said)
			}
			places := map[*ssa.Value]bool{}
			u.Module.Kernels()[0].Body.Walk(func(in *ssa.Instr) {
				if in.Op == ssa.OpSubslice && in.Args[0].Def != nil && in.Args[0].Def.Op == ssa.OpShared {
					places[in.Args[0]] = true
				}
			})
			if wanted := tt.places; stages > 1 && len(places) != wanted || stages == 1 && len(places) > 0 {
				t.Errorf("%s, %d stages: %d operands with places, not %d\n%v", tt.name, stages, len(places), wanted, u.Module)
			}
		}
	}
}

// The memory that a block needs is that of all stages.
func TestMemoryOfStages(t *testing.T) {
	source := kernel(`
		v := qd.ViewOf2(y, 64, 64)
		sum := tile.Zeros2[float32](b, 64, 64)
		for k := 0; k < n; k += 64 {
			sum = tile.Dot(tile.Load2(b, v, 0, k, 64, 64), tile.Load2(b, v, k, 0, 64, 64), sum)
		}
		sum.Store2(v, 0, 0)`)
	src := load.Chain(load.Map{"k": {Path: "k", Files: []load.File{{Name: "k.go", Src: []byte(source)}}}}, library(t))
	for stages := 1; stages <= 8; stages++ {
		u := &compile.Unit{Pipeline: compile.CUDA, Kernel: load.Ref{Pkg: "k", Name: "k"}, Source: src, Options: eval.Options{Stages: stages}}
		err := u.RunTo(context.Background(), compile.FitGPU)
		if stages < 8 {
			if err != nil {
				t.Errorf("%d stages: %v", stages, err)
			}
			continue
		}
		if want := "need 262144 bytes of memory that their threads share, for tiles and qd.Shared (32768 of float32, 32768 of float32 elements)"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
}
