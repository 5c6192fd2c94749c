package registry

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"time"

	"github.com/qdgen/qd/internal/memo"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/encoding"
)

// A qd.Static that only compiled Go can evaluate, and that names compile-time values of the function
// around it, has the value at the launch, as on device "go". So a program that was built for a
// value is run as long as the expression has it: before each launch the expression is evaluated again,
// or, where its functions are called, what they read is compared.

// staticResults are the expressions that have been evaluated, each for one list of values, by
// what tells these apart.
var staticResults memo.Map[string, *staticResult]

// A staticResult is a qd.Static for one list of the values of its local names.
type staticResult struct {
	expr  *staticExpr
	in    []reflect.Value
	calls bool         // of functions, which may take their time
	reads []packageVar // the variables that it depends on, if they are all
	all   bool

	mu   sync.Mutex // while functions are called
	last *evaluated // nil at first
}

// evaluated is what an expression has come to.
type evaluated struct {
	result   reflect.Value
	encoding *encoding.Encoding // of the result's type
	value    comptime.Value     // instead, where the type has none
	err      error

	was []encoding.Comparison // of what it depends on with what that was
}

// staticResultOf finds an expression for a list of values. The error says why there is no
// evaluating it.
func staticResultOf(site frontend.StaticSite, args []comptime.Value, reads frontend.Reads) (*staticResult, error) {
	expr := registeredStatic(site)
	if expr == nil {
		return nil, frontend.ErrNotRegistered
	}
	key := fmt.Appendf(nil, "%p %q %t %t ", expr, reads.Vars, reads.Calls, reads.Unseen)
	for _, a := range args {
		key = a.Append(key)
	}
	if found, ok := staticResults.Load(string(key)); ok {
		return found, nil
	}
	t := expr.eval.Type()
	if t.NumIn() != len(args) {
		return nil, fmt.Errorf("its generated code takes %d values, but there are %d; run qdgen gen", t.NumIn(), len(args))
	}
	r := &staticResult{expr: expr, in: make([]reflect.Value, len(args)), calls: reads.Calls, all: !reads.Unseen}
	for i, a := range args {
		var err error
		if r.in[i], err = a.As(t.In(i)); err != nil {
			// The front end may be able to do without.
			return nil, &frontend.LackError{Lack: err}
		}
	}
	for _, at := range reads.Vars {
		v := registeredVar(at)
		if v == nil || v.encoding == nil {
			r.reads, r.all = nil, false
			break
		}
		r.reads = append(r.reads, *v)
	}
	r, _ = staticResults.LoadOrStore(string(key), r)
	return r, nil
}

// changes reports whether the expression may come to something else than it has.
func (r *staticResult) changes() bool { return !r.all || len(r.reads) > 0 }

// now is what the expression comes to now. As long as that is the same, it is the same
// pointer where it takes calls to find out.
func (r *staticResult) now() *evaluated {
	if !r.calls && r.changes() {
		return r.evaluate(call)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last != nil && r.all && encoding.Same(r.last.was) {
		return r.last
	}
	var was []encoding.Comparison
	if r.all {
		was = r.watch()
	}
	e := r.evaluate(callInTime)
	switch {
	case e.err != nil:
		return e // and the next may be luckier
	case r.last == nil || !r.last.same(e):
		r.last = e
	}
	r.last.was = was
	return r.last
}

// watch remembers what the expression depends on.
func (r *staticResult) watch() (list []encoding.Comparison) {
	for _, v := range r.reads {
		copied := reflect.New(v.pointer.Type().Elem())
		copied.Elem().Set(v.pointer.Elem())
		list = v.encoding.Compare(list, v.pointer.UnsafePointer(), copied.UnsafePointer())
	}
	return list
}

// evaluate runs the Go code.
func (r *staticResult) evaluate(call func(reflect.Value, []reflect.Value) (reflect.Value, error)) *evaluated {
	e := &evaluated{}
	var v reflect.Value
	if v, e.err = call(r.expr.eval, r.in); e.err != nil {
		return e
	}
	if v = withoutInterface(v); v.IsValid() {
		e.result = copied(v) // whose elements others may go on to change
		e.encoding = encoding.Of(v.Type())
	}
	if e.encoding == nil {
		e.value, e.err = staticValue(e.result)
	}
	return e
}

// frontValue is the value as the front end has it.
func (e *evaluated) frontValue() (comptime.Value, error) {
	if e.err == nil && e.encoding != nil {
		return staticValue(e.result)
	}
	return e.value, e.err
}

// same reports whether two values of one expression are the same.
func (e *evaluated) same(f *evaluated) bool {
	switch {
	case e == f:
		return true
	case e.err != nil || f.err != nil || e.encoding != f.encoding:
		return false
	case e.encoding != nil:
		return e.encoding.Equal(e.result.Addr().UnsafePointer(), f.result.Addr().UnsafePointer())
	}
	return string(e.value.Append(nil)) == string(f.value.Append(nil))
}

// callInTime is call, as long as a qd.Static is allowed to take.
func callInTime(f reflect.Value, in []reflect.Value) (reflect.Value, error) {
	limit, err := build.StaticTimeout()
	if err != nil {
		return reflect.Value{}, err
	}
	type result struct {
		v   reflect.Value
		err error
	}
	done := make(chan result, 1)
	go func() {
		r := result{err: errors.New("it ends its goroutine")}
		defer func() { done <- r }()
		r.v, r.err = call(f, in)
	}()
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case r := <-done:
		return r.v, r.err
	case <-late.C:
		return reflect.Value{}, fmt.Errorf("it has not ended after %v; to allow more time, set QD_STATIC_TIMEOUT", limit)
	}
}

// A staticWas is what a program was built for: what an expression had come to.
type staticWas struct {
	of  *staticResult
	was *evaluated
}

// unchanged reports whether all expressions come to what they came to.
func unchanged(list []staticWas) bool {
	for _, s := range list {
		if !s.of.now().same(s.was) {
			return false
		}
	}
	return true
}
