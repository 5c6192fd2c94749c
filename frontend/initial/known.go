package initial

import (
	"fmt"
	"go/types"
	"math"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

// known is a value as one of compile time. Memory that is reached twice would be copied where it is one.
func (m *machine) known(v any, t types.Type, seen map[*block]bool) (comptime.Value, error) {
	out := comptime.Value{Type: load.TypeName(t)}
	parts := func(list []any, typeOf func(int) types.Type) error {
		for i, x := range list {
			e, err := m.known(x, typeOf(i), seen)
			if err != nil {
				return err
			}
			out.Elems = append(out.Elems, e)
		}
		return nil
	}
	lead := func(b *block) error {
		if b.past {
			return fmt.Errorf("it leads to the variable of a loop whose turn is over, which depends on the version of Go")
		}
		if b.stale {
			return fmt.Errorf("it holds a slice that has grown since, whose memory Go leaves open")
		}
		if seen[b] {
			return fmt.Errorf("it leads to one piece of memory twice")
		}
		seen[b] = true
		return nil
	}
	var err error
	switch v := v.(type) {
	case bool:
		out.Kind = comptime.Bool
		if v {
			out.Bits = 1
		}
	case int64:
		out.Kind, out.Bits = comptime.Int, uint64(v)
	case uint64:
		out.Kind, out.Bits = comptime.Uint, v
	case float64:
		if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Float32 {
			out.Kind, out.Bits = comptime.Float32, uint64(math.Float32bits(float32(v)))
		} else {
			out.Kind, out.Bits = comptime.Float64, math.Float64bits(v)
		}
	case complex128:
		out.Kind = comptime.Struct
		part := types.Typ[types.Float64]
		if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Complex64 {
			part = types.Typ[types.Float32]
		}
		err = parts([]any{real(v), imag(v)}, func(int) types.Type { return part })
	case string:
		out.Kind, out.Str = comptime.String, v
	case *block:
		switch u := t.Underlying().(type) {
		case *types.Array:
			out.Kind = comptime.Array
			err = parts(v.cells, func(int) types.Type { return u.Elem() })
		case *types.Struct:
			out.Kind = comptime.Struct
			err = parts(v.cells, func(i int) types.Type { return u.Field(i).Type() })
		}
	case slice:
		out.Kind = comptime.Slice
		if v.in == nil {
			break
		}
		out.Bits = 1 // it is not nil
		if v.in.grown || v.cp > v.len {
			out.Bits = 2 // its capacity is another one, or Go leaves it open
		}
		if err = lead(v.in); err == nil {
			elem := t.Underlying().(*types.Slice).Elem()
			err = parts(v.in.cells[v.from:v.from+v.len], func(int) types.Type { return elem })
		}
	case pointer:
		out.Kind = comptime.Pointer
		if v.in == nil {
			break
		}
		if err = lead(v.in); err == nil {
			err = parts([]any{v.in.cells[v.at]}, func(int) types.Type { return t.Underlying().(*types.Pointer).Elem() })
		}
	case function:
		out.Kind = comptime.Func
		if v.code != nil {
			err = fmt.Errorf("it holds a function")
		}
	case boxed:
		out.Kind = comptime.Interface
		if v.t != nil {
			err = fmt.Errorf("it holds a %s", t)
		}
	default:
		err = fmt.Errorf("it holds a %s", t)
	}
	return out, err
}
