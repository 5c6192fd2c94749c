package launch

import (
	"fmt"
	"reflect"

	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/kernel"
)

// checkArgs compares the arguments of a launch with the parameters of a kernel: first their number, then the type and
// the device of each. It returns the values for the parameters, each of the parameter's type or a *device.Buffer. The
// values of parameters that are known at compile time are in a list of their own.
func (k *Kernel) checkArgs(dev *Device, args []any, m *memory) (checked, consts []any, err error) {
	if len(args) != len(k.Params) {
		return nil, nil, &failure.LaunchError{Kernel: k.Name(), Reason: fmt.Sprintf("%s for %s %v", dims.Plural(len(args), "argument"), dims.Plural(len(k.Params), "parameter"), typeList(k.Params))}
	}
	all := m.list(len(k.Args) + len(k.Consts))
	checked, consts = all[:0:len(k.Args)], all[len(k.Args):len(k.Args):cap(all)]
	for i := range args {
		if k.isPlain(i, len(checked)) && gort.HasType(&args[i], k.Params[i]) {
			checked = append(checked, args[i])
			continue
		}
		arg := args[i]
		var problem string
		if n := len(consts); n < len(k.Consts) && k.Consts[n].Index == i {
			if arg, err = k.Evaluate(i, args, nil); err != nil {
				return nil, nil, err
			}
			arg, problem = k.Consts[n].Check(arg)
			consts = append(consts, arg)
		} else if kernel.HasParts(k.Params[i]) {
			checked, problem = k.checkParts(checked, dev, i, arg)
		} else {
			arg, problem = checkArg(dev, k.Params[i], arg)
			checked = append(checked, arg)
		}
		if problem != "" {
			return nil, nil, k.WrongArg(i, problem)
		}
	}
	return checked, consts, nil
}

// isPlain reports whether a parameter is one of the kernel's arguments at run time, as it is: neither a constant nor
// several arguments. next is the place of the next argument.
func (k *Kernel) isPlain(param, next int) bool {
	return next < len(k.Parts) && k.Parts[next].Param == param && !k.Parts[next].IsPart()
}

// typeList prints types as a parameter list.
func typeList(types []reflect.Type) string {
	s := "("
	for i, t := range types {
		if i > 0 {
			s += ", "
		}
		s += t.String()
	}
	return s + ")"
}

// checkArg converts an argument to the type of a parameter, or says why it does not fit.
func checkArg(dev *Device, param reflect.Type, arg any) (fit any, problem string) {
	if arg == nil {
		return nil, "the argument is nil"
	}
	if param.Kind() == reflect.Slice {
		return checkSliceArg(dev, param, arg)
	}
	if rank, elem := kernel.ViewOf(param); rank > 0 {
		return checkViewArg(dev, rank, elem, param, arg)
	}
	t := reflect.TypeOf(arg)
	if t == param {
		return arg, ""
	}
	if elem := kernel.ConstElem(t); elem != nil {
		return nil, fmt.Sprintf("the argument is a qd.C, but the parameter is not known at compile time; pass the %v, or declare the parameter as qd.Const[%v]", elem, param)
	}
	if _, ok := arrayOf(arg); ok {
		return nil, fmt.Sprintf("the argument is an array, but the parameter is a single %v", param)
	}
	// The kinds that Go gives to constants stand for the constant.
	switch c := arg.(type) {
	case int:
		return kernel.ConvertConstant(param, c, float64(c))
	case float64:
		return kernel.ConvertConstant(param, c, c)
	case complex128:
		if param.Kind() == reflect.Complex64 || param.Kind() == reflect.Complex128 {
			return kernel.ConvertComplex(param, c)
		}
	case bool:
		if param.Kind() == reflect.Bool {
			return reflect.ValueOf(c).Convert(param).Interface(), ""
		}
	}
	if !t.ConvertibleTo(param) {
		return nil, fmt.Sprintf("the argument is of type %v, but the parameter is of type %v", t, param)
	}
	return nil, fmt.Sprintf("the argument is of type %v; convert it to %v", t, param)
}

// checkSliceArg is checkArg for a slice parameter. The argument is a slice with the same elements, or an array of them
// on the device of the launch.
func checkSliceArg(dev *Device, param reflect.Type, arg any) (any, string) {
	if a, ok := arrayOf(arg); ok {
		if problem := checkArrayArg(dev, param.Elem(), a); problem != "" {
			return nil, problem
		}
		return a.Buffer, ""
	}
	t := reflect.TypeOf(arg)
	switch {
	case t == param:
		return arg, ""
	case t.Kind() == reflect.Slice && t.Elem() == param.Elem():
		return reflect.ValueOf(arg).Convert(param).Interface(), ""
	case t.Kind() == reflect.Slice:
		return nil, fmt.Sprintf("the argument is a %v; its elements must be of type %v", t, param.Elem())
	case t.Kind() == reflect.Array || t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Array:
		return nil, fmt.Sprintf("the argument is a %v; pass a slice of it, a[:]", t)
	}
	return nil, fmt.Sprintf("the argument is of type %v; pass %s or a *qd.Array[%v]", t, aType(param), param.Elem())
}

// checkArrayArg says why an array cannot be an argument of a launch on a device. It returns "" if it can.
func checkArrayArg(dev *Device, elem reflect.Type, a *Array) string {
	switch {
	case a == nil:
		return "the array is nil"
	case a.dev == nil:
		return "the array was not made by From or Zeros"
	case a.Elem != elem:
		return fmt.Sprintf("the array has elements of type %v; make it with %v", a.Elem, elem)
	case a.err != nil:
		return fmt.Sprintf("the array could not be made: %v", a.err)
	case a.IsFreed():
		return "the array has been freed"
	case !a.dev.same(dev):
		return fmt.Sprintf("the array is on device %s, but the launch is on %s; copy it with array.To(dev)", a.dev, dev)
	}
	return ""
}

// checkViewArg is checkArg for a view. The argument is a view of memory of the host, or an array with the same number
// of dimensions on the device of the launch.
func checkViewArg(dev *Device, rank int, elem, param reflect.Type, arg any) (any, string) {
	if a, ok := arrayOf(arg); ok {
		problem := checkArrayArg(dev, elem, a)
		if problem == "" && len(a.Buffer.Shape) != rank {
			problem = fmt.Sprintf("the array has the shape %v, but the view has %d dimensions; make the array with %d sizes", a.Buffer.Shape, rank, rank)
		}
		if problem != "" {
			return nil, problem
		}
		return a.Buffer, ""
	}
	t := reflect.TypeOf(arg)
	switch {
	case t == param:
		return arg, ""
	case t.Kind() == reflect.Slice && t.Elem() == elem:
		return nil, fmt.Sprintf("the argument is a %v, which has one dimension; pass qd.ViewOf%d of it and the sizes, or a *qd.Array[%v]", t, rank, elem)
	}
	return nil, fmt.Sprintf("the argument is of type %v; pass %s or a *qd.Array[%v] of %d dimensions", t, aType(param), elem, rank)
}
