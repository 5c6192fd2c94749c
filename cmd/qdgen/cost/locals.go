package cost

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A local is a variable of Go, or a value without a name, that is an array or a struct.
type local struct {
	name    string // "" where it has none
	typ     ssa.Type
	decl    ssa.Pos
	indexed bool             // at run time, or its address goes where that may be
	at      map[ssa.Pos]bool // the statements that touch it
}

// registers is the number of registers that it takes when it is in them.
func (l *local) registers() int { return (l.typ.Size() + 3) / 4 }

// what names the local in a message: "w, [12]float32,".
func (l *local) what() string {
	if l.name == "" {
		return "a value of type " + l.typ.String()
	}
	return l.name + ", " + l.typ.String() + ","
}

// localsOf finds the locals of all functions of a module, ordered by where they are
// declared. An array that a call hands over is touched where the call stands too: there
// it is copied.
func localsOf(m *ssa.Module) []*local {
	x := finder{byKey: make(map[localKey]*local), constants: constantParams(m), summaries: new(analysis.Summaries)}
	for _, f := range m.Funcs {
		f.Body.Walk(func(in *ssa.Instr) { x.instruction(f, in) })
	}
	slices.SortStableFunc(x.list, func(a, b *local) int { return comparePos(a.decl, b.decl) })
	return x.list
}

// A finder collects locals. Values with one name and type are one local, declared where
// the first of them stands; one without a name is a local of its own.
type finder struct {
	byKey     map[localKey]*local
	list      []*local
	constants map[*ssa.Value]bool // parameters that are constants in every call
	summaries *analysis.Summaries
}

// constantParams finds the parameters of functions that all calls give constants for: an index
// that is one of them is no index that is found at run time.
func constantParams(m *ssa.Module) map[*ssa.Value]bool {
	constants := make(map[*ssa.Value]bool)
	for _, f := range m.Funcs {
		for _, v := range f.Params() {
			constants[v] = !f.Kernel
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range m.Funcs {
			f.Body.Walk(func(in *ssa.Instr) {
				if in.Op != ssa.OpCall {
					return
				}
				for i, v := range in.Callee.Params() {
					if _, isConst := in.Args[i].Const(); constants[v] && !isConst && !constants[in.Args[i]] {
						constants[v], changed = false, true
					}
				}
			})
		}
	}
	return constants
}

type localKey struct {
	in   *ssa.Func
	name string
	typ  string
	decl ssa.Pos // of one without a name
}

// instruction notes which locals an instruction touches, and how.
func (x *finder) instruction(f *ssa.Func, in *ssa.Instr) {
	if in.Stmt == nil {
		return
	}
	for _, r := range in.Results {
		if _, pointer := r.Type.(ssa.Pointer); !isAddress(in) && (!pointer || in.Op == ssa.OpLocal) {
			x.touch(x.of(f, r), in)
		}
	}
	for i, arg := range in.Args {
		l := x.used(f, arg)
		if l == nil && i == 0 && in.Op == ssa.OpIndexAddr {
			x.indexedBehind(f, in)
		}
		x.touch(l, in)
		if in.Op == ssa.OpCall {
			if p := in.Callee.Params(); i < len(p) {
				x.touch(x.of(in.Callee, p[i]), in)
			}
		}
		if l == nil {
			continue
		}
		if behindSlice(arg) {
			if i == 0 && in.Op == ssa.OpIndexAddr {
				x.indexedBehind(f, in)
			}
			continue
		}
		switch in.Op {
		case ssa.OpElem, ssa.OpElemAddr, ssa.OpIndexAddr, ssa.OpSubslice:
			index := in.Args[len(in.Args)-1]
			if _, isConst := index.Const(); i == 0 && !isConst && !x.constants[index] {
				l.indexed = true
			}
		case ssa.OpCall: // by its address: the function may index it
			l.indexed = l.indexed || isAddress(arg.Def)
		}
	}
}

// indexedBehind notes the arrays of a function that a slice may lead to, where the slice is indexed at run time. The slice
// is the value of a variable, as in a loop that appends to it.
func (x *finder) indexedBehind(f *ssa.Func, in *ssa.Instr) {
	if index := in.Args[1]; ssa.IsConst(index) || x.constants[index] {
		return
	}
	for _, made := range x.summaries.Memory(f).Variables(in.Args[0]) {
		if l := x.of(f, made.Results[0]); l != nil {
			l.indexed = true
			x.touch(l, in)
		}
	}
}

// touch notes that an instruction touches a local, if there is one.
func (x *finder) touch(l *local, in *ssa.Instr) {
	if l != nil {
		l.at[in.Stmt.Pos] = true
	}
}

// of is the local that a value, or what it is the address of, belongs to; nil if that is
// no array and no struct.
func (x *finder) of(f *ssa.Func, v *ssa.Value) *local {
	typ := v.Type
	if p, ok := typ.(ssa.Pointer); ok && v.Def != nil {
		typ = p.Elem
	}
	if !ssa.IsAggregate(typ) {
		return nil
	}
	decl := f.Decl.Pos
	if v.Def != nil && v.Def.Stmt != nil {
		decl = v.Def.Stmt.Pos
	}
	key := localKey{in: f, name: v.Name, typ: typ.String()}
	if v.Name == "" {
		key.decl = decl
	}
	l := x.byKey[key]
	if l == nil {
		l = &local{name: v.Name, typ: typ, decl: decl, at: make(map[ssa.Pos]bool)}
		x.byKey[key] = l
		x.list = append(x.list, l)
	}
	return l
}

// used is the local that a value is, is a part of, or is an address in; nil if it is none.
func (x *finder) used(f *ssa.Func, v *ssa.Value) *local {
	for v.Def != nil {
		if op := v.Def.Op; !op.IsPath() && op != ssa.OpField && op != ssa.OpElem {
			break
		}
		v = v.Def.Args[0]
	}
	if _, pointer := v.Type.(ssa.Pointer); pointer && !v.IsLocal() {
		return nil // to what is elsewhere
	}
	return x.of(f, v)
}

// behindSlice reports whether a value leads to the elements of a slice that a local holds: an index of these is none of
// the local.
func behindSlice(v *ssa.Value) bool {
	for ; v.Def != nil; v = v.Def.Args[0] {
		held := v.Def.Op == ssa.OpField || v.Def.Op == ssa.OpElem
		if _, isSlice := v.Type.(ssa.Slice); isSlice && held {
			return true
		}
		if !held && !v.Def.Op.IsPath() {
			return false
		}
	}
	return false
}

// isAddress reports whether an instruction gives an address in a variable, or a slice of
// one.
func isAddress(in *ssa.Instr) bool {
	return in != nil && in.Op.IsPath()
}
