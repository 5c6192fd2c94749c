package build

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/internal/memo"
	"github.com/qdgen/qd/nvrtc"
)

// CacheOnly is a toolchain without its compiler. It has the modules that others have compiled, as far as the
// cache has them. The key of a module has its compiler in it, so whoever compiles one leaves a record beside it, which is
// found by the code alone: see [job.offer].
type CacheOnly struct {
	Toolchain         // without the compiler
	Offers    []Offer // that the device can run, the best first
	Missing   error   // why there is no compiler

	rejected *memo.Map[cache.Key, bool] // modules that did not load
}

// An Offer says which modules others make that a device can run.
type Offer struct {
	Arch     string // the instruction set
	Compiler string // what the compilers have in common whose modules are equally good: see [Portable]
}

// CPUOnly is the toolchain of a CPU without a compiler.
func CPUOnly(missing error) CacheOnly {
	t := CacheOnly{Toolchain: CPP{}, Missing: missing, rejected: new(memo.Map[cache.Key, bool])}
	for _, arch := range clang.Archs() {
		t.Offers = append(t.Offers, Offer{arch, portableCPP()})
	}
	return t
}

// CUDAOnly is the toolchain of a GPU of a compute capability without NVRTC. Its driver is of a major version of CUDA, and takes
// no code from an NVRTC of a later one.
func CUDAOnly(driver, major, minor int, missing error) CacheOnly {
	t := CacheOnly{Toolchain: CUDA{}, Missing: missing, rejected: new(memo.Map[cache.Key, bool])}
	for _, arch := range nvrtc.Runs(major, minor) {
		for version := driver; version >= nvrtc.Oldest; version-- {
			t.Offers = append(t.Offers, Offer{arch, portableCUDA(version, arch)})
		}
	}
	return t
}

// Arch implements [Toolchain].
func (t CacheOnly) Arch() string { return t.Offers[0].Arch }

// Identity implements [Toolchain].
func (t CacheOnly) Identity() string {
	var of []string
	for _, o := range t.Offers {
		of = append(of, o.Compiler+" for "+o.Arch)
	}
	return strings.Join(of, " or ")
}

// Reject notes that a module does not load, so that another one is looked for. It is false of a toolchain with a compiler, whose
// modules have none beside them.
func Reject(tc Toolchain, key cache.Key) bool {
	t, ok := inner(tc).(CacheOnly)
	if !ok || t.rejected == nil {
		return false
	}
	t.rejected.LoadOrStore(key, true)
	return true
}

// isRejected reports whether a module is one that did not load.
func (j *job) isRejected(key cache.Key) bool {
	t, ok := j.cacheOnly()
	if !ok || t.rejected == nil {
		return false
	}
	_, is := t.rejected.Load(key)
	return is
}

// Compile implements [Toolchain]. It fails.
func (t CacheOnly) Compile(context.Context, string, *emit.Text) ([]byte, string, error) {
	return nil, "", t.Missing
}

// Assembly fails, as Compile does.
func (t CacheOnly) Assembly(context.Context, string) (text, ext string, err error) {
	return "", "", t.Missing
}

// A Portable toolchain makes modules that machines without its compiler may load.
type Portable interface {
	// Portable tells what all compilers have in common whose modules are equally good: the flags. It is "" for a compiler
	// whose modules are for those who have called it.
	Portable() string
}

// portableCPP is what C++ compilers with qdgen's flags have in common. Systems load libraries of their own alone.
func portableCPP() string {
	id := "any compiler for " + runtime.GOOS + " " + strings.Join(clang.Common(), " ")
	if compile.Lanes > 0 {
		id += fmt.Sprintf(", %d lanes", compile.Lanes)
	}
	return id
}

// portableCUDA is what NVRTCs of a major version have in common.
func portableCUDA(version int, arch string) string {
	return fmt.Sprintf("any NVRTC %d %s", version, strings.Join(nvrtc.Options{Arch: arch}.Flags(), " "))
}

// inner is the toolchain that compiles.
func inner(tc Toolchain) Toolchain {
	if g, ok := tc.(Gradient); ok {
		return inner(g.Toolchain)
	}
	return tc
}

// cacheOnly is the job's toolchain, if that has no compiler.
func (j *job) cacheOnly() (CacheOnly, bool) {
	t, ok := inner(j.tc).(CacheOnly)
	return t, ok
}

// compiles reports whether the job's toolchain has a compiler.
func (j *job) compiles() bool {
	_, ok := j.cacheOnly()
	return !ok
}

// noModule is the error of a job for which there is neither a compiler nor a module.
func (j *job) noModule() error {
	t, _ := j.cacheOnly()
	return &NoModuleError{Kernel: qualified(j.ref), Arch: t.Arch(), Err: t.Missing}
}

// offerKey is the key under which a module with the job's code is found that is an offer.
func (j *job) offerKey(o Offer) cache.Key {
	parts := []KeyPart{
		{"code", []byte(j.unit.Text.Code())},
		{"target", []byte(j.tc.Target())}, {"architecture", []byte(o.Arch)}, {"compiler", []byte(o.Compiler)},
		{"formats", mustJSON(j.prints)},
	}
	return cache.NewKey("offer", bytesOf(parts)...)
}

// offer makes the job's module known to machines without a compiler, if it was just compiled, and if the modules of the toolchain
// are for others. The record is as one of a kernel in a module with others.
func (j *job) offer() {
	portable, ok := inner(j.tc).(Portable)
	if j.m.Cached || !ok || portable.Portable() == "" {
		return
	}
	key := j.offerKey(Offer{j.tc.Arch(), portable.Portable()})
	p := part{Name: j.m.Name, Codes: []string{key.String()}}
	if a := j.m.ABI; a != nil {
		p.Formats, p.Symbols = a.Formats, []string{a.Symbol}
	}
	_ = j.Cache.StoreIndex(key, cache.Record{Second: j.m.Key, Meta: mustJSON(p), Shared: key})
}

// findOffer looks for a module that somebody has compiled from the job's code. Records are looked up by one function, and modules by
// another.
func (j *job) findOffer(offers []Offer, lookup func(cache.Key) (cache.Record, bool), get func(cache.Key) (*cache.Entry, error)) bool {
	for _, o := range offers {
		key := j.offerKey(o)
		rec, ok := lookup(key)
		if !ok || j.isRejected(rec.Second) || !j.isPartOf(&rec, key, get) {
			continue
		}
		if rec.Origin != nil {
			_ = j.Cache.StoreIndex(key, rec)
		}
		return true
	}
	return false
}

// A NoModuleError says that there is neither a compiler for a kernel nor a module of it in the cache.
type NoModuleError struct {
	Kernel string
	Arch   string
	Err    error // why there is no compiler
}

// Error implements error.
func (e *NoModuleError) Error() string {
	return fmt.Sprintf("the cache has no module of kernel %s for %s, and there is no compiler: %v", e.Kernel, e.Arch, e.Err)
}

// Unwrap gives why there is no compiler.
func (e *NoModuleError) Unwrap() error { return e.Err }
