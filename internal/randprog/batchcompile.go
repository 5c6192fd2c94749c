package randprog

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/hostshim"
	"github.com/qdgen/qd/internal/randprog/harness"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/target/abi"
)

// This file prints the programs of a batch as one text for each side, and compiles that.

// merge makes one module of several: what every text repeats is there once.
func merge(side string, programs []*compiled) *ssa.Module {
	m := &ssa.Module{Name: "batch", Pkg: pkgPath}
	taken := map[string]bool{}
	for _, c := range programs {
		for _, f := range c.modules[side].Funcs {
			if !f.Kernel {
				f.Name = freeName(f.Name, taken)
			}
			taken[f.Name] = true
			m.Funcs = append(m.Funcs, f)
		}
	}
	return m
}

// freeName is a name that is not taken yet. A name with a number may be taken too: the front end numbers the
// specializations of one program in the same way.
func freeName(name string, taken map[string]bool) string {
	free := name
	for n := 1; taken[free]; n++ {
		free = fmt.Sprintf("%s_%d", name, n)
	}
	return free
}

// inlined is a module in which every other kernel has all that it calls in itself: no target asks for so much, but
// it must be right wherever one does.
func inlined(m *ssa.Module, programs []*compiled) *ssa.Module {
	m = m.Clone()
	summaries := new(analysis.Summaries)
	var changed []*ssa.Func
	for i, k := range m.Kernels() {
		if programs[i].Seed%2 == 0 && opt.Inline(k, summaries, func(*ssa.Instr) bool { return true }) {
			changed = append(changed, k)
		}
	}
	opt.Settle(changed, new(analysis.Summaries), nil)
	m.DropUnreached()
	if err := ssa.Verify(m); err != nil {
		panic(panicked{fmt.Sprintf("invalid SSA after all is inlined: %v", err)})
	}
	return m
}

// sanitize are the flags that make CUDA text trap where it does what C++ leaves
// undefined.
var sanitize = []string{"-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,float-cast-overflow,bounds,unreachable,return,bool", "-fsanitize-trap=all"}

// buildCompiled compiles the C++ and the CUDA text of all programs. Where that
// fails the programs at fault are found by halving, and left out.
func (b *batch) buildCompiled() {
	for _, side := range []string{"cpp", "cuda"} {
		for b.compileSide(side, b.ok) > 0 {
		}
	}
}

// refusals are the kinds of what compilers refuse.
var refusals = map[string]Kind{"cpp": NoCPP, "cuda": NoCUDA}

// compileSide compiles one side and gives how many programs had to be left out.
func (b *batch) compileSide(side string, programs []*compiled) int {
	if len(programs) == 0 {
		return 0
	}
	err := b.compile(side, programs)
	if err == nil {
		return 0
	}
	if k := (killed{}); errors.As(err, &k) && !(k.slow && len(programs) == 1) {
		return b.compileFewer(side, programs, err)
	}
	if len(programs) == 1 {
		b.found(programs[0].Program, refusals[side], 0, err.Error())
		b.leaveOut(programs[0])
		return 1
	}
	half := len(programs) / 2
	bad := b.compileSide(side, programs[:half]) + b.compileSide(side, programs[half:])
	if bad == 0 {
		b.foundTogether(side, programs)
		bad = 1
	}
	return bad
}

// leaveOut goes on without a program.
func (b *batch) leaveOut(c *compiled) {
	b.ok = slices.DeleteFunc(slices.Clone(b.ok), func(o *compiled) bool { return o == c })
}

// print is the text of one side.
func (b *batch) print(side string, programs []*compiled) (text string, err error) {
	err = try(func() error {
		m := merge(side, programs)
		if side == "cuda" {
			m = inlined(m, programs)
		}
		u := pipelines[side].Optimized(m, false)
		u.Options.Narrow = !b.wide
		if err := u.RunTo(context.Background(), compile.Print); err != nil {
			return err
		}
		b.sites[side] = nil
		for _, s := range abi.FaultSites(u.Module) {
			b.sites[side] = append(b.sites[side], harness.FaultSite{Kind: s.Kind, Message: s.Message, Types: s.Types, File: s.Pos.File, Line: s.Pos.Line})
		}
		text = u.Text.Source
		if side == "cuda" {
			for i, c := range programs {
				c.job.Small = build.SmallOf(u.Module, u.Module.Kernels()[i], c.job.Layout)
			}
		}
		return nil
	})
	return text, err
}

// compile makes the library of one side.
func (b *batch) compile(side string, programs []*compiled) error {
	text, err := b.print(side, programs)
	if err != nil {
		return err
	}
	if side == "cuda" {
		b.text = text
		var kernels []string
		for _, c := range programs {
			kernels = append(kernels, c.job.Symbol)
		}
		text = hostshim.Wrap(text, kernels...)
	}
	if b.plant != nil {
		text = string(b.plant(side, []byte(text)))
	}
	args := append(b.Compiler.Flags(), b.Level, "-shared")
	if side == "cuda" {
		// The text must do without -fwrapv, which NVRTC lacks. That it does nothing
		// undefined shows at any level; none is the quickest.
		args = append(args, "-fno-wrapv", "-O0")
		args = append(args, sanitize...)
	}
	keep := b.Keep
	if keep == nil {
		keep = func(compute func() ([]byte, error), _ ...string) ([]byte, error) { return compute() }
	}
	library, err := keep(func() ([]byte, error) { return b.compileText(side, text, args) },
		append([]string{"random programs", b.Compiler.Identity(), text}, args...)...)
	if err != nil {
		return err
	}
	return os.WriteFile(b.library(side), library, 0o777)
}

// compileText is the library that the C++ compiler makes of a text.
func (b *batch) compileText(side, text string, args []string) ([]byte, error) {
	src, lib := filepath.Join(b.dir, side+".cpp"), filepath.Join(b.dir, side+".made")
	if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(b.Patience, 5*time.Minute))
	defer cancel()
	cmd := exec.CommandContext(ctx, b.Compiler.Path, append(slices.Clip(args), "-o", lib, src, "-lm")...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	// The compiler is a driver: what it has started would hold its output open.
	cmd.WaitDelay = 2 * time.Second
	clang.KillAllOnCancel(cmd)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := b.run(side, cmd); err != nil {
		if slow := ctx.Err() != nil; slow || isKilled(err, out.String()) {
			return nil, killed{err, slow}
		}
		return nil, fmt.Errorf("%w\n%s", err, bytes.TrimSpace(out.Bytes()[:min(out.Len(), 4000)]))
	}
	return os.ReadFile(lib)
}

func (b *batch) library(side string) string { return filepath.Join(b.dir, side+".so") }
