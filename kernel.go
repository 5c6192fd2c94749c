package qd

import (
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/runtime/encoding"
	"github.com/qdgen/qd/internal/runtime/registry"
)

// A Kernel is a handle on a kernel function. It launches like the function that
// it wraps, and is where settings of a launch are kept. It is immutable and safe
// for use by several goroutines at once.
type Kernel struct {
	*kernelFunc
	recv     any       // the receiver, where the kernel is a method
	captured *captured // of a function literal, nil for nothing
	blockDim int       // threads per block, if blockSet; else the device chooses
	blockSet bool
	dev      *Device // for Bind, nil for the default one
	err      error   // why it cannot be launched
}

// kernelFunc is what all handles on one Go function share.
type kernelFunc struct {
	fn       reflect.Value          // of a method, with the receiver before the other parameters
	name     string                 // as the runtime knows it, "saxpy"
	declared atomic.Pointer[string] // as the front end does, where that tells more
	ref      load.Ref
	literal  bool               // those of one literal share their code, whatever they capture
	receiver *encoding.Encoding // of the receiver's type, nil for a function
	first    reflect.Type       // Thread, Block or Grid
	params   []reflect.Type     // the others
	args     []reflect.Type     // those of them that are passed at run time
	consts   []constParam       // and those that are known at compile time
}

// isBlock reports whether the kernel is the code of a block.
func (k *kernelFunc) isBlock() bool { return k.first == blockType }

// isGrid reports whether the kernel is the code of a whole launch.
func (k *kernelFunc) isGrid() bool { return k.first == gridType }

// kernelFuncs are the functions seen so far, by entry address and type: instances of
// a generic function may share their code.
var kernelFuncs sync.Map // funcKey -> *kernelFunc

type funcKey struct {
	pc  uintptr
	typ reflect.Type
}

var threadType, blockType, gridType = reflect.TypeFor[Thread](), reflect.TypeFor[Block](), reflect.TypeFor[Grid]()

// NewKernel gives a handle on a kernel: a function, or a value of a type that has a
// kernel among its methods. What a function literal captures is named by options, see [Capture]. What is
// wrong with any of it is reported by the launch.
func NewKernel(f any, options ...KernelOption) *Kernel {
	k, err := kernelOf(f)
	if err == nil && len(options) > 0 {
		k, err = k.with(f, options)
	}
	if err != nil {
		return &Kernel{kernelFunc: &kernelFunc{name: "?"}, err: err}
	}
	return k
}

// WithBlockDim returns a copy of the handle whose launches use blocks of n
// threads; n is from 1 to 1024, best a multiple of 32. On every device it is what
// [Thread.BlockDim] gives; for a kernel that does not use its block, and for that of a
// [Block], it changes nothing but speed, on CUDA devices.
func (k *Kernel) WithBlockDim(n int) *Kernel {
	c := k.copy()
	c.blockDim, c.blockSet = n, true
	return c
}

// blockSize is the number of threads in a block of a kernel that uses its block.
func (k *Kernel) blockSize() int {
	if k.blockSet {
		return k.blockDim
	}
	return defaultBlockDim
}

// WithDevice returns a copy of the handle whose launches are for dev.
func (k *Kernel) WithDevice(dev *Device) *Kernel {
	c := k.copy()
	c.dev = dev
	return c
}

// copy copies a handle; a nil one becomes one that cannot be launched.
func (k *Kernel) copy() *Kernel {
	if k == nil {
		return NewKernel(nil)
	}
	c := *k
	return &c
}

// Name is the kernel's Go name.
func (k *Kernel) Name() string { return k.kernelFunc.Name() }

// Name is the kernel's name, as messages show it.
func (k *kernelFunc) Name() string {
	if name := k.declared.Load(); name != nil {
		return *name
	}
	return k.name
}

// nameAs notes the name that the front end has for the kernel. An instance of a generic
// kernel that a generic function launches is a literal of that function to the runtime.
func (k *kernelFunc) nameAs(declared string) {
	if k.literal && strings.Contains(k.name, "[") && strings.Contains(declared, "[") {
		k.declared.Store(&declared)
	}
}

// Launch runs the kernel over the threads of dim, see [Device.Launch]. The device
// is the one of [Kernel.WithDevice], else that of the array arguments, else the
// default one.
func (k *Kernel) Launch(dim Dims, args ...any) error {
	dev, err := k.device(args)
	if err != nil {
		return err
	}
	return dev.Launch(k, dim, args...)
}

// Bind prepares a launch to repeat: everything is checked, compiled and loaded
// once, and [Prepared.Launch] only runs. The device is the one of
// [Kernel.WithDevice], else that of the array arguments, else the default one.
func (k *Kernel) Bind(dim Dims, args ...any) (*Prepared, error) {
	dev, err := k.device(args)
	if err != nil {
		return nil, err
	}
	return dev.bind(k, dim, args)
}

