package gradient_test

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
)

// arguments are those of a kernel after its Thread.
type arguments struct {
	memory interp.Buffers
	bytes  [][]byte
	slices [][]memoryOf // by parameter: the memory behind it
}

// memoryOf is the memory of a slice.
type memoryOf struct {
	elem ssa.Type
	p    []byte
}

// elements is how many elements slices have.
var elements = 12

// newArguments makes arguments of the types of parameters, the same for the same seed.
func newArguments(params []*ssa.Value, seed uint64) *arguments {
	a := new(arguments)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, p := range params {
		var list []memoryOf
		a.bytes = append(a.bytes, a.value(r, p.Type, &list))
		a.slices = append(a.slices, list)
	}
	return a
}

// value is the bytes of a random value.
func (a *arguments) value(r *rand.Rand, t ssa.Type, list *[]memoryOf) []byte {
	switch t := t.(type) {
	case ssa.Slice:
		m := memoryOf{elem: t.Elem}
		for range elements {
			m.p = append(m.p, a.value(r, t.Elem, nil)...)
		}
		*list = append(*list, m)
		return interp.SliceArg(a.memory.Add(m.p), elements)
	case ssa.Array:
		var p []byte
		for range t.Len {
			p = append(p, a.value(r, t.Elem, list)...)
		}
		return p
	case *ssa.Struct:
		p := make([]byte, t.Size())
		view := strings.HasPrefix(t.Name, "qd.View2")
		for i, f := range t.Fields {
			v := a.value(r, f.Type, list)
			if view && i > 0 { // of three rows
				v = binary.LittleEndian.AppendUint64(nil, []uint64{0, 3, 4, 4, 1}[i])
			}
			copy(p[t.Offset(i):], v)
		}
		return p
	}
	switch {
	case t == ssa.Bool:
		return []byte{byte(r.IntN(2))}
	case ssa.IsFloat(t):
		x := r.Float64()*1.5 + 0.25
		if r.IntN(3) == 0 {
			x = -x
		}
		return interp.Scalar(t, ssa.FloatConst(t, x))
	}
	return interp.Scalar(t, ssa.IntConst(t, uint64(r.IntN(elements))))
}

// number is what an argument called n is.
const number = 5

// setNumbers sets the integer parameters of some names.
func (a *arguments) setNumbers(params []*ssa.Value) {
	for i, p := range params {
		if p.Name == "n" && ssa.IsInteger(p.Type) {
			a.bytes[i] = interp.Scalar(p.Type, ssa.IntConst(p.Type, number))
		}
	}
}

// A float is where a float lies in memory.
type float struct {
	param, slice, offset int
	t                    ssa.Type
}

// floats lists the floats behind the parameters.
func (a *arguments) floats() (list []float) {
	for i, memories := range a.slices {
		for k, m := range memories {
			for at := 0; at < len(m.p); at += m.elem.Size() {
				floatsIn(m.elem, at, func(offset int, t ssa.Type) { list = append(list, float{i, k, offset, t}) })
			}
		}
	}
	return list
}

func floatsIn(t ssa.Type, at int, f func(offset int, t ssa.Type)) {
	switch t := t.(type) {
	case ssa.Array:
		for i := range t.Len {
			floatsIn(t.Elem, at+i*t.Elem.Size(), f)
		}
	case *ssa.Struct:
		for i, field := range t.Fields {
			floatsIn(field.Type, at+t.Offset(i), f)
		}
	}
	if ssa.IsFloat(t) {
		f(at, t)
	}
}

func (a *arguments) get(f float) float64 {
	return interp.ToConst(f.t, a.slices[f.param][f.slice].p[f.offset:]).Float(f.t)
}

func (a *arguments) set(f float, x float64) {
	copy(a.slices[f.param][f.slice].p[f.offset:], interp.Scalar(f.t, ssa.FloatConst(f.t, x)))
}
