package randprog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/internal/randprog/harness"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/abi"
)

// A Runner runs batches of programs in a checkout of this module.
type Runner struct {
	Root     string // of the checkout
	Dir      string // for temporary files
	Compiler *clang.Compiler
	Level    string // of the C++ compiler's optimization: "-O1"

	// Launched counts the launches that were compared, and Faulted the programs without a finding that panic in Go.
	Launched, Faulted int
	// Unordered names the programs that panic otherwise than in Go, or after other stores, where Go leaves that open; and
	// those that make a slice longer, which kernels cannot.
	Unordered []string

	// Large counts launches that were not compared with CUDA text for small ones.
	Large int

	// Killed says of which programs a launch was not compared because the C++ compiler was killed, by a signal or, of
	// several programs together, by its time limit: the machine has too little memory or time, and the programs may be
	// right.
	Killed []string

	// Patience is how long the C++ compiler may take for the programs of a batch. If one program alone takes longer, that
	// is a finding.
	Patience time.Duration

	// Export takes what it needs to run the CUDA text of a batch elsewhere; nil if nothing does.
	Export func(*Portable)
	// Slowest is how long a launch of an exported program may take on device "go", 0 for any time.
	Slowest time.Duration

	// Keep gives what compute makes, or has made of the same inputs in an earlier run; nil computes always.
	Keep func(compute func() ([]byte, error), inputs ...string) ([]byte, error)

	// Link has build make the binary of a batch, or finds at the same place what it made in an earlier run; nil builds always.
	Link func(binary string, build func(path string) error) error

	// plant changes the text of a side, in tests of this package.
	plant func(side string, text []byte) []byte

	// Stages is the processor time that each stage of all batches took.
	Stages map[string]time.Duration

	mu    sync.Mutex
	count int
}

// A Finding is what is wrong with a program.
type Finding struct {
	Program *Program
	Kind    Kind
	Launch  int
	Detail  string
	Want    string // what Go gives, of a launch that differs

	// With are the programs without which a compiler takes the program: it refuses them
	// together, and none of them alone.
	With []*Program
}

// All are the programs that it takes to see the finding.
func (f Finding) All() []*Program { return append([]*Program{f.Program}, f.With...) }

// Source is the Go text of all of them.
func (f Finding) Source() string {
	var text strings.Builder
	for _, p := range f.All() {
		text.WriteString(p.Source())
	}
	return text.String()
}

// Kind is a kind of findings: a program is shrunk as long as it stays of one kind.
type Kind string

// The kinds of findings.
const (
	Refused      Kind = "refused"          // by the front end
	Panicked     Kind = "compiler panic"   // in qdgen
	NoCPP        Kind = "C++ error"        // from clang
	NoCUDA       Kind = "CUDA error"       // from clang, behind the shim
	CPPDiffers   Kind = "cpp differs"      // from Go
	CUDADiffers  Kind = "cuda differs"     // from Go
	BothDiffer   Kind = "cpp, cuda differ" // from Go, in the same way
	CPPCrashed   Kind = "cpp crashed"      // or did not end
	CUDACrashed  Kind = "cuda crashed"     // or did not end
	GoFaulted    Kind = "go faulted"       // a mistake of the generator
	GoRefused    Kind = "Go refused"       // a mistake of the generator
	GoUnfinished Kind = "go does not end"  // a mistake of the generator
)

// Launches are those of every program.
func (p *Program) Launches() []harness.Launch {
	dims := [][]int{{1}, {5}, {37}}
	if p.Checked {
		// Of one thread, as what others do after a panic is not fixed.
		dims = [][]int{{1}, {1}, {1}, {1}, {1}, {1}}
	}
	switch {
	case p.Text != "":
		dims = [][]int{{1}, {3}}
	case p.Rank == 2 && p.Checked:
		dims = [][]int{{1, 1}, {1, 1}, {1, 1}, {1, 1}}
	case p.Rank == 2:
		dims = [][]int{{1, 1}, {5, 3}, {1, 9}}
	}
	switch {
	case !p.Many || p.Checked:
	case p.Text != "":
		dims = append(dims, []int{20})
	case p.Rank == 2:
		dims = append(dims, []int{29, 31})
	default:
		dims = append(dims, []int{1000})
	}
	var out []harness.Launch
	for i, d := range dims {
		out = append(out, harness.Launch{Dims: d, Seed: p.Seed*8 + uint64(i)})
	}
	return out
}

// A compiled is a program on its way through the compilers.
type compiled struct {
	*Program
	modules map[string]*ssa.Module // for each compiled side, optimized
	job     harness.Program
}

// pipelines are those of the compiled sides.
var pipelines = map[string]compile.Pipeline{"cpp": compile.CPU, "cuda": compile.CUDA}

// Run runs programs, whose names at package level must differ, and gives what is
// wrong with them. The error is about the runner itself.
func (r *Runner) Run(programs []*Program) ([]Finding, error) {
	r.count++
	dir := filepath.Join(r.Dir, fmt.Sprint("batch", r.count))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	b := r.newBatch(dir)
	programs = slices.DeleteFunc(slices.Clone(programs), func(p *Program) bool {
		if p.Text != "" {
			return false // the front end says what is wrong with it
		}
		err := p.check()
		if err != nil {
			b.found(p, GoRefused, 0, err.Error())
		}
		return err != nil
	})
	var wg sync.WaitGroup
	var goErr error
	wg.Go(func() { goErr = b.buildGo(programs) })
	start := time.Now()
	b.lower(programs)
	b.stage("lower", time.Since(start)) // of this process, which waits for nobody
	b.buildCompiled()
	wg.Wait()
	if goErr != nil {
		return nil, goErr
	}
	return b.compare()
}

