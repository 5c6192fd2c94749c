package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/parallel"
	"github.com/qdgen/qd/internal/printf"
)

// The concrete kernels of a package are compiled together when the first of them is launched, because a compiler takes
// longer to start than to compile a small kernel. Each of them can also be found by its own code, so that an edit of
// one kernel does not compile the others again.

const (
	// maxTogether is how many kernels are compiled together at most. They are neighbours in the source. Without a bound a
	// launch of one would wait for hundreds.
	maxTogether = 32

	// maxNeighbour bounds the size of a text that is compiled for a launch of another kernel, and maxNeighbours the size
	// of all of them. Each small kernel makes the launch wait for some milliseconds.
	maxNeighbour  = 24 << 10
	maxNeighbours = 72 << 10
)

// shareable reports whether the job's kernel may share a module with others.
func (j *job) shareable() bool {
	return concrete(j.opts) && j.opts.Interchange == 0 && j.m.Grid == nil && j.m.Backward == nil && len(j.m.ABI.Sites) <= emit.MaxSites
}

// compileTogether compiles the job's kernel, and with it those kernels of its package that
// are not in the cache.
func (j *job) compileTogether(ctx context.Context) error {
	jobs := j.withNeighbours()
	if j.m.Cached || j.find() {
		// Somebody else has just compiled the kernels: see the order below.
		Count.Cached.Add(1)
		return nil
	}
	if len(jobs) == 1 {
		return j.compile(ctx)
	}
	units := make([]*compile.Unit, len(jobs))
	var formats []printf.Format
	for i, o := range jobs {
		units[i] = o.unit
		formats = append(formats, o.m.ABI.Formats...)
	}
	all := compile.Together(units...)
	all.Kernel = j.ref
	if err := all.RunTo(ctx, compile.Print); err != nil {
		return err
	}
	key := j.codeKey(all.Text, formats)
	entry, hit, err := j.build(ctx, key, all, listed(jobs))
	if refusal := (*Error)(nil); errors.As(err, &refusal) && ctx.Err() == nil { // else the compiler was stopped
		return j.compileAlone(ctx, jobs, refusal)
	}
	if err != nil {
		return err
	}
	if hit {
		Count.Cached.Add(1)
	}
	p := part{Name: path.Base(j.ref.Pkg), Formats: formats}
	for i, o := range jobs {
		p.Codes = append(p.Codes, o.own.String())
		p.Records = append(p.Records, i)
	}
	meta := mustJSON(p)
	for _, o := range jobs {
		o.isPart(p, o.own, key, entry.Path, hit)
		_ = j.Cache.StoreIndex(partKey(o.own), cache.Record{Second: key, Meta: meta, Shared: partKey(o.own)})
	}
	// Who finds a kernel by its first key finds all of them by their code.
	for _, o := range jobs {
		if o != j {
			o.offer()
			o.remember()
		}
	}
	return nil
}

// compileAlone compiles the job's kernel after the compiler has refused it together with others. If the compiler
// refuses it alone too, the others are compiled without it. Otherwise the error comes from another kernel, or from the
// combination. Then each kernel is compiled alone from now on, so that no other launch meets the same error. This is a
// fault of qdgen that costs only time, so it is logged.
func (j *job) compileAlone(ctx context.Context, jobs []*job, refusal *Error) error {
	err := j.compile(ctx)
	if err != nil {
		jobs = []*job{j}
	}
	for _, o := range jobs {
		_ = j.Cache.StoreIndex(o.aloneKey(), cache.Record{})
	}
	if err != nil {
		return err
	}
	refusal.Kernel = listed(jobs) // of the text that the messages are about
	slog.Warn(fmt.Sprintf("the kernels of a package do not compile together, so each is compiled separately: %v", refusal),
		"help", "this is a bug in qdgen: please report it")
	return nil
}

