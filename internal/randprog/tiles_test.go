package randprog

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/ssa"
)

// A finding in a program of tiles is looked for in each stage, as in other programs.
func TestWhoseTiles(t *testing.T) {
	for seed := range uint64(4) {
		f := Finding{Program: GenerateTiles(seed, "_1"), Launch: 1, Want: "nothing"}
		whose := f.Whose()
		found := regexp.MustCompile(`^after lower the SSA is wrong: ([0-9a-f]+)$`).FindStringSubmatch(whose)
		if found == nil {
			t.Fatalf("seed %d: %s", seed, whose)
		}
		f.Want = found[1]
		if whose := f.Whose(); whose != "the SSA is right after all stages" {
			t.Errorf("seed %d: %s", seed, whose)
		}
	}
}

// Some of the random programs of tiles have loops that are pipelines, and others have not.
func TestTilesHaveStages(t *testing.T) {
	with, without := 0, 0
	for seed := range uint64(60) {
		p := GenerateTiles(seed, "_1")
		u := &compile.Unit{Pipeline: compile.CUDA, Kernel: p.ref(), Source: p.sources(), Options: p.options()}
		u.Options.Stages = p.Stages
		if err := u.RunTo(context.Background(), compile.Optimize); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p.Source())
		}
		found := false
		u.Module.Kernels()[0].Body.Walk(func(in *ssa.Instr) { found = found || in.Op == ssa.OpSync && in.Async })
		switch {
		case found && p.Stages < 2:
			t.Errorf("seed %d: a pipeline without stages", seed)
		case found:
			with++
		case strings.Contains(p.Source(), "tile.Dot"):
			without++
		}
	}
	if text := fmt.Sprintf("%d programs have pipelines, %d have products and none", with, without); with < 3 || without < 3 {
		t.Error(text)
	} else {
		t.Log(text)
	}
}
