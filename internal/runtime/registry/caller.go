package registry

import (
	"os"
	"path"
	"path/filepath"
	"reflect"
	"sync/atomic"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/memo"
	"github.com/qdgen/qd/internal/origin"
	"github.com/qdgen/qd/internal/runtime/fault"
)

// What device "go" runs is the kernel as Go, where Static is a function that is given the
// value of now. Where it is to give that from when a package was initialized, it looks which
// qd.Static of the source has called it.

// hasInitial tells Static whether there is anything to look for.
var hasInitial atomic.Bool

// A staticCall is a place in the running program that calls Static.
type staticCall struct {
	initial []*initialExpr // that it may be: those on its line
	others  bool           // or another Static, of which nothing is registered
}

// staticCalls are the places that have called Static, by their return addresses.
var staticCalls memo.Map[[2]uintptr, *staticCall]

// HasInitial reports whether [ValueOfCall] may give something else than what it is given.
func HasInitial() bool { return hasInitial.Load() }

// ValueOfCall is the value of a call of qd.Static on device "go", not ok where it is what Static is given. The type
// is given as a pointer to it. ValueOfCall is called by a function that qd.Static calls. It is not generic: a generic
// function is compiled in each package that has a qd.Static, with all the types in it.
//
//go:noinline
func ValueOfCall(pointer any) (value any, ok bool) {
	pcs := gort.Site(2) // of Static, which calls the function that calls this
	if pcs[0] == 0 {
		return nil, false
	}
	c, ok := staticCalls.Load(pcs)
	if !ok {
		c, _ = staticCalls.LoadOrStore(pcs, newStaticCall(pcs))
	}
	if len(c.initial) == 0 {
		return nil, false
	}
	return c.choose(reflect.TypeOf(pointer).Elem())
}

// choose gives the value of a type that the call of Static has, of those on its line.
func (c *staticCall) choose(t reflect.Type) (value any, ok bool) {
	var candidates []*initialExpr
	for _, e := range c.initial {
		if e.err == nil && e.eval.Type().Out(0) == t {
			candidates = append(candidates, e)
		}
	}
	switch {
	case len(candidates) == 0:
		return nil, false
	case len(candidates) == 1 && !c.others:
		return candidates[0].value.Interface(), true
	}
	// As long as none of them has another value now, which of them it is does not matter.
	for _, e := range candidates {
		now, err := call(e.eval, nil)
		if err != nil || !sameValue(now, e.value) {
			panic(fault.Reason("device go cannot tell which qd.Static this is: there are several on its line, or in a function without source, and a variable in one of them has changed since the package was initialized; begin each on a separate line"))
		}
	}
	return nil, false
}

// sameValue reports whether two values are the same compile-time value, or one function.
func sameValue(v, w reflect.Value) bool {
	v, w = withoutInterface(v), withoutInterface(w)
	if v.Kind() == reflect.Func && w.Kind() == reflect.Func && gort.SameFunc(v, w) {
		return true
	}
	a, err := comptime.Of(v, comptime.Slice, comptime.Map)
	b, err2 := comptime.Of(w, comptime.Slice, comptime.Map)
	return err == nil && err2 == nil && string(a.Append(nil)) == string(b.Append(nil))
}

// newStaticCall finds out which qd.Static a place may be.
func newStaticCall(pcs [2]uintptr) *staticCall {
	frame := gort.FrameOf(pcs[0])
	pkg, name := gort.SplitName(frame.Function)
	return staticCallAt(pkg, name, frame.File, frame.Line)
}

// staticCallAt finds out which qd.Static a line of a function may be.
func staticCallAt(pkg, name, file string, line int) *staticCall {
	sites, ok := sitesOf(pkg, file)
	c := &staticCall{}
	generated.RLock()
	defer generated.RUnlock()
	if !ok { // it may be any of the function's
		c.others = true
		for site, e := range generated.initial {
			if site.Pkg == pkg && gort.IsWithin(name, site.Func) {
				c.initial = append(c.initial, e)
			}
		}
		return c
	}
	for _, s := range sites {
		if line < s.Line || line > s.EndLine || !gort.IsWithin(name, s.Func) {
			continue
		}
		site := frontend.StaticSite{Pkg: pkg, Func: s.Func, Index: s.Index, Expr: s.Expr, Names: s.Names}
		if e := generated.initial[site]; e != nil {
			c.initial = append(c.initial, e)
			continue
		}
		c.others = true
		if gort.IsLiteral(name) {
			// A literal of another package's function that is inlined here: of which, only
			// the file could tell.
			for other, e := range generated.initial {
				if site.Pkg = other.Pkg; other == site {
					c.initial = append(c.initial, e)
				}
			}
		}
	}
	return c
}

// sitesOf are the qd.Static in a file, where its source can be had.
func sitesOf(pkg, file string) (sites []load.Site, ok bool) {
	if p, _ := Sources().Package(pkg); p != nil {
		for _, f := range p.Files {
			if path.Base(f.Name) == filepath.Base(file) {
				return load.FileSites(f), true
			}
		}
	}
	if !filepath.IsAbs(file) {
		return nil, false
	}
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, false
	}
	f := load.File{Name: file, Src: src}
	// The builder's cache may not be opened yet: while packages are initialized, the program has not had the
	// time to set QD_CACHE.
	c, _ := cache.Open("")
	if origin.Running(c).Check([]load.File{f}) != nil {
		return nil, false
	}
	return load.FileSites(f), true
}
