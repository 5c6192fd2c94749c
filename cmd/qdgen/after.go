package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/ssa/opt"
)

// This file is about --after: the SSA of a kernel on its way to a target.

// allStages is the value of --after that shows a module after each stage and each pass.
const allStages = compile.AllStages

// toCPP is the pipeline to what the C++ compiler is given. It depends on the compiler.
var toCPP = sync.OnceValue(build.HostPipeline)

// wayTo is the pipeline to the text of a target, or to the text that it is made of. It has no stages for target ssa.
func wayTo(target string) compile.Pipeline {
	switch cmp.Or(baseTarget[target], target) {
	case "cpp":
		return toCPP()
	case "cuda":
		return compile.CUDA
	}
	return compile.Pipeline{}
}

// ways are the pipelines with all stages that --after can look at, by the target's name.
var ways = map[string]compile.Pipeline{"cpp": compile.CPU, "cuda": compile.CUDA}

// shared are the stages that begin the pipelines of all targets. Where targets have stages of their own with the same
// purpose and name, it has those of the CPU. The interchange of axes, which only the CPU has, is left out.
func shared() compile.Pipeline {
	common := ways["cpp"]
	common.Stages = slices.DeleteFunc(slices.Clone(common.Stages), func(s *compile.Stage) bool { return s == compile.Interchange })
	for i, s := range common.Stages {
		if s.Name != ways["cuda"].Stages[i].Name {
			return common.First(i)
		}
	}
	return common
}

// wayOf is the pipeline whose SSA is shown: that of the target, or for target ssa the first one that has the
// stage.
func wayOf(target, after string) compile.Pipeline {
	if ways[target].Stages != nil {
		return wayTo(target)
	}
	if after != allStages && !isIn(shared(), after) {
		for _, name := range []string{"cpp", "cuda"} {
			if isIn(ways[name], after) {
				return wayTo(name)
			}
		}
	}
	return shared()
}

// isIn reports whether a pipeline has a stage, or a stage with a pass, of a name.
func isIn(p compile.Pipeline, name string) bool {
	return slices.ContainsFunc(p.Observed(), func(s *compile.Stage) bool {
		return s.Name == name || slices.ContainsFunc(s.Passes, func(pass opt.Pass) bool { return pass.Name == name })
	})
}

// afterNames are the values of --after, in the order of the pipelines.
func afterNames() (names []string) {
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, target := range []string{"cpp", "cuda"} {
		for _, s := range ways[target].Gradient().Observed() {
			for _, pass := range s.Passes {
				add(pass.Name)
			}
			add(s.Name)
		}
	}
	return append(names, allStages)
}

// afterList lists the stages, for --help and for the error about an unknown stage.
func afterList() string {
	var b strings.Builder
	line := func(name, why string) {
		const width, indent = 83, 15
		text := fmt.Sprintf("  %-12s", name)
		for _, word := range strings.Fields(why) {
			if len(text)+1+len(word) > width {
				b.WriteString(text + "\n")
				text = strings.Repeat(" ", indent-1)
			}
			text += " " + word
		}
		b.WriteString(text + "\n")
	}
	common := shared()
	for _, s := range common.Observed() {
		line(s.Name, s.Why)
		if s == compile.Optimize {
			for _, pass := range s.Passes {
				line("  "+pass.Name, pass.Doc)
			}
			line(compile.Differentiate.Name, compile.Differentiate.Why+" (with --gradient or --tangent)")
		}
	}
	for _, target := range []string{"cpp", "cuda"} {
		for _, s := range ways[target].From(len(common.Stages)).Observed() {
			line(s.Name, s.Why+" (for target "+target+")")
		}
	}
	line(allStages, "show the SSA after each stage and pass")
	return b.String()
}
