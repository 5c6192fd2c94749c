package qd

import (
	"fmt"
	"math"
	"reflect"
)

// arrayArg is an *Array of any element type.
type arrayArg interface {
	base() *arrayBase
	elem() reflect.Type
	// hold gives the address of the elements in the device's memory, and what must
	// be kept reachable for as long as it is used: nil when the array has been freed.
	hold() (address uintptr, keep any)
}

// checkArgs compares the arguments of a launch with a kernel's parameters: their
// number, then each one's type and device. For each it gives the value that the
// parameter receives: of the parameter's own type, or an arrayArg. Those that are known at
// compile time are apart.
func (k *Kernel) checkArgs(dev *Device, args []any) (checked, consts []any, err error) {
	if len(args) != len(k.params) {
		return nil, nil, &LaunchError{Kernel: k.Name(), Reason: fmt.Sprintf("%s for %s %v", plural(len(args), "argument"), plural(len(k.params), "parameter"), typeList(k.params))}
	}
	all := make([]any, 0, len(args))
	checked, consts = all[:0:len(k.args)], all[len(k.args):len(k.args):len(args)]
	for i, arg := range args {
		var problem string
		if n := len(consts); n < len(k.consts) && k.consts[n].index == i {
			arg, problem = k.consts[n].check(arg)
			consts = append(consts, arg)
		} else {
			arg, problem = checkArg(dev, k.params[i], arg)
			checked = append(checked, arg)
		}
		if problem != "" {
			return nil, nil, k.wrongArg(i, problem)
		}
	}
	return checked, consts, nil
}

// wrongArg is the error of an argument that does not fit.
func (k *kernelFunc) wrongArg(i int, problem string) error {
	return &LaunchError{Kernel: k.Name(), Param: fmt.Sprintf("%d (%v)", i+1, k.params[i]), Reason: problem}
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

// checkArg fits one argument to a parameter, or says why it does not fit.
func checkArg(dev *Device, param reflect.Type, arg any) (fit any, problem string) {
	if arg == nil {
		return nil, "the argument is nil"
	}
	if param.Kind() == reflect.Slice {
		return checkSliceArg(dev, param, arg)
	}
	if view := viewOf(param); view != nil {
		return checkViewArg(dev, view, param, arg)
	}
	t := reflect.TypeOf(arg)
	if t == param {
		return arg, ""
	}
	if elem := constElem(t); elem != nil {
		return nil, fmt.Sprintf("the argument is a qd.C, the parameter is not known at compile time; pass the %v, or declare the parameter as qd.Const[%v]", elem, param)
	}
	if _, ok := arg.(arrayArg); ok {
		return nil, fmt.Sprintf("the argument is an array, the parameter a single %v", param)
	}
	// The kinds that Go gives to constants stand for the constant.
	switch c := arg.(type) {
	case int:
		return convertConstant(param, c, float64(c))
	case float64:
		return convertConstant(param, c, c)
	case bool:
		if param.Kind() == reflect.Bool {
			return reflect.ValueOf(c).Convert(param).Interface(), ""
		}
	}
	if !t.ConvertibleTo(param) {
		return nil, fmt.Sprintf("the argument is of type %v, the parameter of type %v", t, param)
	}
	return nil, fmt.Sprintf("the argument is of type %v; convert it to %v", t, param)
}

// convertConstant converts an int or a float64 to a parameter's numeric type as
// Go converts a constant: an integer must be representable, a float is rounded but
// must not overflow.
func convertConstant[C int | float64](param reflect.Type, c C, f float64) (any, string) {
	v := reflect.ValueOf(c)
	out := reflect.New(param).Elem()
	overflows := func() (any, string) { return nil, fmt.Sprintf("%v does not fit in %v", c, param) }
	switch param.Kind() {
	case reflect.Float32, reflect.Float64:
		if param.Kind() == reflect.Float32 {
			// In one step: an int would else be rounded to float64 first.
			single := float64(float32(c))
			if math.IsInf(single, 0) && !math.IsInf(f, 0) {
				return overflows()
			}
			f = single
		}
		out.SetFloat(f)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i := int64(c)
		if f != math.Trunc(f) {
			return nil, fmt.Sprintf("%v is no integer, the parameter is of type %v", c, param)
		}
		if out.OverflowInt(i) || v.Kind() == reflect.Float64 && !(f >= -1<<63 && f < 1<<63) {
			return overflows()
		}
		out.SetInt(i)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if f != math.Trunc(f) {
			return nil, fmt.Sprintf("%v is no integer, the parameter is of type %v", c, param)
		}
		if f < 0 || f >= 1<<64 || out.OverflowUint(uint64(c)) {
			return overflows()
		}
		out.SetUint(uint64(c))
	default:
		how := "convert it"
		switch param {
		case reflect.TypeFor[Float16]():
			how = "convert it with qd.ToFloat16"
		case reflect.TypeFor[BFloat16]():
			how = "convert it with qd.ToBFloat16"
		}
		return nil, fmt.Sprintf("the argument is of type %v, the parameter of type %v; %s", v.Type(), param, how)
	}
	return out.Interface(), ""
}

// checkSliceArg fits an argument to a slice parameter: a slice of the same
// elements, or an array of them on the launch's device.
func checkSliceArg(dev *Device, param reflect.Type, arg any) (any, string) {
	if a, ok := arg.(arrayArg); ok {
		return arg, checkArrayArg(dev, param.Elem(), a)
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
	return nil, fmt.Sprintf("the argument is of type %v; pass a %v or a *qd.Array[%v]", t, param, param.Elem())
}

// checkArrayArg says why an array cannot be an argument of a launch on a device,
// "" if it can.
func checkArrayArg(dev *Device, elem reflect.Type, a arrayArg) string {
	base := a.base()
	switch {
	case base == nil:
		return "the array is nil"
	case base.dev == nil:
		return "the array was not made by From or Zeros"
	case a.elem() != elem:
		return fmt.Sprintf("the array has elements of type %v; make it with %v", a.elem(), elem)
	case base.err != nil:
		return fmt.Sprintf("the array could not be made: %v", base.err)
	case base.freed.Load():
		return "the array has been freed"
	case !base.dev.same(dev):
		return fmt.Sprintf("the array is on device %s, the launch on %s; copy it with From(dev, array.Slice())", base.dev, dev)
	}
	return ""
}

// checkViewArg fits an argument to a parameter that is a view: a view of memory
// of the host, or an array of as many dimensions on the launch's device.
func checkViewArg(dev *Device, view viewParam, param reflect.Type, arg any) (any, string) {
	rank := view.rank()
	if a, ok := arg.(arrayArg); ok {
		problem := checkArrayArg(dev, view.elem(), a)
		if problem == "" && len(a.base().shape) != rank {
			problem = fmt.Sprintf("the array has the shape %v, the view %d dimensions; make it with %d sizes", a.base().shape, rank, rank)
		}
		return arg, problem
	}
	t := reflect.TypeOf(arg)
	switch {
	case t == param:
		return arg, ""
	case t.Kind() == reflect.Slice && t.Elem() == view.elem():
		return nil, fmt.Sprintf("the argument is a %v, which has one dimension; pass qd.ViewOf%d of it and the sizes, or a *qd.Array[%v]", t, rank, view.elem())
	}
	return nil, fmt.Sprintf("the argument is of type %v; pass a %v or a *qd.Array[%v] of %d dimensions", t, param, view.elem(), rank)
}
