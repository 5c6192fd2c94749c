package qd

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"sync"
	"time"
	"unsafe"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
)

// buildEnv answers what the front end asks the running program while one
// specialization is built. What a variable was when it was first asked for is its value until
// the end.
type buildEnv struct {
	turn int64 // how often variables had been registered at the beginning
	mu   sync.Mutex
	vars map[load.Global]*askedVar
}

// askedVar is a variable as it was when it was asked for.
type askedVar struct {
	encoding  *encoding
	now, then unsafe.Pointer // the variable, and a copy of what it was
	value     comptime.Value
	err       error
}

func newBuildEnv() *buildEnv {
	generated.RLock()
	defer generated.RUnlock()
	return &buildEnv{turn: generated.turn.Load(), vars: map[load.Global]*askedVar{}}
}

// Var implements [frontend.Environment].
func (e *buildEnv) Var(pkg, name string) (comptime.Value, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	at := load.Global{Pkg: pkg, Name: name}
	if v := e.vars[at]; v != nil {
		return v.value, v.err
	}
	r := registeredVar(at)
	if r == nil {
		return comptime.Value{}, frontend.ErrNotKnown
	}
	v := new(askedVar)
	e.vars[at] = v
	copied := reflect.New(r.pointer.Type().Elem())
	copied.Elem().Set(r.pointer.Elem())
	if v.value, v.err = comptime.Of(copied.Elem()); v.err == nil {
		v.encoding, v.now, v.then = r.encoding, r.pointer.UnsafePointer(), copied.UnsafePointer()
	}
	return v.value, v.err
}

// watch gives the variables among what was asked for, to be compared with what they were.
// Where one was not registered, as may be while packages are initialized, it gives how often
// variables have been.
func (e *buildEnv) watch(asked []frontend.Asked) (list []comparison) {
	e.mu.Lock()
	defer e.mu.Unlock()
	unknown := false
	for _, a := range asked {
		if a.Site != nil {
			continue
		}
		unknown = unknown || a.Unknown
		if v := e.vars[a.Var]; v != nil && v.err == nil {
			list = v.encoding.compare(list, v.now, v.then)
		}
	}
	if unknown {
		turn := e.turn
		list = append(list, comparison{atomicPart, 8, unsafe.Pointer(&generated.turn), unsafe.Pointer(&turn)})
	}
	return list
}

// Static implements [frontend.Environment].
func (e *buildEnv) Static(site frontend.StaticSite, args []comptime.Value) (comptime.Value, error) {
	if len(args) == 0 {
		if v, err := earlyValue(site); err != frontend.ErrNotKnown {
			return v, err
		}
	}
	r := registeredStatic(site)
	if r == nil {
		return comptime.Value{}, frontend.ErrNotKnown
	}
	key := fmt.Appendf(nil, "%q %q %d %q ", site.Pkg, site.Func, site.Index, site.Expr)
	for _, a := range args {
		key = a.Append(key)
	}
	return evaluated.Do(string(key), func() (comptime.Value, error) { return r.evaluate(args) })
}

// StaticType is the type of the value of a qd.Static, as the front end writes types. It is
// there before the value: the source of what the argument calls need not be.
func (e *buildEnv) StaticType(site frontend.StaticSite) (string, error) {
	var t reflect.Type
	generated.RLock()
	defer generated.RUnlock()
	if s := generated.statics[site]; s != nil {
		t = s.eval.Type().Out(0)
	}
	if s := generated.early[site]; s != nil {
		if t = s.eval.Type().Out(0); t.Kind() == reflect.Interface && s.err == nil && !s.value.IsNil() {
			t = s.value.Elem().Type()
		}
	}
	if t == nil || t.Kind() == reflect.Interface {
		return "", frontend.ErrNotKnown
	}
	return comptime.TypeName(t), nil
}

// evaluated are the values of qd.Static expressions that have been asked for, by site and
// arguments. Each is evaluated once in a process.
var evaluated build.Once[string, comptime.Value]

// evaluate runs the Go code of a qd.Static, as long as that is allowed to take.
func (s *staticExpr) evaluate(args []comptime.Value) (comptime.Value, error) {
	t := s.eval.Type()
	if t.NumIn() != len(args) {
		return comptime.Value{}, fmt.Errorf("the code that was generated for it takes %s, there are %d: run qdgen gen", plural(t.NumIn(), "value"), len(args))
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		var err error
		if in[i], err = a.As(t.In(i)); err != nil {
			// The front end may be able to do without.
			return comptime.Value{}, fmt.Errorf("%w: %v", frontend.ErrNotKnown, err)
		}
	}
	type result struct {
		v   reflect.Value
		err error
	}
	done := make(chan result, 1)
	go func() {
		r := result{err: errors.New("it ends its goroutine")}
		defer func() { done <- r }()
		r.v, r.err = call(s.eval, in)
	}()
	limit := build.StaticTimeout()
	select {
	case r := <-done:
		if r.err != nil {
			return comptime.Value{}, r.err
		}
		return staticValue(r.v)
	case <-time.After(limit):
		return comptime.Value{}, fmt.Errorf("it has not ended after %v; if it is to take longer, say so in QD_STATIC_TIMEOUT", limit)
	}
}

// staticValue is what the front end is told of the value of a qd.Static. Of a promoted method as a
// function it may know from the source what there is no telling here.
func staticValue(v reflect.Value) (comptime.Value, error) {
	value, err := comptime.Of(withoutInterface(v), comptime.Slice, comptime.Map)
	if wrapped := (*comptime.WrappedError)(nil); errors.As(err, &wrapped) {
		err = fmt.Errorf("%w: %w", frontend.ErrNotKnown, err)
	}
	return value, err
}

// printLine prints a line of qd.StaticPrint.
func printLine(line string) {
	output.Lock()
	defer output.Unlock()
	fmt.Fprintln(os.Stderr, line)
}
