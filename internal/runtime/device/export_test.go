package device

import (
	"reflect"

	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/kernel"
)

// For the tests, which are of another package since they have values of package qd.
var (
	Clipped      = clipped
	SizeAndAlign = sizeAndAlign
)

// Address is where a buffer has its elements.
func (b *Buffer) Address() uintptr {
	address, _ := b.hold()
	return address
}

// Pack packs the argument of a kernel with one parameter, of a type, as an ABI has it.
func Pack(abi *build.ABI, param reflect.Type, arg any, address func(slice reflect.Value) uintptr) (buf []byte, err error) {
	k := &kernel.Kernel{Func: &kernel.Func{Args: []reflect.Type{param}}}
	l := Launch{Kernel: k, Dim: dims.Of(1), Args: []any{arg}}
	buf, _, err = l.packNew(abi, newPacking(k.Func, abi), address)
	return buf, err
}
