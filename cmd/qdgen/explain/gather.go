package explain

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/cmd/qdgen/cost"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/bug"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/nvrtc"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// A Spec is a specialization of a kernel that is to be explained.
type Spec struct {
	Package string // import path
	Given   string // what the command line says of it
	Ref     load.Ref
	Source  load.Sources
	Options frontend.Options
	Steps   string // the derivative that is wanted in place of the kernel, see [gradient.Options]
	Strip   int    // see there
}

// Tools are the compilers, each with the reason why it is not there.
type Tools struct {
	Archs   []string
	Cache   *cache.Cache
	Version string // of qdgen, as keys have it

	Clock *Clock // nil for none

	modules map[cache.Key]int64 // of the cache, once they are known

	CXX            *clang.Compiler
	NVRTC          *nvrtc.Library
	Disassembler   *nvrtc.Disassembler
	NoCXX, NoNVRTC error
	NoDisassembler error
}

// FindTools finds the compilers.
func FindTools(archs []string) *Tools {
	t := &Tools{Archs: archs}
	t.CXX, t.NoCXX = clang.Find()
	t.NVRTC, t.NoNVRTC = nvrtc.Find()
	t.Disassembler, t.NoDisassembler = nvrtc.FindDisassembler()
	return t
}

// A gatherer gathers what is known of one kernel.
type gatherer struct {
	Spec
	*Tools
	k     *Kernel
	files *files
	jobs  *jobs

	programs map[string]*load.Program // by what was checked besides
	seen     map[subject]int          // the remarks about something, in their list
}

// A subject is what a remark is about, and who makes it.
type subject struct {
	about any
	by    string
}

// gather gathers what is known of a kernel without compilers, and gives them their jobs. Where a pipeline fails, what
// is known so far is in the result, and why in its place.
func gather(ctx context.Context, s Spec, t *Tools, files *files, jobs *jobs) *Kernel {
	g := &gatherer{Spec: s, Tools: t, files: files, jobs: jobs, programs: make(map[string]*load.Program), seen: make(map[subject]int)}
	g.k = &Kernel{Name: s.Ref.Name + gradient.Suffix(s.Steps), Package: s.Package, Given: s.Given}
	guarded := func(f func() error) error { return bug.Guard(g.k.Name, f) }
	noCPU := guarded(func() error { return g.target(ctx, "cpu") })
	if noCPU != nil {
		g.add(&View{ID: "cpp", Group: "cpp", Title: "C++"}, noCPU)
	}
	noCUDA := guarded(func() error { return g.target(ctx, "cuda") })
	if noCUDA != nil {
		g.add(&View{ID: "cuda", Group: "cu", Title: "CUDA"}, noCUDA)
	}
	var failed []string
	for _, err := range []error{noCPU, noCUDA, guarded(func() error { return g.checked(ctx) })} {
		if err != nil && !slices.Contains(failed, err.Error()) {
			failed = append(failed, err.Error())
		}
	}
	g.k.Error = strings.Join(failed, "\n")
	return g.k
}

// way is the pipeline to a target, and the toolchain at its end, nil for one that is not there.
func (g *gatherer) way(target string) (compile.Pipeline, build.Toolchain) {
	way, tc := compile.CPUOf(clang.Arch()), build.Toolchain(nil)
	switch {
	case target == "cuda":
		way = compile.CUDA
		if g.NVRTC != nil {
			tc = build.CUDA{Library: g.NVRTC, Options: nvrtc.Options{Arch: g.Archs[0]}}
		}
	case g.CXX != nil:
		tc = build.CPP{Compiler: g.CXX}
		way = tc.Pipeline()
	}
	if g.Steps == "" {
		return way, tc
	}
	o := gradient.Options{Steps: g.Steps, Strip: g.Strip}
	if way = way.GradientOf(o); tc != nil {
		tc = build.Gradient{Toolchain: tc, Options: o}
	}
	return way, tc
}

// unit is the kernel at the beginning of a pipeline.
func (g *gatherer) unit(way compile.Pipeline) *compile.Unit {
	options := g.Options
	options.Narrow = way.Narrows() // what runs unless a launch is large
	return &compile.Unit{Pipeline: way, Kernel: g.Ref, Options: options, Source: g.Source, Check: g.check}
}

// check is [load.CheckWith] of the kernel, once for all pipelines: they leave the program as it is.
func (g *gatherer) check(also load.Also) (*load.Program, error) {
	key := fmt.Sprintf("%+v", also)
	if p := g.programs[key]; p != nil {
		return p, nil
	}
	p, err := load.CheckWith(g.Source, also, g.Ref)
	if err == nil {
		g.programs[key] = p
	}
	return p, err
}

