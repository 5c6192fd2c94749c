package build

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

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

// Sources are where kernels' source comes from: the packages, and the files of
// those packages by name, for comparing them with those of an earlier build.
type Sources interface {
	load.Sources
	ReadFile(name string) ([]byte, error)
}

// A Module is a compiled kernel, ready to be loaded.
type Module struct {
	ABI    *ABI
	Kernel string    // Go name
	Key    cache.Key // the second key: names the artifact
	Path   string    // of the artifact
	Cached bool      // nothing was compiled
	Start  time.Time // when the build began
}

// A Builder builds modules through one cache. It is safe for use by several
// goroutines at once.
type Builder struct {
	Cache   *cache.Cache
	Version string // of qdgen: part of every key
}

// Kernel builds one kernel, or finds it built. Errors are *diag.Diagnostics or
// *load.NotFoundError from the front end, *Error from the compiler, or the cache's.
func (b *Builder) Kernel(ctx context.Context, src Sources, ref load.Ref, tc Toolchain) (*Module, error) {
	m := &Module{Kernel: ref.Name, Start: time.Now()}
	first := cache.NewKey("kernel", []byte(b.Version), []byte(ref.Pkg), []byte(ref.Name), []byte(ref.File),
		[]byte(tc.Target()), []byte(tc.Arch()), []byte(tc.Identity()))
	if b.known(src, first, m) {
		return m, nil
	}

	prog, ir, err := Lower(src, ref)
	if err != nil {
		return nil, err
	}
	text := tc.Emit(ir)
	m.ABI = abiOf(ir)
	m.Key = cache.NewKey("module", []byte(text.Code()),
		[]byte(tc.Target()), []byte(tc.Arch()), []byte(tc.Identity()))
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
	b.remember(src, first, m, prog.Files)
	return m, nil
}

// qualified is the kernel's name as the cache lists it.
func qualified(ref load.Ref) string { return ref.Pkg + "." + ref.Name }

// known fills m from the first key's record, if there is one and every file that
// it was built from still has the same bytes.
func (b *Builder) known(src Sources, first cache.Key, m *Module) bool {
	rec, ok := b.Cache.LookupIndex(first)
	if !ok {
		return false
	}
	for _, dep := range rec.Deps {
		text, err := src.ReadFile(dep.File)
		if err != nil || sha256.Sum256(text) != dep.Sum {
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
func (b *Builder) remember(src Sources, first cache.Key, m *Module, files []string) {
	meta, err := json.Marshal(m.ABI)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	rec := cache.Record{Second: m.Key, Meta: meta}
	for _, f := range files {
		text, err := src.ReadFile(f)
		if err != nil {
			return // gone since it was parsed: nothing to compare with next time
		}
		rec.Deps = append(rec.Deps, cache.Dep{File: f, Sum: sha256.Sum256(text)})
	}
	_ = b.Cache.StoreIndex(first, rec)
}

// Lower takes a kernel from its source to optimized SSA.
func Lower(src load.Sources, ref load.Ref) (*load.Program, *ssa.Module, error) {
	prog, err := load.Check(src, ref)
	if err != nil {
		return nil, nil, err
	}
	ir, err := frontend.Lower(prog, prog.Kernels[0], frontend.Options{})
	if err != nil {
		return nil, nil, err
	}
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
