package qd

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

// A qd.Static that reads package variables and no local names is bound early: it has the
// value that its argument had when the package was initialized, which generated code
// registers. What device "go" runs is the kernel as Go, where Static is a function that is given
// the value of now; so it looks who has called it.

// earlyExpr is a qd.Static whose value is that at the initialization of its package.
type earlyExpr struct {
	eval  reflect.Value
	value reflect.Value
	err   error // why there is no value
}

// hasEarly tells Static whether there is anything to look for.
var hasEarly atomic.Bool

// RegisterStaticValue gives qdgen the value of a [Static] that is bound early: eval, a function
// without parameters and with one result, is called at once. For the other arguments see
// [RegisterStatic]. It returns nothing of use, and can so stand in the declaration of a package variable, which Go
// initializes after those that eval reads. It is called by the file that qdgen gen writes.
func RegisterStaticValue(importPath, fn string, index int, expr string, eval any) struct{} {
	v := reflect.ValueOf(eval)
	if v.Kind() != reflect.Func || v.IsNil() || v.Type().NumIn() != 0 || v.Type().NumOut() != 1 {
		panic(fmt.Sprintf("qd: RegisterStaticValue(%q, %q, %d): %T is no function without parameters and with one result", importPath, fn, index, eval))
	}
	e := &earlyExpr{eval: v}
	e.value, e.err = call(v, nil)
	if e.err == nil {
		e.value = copied(e.value)
	}
	paths := pathsOf(importPath)
	generated.Lock()
	defer generated.Unlock()
	for _, path := range paths {
		generated.early[frontend.StaticSite{Pkg: path, Func: fn, Index: index, Expr: expr}] = e
	}
	hasEarly.Store(true)
	staticCalls.Clear()
	return struct{}{}
}

// call calls a function, whose panic is an error.
func call(f reflect.Value, in []reflect.Value) (out reflect.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it panics: %v", p)
		}
	}()
	return f.Call(in)[0], nil
}

// copied is a copy of a value with its slices and maps, which others may go on to change.
func copied(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	copyParts(c)
	return c
}

// copyParts replaces the slices and maps in what is at an address with copies of them.
func copyParts(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		v.Set(c)
		for i := range v.Len() {
			copyParts(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			return
		}
		c := reflect.MakeMapWithSize(v.Type(), v.Len())
		for iter := v.MapRange(); iter.Next(); {
			c.SetMapIndex(iter.Key(), copied(iter.Value()))
		}
		v.Set(c)
	case reflect.Array:
		for i := range v.Len() {
			copyParts(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			copyParts(reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem())
		}
	case reflect.Interface:
		if !v.IsNil() {
			v.Set(copied(v.Elem()))
		}
	}
}

// earlyValue gives the value of a qd.Static that is bound early to the front end.
func earlyValue(site frontend.StaticSite) (v comptime.Value, err error) {
	generated.RLock()
	e := generated.early[site]
	generated.RUnlock()
	if e == nil {
		return v, frontend.ErrNotKnown
	}
	if e.err != nil {
		return v, e.err
	}
	return staticValue(e.value)
}

// withoutInterface is what is in an interface.
func withoutInterface(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		return v.Elem()
	}
	return v
}

// A staticCall is a place in the running program that calls Static.
type staticCall struct {
	early  []*earlyExpr // that it may be: those on its line
	others bool         // or another Static, of which nothing is registered
}

// staticCalls are the places that have called Static, by their return addresses.
var staticCalls sync.Map // [2]uintptr -> *staticCall

// bound is the value of a call of Static with x on device "go".
//
//go:noinline
func bound[T any](x T) T {
	var pcs [2]uintptr
	if runtime.Callers(3, pcs[:]) == 0 { // Callers, bound, Static
		return x
	}
	found, ok := staticCalls.Load(pcs)
	if !ok {
		found, _ = staticCalls.LoadOrStore(pcs, newStaticCall(pcs))
	}
	c := found.(*staticCall)
	if len(c.early) == 0 {
		return x
	}
	return choose(c, x)
}

// choose gives the value that the call of Static with x has, of those on its line.
func choose[T any](c *staticCall, x T) T {
	var early []*earlyExpr
	for _, e := range c.early {
		if e.err == nil && e.eval.Type().Out(0) == reflect.TypeFor[T]() {
			early = append(early, e)
		}
	}
	switch {
	case len(early) == 0:
		return x
	case len(early) == 1 && !c.others:
		return early[0].value.Interface().(T)
	}
	// As long as none of them has another value now, which of them it is does not matter.
	for _, e := range early {
		now, err := call(e.eval, nil)
		if err != nil || !sameValue(now, e.value) {
			panic(reason("device go cannot tell which qd.Static this is, of those on its line or of those in a function without source: a variable in one has changed since the package was initialized; begin each on a line of its own"))
		}
	}
	return x
}

// sameValue reports whether two values are the same compile-time value.
func sameValue(v, w reflect.Value) bool {
	a, err := comptime.Of(withoutInterface(v), comptime.Slice, comptime.Map)
	b, err2 := comptime.Of(withoutInterface(w), comptime.Slice, comptime.Map)
	return err == nil && err2 == nil && string(a.Append(nil)) == string(b.Append(nil))
}

// newStaticCall finds out which qd.Static a place may be.
func newStaticCall(pcs [2]uintptr) *staticCall {
	frame, _ := runtime.CallersFrames(pcs[:]).Next()
	pkg, name := comptime.SplitFuncName(frame.Function)
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
		for site, e := range generated.early {
			if site.Pkg == pkg && isWithin(name, site.Func) {
				c.early = append(c.early, e)
			}
		}
		return c
	}
	for _, s := range sites {
		if line < s.Line || line > s.EndLine || !isWithin(name, s.Func) {
			continue
		}
		site := frontend.StaticSite{Pkg: pkg, Func: s.Func, Index: s.Index, Expr: s.Expr}
		if e := generated.early[site]; e != nil {
			c.early = append(c.early, e)
			continue
		}
		c.others = true
		if strings.Contains(name, ".func") {
			// A literal of another package's function that is inlined here: of which, only
			// the file could tell.
			for other, e := range generated.early {
				if other.Func == site.Func && other.Index == site.Index && other.Expr == site.Expr {
					c.early = append(c.early, e)
				}
			}
		}
	}
	return c
}

// sitesOf are the qd.Static in a file, where its source can be had.
func sitesOf(pkg, file string) (sites []load.Site, ok bool) {
	if p, _ := KernelSources().Package(pkg); p != nil {
		for _, f := range p.Files {
			if path.Base(f.Name) == filepath.Base(file) {
				return load.FileSites(f), true
			}
		}
	}
	if !filepath.IsAbs(file) {
		return nil, false
	}
	f := load.File{Name: file}
	var err error
	if f.Src, err = os.ReadFile(file); err != nil || builder().Origin.Check([]load.File{f}) != nil {
		return nil, false
	}
	return load.FileSites(f), true
}

// isWithin reports whether the runtime's name of a function is that of a declared one, or of
// a literal in it.
func isWithin(name, declared string) bool {
	if declared == "" { // in a package variable's initializer
		return true
	}
	var plain strings.Builder
	depth := 0
	for _, r := range name { // without type arguments
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth == 0 && !strings.ContainsRune("(*)", r):
			plain.WriteRune(r)
		}
	}
	rest, ok := strings.CutPrefix(plain.String(), declared)
	if ok && (rest == "" || rest[0] == '.' || rest[0] == '-') {
		return true
	}
	// Go names the literals of a function that is inlined after both: main.lit.func1.
	return strings.Contains(plain.String(), "."+declared+".func")
}
