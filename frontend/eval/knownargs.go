package eval

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// A device function is lowered once for each list of known arguments where these make
// a difference: it takes qd.Const, functions, or other front-end values; it uses
// qd.Static on what it is given; it is recursive, which only arguments that are known can end; it is
// refused if it is lowered for all arguments; or it calls such a function. The known arguments are no parameters then.

// KnownArgs are the known arguments of an instance, by parameters with the receiver as the
// first; nil for those that are not.
type KnownArgs []*comptime.Value

// Key tells the lists apart.
func (args KnownArgs) Key() string {
	var key []byte
	for _, v := range args {
		if v == nil {
			key = append(key, 0)
			continue
		}
		key = v.Append(append(key, 1))
	}
	return string(key)
}

// Any reports whether an argument is known.
func (args KnownArgs) Any() bool {
	for _, v := range args {
		if v != nil {
			return true
		}
	}
	return false
}

// Name is what stands behind the function's name in that of an instance: "_square_3".
func (args KnownArgs) Name() string {
	var b strings.Builder
	for _, v := range args {
		if v != nil {
			writeName(&b, *v)
		}
		if b.Len() > maxArgsName {
			return "_" + strings.Trim(b.String()[1:maxArgsName], "_")
		}
	}
	return b.String()
}

// maxArgsName is how long the names of known arguments may be in a function's name.
const maxArgsName = 40

func writeName(b *strings.Builder, v comptime.Value) {
	if len(v.Elems) > 0 {
		for i, e := range v.Elems {
			if b.Len() > maxArgsName {
				return
			}
			if v.Kind != comptime.Map || i%2 == 0 {
				writeName(b, e)
			}
		}
		return
	}
	text := v.String()
	switch v.Kind {
	case comptime.String:
		text = v.Str
	case comptime.Func:
		if i := strings.LastIndexByte(text, '.'); i >= 0 && v.Func != nil {
			text = text[i+1:]
		}
	case comptime.Int, comptime.Float32, comptime.Float64:
		text = strings.NewReplacer("-", "m", "+", "", ".", "p").Replace(text)
	case comptime.Array, comptime.Struct, comptime.Slice, comptime.Map:
		text = "none"
	}
	b.WriteByte('_')
	for _, r := range text {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			b.WriteRune(r)
		}
		if b.Len() > maxArgsName {
			return
		}
	}
}

// Comment says what the known arguments are: "n = 3, f = square".
func (args KnownArgs) Comment(params []*types.Var) string {
	var parts []string
	for i, v := range args {
		if v == nil {
			continue
		}
		name, text := params[i].Name(), v.String()
		if check.IsConst(params[i].Type()) && len(v.Elems) == 1 {
			name, text = name+".V", v.Elems[0].String()
		}
		if len(text) > 2*maxArgsName {
			text = text[:2*maxArgsName] + "..."
		}
		parts = append(parts, name+" = "+strings.ReplaceAll(text, "\n", " "))
	}
	return strings.Join(parts, ", ")
}

// ReceiverAndParams are a function's receiver, if it has one, and its parameters.
func ReceiverAndParams(sig *types.Signature) (vars []*types.Var) {
	if sig.Recv() != nil {
		vars = append(vars, sig.Recv())
	}
	for v := range sig.Params().Variables() {
		vars = append(vars, v)
	}
	return vars
}

// Specialize are the known arguments of a call that the instance which it calls is made
// for. It is false where that cannot be, since some front-end value has parts of the running
// kernel: such a call is lowered into the caller.
func (b *Values) Specialize(f *Func, args []*ssa.Value) (KnownArgs, bool) {
	vars := ReceiverAndParams(f.Obj.Signature())
	if len(vars) != len(args) {
		return nil, true
	}
	all := slices.ContainsFunc(args, func(arg *ssa.Value) bool { return !IsFront(arg) && b.AllKnown(arg) })
	if all && !b.Facts.wantsKnown(f) {
		all, b.Facts.KnownUnused = false, true
	}
	s := b.Facts.With(f.TypeArgs())
	var known KnownArgs
	for i, arg := range args {
		t := s.Typ(vars[i].Type())
		front := IsFront(arg)
		if !front && !all || arg == UntypedNil || check.IsPlace(arg.Type) {
			continue
		}
		literal := false // which belongs to the function around it
		b.EachLiteral(arg, func(*Func) { literal = true })
		if literal {
			return nil, false
		}
		v, ok := b.Known(arg, t)
		switch {
		case !ok && (front || b.IsSymbolic(arg)):
			return nil, false
		case !ok:
			continue
		}
		if known == nil {
			known = make(KnownArgs, len(args))
		}
		known[i] = &v
	}
	return known, true
}

// All reports whether all arguments are known.
func (known KnownArgs) All() bool {
	return len(known) > 0 && !slices.Contains(known, nil)
}

// RuntimeArgs are the arguments that are not known.
func RuntimeArgs(args []*ssa.Value, known KnownArgs) []*ssa.Value {
	if known == nil {
		return args
	}
	var rest []*ssa.Value
	for i, arg := range args {
		if known[i] == nil {
			rest = append(rest, arg)
		}
	}
	return rest
}

