package frontend

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// A device function is lowered once for each list of known arguments where these make
// a difference: it takes qd.Const, functions, or other front-end values; it uses
// qd.Static on what it is given; it is recursive, which only arguments that are known can end; or it
// calls such a function. The known arguments are no parameters then.

// knownArgs are the known arguments of an instance, by parameters with the receiver as the
// first; nil for those that are not.
type knownArgs []*comptime.Value

// key tells the lists apart.
func (args knownArgs) key() string {
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

// any reports whether an argument is known.
func (args knownArgs) any() bool {
	for _, v := range args {
		if v != nil {
			return true
		}
	}
	return false
}

// name is what stands behind the function's name in that of an instance: "_square_3".
func (args knownArgs) name() string {
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

// comment says what the known arguments are: "n = 3, f = square".
func (args knownArgs) comment(params []*types.Var) string {
	var parts []string
	for i, v := range args {
		if v == nil {
			continue
		}
		name, text := params[i].Name(), v.String()
		if isConst(params[i].Type()) && len(v.Elems) == 1 {
			name, text = name+".V", v.Elems[0].String()
		}
		if len(text) > 2*maxArgsName {
			text = text[:2*maxArgsName] + "..."
		}
		parts = append(parts, name+" = "+strings.ReplaceAll(text, "\n", " "))
	}
	return strings.Join(parts, ", ")
}

// receiverAndParams are a function's receiver, if it has one, and its parameters.
func receiverAndParams(sig *types.Signature) (vars []*types.Var) {
	if sig.Recv() != nil {
		vars = append(vars, sig.Recv())
	}
	for v := range sig.Params().Variables() {
		vars = append(vars, v)
	}
	return vars
}

// specialize are the known arguments of a call that the instance which it calls is made
// for. It is false where that cannot be, since some front-end value has parts of the running
// kernel: such a call is lowered into the caller.
func (b *Values) specialize(f *funcValue, args []*ssa.Value) (knownArgs, bool) {
	vars := receiverAndParams(f.obj.Signature())
	if len(vars) != len(args) {
		return nil, true
	}
	all := slices.ContainsFunc(args, func(arg *ssa.Value) bool { return !isFront(arg) && b.allKnown(arg) }) && b.m.wantsKnown(f)
	s := b.m.with(f.typeArgs())
	var known knownArgs
	for i, arg := range args {
		t := s.typ(vars[i].Type())
		front := isFront(arg)
		if !front && !all || arg == untypedNil || isPlace(arg.Type) {
			continue
		}
		v, ok := b.known(arg, t)
		b.eachLiteral(arg, func(*funcValue) { ok = false }) // which belongs to the function around it
		switch {
		case !ok && (front || b.isSymbolic(arg)):
			return nil, false
		case !ok:
			continue
		}
		if known == nil {
			known = make(knownArgs, len(args))
		}
		known[i] = &v
	}
	return known, true
}

// runtimeArgs are the arguments that are not known.
func runtimeArgs(args []*ssa.Value, known knownArgs) []*ssa.Value {
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
func (m *Facts) wantsKnown(f *funcValue) bool {
	key := m.instanceKey(f)
	if wants, ok := m.wanting[key]; ok {
		return wants
	}
	wants := m.usesStatic(f.obj)
	for _, g := range m.reaches(f) {
		wants = wants || g.obj == f.obj || m.usesStatic(g.obj) || m.isRecursive(g)
	}
	if m.wanting == nil {
		m.wanting = map[string]bool{}
	}
	m.wanting[key] = wants
	return wants
}

func (m *Facts) isRecursive(f *funcValue) bool {
	return slices.ContainsFunc(m.reaches(f), func(g *funcValue) bool { return g.obj == f.obj })
}

// instanceKey tells the instances of functions apart.
func (m *Facts) instanceKey(f *funcValue) string {
	key := f.obj.FullName() + "@" + strconv.Itoa(int(f.obj.Pos()))
	for _, t := range f.targs {
		key += "," + typeName(t)
	}
	return key
}

// maxReached is how many instances of functions are looked at, of one function maxInstances:
// a program that has more of them is refused when it is lowered.
const maxReached = 500

// reaches are the functions that a function names, and those that they name.
func (m *Facts) reaches(f *funcValue) []*funcValue {
	key := m.instanceKey(f)
	if list, ok := m.reached[key]; ok {
		return list
	}
	var list []*funcValue
	seen := map[string]bool{}
	count := map[*types.Func]int{}
	queue := []*funcValue{f}
	for len(queue) > 0 && len(list) < maxReached {
		named := m.namedIn(queue[0])
		queue = queue[1:]
		for _, g := range named {
			if count[g.obj] > maxInstances {
				continue
			}
			if key := m.instanceKey(g); !seen[key] {
				seen[key] = true
				count[g.obj]++
				list, queue = append(list, g), append(queue, g)
			}
		}
	}
	if m.reached == nil {
		m.reached = map[string][]*funcValue{}
	}
	m.reached[key] = list
	return list
}

// namedIn are the functions with a body, of the user's, that an instance of a function
// names.
func (m *Facts) namedIn(f *funcValue) (list []*funcValue) {
	src := m.prog.Function(f.obj)
	if src == nil || isLibrary(src.Pkg.Path()) {
		return nil
	}
	s := m.with(f.typeArgs())
	ast.Inspect(src.Decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			sel := src.Info.Selections[n]
			if sel == nil || sel.Kind() == types.FieldVal {
				break
			}
			found, _, _ := types.LookupFieldOrMethod(s.typ(sel.Recv()), true, sel.Obj().Pkg(), sel.Obj().Name())
			if g, ok := found.(*types.Func); ok && g.Signature().Recv() != nil && m.prog.Function(g.Origin()) != nil {
				list = append(list, &funcValue{obj: g.Origin(), targs: typeArgsOf(g.Signature().Recv().Type())})
			}
		case *ast.Ident:
			g, ok := src.Info.Uses[n].(*types.Func)
			if !ok || g.Signature().Recv() != nil || m.prog.Function(g.Origin()) == nil {
				break
			}
			h := &funcValue{obj: g.Origin()}
			if args := src.Info.Instances[n].TypeArgs; args != nil {
				for t := range args.Types() {
					h.targs = append(h.targs, s.typ(t))
				}
			}
			list = append(list, h)
		}
		return true
	})
	return list
}

// usesStatic reports whether a function demands that what it is given is known: it
// has a marker of package qd for that with a local variable in its argument.
func (m *Syntax) usesStatic(f *types.Func) bool {
	src := m.prog.Function(f)
	if src == nil || isLibrary(src.Pkg.Path()) {
		return false
	}
	found := false
	ast.Inspect(src.Decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return !found
		}
		id := calleeName(call.Fun)
		if id == nil {
			return !found
		}
		g, ok := src.Info.Uses[id].(*types.Func)
		if !ok || g.Pkg() == nil || g.Pkg().Path() != load.QDPath || g.Signature().Recv() != nil {
			return !found
		}
		switch g.Name() {
		case "Static", "StaticAssert", "StaticPrint", "C":
			for _, arg := range call.Args {
				found = found || namesLocal(src.Info, arg)
			}
		}
		return !found
	})
	return found
}

// namesLocal reports whether an expression has the name of a local variable in it.
func namesLocal(info *types.Info, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, ok := info.Uses[id].(*types.Var)
			found = found || ok && !v.IsField() && !isPackageVar(v)
		}
		return !found
	})
	return found
}

// recursions is how many of the function's callers, and itself, are instances of another function with
// the same type arguments.
func (g *function) recursions(f *funcValue) (n int) {
	for ; g != nil; g = g.caller {
		if g.src.Obj == f.obj && sameTypes(g.targs, f.targs) {
			n++
		}
	}
	return n
}