// target takes the kernel to a target and through its compiler.
func (g *gatherer) target(ctx context.Context, target string) error {
	way, tc := g.way(target)
	u := g.unit(way)
	w := &watcher{gatherer: g, target: target, unit: u}
	u.Observe, u.Took, u.Remarks = w.observe, w.took, w.remark
	var err error
	if tc != nil {
		b := &build.Builder{Cache: g.Cache, Version: g.Version}
		var key cache.Key
		var first, code []build.KeyPart
		if key, first, code, err = b.Keys(ctx, u, tc); err == nil {
			g.key(target, key, first, code)
		}
	} else {
		err = u.RunTo(ctx, compile.Print)
	}
	for _, s := range way.Stages {
		g.k.Way = append(g.k.Way, WayDocs{target, s.Name, s.Why})
	}
	if u.Specialized != nil && u.Specialized.Program != nil {
		g.files.know(u.Specialized.Program.Packages, g.Source)
	}
	if err != nil {
		return err
	}
	if target == "cpu" {
		d := u.Module.Device().Kernels()
		if h := u.Module.Host(); h != nil {
			g.k.Pos = posOf(h.Decl.Pos)
		} else if len(d) > 0 {
			g.k.Pos = posOf(d[0].Decl.Pos)
		}
		g.compileCPU(ctx, u)
	} else {
		g.compileCUDA(ctx, u)
	}
	return nil
}

// A watcher watches one unit on its way.
type watcher struct {
	*gatherer
	target string
	unit   *compile.Unit
	last   seen          // the last view that differs from the one before
	stage  seen          // the last one of a whole stage
	own    time.Duration // that watching has taken in the stage that runs
}

// seen is a view with its text.
type seen struct {
	view *View
	text string
}

// observe makes a view of the module, if the stage or the pass has changed it.
func (w *watcher) observe(at compile.At, m *ssa.Module) {
	began := time.Now()
	defer func() { w.own += time.Since(began) }()
	v := &View{ID: w.target + "/" + strings.ReplaceAll(at.String(), ": ", "/"), Group: w.target, Title: at.String(), Doc: at.Stage.Why, Lang: "ssa"}
	if at.Pass != "" {
		v.Pass = true
		v.Doc = docOf(at)
	}
	// A pass is compared with what was before it, a stage with the stage before.
	before := &w.last
	if !v.Pass {
		before = &w.stage
	}
	if before.view != nil {
		v.Before, v.Same = before.view.ID, at.Same
	}
	if !v.Same {
		text, lines := m.Listing()
		if v.Same = before.view != nil && text == before.text; !v.Same {
			v.Lines = linesOf(text)
			for i := range v.Lines {
				v.Lines[i].Go = Pos{File: lines[i].File, Line: lines[i].Line}
			}
			w.last = seen{v, text}
			if !v.Pass {
				w.stage = w.last
			}
		}
	}
	w.k.Views = append(w.k.Views, v)
	if at.Stage == compile.Optimize && at.Pass == "" {
		w.facts(m)
	}
	if at.Stage == compile.Widen {
		w.masks(m)
	}
}

// docOf is the purpose of the pass that has just run.
func docOf(at compile.At) string {
	for _, p := range at.Stage.Passes {
		if p.Name == at.Pass {
			return p.Doc
		}
	}
	return ""
}

// took notes the time of a stage, without that of watching it.
func (w *watcher) took(s *compile.Stage, took time.Duration) {
	w.time(w.target, s.Name, took-w.own)
	w.own = 0
}

// time adds to the time of a stage: some run several times.
func (g *gatherer) time(group, stage string, took time.Duration) {
	i := slices.IndexFunc(g.k.Times, func(t Timing) bool { return t.Group == group && t.Stage == stage })
	if i < 0 {
		i = len(g.k.Times)
		g.k.Times = append(g.k.Times, Timing{Group: group, Stage: stage})
	}
	g.k.Times[i].Nanos += max(took, 0).Nanoseconds()
}

// remark notes what a pass says.
func (w *watcher) remark(r ssa.Remark) {
	made := Remark{By: r.Pass, On: w.target, Kind: r.Kind, Func: r.Func, Pos: posOf(r.Pos), Text: r.Text}
	w.k.Remarks = w.note(w.k.Remarks, made, r.About)
}

// note adds a remark to a list. What a pass says later about the same instruction counts instead.
func (g *gatherer) note(list []Remark, made Remark, about any) []Remark {
	if about == nil {
		return append(list, made)
	}
	id := subject{about, made.By}
	if i, ok := g.seen[id]; ok {
		list[i] = made
		return list
	}
	g.seen[id] = len(list)
	return append(list, made)
}

