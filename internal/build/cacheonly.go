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

// CacheOnly is a toolchain without its compiler. It finds modules in the cache that other machines have compiled. The
// compiler is part of a module's key, which this machine cannot make. So whoever compiles a module leaves a record
// beside it, and this record is found by the code alone: see [job.offer].
type CacheOnly struct {
	Toolchain         // without the compiler
	Offers    []Offer // that the device can run, the best first
	Missing   error   // why there is no compiler

	rejected *memo.Map[cache.Key, bool] // modules that did not load
}

// An Offer describes modules of other machines that a device can run.
type Offer struct {
	Arch     string // the instruction set
	Compiler string // stands for all compilers whose modules are equally good: see [Portable]
}

// CPUOnly is the toolchain of a CPU without a compiler.
func CPUOnly(missing error) CacheOnly {
	t := CacheOnly{Toolchain: CPP{}, Missing: missing, rejected: new(memo.Map[cache.Key, bool])}
	for _, arch := range clang.Archs() {
		t.Offers = append(t.Offers, Offer{arch, portableCPP()})
	}
	return t
}

// CUDAOnly is the toolchain of a GPU without NVRTC. The driver is of a major version of CUDA, and loads no code of an
// NVRTC of a later version. The GPU has the compute capability major.minor.
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

// Reject notes that a module does not load, so that the next search finds another one. It returns false for a toolchain
// with a compiler, which has no other modules.
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
	// Portable returns a text that stands for all compilers whose modules are equally good: their flags. It returns "" for
	// a compiler whose modules are not for other machines.
	Portable() string
}

// portableCPP stands for all C++ compilers with qdgen's flags. The system is part of it, because it loads only
// libraries for itself.
func portableCPP() string {
	id := "any compiler for " + runtime.GOOS + " " + strings.Join(clang.Common(), " ")
	if compile.Lanes > 0 {
		id += fmt.Sprintf(", %d lanes", compile.Lanes)
	}
	return id
}

// portableCUDA stands for all NVRTCs of a major version.
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

// offerKey is the key of the record that leads to an offered module with the job's code.
func (j *job) offerKey(o Offer) cache.Key {
	parts := []KeyPart{
		{"code", []byte(j.unit.Text.Code())},
		{"target", []byte(j.tc.Target())}, {"architecture", []byte(o.Arch)}, {"compiler", []byte(o.Compiler)},
		{"formats", mustJSON(j.prints)},
	}
	return cache.NewKey("offer", bytesOf(parts)...)
}

// offer leaves a record by which machines without a compiler find the job's module. It does so if the module was just
// compiled, and if other machines can use the modules of the toolchain. The record has the form of one for a kernel in
// a module with others.
func (j *job) offer() {
	portable, ok := inner(j.tc).(Portable)
	if j.m.Cached || !ok || portable.Portable() == "" {
		return
	}
	key := j.offerKey(Offer{j.tc.Arch(), portable.Portable()})
	p := part{Name: j.m.Name, Codes: []string{key.String()}, Records: []int{0}}
	if a := j.m.ABI; a != nil {
		p.Formats, p.Symbols, p.Hoisted = a.Formats, []string{a.Symbol}, []string{a.hoistedSymbol()}
		p.Records = []int{a.Record}
	}
	_ = j.Cache.StoreIndex(key, cache.Record{Second: j.m.Key, Meta: mustJSON(p), Shared: key})
}

// findOffer looks for a module that another machine has compiled from the job's code. lookup finds records, and get
// finds modules.
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
