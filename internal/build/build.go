package build

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/qdgen/qd/internal/memo"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/origin"
	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target"
	"github.com/qdgen/qd/ssa/target/abi"
)

// A Toolchain makes artifacts for one kind of device. It is a pipeline, and the compiler at its end.
type Toolchain interface {
	compile.Compiler
	// Pipeline has the stages that lead to the compiler.
	Pipeline() compile.Pipeline
	// Target names the emitted language: "cpp" or "cuda".
	Target() string
	// Arch names the machine the artifact is for: "x86-64-v3", "sm_90".
	Arch() string
	// Identity tells compilers, their versions and their options apart.
	Identity() string
	// Layout is the layout of a kernel's argument struct in the text.
	Layout(k *ssa.Func) abi.Layout
}

// pipelineOf is the pipeline of a toolchain. The error is that of the context.
func pipelineOf(ctx context.Context, tc Toolchain) (compile.Pipeline, error) {
	if err := await(ctx, tc); err != nil {
		return compile.Pipeline{}, err
	}
	return tc.Pipeline(), nil
}

// await is Await of a toolchain that has it: of one that may have to run its compiler to know its pipeline. It does that,
// no longer than the context lasts, and returns the context's error.
func await(ctx context.Context, tc Toolchain) error {
	if t, ok := tc.(interface {
		Await(ctx context.Context) error
	}); ok {
		return t.Await(ctx)
	}
	return nil
}

// A Module is a compiled kernel, ready to be loaded.
type Module struct {
	ABI    *ABI      // nil for a Grid kernel
	Kernel string    // Go name of the declaration, with the type arguments
	Name   string    // of the module: the kernel's, or its package's where the artifact has several kernels
	Key    cache.Key // names the artifact
	Path   string    // of the artifact
	Cached bool      // nothing was compiled for it
	Fresh  bool      // this process has compiled the artifact, for this kernel or another one
	Grid   *Grid     // of a Grid kernel

	Backward *Backward // of a backward kernel, nil for other kernels

	// Asked has the values of the running program on which the specialization depends, in the order in which lowering
	// asked for them.
	Asked []frontend.Asked
}

// Ext is the extension of the artifact's file: ".so", ".cubin" or ".ptx".
func (m *Module) Ext() string { return filepath.Ext(m.Path) }

// A Builder builds modules through one cache. It is safe for use by several
// goroutines at once.
type Builder struct {
	Cache   *cache.Cache
	Version string // of qdgen: part of every key

	// Origin is the running program. The source of a kernel must be the source from which this program was built. It is
	// nil if the kernels are not those of the running program.
	Origin *origin.Program

	slots slots
	fresh memo.Map[cache.Key, bool] // artifacts that were compiled here
}

// Kernel builds one specialization of a kernel, or finds it in the cache. For a Grid kernel the cache has only the
// artifact: its host part is run as SSA, so its source is read each time. An error is a *diag.Diagnostics or a
// *load.NotFoundError of the front end, an *origin.ChangedError if the source is not that of the running program, an
// *Error of the compiler, or an error of the cache.
func (b *Builder) Kernel(ctx context.Context, src load.Sources, ref load.Ref, tc Toolchain, opts Options) (*Module, error) {
	j := &job{Builder: b, src: src, ref: ref, tc: tc, opts: opts}
	m, err := j.run(ctx)
	if errors.As(err, new(*origin.ChangedError)) && gort.IsLiteral(ref.Name) {
		if moved := j.moved(ctx); moved != nil {
			return moved, nil
		}
	}
	return m, err
}

