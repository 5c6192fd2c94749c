package build

import (
	"context"
	"fmt"
	"path"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// Kernels that a program makes while it runs, function literals and methods with their values, are small and many.
// Where several are wanted at once they are compiled together, like the concrete kernels of a package. Each is
// known by its own code too.

// A Request is a specialization that is wanted.
type Request struct {
	Source  load.Sources
	Kernel  load.Ref
	Options Options
}

// Together builds specializations that the cache does not have, as few runs of the compiler as their sizes
// allow. What cannot be built with others, and what is wrong, is left to [Builder.Kernel].
func (b *Builder) Together(ctx context.Context, tc Toolchain, requests []Request) {
	jobs := make([]*batched, len(requests))
	each(len(requests), func(i int) {
		r := requests[i]
		o := &batched{job: &job{Builder: b, src: r.Source, ref: r.Kernel, tc: tc, opts: r.Options, m: new(Module)}}
		if o.prepare(ctx) {
			jobs[i] = o
		}
	})
	var chunks [][]*batched
	for _, o := range jobs {
		if o != nil && !slices.ContainsFunc(chunks, func(c []*batched) bool { return slices.ContainsFunc(c, o.isSame) }) {
			chunks = o.join(chunks)
		}
	}
	each(len(chunks), func(i int) {
		if len(chunks[i]) > 1 && compileBatch(ctx, chunks[i]) {
			for _, o := range chunks[i] {
				o.say()
			}
		}
	})
}

// each calls f for the numbers below n, on several goroutines.
func each(n int, f func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(2*runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}

// A batched is a job of a batch.
type batched struct {
	*job
	lines  []string // of qd.StaticPrint, which are printed when it is sure that nobody lowers the kernel again
	print  func(string)
	warned []diag.Diagnostic
	warn   func(diag.Diagnostic)
}

// say prints what was to be said while the kernel was lowered.
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

// prepare takes the job to its text. It reports whether that is to be compiled with others.
func (o *batched) prepare(ctx context.Context) (ok bool) {
	defer func() {
		if recover() != nil { // which Kernel runs into again, and reports
			ok = false
		}
	}()
	o.first = o.firstKey()
	if _, ok := o.known(); ok || o.provable() != nil {
		return false
	}
	opts := o.opts
	o.print, o.warn = opts.Print, opts.Warn
	if o.warn == nil {
		o.warn = warnOnce
	}
	opts.Print = func(line string) { o.lines = append(o.lines, line) }
	opts.Warn = func(d diag.Diagnostic) { o.warned = append(o.warned, d) }
	u := NewUnit(o.tc.Pipeline(), o.src, o.ref, opts)
	if o.emit(ctx, u) != nil || o.prove(u.Specialized.Program.Packages) != nil {
		return false
	}
	if o.find() {
		o.remember()
		o.say()
		return false
	}
	return o.m.Grid == nil && len(o.m.ABI.Sites) == 0 && len(u.Text.Source) <= maxNeighbour
}

// isSame reports whether another job has the same code.
func (o *batched) isSame(other *batched) bool { return o.own == other.own }

// join puts the job into a chunk of its package that has room, or into a new one.
func (o *batched) join(chunks [][]*batched) [][]*batched {
	for i, c := range chunks {
		size := 0
		for _, other := range c {
			size += len(other.unit.Text.Source)
		}
		if c[0].ref.Pkg == o.ref.Pkg && len(c) < maxTogether && size+len(o.unit.Text.Source) <= maxNeighbours {
			chunks[i] = append(c, o)
			return chunks
		}
	}
	return append(chunks, []*batched{o})
}

// compileBatch compiles jobs together. If the compiler refuses that, Kernel compiles each of them, and tells.
func compileBatch(ctx context.Context, batch []*batched) bool {
	jobs := make([]*job, len(batch))
	units := make([]*compile.Unit, len(batch))
	p := part{Name: path.Base(batch[0].ref.Pkg)}
	for i, o := range batch {
		jobs[i], units[i] = o.job, o.unit
		o.rename(units[:i])
		p.Codes = append(p.Codes, o.own.String())
		p.Symbols = append(p.Symbols, emit.Symbol(o.unit.Module.Kernels()[0]))
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
		o.isPart(p, key, entry.Path, hit)
		_ = o.Cache.StoreIndex(partKey(o.own), cache.Record{Second: key, Meta: meta})
		o.remember()
	}
	return true
}

// rename gives the job's kernel a name that those of other units leave free.
func (o *batched) rename(others []*compile.Unit) {
	k := o.unit.Module.Kernels()[0]
	name := k.Name
	for n := 2; slices.ContainsFunc(others, func(u *compile.Unit) bool { return emit.Clash(o.unit.Module, u.Module) }); n++ {
		k.Name = fmt.Sprintf("%s_%d", name, n)
	}
}
