package launch

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/qdgen/qd/internal/runtime/kernel"
)

// checkParts appends the fields of an argument for a parameter that is a struct with slices. The argument is of the
// same type, or another struct with fields of the same names. In this other struct, a slice or a view may be an array.
func (k *Kernel) checkParts(checked []any, dev *Device, param int, arg any) (longer []any, problem string) {
	t := k.Params[param]
	if arg == nil {
		return checked, "the argument is nil"
	}
	if problem := sameFields(t, reflect.TypeOf(arg), ""); problem != "" {
		return checked, problem
	}
	whole := kernel.Addressable(arg)
	for i := len(checked); i < len(k.Parts) && k.Parts[i].Param == param; i++ {
		p := &k.Parts[i]
		fit, problem := checkArg(dev, k.Args[i], p.Of(whole, t).Interface())
		if problem != "" {
			return checked, fmt.Sprintf("field %s: %s", p.Name, problem)
		}
		checked = append(checked, fit)
	}
	return checked, ""
}

// aType is a type with the article that its name has in a sentence.
func aType(t reflect.Type) string {
	name := t.String()
	if strings.ContainsRune("aeioAEIO", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

// sameFields compares the fields of an argument with those of a parameter that is a struct with slices. It says what
// differs, "" if nothing does. The contents of the fields are checked elsewhere. of is the field that contains the two
// structs, "" if they are the whole argument.
func sameFields(param, arg reflect.Type, of string) string {
	if arg == param {
		return ""
	}
	prefix := ""
	if of != "" {
		prefix = "field " + of + ": "
	}
	if arg.Kind() != reflect.Struct {
		return fmt.Sprintf("%sthe argument is of type %v; pass %s, or a struct with the same fields, in which a *qd.Array may stand for a slice", prefix, arg, aType(param))
	}
	for i := range arg.NumField() {
		if name := arg.Field(i).Name; name != "_" && !hasField(param, name) {
			return fmt.Sprintf("%sthe argument is a %v, which has a field %s, but the parameter is a %v, which has none", prefix, arg, name, param)
		}
	}
	for i := range param.NumField() {
		f := param.Field(i)
		if f.Name == "_" {
			continue
		}
		if !hasField(arg, f.Name) {
			return fmt.Sprintf("%sthe argument is a %v, which has no field %s; the parameter is a %v", prefix, arg, f.Name, param)
		}
		if g, _ := arg.FieldByName(f.Name); kernel.HasParts(f.Type) {
			name := f.Name
			if of != "" {
				name = of + "." + name
			}
			if problem := sameFields(f.Type, g.Type, name); problem != "" {
				return problem
			}
		}
	}
	return ""
}

// hasField reports whether a struct has a field of a name, one of its own.
func hasField(t reflect.Type, name string) bool {
	f, ok := t.FieldByName(name)
	return ok && len(f.Index) == 1
}

// eachArray calls f for the arrays among the arguments of a launch that has been checked, each with its place in
// [kernel.Func.Args].
func (k *Kernel) eachArray(args []any, f func(arg int, a *Array)) {
	var whole reflect.Value
	of := -1
	for i := range k.Parts {
		p := &k.Parts[i]
		arg := args[p.Param]
		if p.IsPart() {
			if t := reflect.TypeOf(arg); t == k.Params[p.Param] || !holdsArrays(t) {
				continue
			}
			if of != p.Param {
				whole, of = kernel.Addressable(arg), p.Param
			}
			arg = p.Of(whole, k.Params[p.Param]).Interface()
		}
		if a, ok := arrayOf(arg); ok && a != nil {
			f(i, a)
		}
	}
}

// holdsArrays reports whether a struct may have arrays: these are pointers in its fields.
func holdsArrays(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return t.Kind() == reflect.Pointer
	}
	for i := range t.NumField() {
		if holdsArrays(t.Field(i).Type) {
			return true
		}
	}
	return false
}

// firstArray returns the first usable array among the arguments of a launch, or in their fields. It returns nil if
// there is none.
func firstArray(args []any) *Array {
	for _, arg := range args {
		if a, ok := arrayOf(arg); ok {
			if a != nil && a.dev != nil {
				return a
			}
			continue
		}
		if t := reflect.TypeOf(arg); t == nil || t.Kind() != reflect.Struct || !holdsArrays(t) {
			continue
		}
		whole := kernel.Addressable(arg)
		var fields []any
		for i := range whole.NumField() {
			fields = append(fields, kernel.Field(whole, i).Interface())
		}
		if a := firstArray(fields); a != nil {
			return a
		}
	}
	return nil
}
