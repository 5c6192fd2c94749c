package kernel

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/memo"
	"github.com/qdgen/qd/internal/runtime/encoding"
	"github.com/qdgen/qd/internal/runtime/failure"
)

// A kernel may be a method of the value that is launched, whose fields are constants
// to it then.

// methodKernels are the kernels among the methods of the types seen so far.
var methodKernels memo.Map[reflect.Type, *Func]

// methodKernel is the kernel that a value has as a method.
func methodKernel(x any) (Kernel, error) {
	t := reflect.TypeOf(x)
	if kf, ok := methodKernels.Load(t); ok {
		return Kernel{Func: kf, recv: x}, nil
	}
	kf, err := newMethodKernel(t)
	if err != nil {
		return Kernel{}, err
	}
	actual, _ := methodKernels.LoadOrStore(t, kf)
	return Kernel{Func: actual, recv: x}, nil
}

// newMethodKernel finds the kernel among a type's methods.
func newMethodKernel(t reflect.Type) (*Func, error) {
	name := comptime.ShortType(comptime.TypeName(t))
	wrong := func(format string, args ...any) error {
		return &failure.LaunchError{Kernel: name, Reason: fmt.Sprintf(format, args...)}
	}
	if t.Kind() == reflect.Pointer {
		if all := kernelMethods(t); len(all) > 0 && len(kernelMethods(t.Elem())) == 0 {
			return nil, wrong("%s", pointerReceiver(all[0], t.Elem())+"; then launch the value that the pointer points to")
		} else if len(all) > 0 {
			return nil, wrong("it is a pointer; launch the value that it points to: a kernel captures its receiver by value, as compile-time constants")
		}
	}
	m, problem := kernelMethod(t)
	if problem != "" {
		return nil, wrong("%s", problem)
	}
	kf := &Func{fn: m.Func}
	var err error
	if kf.receiver, err = encoding.New(t); err != nil {
		return nil, wrong("the receiver of a kernel must be known at compile time: %v", err)
	}
	ref, err := comptime.RefOf(m.Func)
	switch {
	case gort.FuncAt(m.Func.Pointer()).IsWrapper():
		return nil, wrong("method %s belongs to an embedded field; launch the field", m.Name)
	case err != nil:
		return nil, wrong("%v", err)
	}
	kf.Ref = ref
	kf.Ref.Name = strings.TrimPrefix(comptime.TypeName(t), t.PkgPath()+".") + "." + m.Name
	kf.name = comptime.ShortType(kf.Ref.Name)
	kf.setParams(m.Type, 1)
	return kf, nil
}

// kernelMethod chooses the kernel among a type's methods: the only one of a kernel's
// shape, or the one of several whose name is Kernel.
func kernelMethod(t reflect.Type) (m reflect.Method, problem string) {
	all := kernelMethods(t)
	var names []string
	for _, m := range all {
		if m.Name == "Kernel" {
			return m, ""
		}
		names = append(names, m.Name)
	}
	switch len(all) {
	case 1:
		return all[0], ""
	case 0:
		if byPointer := kernelMethods(reflect.PointerTo(t)); t.Kind() != reflect.Interface && len(byPointer) > 0 {
			return m, pointerReceiver(byPointer[0], t)
		}
		if t.Kind() == reflect.Struct && t.Name() != "" {
			return m, "none of its exported methods is a kernel; the first parameter of a kernel is a qd.Thread, a qd.Block or a qd.Grid, and it returns nothing"
		}
		return m, fmt.Sprintf("a kernel is a function whose first parameter is a qd.Thread, a qd.Block or a qd.Grid, or a value with such a method; this value is of type %v", t)
	}
	return m, fmt.Sprintf("each of the methods %s could be the kernel; name one of them Kernel, or launch a value of a separate type for each", strings.Join(names, ", "))
}

// pointerReceiver says what is wrong with a kernel that is a method of pointers to a type.
func pointerReceiver(m reflect.Method, t reflect.Type) string {
	return fmt.Sprintf("method %s has a pointer receiver; declare it with the receiver %s: a kernel captures its receiver by value and cannot change it", m.Name, t.Name())
}

// kernelMethods are the exported methods of a type that have the shape of a kernel.
func kernelMethods(t reflect.Type) (all []reflect.Method) {
	for i := range t.NumMethod() {
		m := t.Method(i)
		if m.Type.NumIn() > 1 && isPlace(m.Type.In(1)) && m.Type.NumOut() == 0 && !m.Type.IsVariadic() {
			all = append(all, m)
		}
	}
	return all
}

// ReceiverValue is the receiver as a compile-time value, nil of a function.
func (k *Kernel) ReceiverValue() (*comptime.Value, error) {
	if k.receiver == nil {
		return nil, nil
	}
	v, err := comptime.Of(reflect.ValueOf(k.recv))
	if err != nil {
		return nil, &failure.LaunchError{Kernel: k.Name(), Reason: fmt.Sprintf("the receiver cannot be known at compile time: %v", err)}
	}
	return &v, nil
}
