package comptime

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/gort"
)

// A running program cannot find out what a function literal captures. So the maker of the literal says it, with
// qd.NewFunc, and it is kept here by the address of the closure: each time that a literal captures variables, Go makes a
// new one.

// A closure is a function of the running program with the values that it holds.
type closure struct {
	gort.WeakClosure // it must not live on because of this
	class            *closureClass
}

// A closureClass is what all closures have in common that are the same function to a kernel.
type closureClass struct {
	captures string  // as [load.FormatCaptures] writes them, "" of a method value
	values   []Value // in this order; or the receiver
	err      error   // why it cannot be a value of a kernel
}

// closures are those that are known.
var closures = struct {
	sync.RWMutex
	at      map[uintptr]*closure // by their addresses
	codes   map[uintptr]bool     // their code
	classes map[string]*closureClass
}{at: map[uintptr]*closure{}, codes: map[uintptr]bool{}, classes: map[string]*closureClass{}}

// hasClosure says whether there is any, so that others need no lock.
var hasClosure atomic.Bool

// Close notes what a function captures: the values of variables, by their names. Types are the Go types of these. The
// function must be addressable. What is wrong is kept as the error of all its uses, err to begin with.
func Close(f reflect.Value, captures map[string]Value, types []reflect.Type, err error) {
	if f.IsNil() {
		return
	}
	p := f.Addr().UnsafePointer()
	fn := gort.FuncAt(gort.CodeAt(p))
	class := &closureClass{err: err}
	method, isMethodValue := gort.CutMethodValue(fn.Name)
	switch {
	case err != nil:
	case isMethodValue:
		var recv Value
		recv, class.err = receiverOf(p, fn.Pkg, method, types)
		class.values = []Value{recv}
	case !gort.IsLiteral(fn.Name):
		class.err = errors.New("a declared function captures nothing")
	default:
		types := map[string]string{}
		for name, v := range captures {
			types[name] = v.Type
		}
		var names []string
		class.captures, names = load.FormatCaptures(types)
		for _, name := range names {
			class.values = append(class.values, captures[name])
		}
	}
	closures.Lock()
	defer closures.Unlock()
	at := gort.ClosureAt(p)
	if old := closures.at[uintptr(at)]; old != nil && old.Is(at) && class.err == nil && class.unique(gort.CodeAt(p)) != old.class {
		class.err = errors.New("it is called for one closure twice, with different values; call it once, where the function literal stands")
	}
	if class.err != nil {
		class.err = fmt.Errorf("qd.NewFunc of %s: %w", method, class.err)
	}
	c := &closure{class: class.unique(gort.CodeAt(p))}
	c.WeakClosure = gort.WeakOf(at, c.forget)
	closures.codes[gort.CodeAt(p)] = true
	closures.at[uintptr(at)] = c
	hasClosure.Store(true)
}

// forget is called when the closure at an address is gone.
func (c *closure) forget(at uintptr) {
	closures.Lock()
	defer closures.Unlock()
	if closures.at[at] == c { // and not yet another one
		delete(closures.at, at)
	}
}

// unique is the one class of closures with some code. The caller holds the lock.
func (c *closureClass) unique(code uintptr) *closureClass {
	key := fmt.Appendf(nil, "%x\n%s\n%v\n", code, c.captures, c.err)
	for _, v := range c.values {
		key = v.Append(key)
	}
	if old := closures.classes[string(key)]; old != nil {
		return old
	}
	closures.classes[string(key)] = c
	return c
}

// receiverOf reads the receiver that the method value at p holds. Its type is the one that is given.
func receiverOf(p unsafe.Pointer, pkg, method string, types []reflect.Type) (Value, error) {
	name, _, _ := strings.Cut(method, "[")
	name, _, _ = strings.Cut(name, ".")
	switch {
	case len(types) != 1 || types[0] == nil:
		return Value{}, errors.New(`a method value holds its receiver and nothing else: write qd.NewFunc(s.method, qd.Capture("s", s))`)
	case strings.HasPrefix(method, "(*"):
		return Value{}, errors.New("the method has a pointer as its receiver, and what that points to may change: give the method a receiver that is no pointer")
	}
	t := types[0]
	if declared, _, _ := strings.Cut(t.Name(), "["); t.PkgPath() != pkg || declared != name {
		return Value{}, fmt.Errorf("the receiver of the method has type %s, not %v", name, t)
	}
	return Of(reflect.NewAt(t, gort.ReceiverAt(p, t)).Elem())
}

// closureAt is what is known of the func value at p, nil if nothing is.
func closureAt(p unsafe.Pointer) *closureClass {
	if !hasClosure.Load() {
		return nil
	}
	closures.RLock()
	defer closures.RUnlock()
	if !closures.codes[gort.CodeAt(p)] {
		return nil
	}
	at := gort.ClosureAt(p)
	if c := closures.at[uintptr(at)]; c != nil && c.Is(at) {
		return c.class
	}
	return nil
}

// FuncID tells functions of the running program apart: two func values have the same ID if they have the same code and
// hold the same values, as far as that is known. It is 0 of nil. It reads the func value at p.
func FuncID(p unsafe.Pointer) uintptr {
	if c := closureAt(p); c != nil {
		return uintptr(unsafe.Pointer(c)) // which lives on in classes
	}
	return gort.CodeAt(p)
}
