package gort

import (
	"fmt"
	"reflect"
	"runtime"
	"unsafe"
)

// ClosureAt is the closure of the func value at p: a block of memory that begins with the address of the code, and has
// behind that what a function literal captures. It is nil of nil.
func ClosureAt(p unsafe.Pointer) unsafe.Pointer { return *(*unsafe.Pointer)(p) }

// SameFunc reports whether two functions are one closure: the same code with the same captured variables.
func SameFunc(v, w reflect.Value) bool {
	return v.UnsafePointer() != nil && closureOf(v) == closureOf(w)
}

// closureOf is the address of the closure that a function is, nil for nil.
func closureOf(v reflect.Value) unsafe.Pointer {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return ClosureAt(p.UnsafePointer())
}

// ReceiverAt is the receiver, of type t, that the method value at p holds.
func ReceiverAt(p unsafe.Pointer, t reflect.Type) unsafe.Pointer {
	align := uintptr(t.Align())
	return unsafe.Add(ClosureAt(p), (unsafe.Sizeof(uintptr(0))+align-1)&^(align-1))
}

// CodeAt is the code of the func value at p, 0 of nil. Two functions that capture nothing have the same code if
// and only if they are the same.
func CodeAt(p unsafe.Pointer) uintptr {
	f := *(**uintptr)(p)
	if f == nil {
		return 0
	}
	return *f
}

// anInterface is what an any is in memory.
type anInterface struct{ typ, data unsafe.Pointer }

// In is the address of the value in an interface. It must not be written to. Direct is what
// [IsDirect] says of the value's type.
func In(x *any, direct bool) unsafe.Pointer {
	i := (*anInterface)(unsafe.Pointer(x))
	if direct {
		return unsafe.Pointer(&i.data)
	}
	return i.data
}

// HasType reports whether the dynamic type of x is t, as reflect.TypeOf(x) == t does. It takes no call: a type has one
// address, which is what the interface has of it.
func HasType(x *any, t reflect.Type) bool {
	return (*anInterface)(unsafe.Pointer(x)).typ == (*anInterface)(unsafe.Pointer(&t)).data
}

// At is an interface with the dynamic type of x and the value at p, which is not copied. The type must not be one whose
// values are pointers: see [IsDirect].
func At(x any, p unsafe.Pointer) any {
	(*anInterface)(unsafe.Pointer(&x)).data = p
	return x
}

// IsDirect finds out by trying whether values of a type, which are no more than one
// pointer then, stand in an interface as they are.
func IsDirect(t reflect.Type) bool {
	if t.Size() != unsafe.Sizeof(uintptr(0)) {
		return false
	}
	v := reflect.New(t)
	mark := unsafe.Pointer(new(int))
	*(*unsafe.Pointer)(v.UnsafePointer()) = mark
	x := v.Elem().Interface()
	return (*anInterface)(unsafe.Pointer(&x)).data == mark
}

// Bounds are the index and the length in an error of the runtime, zeros if it is not
// about those. Its text has not always both; so its fields are read, and the text only where they
// are no longer what they are.
func Bounds(err runtime.Error) (index, length int) {
	v := reflect.ValueOf(err)
	if v.Kind() == reflect.Struct {
		x, y := v.FieldByName("x"), v.FieldByName("y")
		if x.IsValid() && x.CanInt() && y.IsValid() && y.CanInt() {
			return int(x.Int()), int(y.Int())
		}
	}
	_, _ = fmt.Sscanf(err.Error(), "runtime error: index out of range [%d] with length %d", &index, &length)
	return index, length
}
