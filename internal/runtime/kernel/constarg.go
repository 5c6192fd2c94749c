package kernel

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/memo"
	"github.com/qdgen/qd/internal/runtime/encoding"
)

// A ConstParam is a parameter of a kernel that is known at compile time.
type ConstParam struct {
	Index    int          // among the parameters after the first
	typ      reflect.Type // Const[elem]
	elem     reflect.Type
	encoding *encoding.Encoding // of typ
	problem  string             // why no value can be given, "" if some can

	converted *memo.Map[untyped, any] // the Const[elem] that stand for others
}

// untyped is a constant of one of the kinds that Go gives to constants.
type untyped struct {
	kind reflect.Kind
	bits uint64
}

// untypedOf is a constant of such a kind that an argument has; not ok for others.
func untypedOf(arg any) (u untyped, ok bool) {
	v := reflect.ValueOf(arg)
	switch ConstElem(v.Type()) {
	case reflect.TypeFor[int]():
		return untyped{reflect.Int, uint64(v.Field(0).Int())}, true
	case reflect.TypeFor[float64]():
		return untyped{reflect.Float64, math.Float64bits(v.Field(0).Float())}, true
	}
	return u, false
}

// ConstElem is T of Const[T], nil of another type.
func ConstElem(t reflect.Type) reflect.Type {
	if t.Kind() != reflect.Struct || t.PkgPath() != load.QDPath || !strings.HasPrefix(t.Name(), "Const[") {
		return nil
	}
	return t.Field(0).Type
}

func newConstParam(index int, t, elem reflect.Type) ConstParam {
	p := ConstParam{Index: index, typ: t, elem: elem, converted: new(memo.Map[untyped, any])}
	var err error
	if p.encoding, err = encoding.New(t); err != nil {
		p.problem = strings.TrimPrefix(err.Error(), "field V: ")
	}
	return p
}

// Check gives the Const[T] of the parameter's own type that an argument stands for.
func (p *ConstParam) Check(arg any) (fit any, problem string) {
	if p.problem != "" {
		return nil, p.problem
	}
	if arg == nil {
		return nil, "the argument is nil; pass a qd.C of a value"
	}
	t := reflect.TypeOf(arg)
	if t == p.typ {
		if p.elem.Kind() == reflect.Func && reflect.ValueOf(arg).Field(0).IsNil() {
			return nil, "the function is nil; pass a qd.C of a declared function"
		}
		return arg, ""
	}
	u, isUntyped := untypedOf(arg)
	if isUntyped {
		if fit, ok := p.converted.Load(u); ok {
			return fit, ""
		}
	}
	if ConstElem(t) == nil {
		return nil, p.notConst(arg)
	}
	v, problem := p.convert(reflect.ValueOf(arg).Field(0))
	if problem != "" {
		return nil, problem
	}
	c := reflect.New(p.typ).Elem()
	c.Field(0).Set(v)
	fit = c.Interface()
	if isUntyped {
		p.converted.LoadOrStore(u, fit)
	}
	return fit, ""
}

// notConst says what is wrong with an argument that is no Const.
func (p *ConstParam) notConst(arg any) string {
	if isArray(reflect.TypeOf(arg)) {
		return fmt.Sprintf("the argument is an array on a device, but the parameter must be known at compile time: pass a qd.C of a value of type %v, or declare the parameter as a slice", p.elem)
	}
	switch v := reflect.ValueOf(arg); v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Float64, reflect.Complex128, reflect.String:
		return fmt.Sprintf("the parameter is known at compile time; write qd.C(%#v)", v)
	case reflect.Pointer:
		if ConstElem(v.Type().Elem()) != nil {
			return "the argument is a pointer; pass the qd.C itself"
		}
	}
	return fmt.Sprintf("the parameter is known at compile time; write qd.C(x) of a value x of type %v, not a plain %T", p.elem, arg)
}

// convert fits a value of another type to the parameter: as for other parameters, the kinds
// that Go gives to constants stand for the constant; else it must be assignable.
func (p *ConstParam) convert(v reflect.Value) (fit reflect.Value, problem string) {
	var converted any
	switch t := v.Type(); {
	case t.AssignableTo(p.elem):
		if t.Kind() == reflect.Func && v.IsNil() {
			return v, "the function is nil; pass a qd.C of a declared function"
		}
		return v.Convert(p.elem), ""
	case t == reflect.TypeFor[int]() && isNumber(p.elem):
		converted, problem = ConvertConstant(p.elem, int(v.Int()), float64(v.Int()))
	case t == reflect.TypeFor[float64]() && isNumber(p.elem):
		converted, problem = ConvertConstant(p.elem, v.Float(), v.Float())
	case t == reflect.TypeFor[complex128]() && p.elem.Kind() == reflect.Complex64:
		converted, problem = ConvertComplex(p.elem, v.Complex())
	case t == reflect.TypeFor[bool]() && p.elem.Kind() == reflect.Bool,
		t == reflect.TypeFor[string]() && p.elem.Kind() == reflect.String:
		return v.Convert(p.elem), ""
	case t.ConvertibleTo(p.elem) || isNumber(t) && strings.HasPrefix(conversion(p.elem), "qd."):
		return v, fmt.Sprintf("the argument is a qd.C of type %v; write qd.C(%s)", t, conversion(p.elem))
	default:
		return v, fmt.Sprintf("the argument is a qd.C of type %v, but the parameter is one of type %v", t, p.elem)
	}
	if problem != "" {
		return v, problem
	}
	return reflect.ValueOf(converted), ""
}

// conversion is a conversion of x to a type in Go's notation.
func conversion(t reflect.Type) string {
	switch {
	case IsQD(t, "Float16"):
		return "qd.ToFloat16(x)"
	case IsQD(t, "BFloat16"):
		return "qd.ToBFloat16(x)"
	}
	return fmt.Sprintf("%v(x)", t)
}

// isNumber reports whether constants of Go convert to a type.
func isNumber(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return true
	}
	return false
}

// ConstValues are the values of a kernel's compile-time parameters, by their index among
// all parameters.
func (k *Func) ConstValues(consts []any) (map[int]comptime.Value, error) {
	if len(consts) == 0 {
		return nil, nil
	}
	values := make(map[int]comptime.Value, len(consts))
	for i, c := range k.Consts {
		v, err := comptime.Of(reflect.ValueOf(consts[i]).Field(0))
		if err != nil {
			return nil, k.WrongArg(c.Index, err.Error())
		}
		values[1+c.Index] = v
	}
	return values, nil
}