// listed is the name of a module of several kernels in the list of the cache.
func listed(jobs []*job) string {
	const most = 4
	var names []string
	for _, o := range jobs[:min(most, len(jobs))] {
		names = append(names, o.ref.Name)
	}
	list := jobs[0].ref.Pkg + "." + strings.Join(names, ", ")
	if more := len(jobs) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// A part is the record of a kernel in a module with others. The kernel has the same name there as in a module of its
// own, unless Symbols has another one.
type part struct {
	Name    string          `json:"name"` // of the module
	Formats []printf.Format `json:"formats,omitempty"`
	Codes   []string        `json:"codes"`             // the second keys of all kernels that are in the module
	Records []int           `json:"records"`           // which fault records are theirs
	Symbols []string        `json:"symbols,omitempty"` // and their names there
	Hoisted []string        `json:"hoisted,omitempty"` // and those of their copies with fewer checks, "" for none
}

// partKey is the key of the record that names the module with a kernel's code.
func partKey(own cache.Key) cache.Key { return cache.NewKey("part of a module", own[:]) }

// findPart looks for a module that has the job's code among others.
func (j *job) findPart() bool {
	rec, ok := j.Cache.LookupIndex(partKey(j.own))
	return ok && j.isPartOf(&rec, j.own, j.Cache.Get)
}

// findShared looks for a module with the job's code in the remote cache, on its own or among others.
func (j *job) findShared() bool {
	if t, ok := j.cacheOnly(); ok {
		return j.findOffer(t.Offers, j.Cache.FetchRecord, j.Cache.Fetch)
	}
	if entry, err := j.Cache.Fetch(j.own); err == nil {
		j.m.Key, j.m.Path, j.m.Cached = j.own, entry.Path, true
		return true
	}
	key := partKey(j.own)
	rec, ok := j.Cache.FetchRecord(key)
	if !ok || !j.isPartOf(&rec, j.own, j.Cache.Fetch) {
		return false
	}
	_ = j.Cache.StoreIndex(key, rec)
	return true
}

// isPartOf reads the module that a record names, with get. The module has the job's code among others, under the name
// code.
func (j *job) isPartOf(rec *cache.Record, code cache.Key, get func(cache.Key) (*cache.Entry, error)) bool {
	var p part
	if json.Unmarshal(rec.Meta, &p) != nil || !slices.Contains(p.Codes, code.String()) {
		return false
	}
	if p.Records == nil { // an earlier qdgen has written it, whose modules of several kernels have no checks
		p.Records = make([]int, len(p.Codes))
	}
	if len(p.Records) != len(p.Codes) {
		return false
	}
	entry, err := get(rec.Second)
	if err != nil {
		return false
	}
	j.isPart(p, code, rec.Second, entry.Path, true)
	return true
}

// isPart notes the module that has the job's code among others, under the name code.
func (j *job) isPart(p part, code, key cache.Key, path string, hit bool) {
	j.m.Name, j.m.Key, j.m.Path, j.m.Cached = p.Name, key, path, hit
	j.part = p
	if j.m.ABI == nil {
		return // of a Grid kernel, which has a module of its own
	}
	j.m.ABI.Formats = p.Formats
	i := slices.Index(p.Codes, code.String())
	j.m.ABI.Record = p.Records[i]
	if i < len(p.Symbols) {
		j.m.ABI.Symbol = p.Symbols[i]
	}
	if h := j.m.ABI.Hoisted; h != nil && i < len(p.Hoisted) {
		j.m.ABI.Hoisted = &Hoisted{Symbol: p.Hoisted[i], When: h.When, Collapse: h.Collapse}
	}
}

// foundBeside notes that a kernel is in the module in which its neighbour was just found. The process that compiled
// them together writes their records one after the other, so the kernel's own record may still be missing.
func (j *job) foundBeside(o *job) {
	if slices.Contains(o.part.Codes, j.own.String()) {
		j.isPart(o.part, j.own, o.m.Key, o.m.Path, true)
	}
}

// emitQuietly emits the code of a neighbour. It reports a panic, which must not stop the launch of the job's own
// kernel.
func (j *job) emitQuietly(spec *frontend.Specialized) bool {
	return attempt(j, func() bool {
		u := j.tc.Pipeline().Specialized(spec)
		u.Kernel = j.ref
		u.Options = j.opts
		return j.emit(context.Background(), u) == nil
	})
}

// attempt calls f for work that can also be done later, when a launch waits for the job's kernel. It reports a panic as
// a failure of f.
func attempt(j *job, f func() bool) (done bool) {
	defer func() {
		if fault := recover(); fault != nil {
			done = false
			diag.Bug(qualified(j.ref), fault)
		}
	}()
	return f()
}

// aloneKey is the key of a record that says that the job's kernel cannot be compiled with others, or that the compiler
// has refused it with them.
func (j *job) aloneKey() cache.Key { return cache.NewKey("alone", j.first[:]) }

// withNeighbours returns the job, and the jobs of other kernels of its package that are to be compiled with it, in
// source order. It leaves out kernels that it finds in the cache, and writes their records.
func (j *job) withNeighbours() []*job {
	jobs := []*job{j}
	missing := j.missing()
	refs := make([]load.Ref, len(missing))
	for i, o := range missing {
		refs[i] = o.ref
	}
	Count.Lowered.Add(int64(len(refs)))
	room := maxNeighbours
	specs := frontend.SpecializeEach(j.opts, j.src, refs...)
	emitted := make([]bool, len(specs))
	parallel.Each(runtime.GOMAXPROCS(0), len(specs), func(i int) { emitted[i] = specs[i] != nil && missing[i].emitQuietly(specs[i]) })
	for i, spec := range specs {
		o := missing[i]
		switch {
		case !emitted[i] || !o.shareable() || len(o.unit.Text.Source) > maxNeighbour ||
			slices.ContainsFunc(jobs, func(other *job) bool { return emit.Clash(spec.Module, other.unit.Module) }):
			// Its next edit may change that; until it is launched itself nobody looks again.
			_ = j.Cache.StoreIndex(o.aloneKey(), cache.Record{})
		case o.find():
			o.remember()
			j.foundBeside(o)
		case len(o.unit.Text.Source) <= room:
			room -= len(o.unit.Text.Source)
			jobs = append(jobs, o)
		}
	}
	sort.Slice(jobs, func(i, j int) bool { return jobs[i].place < jobs[j].place })
	return jobs
}

// missing returns jobs for the other kernels of the package of which the cache has nothing. A kernel that is in the
// cache for older source is not missing: a launch after an edit does not even lower the other kernels.
func (j *job) missing() (list []*job) {
	refs, _ := frontend.Kernels(j.src, j.ref.Pkg) // what is wrong with directives is for vet to say
	own := slices.IndexFunc(refs, func(r load.Ref) bool { return r.Name == j.ref.Name && sameFile(r.File, j.ref.File) })
	if own < 0 {
		return nil
	}
	j.place = own
	from := own / maxTogether * maxTogether
	for i, ref := range refs[from:min(from+maxTogether, len(refs))] {
		if from+i == own {
			continue
		}
		// As the running program names it, whatever the sources call the file.
		if own := filepath.ToSlash(j.ref.File); own == "" {
			ref.File, ref.Line = "", 0
		} else {
			ref.File = path.Join(path.Dir(own), path.Base(filepath.ToSlash(ref.File)))
		}
		o := &job{Builder: j.Builder, src: j.src, ref: ref, tc: j.tc, opts: j.opts, m: new(Module), place: from + i}
		o.opts.BlockDim, o.opts.Stages = 0, 0 // nobody has asked for others
		o.first = o.firstKey()
		if _, ok := j.Cache.LookupIndex(o.aloneKey()); ok {
			continue
		}
		if rec, ok := j.Cache.LookupIndex(o.first); ok {
			if _, err := j.Cache.Get(rec.Second); err == nil {
				continue
			}
		}
		list = append(list, o)
	}
	return list
}

// sameFile reports whether names are those of one file of a package.
func sameFile(a, b string) bool {
	return b == "" || path.Base(filepath.ToSlash(a)) == path.Base(filepath.ToSlash(b))
}
