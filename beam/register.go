package qdbeam

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/coder"

	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/runtime/device"
)

// registered are the functions of the program that a pipeline can name, by [key]. Only init writes to it.
var registered = map[string]any{}

// Register makes kernels known to the workers, which run the same binary: they find a kernel by the
// name of its function. Functions that are no kernels can be registered as well: what
// Combine merges with, and constants that are functions. It is called in init, and panics if a function has
// no name of its own.
func Register(functions ...any) {
	for _, f := range functions {
		if err := registerOne(f); err != nil {
			panic(err)
		}
	}
}

func registerOne(f any) error {
	k, err := key(f)
	if err != nil {
		return err
	}
	if old, ok := registered[k]; ok && reflect.ValueOf(old).Pointer() != reflect.ValueOf(f).Pointer() {
		return fmt.Errorf("qdbeam: two functions are called %s: instantiate a generic function in a declared function of the same parameters", k)
	}
	registered[k] = f
	t := reflect.TypeOf(f)
	for i := range t.NumIn() {
		registerElem(t.In(i))
	}
	for i := range t.NumOut() {
		registerElem(t.Out(i))
	}
	if !isKernel(t) {
		beam.RegisterFunction(f)
	}
	return nil
}

// registerElem makes the type of a parameter's elements known to Beam, with a coder.
func registerElem(t reflect.Type) {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.PkgPath() == "" || !device.ValidElem(t) || isConst(t) || t == threadType || t == blockType || t == gridType {
		return
	}
	if coder.LookupCustomCoder(t) == nil {
		beam.RegisterCoder(t, encodeElem, decodeElem)
	}
}

// key is the name of a function in all processes of a binary. The type tells the instances of a generic
// function apart.
func key(f any) (string, error) {
	v := reflect.ValueOf(f)
	if f == nil || v.Kind() != reflect.Func || v.IsNil() {
		return "", fmt.Errorf("qdbeam: %T is not a function", f)
	}
	fn := gort.FuncAt(v.Pointer())
	name := fn.Pkg + "." + fn.Name
	if _, bound := gort.CutMethodValue(fn.Name); bound || gort.IsUndeclared(fn.Name) {
		return "", fmt.Errorf("qdbeam: %s is a function literal or a bound method: workers find a function by its name; declare one", name)
	}
	return name + " " + v.Type().String(), nil
}

// shortName is the name of a function as people call it.
func shortName(key string) string {
	name, _, _ := strings.Cut(key, " ")
	return name[strings.LastIndexByte(name, '/')+1:]
}

// lookup is the function of a key.
func lookup(k string) (any, error) {
	f, ok := registered[k]
	if !ok {
		return nil, fmt.Errorf("qdbeam: %s is not registered: call qdbeam.Register(%s) in an init function of the program", k, shortName(k))
	}
	return f, nil
}