// run builds the job's kernel, or finds it in the cache.
func (j *job) run(ctx context.Context) (*Module, error) {
	b, src, ref, tc, opts := j.Builder, j.src, j.ref, j.tc, j.opts
	j.m = new(Module)
	j.first = j.firstKey()
	defer func() { _, j.m.Fresh = b.fresh.Load(j.m.Key) }()
	if packages, ok := j.recorded(); ok {
		if err := j.prove(packages); err != nil {
			return nil, err
		}
		Count.Cached.Add(1)
		return j.m, nil
	}
	if err := j.provable(); err != nil {
		return nil, err
	}
	p, err := pipelineOf(ctx, tc)
	if err != nil {
		return nil, err
	}
	u := NewUnit(p, src, ref, opts)
	if err := j.emit(ctx, u); err != nil {
		return nil, b.orChanged(src, ref, u.Specialized, err)
	}
	if err := j.prove(u.Specialized.Program.Packages); err != nil {
		return nil, err
	}
	switch {
	case j.find() || j.findShared():
		Count.Cached.Add(1)
	case !j.compiles():
		err = j.noModule()
	case j.shareable():
		err = j.compileTogether(ctx)
	default:
		err = j.compile(ctx)
	}
	if err != nil {
		return nil, err
	}
	j.offer()
	j.remember()
	return j.m, nil
}

// A job is a specialization that is being built.
type job struct {
	*Builder
	src  load.Sources
	ref  load.Ref
	tc   Toolchain
	opts Options

	m     *Module // the result
	first cache.Key

	unit   *compile.Unit
	own    cache.Key       // of the emitted code
	code   cache.Key       // of the whole result of the front end: see identify
	prints []printf.Format // of the job's own code
	line   int             // where the kernel begins in its file

	elsewhere bool // the kernel is a literal that may have moved to other lines of its file

	place int  // among the package's kernels
	part  part // its place in a module with other kernels, zero if it was not found in one
}

// firstKey is the key under which the specialization is found without parsing.
func (j *job) firstKey() cache.Key {
	return cache.NewKey("kernel", bytesOf(j.firstParts())...)
}

// emit runs the stages of the job's unit up to the text, and describes the module for launches.
func (j *job) emit(ctx context.Context, u *compile.Unit) error {
	j.unit, u.Compile = u, j.tc
	if err := u.RunTo(ctx, compile.Number); err != nil {
		return err
	}
	j.describe(u)
	if err := u.RunTo(ctx, compile.Print); err != nil {
		return err
	}
	j.m.noteLanes(u.Module)
	j.prints = j.m.Formats()
	j.own = j.codeKey(u.Text, j.prints)
	j.identify()
	return nil
}

// describe describes the module for launches. Of this description, the stages for a target change only the number of
// lanes.
func (j *job) describe(u *compile.Unit) {
	ir, hoisted := u.Module, make(map[*ssa.Func]*Hoisted)
	kernels := ir.Device().Kernels()
	for _, h := range u.Hoisted {
		hoisted[h.Kernel] = &Hoisted{Symbol: emit.Symbol(h.Fast), When: h.When, Collapse: target.Collapse(h.Fast)}
		kernels = slices.DeleteFunc(kernels, func(k *ssa.Func) bool { return k == h.Fast })
	}
	j.m.Kernel, j.m.Name = ir.Name, ir.Name
	host := ir.Host()
	if host != nil {
		j.m.Grid = gridOf(ir, host, kernels, hoisted, j.tc.Layout)
	}
	switch {
	case u.Backward != nil:
		j.m.Kernel += u.Backward.Suffix
		j.m.Name = j.m.Kernel
		j.m.ABI, j.m.Backward = backwardOf(ir, u.Backward, j.tc.Layout)
	case host == nil:
		j.m.ABI = abiOf(ir, kernels[0], hoisted[kernels[0]], j.tc.Layout(kernels[0]))
	}
	j.m.Asked = u.Specialized.Asked
}

// codeKey is the second key. It is made of the text that the compiler sees, and of the formats of printf calls: these
// are not in the text, but a loaded module has one list of them.
func (j *job) codeKey(text *emit.Text, formats []printf.Format) cache.Key {
	return cache.NewKey("module", bytesOf(j.codeParts(text, formats))...)
}

// find looks for a module with the job's code.
func (j *job) find() bool {
	if t, ok := j.cacheOnly(); ok {
		return j.findOffer(t.Offers, j.Cache.LookupIndex, j.Cache.Get)
	}
	entry, err := j.Cache.Get(j.own)
	if err != nil {
		return j.findPart()
	}
	j.m.Key, j.m.Path, j.m.Cached = j.own, entry.Path, true
	return true
}

