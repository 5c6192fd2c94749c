package comptime

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/gort"
)

// RefOf names a function of the running program. It is the name of a declared function, of a
// method as a function, of an instance of a generic one, or of a literal; whether a
// literal captures something, its source tells. Functions that are something else are errors.
func RefOf(f reflect.Value) (load.Ref, error) {
	fn := gort.FuncAt(f.Pointer())
	if fn.IsReflect() {
		return load.Ref{}, fmt.Errorf("a function made by package reflect has no source; use a declared function")
	}
	ref := load.Ref{Pkg: fn.Pkg, Name: fn.Name, File: fn.File, Line: fn.Line}
	t := f.Type()
	method, isMethodValue := gort.CutMethodValue(fn.Name)
	switch {
	case isMethodValue:
		return ref, &MethodValueError{Method: method}
	case fn.IsWrapper() && !strings.Contains(fn.Name, "."):
		// A declared function in assembly, which Go calls by a wrapper: its name tells which it is.
		ref.File, ref.Line = "", 0
	case fn.IsWrapper():
		return ref, &WrappedError{Method: fn.Name}
	case gort.IsInstance(fn.Name): // an instance, or a literal that may be one: see load.Check
		if t.NumIn() == 0 {
			return ref, fmt.Errorf("the type arguments of %s are unknown, because it has no parameters; use a function literal that calls it", fn.Name)
		}
		ref.Params = ParamTypes(t)
	}
	return ref, nil
}

// A MethodValueError is that of a method value: only who has made it knows its receiver.
type MethodValueError struct{ Method string }

// Error implements error.
func (e *MethodValueError) Error() string {
	method := e.Method[strings.LastIndexByte(e.Method, '.')+1:]
	if strings.HasPrefix(e.Method, "(*") {
		return e.Method + " is a method value that holds a pointer, and what that points to may change: give the method a receiver that is no pointer, or write a function literal"
	}
	return fmt.Sprintf("%s is a method value, which holds its receiver; name that: qd.NewFunc(s.%s, qd.Capture(\"s\", s))", e.Method, method)
}

// A WrappedError is that of a method expression of a method that is promoted, or for a pointer:
// the compiler makes a function for it, of which there is no source.
type WrappedError struct{ Method string }

// Error implements error.
func (e *WrappedError) Error() string {
	return e.Method + " is a wrapper that the compiler made for a method of an embedded field or for a pointer; use a function literal that calls the method"
}