// device finds the device that a launch with these arguments is for.
func (k *Kernel) device(args []any) (*Device, error) {
	if k != nil && k.dev != nil {
		return k.dev, nil
	}
	for _, a := range args {
		if a, ok := a.(arrayArg); ok && a.base() != nil && a.base().dev != nil {
			return a.base().dev, nil
		}
	}
	return Default()
}

// kernelOf finds the handle for what a launch was given: a handle, a function, or a
// value that has a kernel as a method.
func kernelOf(f any) (*Kernel, error) {
	if k, ok := f.(*Kernel); ok {
		if k == nil || k.kernelFunc == nil {
			return nil, &LaunchError{Reason: "the kernel is nil"}
		}
		return k, k.err
	}
	v := reflect.ValueOf(f)
	if !v.IsValid() || v.Kind() == reflect.Func && v.IsNil() {
		return nil, &LaunchError{Reason: "the kernel is nil"}
	}
	if t := v.Type(); t.Kind() != reflect.Func || t.NumMethod() > 0 && (t.NumIn() == 0 || !isPlace(t.In(0))) {
		return methodKernel(f)
	}
	pc := v.Pointer()
	key := funcKey{pc, v.Type()}
	if kf, ok := kernelFuncs.Load(key); ok {
		return &Kernel{kernelFunc: kf.(*kernelFunc)}, nil
	}
	kf, err := newKernelFunc(v)
	if err != nil {
		return nil, err
	}
	actual, _ := kernelFuncs.LoadOrStore(key, kf)
	return &Kernel{kernelFunc: actual.(*kernelFunc)}, nil
}

// newKernelFunc looks up what the running program knows of a function.
func newKernelFunc(v reflect.Value) (*kernelFunc, error) {
	t := v.Type()
	ref, err := comptime.RefOf(v)
	name := ref.Name
	method, isMethodValue := gort.CutMethodValue(name)
	switch {
	case isMethodValue:
		return nil, &LaunchError{Kernel: method, Reason: "it is a method value; launch the value that has the method, qd.Launch(v, ...) rather than qd.Launch(v.Method, ...): its fields are compile-time constants then"}
	case t.NumIn() == 0 || !isPlace(t.In(0)):
		return nil, &LaunchError{Kernel: name, Reason: fmt.Sprintf("%v is no kernel: its first parameter must be a qd.Thread, a qd.Block or a qd.Grid%s", t, ofMethodExpression(t))}
	case t.NumOut() > 0:
		return nil, &LaunchError{Kernel: name, Reason: "a kernel returns nothing; write results into a slice parameter"}
	case t.IsVariadic():
		return nil, &LaunchError{Kernel: name, Reason: "a kernel has no variadic parameter; declare it as a slice"}
	case err != nil:
		return nil, &LaunchError{Kernel: name, Reason: err.Error()}
	}
	kf := &kernelFunc{fn: v, name: name, ref: ref, literal: gort.IsLiteral(name)}
	if gort.IsInlinedLiteral(name) {
		kf.ref.Pkg = literalPackage(ref)
	}
	kf.setParams(t, 0)
	return kf, nil
}

// literalPackage is the package that a function literal stands in. One of a function that the Go
// compiler inlines is named after the function that calls that, perhaps of another package:
// its file tells.
func literalPackage(ref load.Ref) string {
	if !filepath.IsAbs(ref.File) { // built with -trimpath: import path and file
		if p, _ := registry.Sources().Package(path.Dir(ref.File)); p != nil {
			return path.Dir(ref.File)
		}
		return ref.Pkg
	}
	if _, p, err := load.Disk(ref.File); err == nil {
		return p.Path
	}
	return ref.Pkg
}

// isPlace reports whether a type is that of a kernel's first parameter.
func isPlace(t reflect.Type) bool { return t == threadType || t == blockType || t == gridType }

// ofMethodExpression is advice for those who launch Map.Kernel.
func ofMethodExpression(t reflect.Type) string {
	if t.NumIn() > 1 && isPlace(t.In(1)) {
		return fmt.Sprintf("; if it is a method, launch a value of type %v", t.In(0))
	}
	return ""
}

// setParams notes a kernel's parameters, of which the one at an index is the Thread, the Block or
// the Grid.
func (k *kernelFunc) setParams(t reflect.Type, index int) {
	k.first = t.In(index)
	for i := index + 1; i < t.NumIn(); i++ {
		p := t.In(i)
		if elem := constElem(p); elem != nil {
			k.consts = append(k.consts, newConstParam(len(k.params), p, elem))
		} else {
			k.args = append(k.args, p)
		}
		k.params = append(k.params, p)
	}
}
