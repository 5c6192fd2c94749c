// Package registry has what a running program has registered: the source of its packages, its
// package variables, and the code of its qd.Static expressions. Generated files call package qdreg,
// which registers here. Launches read it.
package registry

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/runtime/encoding"
)

// IsRuntime reports whether a package is one whose functions are on the stack between a kernel, or who launches it,
// and package qd. Tests of those packages launch kernels like anybody.
func IsRuntime(pkg string) bool {
	return strings.HasPrefix(pkg, load.QDPath+"/internal/runtime/") && !strings.HasSuffix(pkg, "_test")
}

// A registry is what generated code has told of the running program.
type registry struct {
	sync.RWMutex
	times   atomic.Int64 // how often variables have been registered
	vars    map[load.Global]*packageVar
	statics map[frontend.StaticSite]*staticExpr
	initial map[frontend.StaticSite]*initialExpr
}

var generated = registry{
	vars:    map[load.Global]*packageVar{},
	statics: map[frontend.StaticSite]*staticExpr{},
	initial: map[frontend.StaticSite]*initialExpr{},
}

// turn tells what was registered earlier from what was later. It is never 0.
func (r *registry) turn() int64 { return 1 + r.times.Load() }

// packageVar is a variable that kernels may read.
type packageVar struct {
	pointer  reflect.Value
	encoding *encoding.Encoding // nil where its type is none of a compile-time value
}

// staticExpr is the Go code of a qd.Static.
type staticExpr struct{ eval reflect.Value }

// Vars gives kernels access to variables of a package, which the map has pointers to
// by name. They are compile-time constants to kernels: a launch takes the values that they have
// then. It is called by the file that qdgen gen writes.
func Vars(importPath string, vars map[string]any) {
	paths := pathsOf(importPath)
	generated.Lock()
	defer generated.Unlock()
	generated.times.Add(1)
	for name, p := range vars {
		v := reflect.ValueOf(p)
		if v.Kind() != reflect.Pointer || v.IsNil() {
			panic(fmt.Sprintf("qdreg.Vars(%q): %s is not a pointer to a variable", importPath, name))
		}
		e, _ := encoding.New(v.Type().Elem()) // what is wrong with it is said where it is used
		for _, path := range paths {
			generated.vars[load.Global{Pkg: path, Name: name}] = &packageVar{v, e}
		}
	}
}

// pathsOf are the import paths by which the running program knows the package whose
// generated code calls package qdreg: a program's package main has its own in its tests.
func pathsOf(importPath string) []string {
	if importPath != "main" {
		return []string{importPath}
	}
	caller := gort.FrameOf(gort.PC(3)) // past pathsOf, the function that calls it, and that of package qdreg
	if pkg, _ := gort.SplitName(caller.Function); pkg != "main" && pkg != "" {
		return []string{importPath, pkg}
	}
	return []string{importPath}
}

// registeredVar is a variable, nil if it is not registered.
func registeredVar(at load.Global) *packageVar {
	generated.RLock()
	defer generated.RUnlock()
	return generated.vars[at]
}

// Static gives qdgen the Go code of a qd.Static whose argument only compiled Go can
// evaluate: a function whose parameters are the local names in the argument, in the order in which they
// first occur, with one result. The expression is the argument as go/printer writes it, the
// index that among the qd.Static in function fn of the package. The names say which imports and local names
// the expression was written with: where the source has others now, this code is not for it. A file of
// an older qdgen does not say so; what it registers counts for nothing, and is missed with the advice to
// run qdgen gen. It is called by the file that qdgen gen writes.
func Static(importPath, fn string, index int, expr string, eval any, names ...string) {
	v := reflect.ValueOf(eval)
	if v.Kind() != reflect.Func || v.IsNil() || v.Type().NumOut() != 1 || v.Type().IsVariadic() {
		panic(fmt.Sprintf("qdreg.Static(%q, %q, %d): %T is not a function with one result", importPath, fn, index, eval))
	}
	if len(names) == 0 {
		return
	}
	paths := pathsOf(importPath)
	generated.Lock()
	defer generated.Unlock()
	for _, path := range paths {
		generated.statics[frontend.StaticSite{Pkg: path, Func: fn, Index: index, Expr: expr, Names: names[0]}] = &staticExpr{v}
	}
}

// registeredStatic is the code of a qd.Static, nil if none is registered.
func registeredStatic(site frontend.StaticSite) *staticExpr {
	generated.RLock()
	defer generated.RUnlock()
	return generated.statics[site]
}
