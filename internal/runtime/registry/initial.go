package registry

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
)

// A qd.Static that names nothing of the function around it has the value from when its package
// was initialized, which generated code registers.

// An initialExpr is a qd.Static with the value from when its package was initialized.
type initialExpr struct {
	eval  reflect.Value
	value reflect.Value
	err   error // why there is no value
}

// StaticValue gives qdgen the value of a qd.Static that is bound when the package is initialized: eval, a function
// without parameters and with one result, is called at once. For the other arguments see
// [Static]. It returns nothing of use, and can so stand in the declaration of a package variable, which Go
// initializes after those that eval reads. It is called by the file that qdgen gen writes.
func StaticValue(importPath, fn string, index int, expr string, eval any, names ...string) struct{} {
	v := reflect.ValueOf(eval)
	if v.Kind() != reflect.Func || v.IsNil() || v.Type().NumIn() != 0 || v.Type().NumOut() != 1 {
		panic(fmt.Sprintf("qdreg.StaticValue(%q, %q, %d): %T is not a function without parameters and with one result", importPath, fn, index, eval))
	}
	if len(names) == 0 {
		return struct{}{}
	}
	e := &initialExpr{eval: v}
	e.value, e.err = call(v, nil)
	if e.err == nil {
		e.value = copied(e.value)
	}
	paths := pathsOf(importPath)
	generated.Lock()
	defer generated.Unlock()
	for _, path := range paths {
		generated.initial[frontend.StaticSite{Pkg: path, Func: fn, Index: index, Expr: expr, Names: names[0]}] = e
	}
	hasInitial.Store(true)
	staticCalls.Clear() // what is known of them was without this one
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

// initialValue gives the front end the value of a qd.Static from when its package was
// initialized.
func initialValue(site frontend.StaticSite) (v comptime.Value, err error) {
	generated.RLock()
	e := generated.initial[site]
	generated.RUnlock()
	if e == nil {
		return v, frontend.ErrNotRegistered
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
