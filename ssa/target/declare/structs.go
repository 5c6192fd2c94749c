package declare

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// Structs are the struct types of a module.
type Structs struct {
	Order    []*ssa.Struct        // each after those that it contains
	Ahead    []*ssa.Struct        // those to which a pointer may point before they are defined
	Shared   map[*ssa.Struct]bool // what lies in memory that the host lays out
	Compared map[*ssa.Struct]bool // what an OpEq or OpNe compares
	Arrays   bool                 // one of these compares arrays

	seen map[*ssa.Struct]bool
}

func newStructs() *Structs {
	return &Structs{Shared: make(map[*ssa.Struct]bool), Compared: make(map[*ssa.Struct]bool), seen: make(map[*ssa.Struct]bool)}
}

// signature notes the types of a function's parameters and results.
func (s *Structs) signature(f *ssa.Func) {
	for i, v := range f.Params() {
		s.each(v.Type)
		if f.Kernel && i > 0 {
			eachStruct(v.Type, s.Shared, func(*ssa.Struct) {}) // it leads to no recursive ones
		}
	}
	for _, t := range f.Results {
		s.each(t)
	}
}

// instr notes the types of an instruction's results, and those that it compares.
func (s *Structs) instr(in *ssa.Instr) {
	for _, v := range in.Results {
		s.each(v.Type)
	}
	if in.Op == ssa.OpEq || in.Op == ssa.OpNe {
		s.compares(in.Args[0].Type)
	}
}

// each puts the struct types in t into the order.
func (s *Structs) each(t ssa.Type) {
	later := eachStruct(t, s.seen, func(t *ssa.Struct) { s.Order = append(s.Order, t) })
	for _, t := range later {
		if !slices.Contains(s.Ahead, t) {
			s.Ahead = append(s.Ahead, t)
		}
	}
	for _, t := range later {
		s.each(t)
	}
}

// eachStruct calls f for each struct type in t that is not in seen, those it contains first. Recursive ones come later
// to which pointers in other structs point.
func eachStruct(t ssa.Type, seen map[*ssa.Struct]bool, f func(*ssa.Struct)) (later []*ssa.Struct) {
	open := make(map[*ssa.Struct]bool)
	var visit func(t ssa.Type, inside *ssa.Struct, pointed bool)
	visit = func(t ssa.Type, inside *ssa.Struct, pointed bool) {
		switch t := t.(type) {
		case ssa.Slice:
			visit(t.Elem, inside, true)
		case ssa.Pointer:
			visit(t.Elem, inside, true)
		case ssa.Array:
			visit(t.Elem, inside, pointed)
		case *ssa.Struct:
			if t.IsRecursive() && pointed && inside != nil && inside != t && (!seen[t] || open[t]) {
				later = append(later, t)
				return
			}
			if seen[t] {
				return
			}
			seen[t], open[t] = true, true
			for _, field := range t.Fields {
				visit(field.Type, t, false)
			}
			delete(open, t)
			f(t)
		}
	}
	visit(t, nil, false)
	return later
}

// compares notes that values of a type are compared.
func (s *Structs) compares(t ssa.Type) {
	switch t := t.(type) {
	case ssa.Array:
		s.Arrays = true
		s.compares(t.Elem)
	case *ssa.Struct:
		if s.Compared[t] {
			return
		}
		s.Compared[t] = true
		for _, f := range t.Fields {
			if f.Name != "_" {
				s.compares(f.Type)
			}
		}
	}
}
