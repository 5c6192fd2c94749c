package tune

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// text is a value as text, which no other value of its type has: "{Rows:4 Mode:fast(1)}". What a String method says
// need not tell values apart.
func text(value any) string { return string(appendArg(nil, value, true)) }

// appendArg appends a value as text. Slices, views and arrays in it count with their shape, as those do that are
// arguments themselves. named is whether it has what String methods say, too.
func appendArg(key []byte, arg any, named bool) []byte {
	v := reflect.ValueOf(arg)
	if !v.IsValid() {
		return append(key, "nil"...)
	}
	// An addressable copy, whose unexported fields can be read too.
	whole := reflect.New(v.Type()).Elem()
	whole.Set(v)
	return appendValue(key, whole, named)
}

// appendValue is appendArg of an addressable value.
func appendValue(key []byte, v reflect.Value, named bool) []byte {
	v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	switch v.Kind() {
	case reflect.Slice, reflect.Struct, reflect.Pointer:
		if shape, ok := launch.ShapeOf(v.Interface()); ok {
			return appendShape(key, shape)
		}
	}
	if h, ok := half(v); ok { // whose text tells it apart
		return strconv.AppendFloat(key, float64(h), 'g', -1, 32)
	}
	if named {
		switch s := v.Interface().(type) {
		case fmt.Formatter, fmt.Stringer, error:
			return append(appendParts(append(fmt.Append(key, s), '('), v, named), ')')
		}
	}
	return appendParts(key, v, named)
}

// appendParts is appendValue without what the value's own String method says.
func appendParts(key []byte, v reflect.Value, named bool) []byte {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(key, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(key, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.AppendUint(key, v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		return strconv.AppendFloat(key, v.Float(), 'g', -1, v.Type().Bits())
	case reflect.String:
		return strconv.AppendQuote(key, v.String())
	case reflect.Array:
		key = append(key, '[')
		for i := range v.Len() {
			if i > 0 {
				key = append(key, ' ')
			}
			key = appendValue(key, v.Index(i), named)
		}
		return append(key, ']')
	case reflect.Struct:
		key = append(key, '{')
		for i := range v.NumField() {
			if i > 0 {
				key = append(key, ' ')
			}
			key = append(append(key, v.Type().Field(i).Name...), ':')
			key = appendValue(key, v.Field(i), named)
		}
		return append(key, '}')
	case reflect.Func:
		if f, err := comptime.Of(v); err == nil && f.Func != nil {
			return append(append(append(key, f.Func.Pkg...), '.'), f.String()...)
		}
	}
	return fmt.Append(key, v.Interface())
}

func appendShape(key []byte, shape []int) []byte {
	for j, n := range shape {
		if j > 0 {
			key = append(key, 'x')
		}
		key = strconv.AppendInt(key, int64(n), 10)
	}
	return key
}
