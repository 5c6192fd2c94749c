package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// A Toolchain makes artifacts for one kind of device: an emitter and a compiler.
type Toolchain interface {
	// Target names the emitted language: "cpp" or "cuda".
	Target() string
	// Arch names the machine the artifact is for: "x86-64-v3", "sm_90".
	Arch() string
	// Identity tells compilers, their versions and their options apart.
	Identity() string
	// Emit prints a module.
	Emit(m *ssa.Module) *emit.Text
	// Compile makes an artifact of emitted text; ext is its file's ending.
	// An error is an *Error when the compiler refuses the text.
	Compile(ctx context.Context, name string, text *emit.Text) (data []byte, ext string, err error)
}

// A Module is a compiled kernel, ready to be loaded.
type Module struct {
	ABI    *ABI      // nil for a Grid kernel
	Kernel string    // Go name
	Key    cache.Key // the second key: names the artifact
	Path   string    // of the artifact
	Cached bool      // nothing was compiled
	Grid   *Grid     // of a Grid kernel
}

// Options say which build of a kernel is wanted.
type Options struct {
	Checked bool // it stops where Go panics
}

// key is the options as a part of keys.
func (o Options) key() []byte { return fmt.Appendf(nil, "%+v", o) }

// A Builder builds modules through one cache. It is safe for use by several
// goroutines at once.
type Builder struct {
	Cache   *cache.Cache
	Version string // of qdgen: part of every key
}

// Kernel builds one kernel, or finds it built. Of a Grid kernel, whose host part is
// run as SSA, only the artifact is kept: the source is read each time. Errors are *diag.Diagnostics or
// *load.NotFoundError from the front end, *Error from the compiler, or the cache's.
func (b *Builder) Kernel(ctx context.Context, src load.Sources, ref load.Ref, tc Toolchain, opts Options) (*Module, error) {
	m := &Module{Kernel: ref.Name}
	first := cache.NewKey("kernel", []byte(b.Version), []byte(program()), []byte(ref.Pkg), []byte(ref.Name), []byte(ref.Params), []byte(ref.File),
		[]byte(tc.Target()), []byte(tc.Arch()), []byte(tc.Identity()), opts.key())
	if b.known(src, first, m) {
		return m, nil
	}

	prog, ir, err := Lower(src, ref, opts)
	if err != nil {
		return nil, err
	}
	kernels := ir.Device().Kernels()
	hoisted := HoistChecks(ir)
	text := tc.Emit(ir)
	if host := ir.Host(); host != nil {
		m.Grid = gridOf(ir, host, kernels, hoisted)
	} else {
		m.ABI = abiOf(ir, kernels[0], hoisted[kernels[0]])
	}
	m.Key = cache.NewKey("module", []byte(text.Code()),
		[]byte(tc.Target()), []byte(tc.Arch()), []byte(tc.Identity()), opts.key())
	entry, hit, err := b.Cache.Build(m.Key, func() (*cache.Artifact, error) {
		data, ext, err := tc.Compile(ctx, ref.Name, text)
		if err != nil {
			return nil, err
		}
		return &cache.Artifact{
			Kernel: qualified(ref), Target: tc.Target(), Arch: tc.Arch(),
			Data: data, Ext: ext, Source: text.Source,
		}, nil
	})
	if err != nil {
		return nil, err
	}
	m.Path, m.Cached = entry.Path, hit
	if m.Grid == nil {
		b.remember(first, m, prog.Packages)
	}
	return m, nil
}

// qualified is the kernel's name as the cache lists it.
func qualified(ref load.Ref) string { return ref.Pkg + "." + ref.Name }

// known fills m from the first key's record, if there is one and every package
// that it was built from is still the same.
func (b *Builder) known(src load.Sources, first cache.Key, m *Module) bool {
	rec, ok := b.Cache.LookupIndex(first)
	if !ok {
		return false
	}
	for _, dep := range rec.Deps {
		p, err := src.Package(dep.Name)
		if err != nil || p == nil || digest(p) != dep.Sum {
			return false
		}
	}
	abi := new(ABI)
	if json.Unmarshal(rec.Meta, abi) != nil {
		return false
	}
	entry, err := b.Cache.Get(rec.Second)
	if err != nil {
		return false // evicted, or damaged: the cache has said so
	}
	m.ABI, m.Key, m.Path, m.Cached = abi, rec.Second, entry.Path, true
	return true
}

// remember keeps the first key's record. A failure costs the next run a parse
// and nothing else; the cache has warned if it cannot be written.
//
// What is recorded are the bytes that were parsed: by now the files may have others.
// Package qd's files are not recorded, since they are part of what Version stands for.
func (b *Builder) remember(first cache.Key, m *Module, packages []*load.Package) {
	meta, err := json.Marshal(m.ABI)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	rec := cache.Record{Second: m.Key, Meta: meta}
	for _, p := range packages {
		rec.Deps = append(rec.Deps, cache.Dep{Name: p.Path, Sum: digest(p)})
	}
	_ = b.Cache.StoreIndex(first, rec)
}

// digest stands for the files of a package: which they are, and what is in them. A
// file that is added or removed can matter as much as an edited one: it may declare
// a function max, which the others had from the universe, or may be for another
// set of build tags.
func digest(p *load.Package) cache.Key {
	parts := make([][]byte, 0, 2*len(p.Files))
	for _, f := range p.Files {
		parts = append(parts, []byte(f.Name), f.Src)
	}
	return cache.NewKey("package", parts...)
}

// Lower takes a kernel from its source to optimized SSA.
func Lower(src load.Sources, ref load.Ref, opts Options) (*load.Program, *ssa.Module, error) {
	prog, modules, err := frontend.CompileWith(frontend.Options{Checked: opts.Checked}, src, ref)
	if err != nil {
		return nil, nil, err
	}
	ir := modules[0]
	if err := ssa.Verify(ir); err != nil {
		panic(fmt.Sprintf("BUG: the front end made invalid SSA of %s: %v", qualified(ref), err))
	}
	ssa.Optimize(ir, nil)
	return prog, ir, nil
}

// A Once builds each module of one device once, however many goroutines ask,
// and keeps errors out of it: a failed build is tried again when asked for again.
type Once[K comparable, V any] struct {
	mu sync.Mutex
	m  map[K]*onceEntry[V]
}

type onceEntry[V any] struct {
	done chan struct{}
	v    V
	err  error
}

// Do returns the value of key, made by f if there is none yet.
func (o *Once[K, V]) Do(key K, f func() (V, error)) (V, error) {
	o.mu.Lock()
	if e, ok := o.m[key]; ok {
		o.mu.Unlock()
		<-e.done
		return e.v, e.err
	}
	e := &onceEntry[V]{done: make(chan struct{}), err: errors.New("qd: the build was given up by a panic")}
	if o.m == nil {
		o.m = make(map[K]*onceEntry[V])
	}
	o.m[key] = e
	o.mu.Unlock()
	defer func() {
		if e.err != nil {
			o.mu.Lock()
			delete(o.m, key)
			o.mu.Unlock()
		}
		close(e.done)
	}()
	e.v, e.err = f()
	return e.v, e.err
}
