package kernel

import (
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/memo"
	"github.com/qdgen/qd/internal/runtime/encoding"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/gorun"
	"github.com/qdgen/qd/internal/runtime/registry"
)

// A Kernel is a kernel function with what it has captured, and settings of a launch.
type Kernel struct {
	*Func
	recv     any       // the receiver, where the kernel is a method
	captured *captured // of a function literal, nil for nothing
	BlockDim int       // threads per block, if BlockSet; else the device chooses
	BlockSet bool

	Stages    int // of loops that multiply, from 1 to MaxStages, if StagesSet; else 1
	StagesSet bool
}

// MaxStages is the largest number of stages that a loop may have.
const MaxStages = 8

// A Func is what all handles on one Go function share.
type Func struct {
	fn       reflect.Value          // of a method, with the receiver before the other parameters
	name     string                 // as the runtime knows it, "saxpy"
	declared atomic.Pointer[string] // as the front end does, where that tells more
	Ref      load.Ref               // where it is declared
	Literal  bool                   // those of one literal share their code, whatever they capture
	receiver *encoding.Encoding     // of the receiver's type, nil for a function
	First    string                 // "Thread", "Block" or "Grid"
	Params   []reflect.Type         // the others
	Args     []reflect.Type         // what of them is passed at run time, with the fields of structs with slices in the place of those
	Parts    []Part                 // where each of Args is
	Consts   []ConstParam           // and those that are known at compile time
	Backward *BackwardOf            // of a backward kernel, nil for others

	gradients gradients
}

// IsBlock reports whether the kernel is the code of a block.
func (k *Func) IsBlock() bool { return k.First == "Block" }

// IsMethod reports whether the kernel is a method, whose receiver is known at compile time.
func (k *Func) IsMethod() bool { return k.receiver != nil }

// IsGrid reports whether the kernel is the code of a whole launch.
func (k *Func) IsGrid() bool { return k.First == "Grid" }

// funcs are the functions seen so far, by entry address and type: instances of
// a generic function may share their code.
var funcs memo.Map[funcKey, *Func]

type funcKey struct {
	pc  uintptr
	typ reflect.Type
}

// BlockSize is the number of threads in a block of a kernel that uses its block.
func (k *Kernel) BlockSize() int {
	if k.BlockSet {
		return k.BlockDim
	}
	return gorun.DefaultBlockDim
}

// Name is the kernel's name, as messages show it.
func (k *Func) Name() string {
	if name := k.declared.Load(); name != nil {
		return *name
	}
	return k.name
}

// WrongArg is the error of an argument that does not fit.
func (k *Func) WrongArg(i int, problem string) error {
	return &failure.LaunchError{Kernel: k.Name(), Param: fmt.Sprintf("%d (%v)", i+1, k.Params[i]), Reason: problem}
}

// NameAs notes the name that the front end has for the kernel. The name of an instance has its type arguments, which
// the runtime does not know. An instance that a generic function launches is a literal of that function to the runtime.
func (k *Func) NameAs(declared string) {
	if strings.Contains(k.name, "[") && strings.Contains(declared, "[") {
		k.declared.Store(&declared)
	}
}

// Of finds the kernel that a launch was given: a function, or a value that has a kernel as a method.
func Of(f any) (Kernel, error) {
	v := reflect.ValueOf(f)
	if !v.IsValid() || v.Kind() == reflect.Func && v.IsNil() {
		return Kernel{}, &failure.LaunchError{Reason: "the kernel is nil"}
	}
	if t := v.Type(); t.Kind() != reflect.Func || t.NumMethod() > 0 && (t.NumIn() == 0 || !isPlace(t.In(0))) {
		return methodKernel(f)
	}
	pc := v.Pointer()
	key := funcKey{pc, v.Type()}
	if kf, ok := funcs.Load(key); ok {
		return Kernel{Func: kf}, nil
	}
	kf, err := newKernelFunc(v)
	if err != nil {
		return Kernel{}, err
	}
	actual, _ := funcs.LoadOrStore(key, kf)
	return Kernel{Func: actual}, nil
}

// newKernelFunc looks up what the running program knows of a function.
func newKernelFunc(v reflect.Value) (*Func, error) {
	t := v.Type()
	ref, err := comptime.RefOf(v)
	name := ref.Name
	method, isMethodValue := gort.CutMethodValue(name)
	switch {
	case isMethodValue:
		return nil, &failure.LaunchError{Kernel: method, Reason: "it is a method value; launch the value that has the method, qd.Launch(v, ...) instead of qd.Launch(v.Method, ...): its fields are then compile-time constants. Of several methods that could be the kernel, the one whose name is Kernel is it: name one of them so, or declare a type for each"}
	case t.NumIn() == 0 || !isPlace(t.In(0)):
		return nil, &failure.LaunchError{Kernel: name, Reason: fmt.Sprintf("%v is not a kernel: its first parameter must be a qd.Thread, a qd.Block or a qd.Grid%s", t, ofMethodExpression(t))}
	case t.NumOut() > 0:
		return nil, &failure.LaunchError{Kernel: name, Reason: "a kernel returns nothing; write results into a slice parameter"}
	case t.IsVariadic():
		return nil, &failure.LaunchError{Kernel: name, Reason: "a kernel has no variadic parameter; declare it as a slice"}
	case err != nil:
		return nil, &failure.LaunchError{Kernel: name, Reason: err.Error()}
	}
	kf := &Func{fn: v, name: name, Ref: ref, Literal: gort.IsLiteral(name)}
	kf.Ref.Pkg = load.StandsIn(registry.Sources(), ref)
	kf.setParams(t, 0)
	return kf, nil
}

// isPlace reports whether a type is that of a kernel's first parameter.
func isPlace(t reflect.Type) bool { return IsQD(t, "Thread") || IsQD(t, "Block") || IsQD(t, "Grid") }

// ofMethodExpression is advice for those who launch Map.Kernel.
func ofMethodExpression(t reflect.Type) string {
	if t.NumIn() < 2 || !isPlace(t.In(1)) {
		return ""
	}
	recv, declare := t.In(0), ""
	if recv.Kind() == reflect.Pointer {
		recv = recv.Elem()
		declare = fmt.Sprintf("declare it with the receiver %s, and ", recv.Name())
	}
	return fmt.Sprintf("; if it is a method, %slaunch a value of type %v", declare, recv)
}

// setParams notes a kernel's parameters, of which the one at an index is the Thread, the Block or
// the Grid.
func (k *Func) setParams(t reflect.Type, index int) {
	k.First = t.In(index).Name()
	for i := index + 1; i < t.NumIn(); i++ {
		p := t.In(i)
		if elem := ConstElem(p); elem != nil {
			k.Consts = append(k.Consts, newConstParam(len(k.Params), p, elem))
			k.Params = append(k.Params, p)
		} else {
			k.addParam(p, nil)
		}
	}
}

// Unknown stands for what is no kernel.
var Unknown = Kernel{Func: &Func{name: "?"}}
