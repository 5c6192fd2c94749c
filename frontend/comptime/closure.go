package comptime

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/gort"
)

// A running program cannot find out what a function literal captures. So the maker of the literal says it, with
// qd.NewFunc, and it is kept here by the address of the closure: each time that a literal captures variables, Go makes
// a new one.

// A closure is a function of the running program with the values that it holds.
type closure struct {
	gort.WeakClosure // it must not live on because of this
	class            *closureClass
}

// A closureClass is what all closures have in common that are the same function to a kernel.
type closureClass struct {
	id       uintptr // no other class ever has it
	captures string  // as [load.FormatCaptures] writes them, "" of a method value
	values   []Value // in this order; or the receiver
	err      error   // why it cannot be a value of a kernel
}

// closures are those that are known.
var closures = struct {
	sync.RWMutex
	at      map[uintptr]*closure                  // by their addresses
	codes   map[uintptr]bool                      // their code
	classes map[string]weak.Pointer[closureClass] // those of closures that are alive
	made    uintptr                               // how many classes there have been
}{at: map[uintptr]*closure{}, codes: map[uintptr]bool{}, classes: map[string]weak.Pointer[closureClass]{}}

// hasClosure says whether there is any, so that others need no lock.
var hasClosure atomic.Bool

// Close notes what a function captures: the values of variables, by their names. Given are these as Go has them. The
// function must be addressable. What is wrong is kept as the error of all its uses, err to begin with.
func Close(f reflect.Value, captures map[string]Value, given []reflect.Value, err error) {
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
		recv, class.err = receiverOf(p, fn.Pkg, method, given)
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
	if old := closures.classes[string(key)].Value(); old != nil {
		return old
	}
	closures.made++
	c.id = ^closures.made // far from where code is
	closures.classes[string(key)] = weak.Make(c)
	runtime.AddCleanup(c, forgetClass, string(key))
	return c
}

// forgetClass is called when no closure of the class with a key is left.
func forgetClass(key string) {
	closures.Lock()
	defer closures.Unlock()
	if closures.classes[key].Value() == nil { // and there is not yet another one
		delete(closures.classes, key)
	}
}

// receiverOf reads the receiver that the method value at p holds. It is the one value that is given, or in a field that
// this embeds.
func receiverOf(p unsafe.Pointer, pkg, method string, given []reflect.Value) (Value, error) {
	name, _, _ := strings.Cut(method, "[")
	name, _, _ = strings.Cut(name, ".")
	switch {
	case len(given) != 1 || !given[0].IsValid():
		return Value{}, errors.New(`a method value holds its receiver and nothing else: write qd.NewFunc(s.method, qd.Capture("s", s))`)
	case strings.HasPrefix(method, "(*"):
		return Value{}, errors.New("the method has a pointer as its receiver, and what that points to may change: give the method a receiver that is no pointer")
	}
	part, ok := embedded(addressable(given[0]), pkg, name)
	if !ok {
		return Value{}, fmt.Errorf("the receiver of the method has type %s, not %v; if %[1]s is an interface, use the method of a value whose type is known: s.(%[2]v).%[3]s", name, given[0].Type(), method[strings.LastIndexByte(method, '.')+1:])
	}
	t := part.Type()
	held := reflect.NewAt(t, gort.ReceiverAt(p, t)).Elem()
	want, err := Of(part)
	if err != nil {
		return Value{}, err
	}
	// The receiver may be of another instance of a generic type, with another layout, in which nothing points to where t
	// has a string.
	if strings.Contains(t.Name(), "[") && !sameWords(held, part) {
		return Value{}, fmt.Errorf("the receiver of the method is not %v, which qd.Capture gives", want)
	}
	recv, err := Of(held)
	if err == nil && string(want.Append(nil)) != string(recv.Append(nil)) {
		err = fmt.Errorf("the receiver of the method is %v, but qd.Capture gives %v", recv, want)
	}
	return recv, err
}

// sameWords reports whether two addressable values of a type, of which [Of] gives one, are the same in memory. What
// they point to is not looked at.
func sameWords(v, w reflect.Value) bool {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if !sameWords(v.Field(i), w.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Array:
		for i := range v.Len() {
			if !sameWords(v.Index(i), w.Index(i)) {
				return false
			}
		}
		return true
	}
	bytesOf := func(v reflect.Value) []byte {
		return unsafe.Slice((*byte)(unsafe.Pointer(v.UnsafeAddr())), v.Type().Size())
	}
	return bytes.Equal(bytesOf(v), bytesOf(w))
}

// embedded is the part of an addressable value that has a declared type: the value itself, else an embedded field, of
// those with the type the one that the fewest fields lead to.
func embedded(v reflect.Value, pkg, name string) (part reflect.Value, ok bool) {
	for level := []reflect.Value{v}; len(level) > 0; {
		var next []reflect.Value
		for _, v := range level {
			t := v.Type()
			if declared, _, _ := strings.Cut(t.Name(), "["); t.PkgPath() == pkg && declared == name {
				return v, true
			}
			for i := 0; t.Kind() == reflect.Struct && i < t.NumField(); i++ {
				if f := v.Field(i); t.Field(i).Anonymous {
					// So that it may be used although it is not exported.
					next = append(next, reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem())
				}
			}
		}
		level = next
	}
	return part, false
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
		return c.id
	}
	return gort.CodeAt(p)
}
