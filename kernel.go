package qd

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"

	"github.com/qdgen/qd/frontend/load"
)

// A Kernel is a handle on a kernel function. It launches like the function that
// it wraps, and is where settings of a launch are kept. It is immutable and safe
// for use by several goroutines at once.
type Kernel struct {
	*kernelFunc
	blockDim int // threads per block, if blockSet; else the device chooses
	blockSet bool
	dev      *Device // for Bind, nil for the default one
	err      error   // why it cannot be launched
}

// kernelFunc is what all handles on one Go function share.
type kernelFunc struct {
	fn     reflect.Value
	name   string // as messages show it, "saxpy"
	ref    load.Ref
	first  reflect.Type   // Thread, Block or Grid
	params []reflect.Type // the others
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

// NewKernel gives a handle on a kernel function. What is wrong with the function
// is reported by its launch.
func NewKernel(f any) *Kernel {
	k, err := kernelOf(f)
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
func (k *Kernel) Name() string { return k.name }

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

// kernelOf finds the handle for what a launch was given: a handle, or a function.
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
	if v.Kind() != reflect.Func {
		return nil, &LaunchError{Reason: fmt.Sprintf("a kernel is a function whose first parameter is a qd.Thread; this is of type %v", v.Type())}
	}
	pc := v.Pointer()
	key := funcKey{pc, v.Type()}
	if kf, ok := kernelFuncs.Load(key); ok {
		return &Kernel{kernelFunc: kf.(*kernelFunc)}, nil
	}
	kf, err := newKernelFunc(v, pc)
	if err != nil {
		return nil, err
	}
	actual, _ := kernelFuncs.LoadOrStore(key, kf)
	return &Kernel{kernelFunc: actual.(*kernelFunc)}, nil
}

// newKernelFunc looks up what the running program knows of a function.
func newKernelFunc(v reflect.Value, pc uintptr) (*kernelFunc, error) {
	fn := runtime.FuncForPC(pc)
	if fn == nil {
		return nil, &LaunchError{Reason: "the kernel has no name in this program; declare it as a function"}
	}
	file, line := fn.FileLine(pc)
	pkg, name := splitFuncName(fn.Name())
	kf := &kernelFunc{fn: v, name: name, ref: load.Ref{Pkg: pkg, Name: name, File: file, Line: line}}

	t := v.Type()
	switch {
	case t.NumIn() == 0 || t.In(0) != threadType && t.In(0) != blockType && t.In(0) != gridType:
		return nil, &LaunchError{Kernel: name, Reason: fmt.Sprintf("%v is no kernel: its first parameter must be a qd.Thread, a qd.Block or a qd.Grid", t)}
	case strings.HasSuffix(name, "-fm"): // so the compiler calls the function behind a method value
		return nil, &LaunchError{Kernel: strings.TrimSuffix(name, "-fm"), Reason: "a method cannot be a kernel; launch a function declared at package level, and pass it what the receiver has"}
	case t.NumOut() > 0:
		return nil, &LaunchError{Kernel: name, Reason: "a kernel returns nothing; write results into a slice parameter"}
	}
	if strings.Contains(name, "[") { // an instance, or a literal that may be one: see load.Check
		kf.ref.Params = paramTypes(t)
	}
	kf.first = t.In(0)
	for i := 1; i < t.NumIn(); i++ {
		kf.params = append(kf.params, t.In(i))
	}
	return kf, nil
}

// paramTypes are the types of a function's parameters as [load.Ref] has them.
func paramTypes(t reflect.Type) string {
	var list []string
	for in := range t.Ins() {
		list = append(list, typeName(in))
	}
	return strings.Join(list, ",")
}

// typeName is a type with import paths.
func typeName(t reflect.Type) string {
	if t.Name() != "" {
		if t.PkgPath() == "" {
			return t.Name()
		}
		return t.PkgPath() + "." + t.Name()
	}
	switch t.Kind() {
	case reflect.Slice:
		return "[]" + typeName(t.Elem())
	case reflect.Pointer:
		return "*" + typeName(t.Elem())
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), typeName(t.Elem()))
	}
	return t.String()
}

// isLiteral reports whether the kernel is a function literal: those of one literal
// share their code, whatever they capture.
func (k *kernelFunc) isLiteral() bool { return strings.Contains(k.name, ".func") }

// splitFuncName divides a function's name as package runtime writes it,
// "example.com/mod/pkg.saxpy", into import path and name within the package.
func splitFuncName(full string) (pkg, name string) {
	base := strings.LastIndexByte(full, '/') + 1
	dot := strings.IndexByte(full[base:], '.')
	if dot < 0 {
		return "", full
	}
	// The linker's symbols escape dots in the path's last element.
	return strings.ReplaceAll(full[:base+dot], "%2e", "."), full[base+dot+1:]
}
