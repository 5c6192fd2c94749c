package main

import (
	"errors"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strings"

	"github.com/qdgen/qd/cmd/qdgen/gen"
	"github.com/qdgen/qd/frontend/comptime"
)

// given is what the command line says of parameters: --type T=float32, --const n=128.
type given struct {
	name, text string
	used       bool         // some kernel has such a parameter
	file       types.Object // of a launch of the package: something that its file declares
}

// at is something that the file declares whose imports the text has; kernel is the kernel that it is for.
func (g *given) at(kernel types.Object) types.Object {
	if g.file != nil {
		return g.file
	}
	return kernel
}

// parseGiven parses the values of a flag.
func parseGiven(flag string, list []string) ([]*given, error) {
	var all []*given
	for _, text := range list {
		name, value, ok := strings.Cut(text, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || value == "" {
			return nil, usageErrorf("--%s %s: give a name and a value, as in --%s", flag, text, map[string]string{"type": "type T=float32", "const": "const n=128"}[flag])
		}
		for _, g := range all {
			if g.name == name {
				return nil, usageErrorf("--%s gives %s twice", flag, name)
			}
		}
		all = append(all, &given{name: name, text: value})
	}
	return all, nil
}

// find finds what is said of a parameter, nil for nothing.
func find(list []*given, name string) *given {
	for _, g := range list {
		if g.name == name {
			g.used = true
			return g
		}
	}
	return nil
}

// unused is the error of flags that are about no kernel's parameter.
func unused(flag, what string, list []*given) error {
	for _, g := range list {
		if !g.used {
			return fmt.Errorf("--%s %s=%s: no printed kernel has %s with that name", flag, g.name, g.text, what)
		}
	}
	return nil
}

// errNoConstant says that a value is not one of go/types' constants.
var errNoConstant = errors.New("it is not a constant")

// constantValue is a constant of go/types as a value of a type. The error is errNoConstant where
// Go has to run to know.
func constantValue(tv types.TypeAndValue, t types.Type, path func(*types.Package) string) (comptime.Value, error) {
	basic, ok := t.Underlying().(*types.Basic)
	untyped := tv.Type != nil && types.Default(tv.Type) != tv.Type
	if tv.Value == nil || !ok || !untyped && !types.Identical(tv.Type, t) {
		return comptime.Value{}, errNoConstant
	}
	v := comptime.Value{Type: gen.TypeName(t, path)}
	wrong := fmt.Errorf("%s is not a value of type %s", tv.Value, types.TypeString(t, (*types.Package).Name))
	switch info := basic.Info(); {
	case info&types.IsBoolean != 0 && tv.Value.Kind() == constant.Bool:
		v.Kind = comptime.Bool
		if constant.BoolVal(tv.Value) {
			v.Bits = 1
		}
	case info&types.IsString != 0 && tv.Value.Kind() == constant.String:
		v.Kind, v.Str = comptime.String, constant.StringVal(tv.Value)
	case info&types.IsInteger != 0:
		x := constant.ToInt(tv.Value)
		bits, unsigned := intSize(basic), info&types.IsUnsigned != 0
		if x.Kind() != constant.Int || !fitsInt(x, bits, unsigned) {
			return comptime.Value{}, wrong
		}
		v.Kind = comptime.Int
		if unsigned {
			v.Kind = comptime.Uint
			v.Bits, _ = constant.Uint64Val(x)
		} else {
			signed, _ := constant.Int64Val(x)
			v.Bits = uint64(signed)
		}
	case info&types.IsFloat != 0:
		x := constant.ToFloat(tv.Value)
		if x.Kind() != constant.Float && x.Kind() != constant.Int {
			return comptime.Value{}, wrong
		}
		if basic.Kind() == types.Float32 {
			f, _ := constant.Float32Val(x)
			v.Kind, v.Bits = comptime.Float32, uint64(math.Float32bits(f))
			if math.IsInf(float64(f), 0) {
				return comptime.Value{}, wrong
			}
			return v, nil
		}
		f, _ := constant.Float64Val(x)
		v.Kind, v.Bits = comptime.Float64, math.Float64bits(f)
		if math.IsInf(f, 0) {
			return comptime.Value{}, wrong
		}
	default:
		return comptime.Value{}, wrong
	}
	return v, nil
}

// intSize is the size of an integer type in bits; kernels' int has 64.
func intSize(t *types.Basic) uint {
	switch t.Kind() {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32:
		return 32
	}
	return 64
}

// fitsInt reports whether an integer is a value of a type of so many bits.
func fitsInt(x constant.Value, bits uint, unsigned bool) bool {
	if unsigned {
		return constant.Sign(x) >= 0 && constant.BitLen(x) <= int(bits)
	}
	if constant.Sign(x) < 0 {
		x = constant.BinaryOp(x, token.ADD, constant.MakeInt64(1)) // -128 has as many bits as 127
	}
	return constant.BitLen(x) < int(bits)
}
