package build

import (
	"context"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/parallel"
	"github.com/qdgen/qd/ssa"
)

// Only the running program knows specializations for its constants, and function literals and methods with their
// values. There are many of them, and they are small. If several are wanted at once, they are compiled as a few texts.
// Each can still be found by its own code.

const (
	// minBatch is the size of a text that is not worth splitting for another core: a compiler takes about as long to
	// start as for that much.
	minBatch = 24 << 10

	// maxBatch is the size up to which kernels are put into one text. All of them are wanted, so it only bounds the memory
	// of the compiler, and the work that is done again if the compiler refuses the text.
	maxBatch = 512 << 10
)

// A Request is a specialization that is wanted.
type Request struct {
	Source  load.Sources
	Kernel  load.Ref
	Options Options
}

// Together builds the specializations that the cache does not have, in as few runs of the compiler as their sizes
// allow. It leaves those that cannot be built with others, and all errors, to [Builder.Kernel].
func (b *Builder) Together(ctx context.Context, tc Toolchain, requests []Request) {
	jobs := make([]*batched, len(requests))
	Each(len(requests), func(i int) {
		r := requests[i]
		o := &batched{job: &job{Builder: b, src: r.Source, ref: r.Kernel, tc: tc, opts: r.Options, m: new(Module)}}
		if attempt(o.job, func() bool { return o.prepare(ctx) }) {
			jobs[i] = o
		}
	})
	chunks := chunksOf(jobs, runtime.GOMAXPROCS(0))
	Each(len(chunks), func(i int) {
		if len(chunks[i]) > 1 && attempt(chunks[i][0].job, func() bool { return compileBatch(ctx, chunks[i]) }) {
			for _, o := range chunks[i] {
				o.say()
			}
		}
	})
}

// Each calls f for the numbers below n, several at once: while some wait for compilers, of which there are no more than
// cores, others are lowered.
func Each(n int, f func(i int)) { parallel.Each(2*runtime.GOMAXPROCS(0), n, f) }

// A batched is a job of a batch.
type batched struct {
	*job
	lines  []string // of qd.StaticPrint, which are printed when it is sure that nobody lowers the kernel again
	print  func(string)
	warned []diag.Diagnostic
	warn   func(diag.Diagnostic)
}

// say prints the messages that were held back while the kernel was lowered.
func (o *batched) say() {
	for _, line := range o.lines {
		if o.print != nil {
			o.print(line)
		}
	}
	for _, d := range o.warned {
		o.warn(d)
	}
}

// prepare prints the job's text. It reports whether the text is to be compiled together with others.
func (o *batched) prepare(ctx context.Context) bool {
	o.first = o.firstKey()
	if _, ok := o.recorded(); ok || o.provable() != nil {
		return false
	}
	opts := o.opts
	o.print, o.warn = opts.Print, opts.Warn
	if o.warn == nil {
		o.warn = warnOnce
	}
	opts.Print = func(line string) { o.lines = append(o.lines, line) }
	opts.Warn = func(d diag.Diagnostic) { o.warned = append(o.warned, d) }
	p, err := pipelineOf(ctx, o.tc)
	if err != nil {
		return false
	}
	u := NewUnit(p, o.src, o.ref, opts)
	if o.emit(ctx, u) != nil || o.prove(u.Specialized.Program.Packages) != nil {
		return false
	}
	if o.find() || o.findShared() {
		o.remember()
		o.say()
		return false
	}
	return o.compiles() && o.m.Grid == nil && len(o.m.ABI.Sites) <= emit.MaxSites && o.size() <= maxBatch
}

