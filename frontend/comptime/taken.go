package comptime

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/gort"
)

// taken are the functions of the running program that have become values, so that they
// can be made functions again.
var taken = struct {
	sync.RWMutex
	all map[takenKey][]takenFunc
}{all: map[takenKey][]takenFunc{}}

// A takenKey is what a running program and the front end, which name functions in
// different ways, agree on.
type takenKey struct {
	pkg, name string // no name of a literal
	file      string // of a literal, with the line
	line      int
}

type takenFunc struct {
	ref  load.Ref
	held string // what it captures, as a part of a key
	f    reflect.Value
}

func takenKeyOf(ref load.Ref) takenKey {
	if ref.Name == "" || gort.IsLiteral(ref.Name) || load.IsDeclaredLiteral(ref.Name) {
		return takenKey{pkg: ref.Pkg, file: filepath.Base(ref.File), line: ref.Line}
	}
	name, _, _ := strings.Cut(ref.Name, "[")
	return takenKey{pkg: ref.Pkg, name: name}
}

// heldKey is what a function captures, as a part of a key.
func heldKey(v Value) string { return string(appendElems(nil, v.Elems)) }

// keep remembers the function that a value is.
func keep(v Value, f reflect.Value) {
	key, held := takenKeyOf(*v.Func), heldKey(v)
	taken.Lock()
	defer taken.Unlock()
	for _, old := range taken.all[key] {
		if old.ref == *v.Func && old.held == held && old.f.Pointer() == f.Pointer() && old.f.Type() == f.Type() {
			return
		}
	}
	taken.all[key] = append(taken.all[key], takenFunc{*v.Func, held, f})
}

// find finds the function of a type that a value is. There may be several that it
// can mean, instances of generic functions among them: then there is none.
func find(v Value, t reflect.Type) (f reflect.Value, err error) {
	ref, held := *v.Func, heldKey(v)
	taken.RLock()
	defer taken.RUnlock()
	for _, candidate := range taken.all[takenKeyOf(ref)] {
		generic := strings.Contains(ref.Name+candidate.ref.Name, "[")
		switch {
		case !candidate.f.Type().ConvertibleTo(t), candidate.held != held, generic && candidate.ref != ref:
		case f.IsValid() && f.Pointer() != candidate.f.Pointer():
			return f, fmt.Errorf("there are several functions %s", ref.Name)
		default:
			f = candidate.f
		}
	}
	if !f.IsValid() {
		return f, fmt.Errorf("function %s of type %v is known only to the compiler; the running program must have it as a value, as in a qd.C", ref.Name, t)
	}
	return f.Convert(t), nil
}