// checked looks at the checks of a checked build.
func (g *gatherer) checked(ctx context.Context) error {
	if g.Steps != "" {
		return nil
	}
	way, _ := g.way("cpu")
	u := g.unit(way)
	u.Options.Checked = true
	u.Options.Warn, u.Options.Print = nil, nil
	u.Remarks = func(r ssa.Remark) {
		if r.Pass == "checks" || r.Pass == "fold" || r.Pass == "hoist" {
			g.k.Checks = g.note(g.k.Checks, Remark{By: r.Pass, Kind: r.Kind, Func: r.Func, Pos: posOf(r.Pos), Text: r.Text}, r.About)
		}
	}
	return u.RunTo(ctx, compile.Settle)
}

// key notes a key of the cache.
func (g *gatherer) key(target string, key cache.Key, first, code []build.KeyPart) {
	k := &Key{Target: target, Name: key.String(), Cached: "nothing under it on this machine"}
	if size, ok := g.cached()[key]; ok {
		k.Cached = fmt.Sprintf("a module of %d bytes under it", size)
	}
	if g.Steps != "" {
		k.Of = "launches in which all slices and views of floats have a derivative, and none share elements. Another kernel leaves out what it need not do for those that have none."
	}
	k.First, k.Parts = g.partsOf(first), g.partsOf(code)
	g.k.Keys = append(g.k.Keys, k)
}

// cached are the sizes of the modules in the cache, by their keys.
func (t *Tools) cached() map[cache.Key]int64 {
	if t.modules == nil {
		t.modules = make(map[cache.Key]int64)
		if t.Cache != nil && t.Cache.Disabled() == nil {
			list, _ := t.Cache.List() // a cache that cannot be read has nothing
			for _, e := range list {
				t.modules[e.Key] = e.Size
			}
		}
	}
	return t.modules
}

// partsOf shows what a key is made of. What is long is told by its size.
func (g *gatherer) partsOf(parts []build.KeyPart) (list []KeyPart) {
	const most = 2000
	for _, p := range parts {
		text := string(p.Bytes)
		switch {
		case p.Name == "code":
			text = fmt.Sprintf("the emitted code without comments and blank lines, %d bytes", len(p.Bytes))
		case p.Name == "options":
			text = g.options()
		case p.Name == "program":
			text = "the versions of the modules of the running program, its tags and its platform"
		case p.Name == "qdgen":
			text = "qdgen's version, or its own text where it is a working copy"
		case len(p.Bytes) == 0:
			continue
		}
		if len(text) > most {
			text = text[:most] + "..."
		}
		list = append(list, KeyPart{p.Name, strings.ToValidUTF8(text, "?")})
	}
	return list
}

// options are those of the specialization, as people give them.
func (g *gatherer) options() string {
	list := []string{cmp.Or(g.Given, "no constants")}
	if g.Options.Fused {
		list = append(list, "fused")
	}
	if g.Options.Stages > 0 {
		list = append(list, fmt.Sprintf("%d stages", g.Options.Stages))
	}
	return strings.Join(list, ", ")
}

// linesOf are the lines of a text.
func linesOf(text string) (list []Line) {
	for line := range strings.Lines(text) {
		list = append(list, Line{Text: strings.TrimRight(line, "\r\n")})
	}
	return list
}

// emitted makes a view of emitted code.
func emitted(id, group, title, doc, lang string, text *emit.Text) *View {
	v := &View{ID: id, Group: group, Title: title, Doc: doc, Lang: lang, Lines: linesOf(text.Source)}
	for i := range v.Lines {
		v.Lines[i].Go = goOf(text, i+1)
	}
	return v
}

// goOf is the place in the Go source that a line of emitted code comes from.
func goOf(text *emit.Text, line int) Pos {
	if line < 1 || line > len(text.Lines) || text.Lines[line-1] == nil {
		return Pos{}
	}
	at := text.Lines[line-1].Pos
	return Pos{File: at.File, Line: at.Line}
}

// costs notes what the kernels of a module cost on an architecture.
func (g *gatherer) costs(list []*cost.Kernel) {
	for _, c := range list {
		c.Package = g.Package
		made := &Cost{Kernel: c}
		for _, block := range []int{32, 64, 128, 256, 512, 1024} {
			if o, ok := c.Occupancy(block); ok {
				made.Occupancy = append(made.Occupancy, o)
			}
		}
		g.k.Costs = append(g.k.Costs, made)
	}
}