// stage notes what a stage of a batch took.
func (r *Runner) stage(name string, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Stages == nil {
		r.Stages = map[string]time.Duration{}
	}
	r.Stages[name] += took
}

// run runs a command of a stage.
func (r *Runner) run(stage string, cmd *exec.Cmd) error {
	err := cmd.Run()
	if s := cmd.ProcessState; s != nil {
		r.stage(stage, s.UserTime()+s.SystemTime())
	}
	return err
}

type batch struct {
	*Runner
	dir      string
	wide     bool   // the CUDA text is that for launches of any size, not for small ones
	text     string // the CUDA text
	sites    map[string][]harness.FaultSite
	ok       []*compiled
	findings []Finding
}

// newBatch is a batch without programs. The CUDA text of most is that for small launches.
func (r *Runner) newBatch(dir string) *batch {
	return &batch{Runner: r, dir: dir, wide: r.count%4 == 0, sites: map[string][]harness.FaultSite{}}
}

func (b *batch) found(p *Program, kind Kind, launch int, detail string) {
	b.findings = append(b.findings, Finding{Program: p, Kind: kind, Launch: launch, Detail: detail})
}

const pkgPath = "github.com/qdgen/qd/internal/randprog/batch"

// buildGo builds the binary of a batch. Its package exists in an overlay only.
func (b *batch) buildGo(programs []*Program) error {
	var main strings.Builder
	main.WriteString("package main\n\nimport \"github.com/qdgen/qd/internal/randprog/harness\"\n\nfunc main() {\n\tharness.Main(map[string]any{\n")
	overlay := map[string]string{}
	add := func(name string, text []byte) error {
		path := filepath.Join(b.dir, name)
		overlay[filepath.Join(b.Root, "internal/randprog/batch", name)] = path
		return os.WriteFile(path, text, 0o666)
	}
	for _, p := range programs {
		fmt.Fprintf(&main, "\t\t%q: %s,\n", p.Name, p.Name)
		if err := add(p.Name+".go", p.file("main")); err != nil {
			return err
		}
	}
	main.WriteString("\t})\n}\n")
	if err := add("main.go", []byte(main.String())); err != nil {
		return err
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return err
	}
	file := filepath.Join(b.dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return err
	}
	// Without inlining: where the compiler puts a literal's body in place of its call, a nil pointer that a return
	// statement copies an array from is a panic in the line of the call.
	build := func(path string) error {
		cmd := exec.Command("go", "build", "-overlay", file, "-gcflags=-l", "-ldflags=-s -w", "-o", path, pkgPath)
		cmd.Dir = b.Root
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := b.run("build Go", cmd); err != nil {
			return fmt.Errorf("go build: %w\n%s", err, &out)
		}
		return nil
	}
	binary := filepath.Join(b.dir, "go.exe")
	if b.Link == nil {
		return build(binary)
	}
	return b.Link(binary, build)
}

// lowerTimeout is how long the front end and the passes may take for a batch.
const lowerTimeout = 10 * time.Minute

// lower takes all programs to optimized SSA.
func (b *batch) lower(programs []*Program) {
	if len(programs) == 0 {
		return
	}
	// Nothing stops a compiler that does not end, or its appetite for memory.
	watch := time.AfterFunc(lowerTimeout, func() {
		panic(fmt.Sprintf("the compiler does not end on one of the programs of seeds %d to %d", programs[0].Seed, programs[len(programs)-1].Seed))
	})
	defer watch.Stop()
	for _, p := range programs {
		c := &compiled{Program: p, modules: map[string]*ssa.Module{}}
		threads := 0
		err := try(func() error {
			verify := compile.Verifying(func(err error) { panic(panicked{fmt.Sprintf("invalid SSA %v", err)}) })
			all := &compile.Unit{Pipeline: compile.Go, Kernel: p.ref(), Source: p.sources(), Options: p.options(), Observe: verify}
			last := compile.Optimize
			if p.Text != "" {
				last = compile.Lower // each target lowers tiles in its own way
			}
			if err := all.RunTo(context.Background(), last); err != nil {
				return err
			}
			// Each target must be able to print it alone.
			for side, way := range pipelines {
				c.modules[side] = all.Module
				if p.Text != "" {
					u := way.Specialized(&frontend.Specialized{Program: all.Specialized.Program, Module: all.Module.Clone()})
					u.Observe = verify
					if side == "cuda" {
						u.Options.Stages = p.Stages
					}
					if err := u.RunTo(context.Background(), compile.Optimize); err != nil {
						return err
					}
					c.modules[side] = u.Module
				}
				u := way.Optimized(c.modules[side], true)
				u.Observe = verify
				u.Options.Narrow = !b.wide
				if err := u.RunTo(context.Background(), compile.Print); err != nil {
					return err
				}
				if side == "cuda" {
					threads = u.Module.Kernels()[0].Threads
				}
			}
			return nil
		})
		if err != nil {
			kind := Refused
			if errors.As(err, &panicked{}) {
				kind = Panicked
			}
			b.found(p, kind, 0, err.Error())
			continue
		}
		k := c.modules["cuda"].Kernels()[0]
		c.job = harness.Program{Name: p.Name, Inputs: p.Inputs, Launches: p.Launches(), Symbol: emit.Symbol(k), Layout: abi.GPU.Args(k), Block: k.Kind == ssa.BlockKernel, BlockThreads: threads}
		b.ok = append(b.ok, c)
	}
}

// A panicked is a panic of the compiler.
type panicked struct{ text string }

func (p panicked) Error() string { return p.text }

// try calls f and makes an error of a panic.
func try(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicked{fmt.Sprint(v)}
		}
	}()
	return f()
}