// wantsKnown reports whether a function is to be lowered for each list of known arguments, even of
// those that the running kernel can have.
func (m *Facts) wantsKnown(f *Func) bool {
	key := m.instanceKey(f)
	if wants, ok := m.wanting[key]; ok {
		return wants
	}
	wants := m.DemandsKnown(f.Obj)
	for _, g := range m.reaches(f) {
		wants = wants || g.Obj == f.Obj || m.DemandsKnown(g.Obj) || m.IsRecursive(g)
	}
	if m.wanting == nil {
		m.wanting = map[string]bool{}
	}
	m.wanting[key] = wants
	return wants
}

// DemandsKnown reports whether a function itself has use for known arguments.
func (m *Facts) DemandsKnown(f *types.Func) bool { return m.NeedKnown[f] || m.UsesStatic(f) }

// IsRecursive reports whether a function names itself, or others that lead back to it.
func (m *Facts) IsRecursive(f *Func) bool {
	return slices.ContainsFunc(m.reaches(f), func(g *Func) bool { return g.Obj == f.Obj })
}

// LeadsToRecursion reports whether a function is a recursive one of some kind, or names one, also by way of others. It
// keeps the answer, so kind is the same in all calls.
func (m *Facts) LeadsToRecursion(f *Func, kind func(*Func) bool) bool {
	key := m.instanceKey(f)
	if leads, ok := m.leading[key]; ok {
		return leads
	}
	is := func(f *Func) bool { return m.IsRecursive(f) && kind(f) }
	leads := is(f) || slices.ContainsFunc(m.reaches(f), is)
	if m.leading == nil {
		m.leading = map[string]bool{}
	}
	m.leading[key] = leads
	return leads
}

// An instance is a function with one or two type arguments, or none.
type instance struct {
	obj   *types.Func
	targs [2]types.Type
}

// instanceKey tells the instances of functions apart. It is asked for at each call of a function, so that of most is
// kept.
func (m *Facts) instanceKey(f *Func) string {
	of := instance{obj: f.Obj}
	few := copy(of.targs[:], f.Targs) == len(f.Targs)
	if key, ok := m.keys[of]; ok && few {
		return key
	}
	key := f.Obj.FullName() + "@" + strconv.Itoa(int(f.Obj.Pos()))
	for _, t := range f.Targs {
		key += "," + typeName(t)
	}
	if few {
		if m.keys == nil {
			m.keys = map[instance]string{}
		}
		m.keys[of] = key
	}
	return key
}

// maxReached is how many instances of functions are looked at, of one function maxInstances:
// a program that has more of them is refused when it is lowered.
const maxReached = 500

// reaches are the functions that a function names, and those that they name.
func (m *Facts) reaches(f *Func) []*Func {
	key := m.instanceKey(f)
	if list, ok := m.reached[key]; ok {
		return list
	}
	var list []*Func
	seen := map[string]bool{}
	count := map[*types.Func]int{}
	queue := []*Func{f}
	for len(queue) > 0 && len(list) < maxReached {
		named := m.namedIn(queue[0])
		queue = queue[1:]
		for _, g := range named {
			if count[g.Obj] > MaxInstances || count[g.Obj] > 0 && check.ManyParts(g.Targs) {
				continue
			}
			if key := m.instanceKey(g); !seen[key] {
				seen[key] = true
				count[g.Obj]++
				list, queue = append(list, g), append(queue, g)
			}
		}
	}
	if m.reached == nil {
		m.reached = map[string][]*Func{}
	}
	m.reached[key] = list
	return list
}

// namedIn are the functions with a body, of the user's, that an instance of a function
// names.
func (m *Facts) namedIn(f *Func) (list []*Func) {
	src := m.Prog.Function(f.Obj)
	if src == nil || check.IsLibrary(src.Pkg.Path()) {
		return nil
	}
	s := m.With(f.TypeArgs())
	ast.Inspect(src.Decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			sel := src.Info.Selections[n]
			if sel == nil || sel.Kind() == types.FieldVal {
				break
			}
			found, _, _ := types.LookupFieldOrMethod(s.Typ(sel.Recv()), true, sel.Obj().Pkg(), sel.Obj().Name())
			if g, ok := found.(*types.Func); ok && g.Signature().Recv() != nil && m.Prog.Function(g.Origin()) != nil {
				list = append(list, &Func{Obj: g.Origin(), Targs: TypeArgsOf(g.Signature().Recv().Type())})
			}
		case *ast.Ident:
			g, ok := src.Info.Uses[n].(*types.Func)
			if !ok || g.Signature().Recv() != nil || m.Prog.Function(g.Origin()) == nil {
				break
			}
			h := &Func{Obj: g.Origin()}
			if h.ofOuter(m, s.Typ) {
				list = append(list, h)
				break
			}
			if args := src.Info.Instances[n].TypeArgs; args != nil {
				for t := range args.Types() {
					h.Targs = append(h.Targs, s.Typ(t))
				}
			}
			list = append(list, h)
		}
		return true
	})
	return list
}

// Recursions is how many of the function's callers, and itself, are instances of another function with
// the same type arguments.
func (g *Function) Recursions(f *Func) (n int) {
	for ; g != nil; g = g.Caller {
		if g.Src.Obj == f.Obj && SameTypes(g.Targs, f.Targs) {
			n++
		}
	}
	return n
}