// chunksOf divides jobs into texts of about the same size, each of one package. There are as many texts as cores if
// that is worth it, and more if they would be too large. Of several jobs with the same code it takes one. A nil job is
// not to be compiled with others.
func chunksOf(jobs []*batched, cores int) (chunks [][]*batched) {
	var packages []string
	of := make(map[string][]*batched)
	seen := make(map[cache.Key]bool)
	for _, o := range jobs {
		if o == nil || seen[o.own] {
			continue
		}
		seen[o.own] = true
		if of[o.ref.Pkg] == nil {
			packages = append(packages, o.ref.Pkg)
		}
		of[o.ref.Pkg] = append(of[o.ref.Pkg], o)
	}
	for _, pkg := range packages {
		chunks = append(chunks, divide(of[pkg], cores)...)
	}
	return chunks
}

// divide divides jobs of one package.
func divide(jobs []*batched, cores int) (chunks [][]*batched) {
	total := 0
	for _, o := range jobs {
		total += o.size()
	}
	n := max(min(cores, total/minBatch), (total+maxBatch-1)/maxBatch, 1)
	begun := 0 // the sum of the sizes of the jobs before
	for _, o := range jobs {
		if at := begun * n / total; at >= len(chunks) {
			chunks = append(chunks, nil)
		}
		last := len(chunks) - 1
		chunks[last] = append(chunks[last], o)
		begun += o.size()
	}
	return chunks
}

// size is the size of the job's text.
func (o *batched) size() int { return len(o.unit.Text.Source) }

// compileBatch compiles jobs together. If the compiler refuses the text, Kernel compiles each job alone later, and
// reports its error.
func compileBatch(ctx context.Context, batch []*batched) bool {
	jobs := make([]*job, len(batch))
	units := make([]*compile.Unit, len(batch))
	p := part{Name: path.Base(batch[0].ref.Pkg)}
	named := make(map[string]int)
	for i, o := range batch {
		jobs[i], units[i] = o.job, o.unit
		o.rename(units[:i], named)
		p.Codes = append(p.Codes, o.own.String())
		p.Records = append(p.Records, i)
		p.Symbols = append(p.Symbols, emit.Symbol(o.unit.Module.Kernels()[0]))
		p.Hoisted = append(p.Hoisted, hoistedSymbol(o.unit))
		p.Formats = append(p.Formats, o.m.ABI.Formats...)
	}
	first := jobs[0]
	all := compile.Together(units...)
	all.Kernel = first.ref
	if all.RunTo(ctx, compile.Print) != nil {
		return false
	}
	key := first.codeKey(all.Text, p.Formats)
	entry, hit, err := first.build(ctx, key, all, listed(jobs))
	if err != nil {
		return false
	}
	meta := mustJSON(p)
	for _, o := range jobs {
		o.isPart(p, o.own, key, entry.Path, hit)
		_ = o.Cache.StoreIndex(partKey(o.own), cache.Record{Second: key, Meta: meta, Shared: partKey(o.own)})
		o.offer()
		o.remember()
	}
	return true
}

// rename gives the job's kernel a name that no other unit uses. named counts the names that were tried.
func (o *batched) rename(others []*compile.Unit, named map[string]int) {
	m := o.unit.Module
	name := m.Kernels()[0].Name
	for named[name]++; slices.ContainsFunc(others, func(u *compile.Unit) bool { return emit.Clash(m, u.Module) }); {
		named[name]++
		renameKernel(m, fmt.Sprintf("%s_%d", name, named[name]))
	}
}

// renameKernel gives the kernel of a module another name. What stages made of the kernel is its own, and has its name:
// a copy with fewer checks exports it, and for others the printer would try one number after the other.
func renameKernel(m *ssa.Module, to string) {
	k := m.Kernels()[0]
	for _, f := range m.Funcs {
		if rest, ok := strings.CutPrefix(f.Name, k.Name+"."); ok {
			f.Name = to + "." + rest
		}
	}
	k.Name = to
}

// hoistedSymbol is the name of the copy of a unit's kernel with fewer checks, "" if there is none.
func hoistedSymbol(u *compile.Unit) string {
	if len(u.Hoisted) == 0 {
		return ""
	}
	return emit.Symbol(u.Hoisted[0].Fast)
}