// compile compiles the job's code. If another process is compiling it, it waits for that.
func (j *job) compile(ctx context.Context) error {
	entry, hit, err := j.build(ctx, j.own, j.unit, j.listed())
	if err != nil {
		return err
	}
	if hit {
		Count.Cached.Add(1)
	}
	j.m.Key, j.m.Path, j.m.Cached = j.own, entry.Path, hit
	return nil
}

// build runs the stages of a unit up to the artifact, if the cache has nothing under its key. listed is the unit's name
// in the list of the cache.
func (j *job) build(ctx context.Context, key cache.Key, u *compile.Unit, listed string) (*cache.Entry, bool, error) {
	return j.Cache.BuildWithin(ctx, key, func() (*cache.Artifact, error) {
		release, err := j.slots.take(ctx)
		if err != nil {
			return nil, err
		}
		defer release()
		Count.Compiled.Add(1)
		j.fresh.LoadOrStore(key, true)
		if err := u.RunTo(ctx, compile.Build); err != nil {
			return nil, err
		}
		return &cache.Artifact{
			Kernel: listed, Target: j.tc.Target(), Arch: j.tc.Arch(),
			Data: u.Artifact.Data, Ext: u.Artifact.Ext, Source: u.Text.Source,
		}, nil
	})
}

// qualified is the name of a kernel with its package.
func qualified(ref load.Ref) string { return ref.Pkg + "." + ref.Name }

// maxListed bounds the length of the constants in the list of the cache.
const maxListed = 40

// listed is the name of the specialization in the list of the cache. Its constants are those of the first
// specialization with this code.
func (j *job) listed() string {
	name := j.ref.Pkg + "." + j.m.Kernel
	if len(j.opts.Consts) == 0 {
		return name
	}
	var values []string
	params := slices.Collect(maps.Keys(j.opts.Consts))
	sort.Ints(params)
	for _, i := range params {
		values = append(values, j.opts.Consts[i].String())
	}
	list := strings.ToValidUTF8(strings.Join(values, ", "), "?")
	if len(list) > maxListed {
		list = strings.ToValidUTF8(list[:maxListed], "") + "..."
	}
	return name + "(" + list + ")"
}

// slots bounds how many compilers run at once: as many as there are cores.
type slots struct {
	once sync.Once
	free chan struct{}
}

// take waits for a slot, no longer than a context lasts, and returns the function that frees it.
func (s *slots) take(ctx context.Context) (release func(), err error) {
	s.once.Do(func() { s.free = make(chan struct{}, runtime.GOMAXPROCS(0)) })
	select {
	case s.free <- struct{}{}:
		return func() { <-s.free }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// said has the warnings that were logged. A process logs each warning once, although it may lower a kernel for several
// devices and in several specializations.
var said diag.Warned

// Lower translates a specialization of a kernel from its source to optimized SSA. Warnings go to slog's default logger,
// unless the options say otherwise. If it returns an error for source that could be type-checked, the Specialized has
// the Program.
func Lower(src load.Sources, ref load.Ref, opts Options) (*frontend.Specialized, error) {
	u := NewUnit(compile.Go, src, ref, opts)
	err := u.Run(context.Background())
	return u.Specialized, err
}

// NewUnit returns the unit that Lower and Kernel run for a specialization of a kernel.
func NewUnit(p compile.Pipeline, src load.Sources, ref load.Ref, opts Options) *compile.Unit {
	Count.Lowered.Add(1)
	if opts.Warn == nil {
		opts.Warn = warnOnce
	}
	return &compile.Unit{Pipeline: p, Kernel: ref, Options: opts, Source: src,
		Check: func(also load.Also) (*load.Program, error) { return check(src, ref, also) }}
}

// warnOnce logs a warning that has not been logged.
func warnOnce(d diag.Diagnostic) {
	if said.First(d) {
		slog.Warn(fmt.Sprintf("%v: %s", d.Pos, d.Msg), "help", d.Hint)
	}
}
