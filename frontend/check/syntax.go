package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// Syntax answers questions about the source of declared functions.
type Syntax struct {
	*Types
	holding     map[*ast.FuncDecl]bool // see holdsFuncs
	cooperating map[*types.Func]bool   // functions that cooperates knows

	assignedAgain map[*ast.FuncDecl]map[*types.Var]bool // see Reassigned
	partVars      map[partKey]*types.Var                // see PartVar
	Originals     map[*types.Var]*types.Var             // of the variables of copies
	Copies        int                                   // of functions' syntax
	returned      map[*ast.BlockStmt][]*returnedOf      // see returns
	ofLiterals    map[*ast.FuncLit][]*returnedOf        // see OwnOfLiteral
	results       map[resultKey][]*ResultOf             // see ResultOf
	returning     int                                   // how many functions returns is finding out about
	pointers      map[*ast.BlockStmt][]*pointersOf      // see pointersOf
	serialEnd     token.Pos                             // where the last loop ends that WarnSerial has warned of
	CopyOf        map[*types.Var]int                    // which copy of the syntax declares a variable; none for the source's own
}

// NewSyntax knows nothing yet of a program, for a kernel of a package.
func NewSyntax(prog *load.Program, pkg *types.Package, symbolic bool, warning func(diag.Diagnostic)) *Syntax {
	return &Syntax{Types: &Types{Large: &Large{Report: &Report{Prog: prog, Pkg: pkg, symbolic: symbolic, warning: warning}}}}
}

// TypeArgs are the type arguments of an instance.
type TypeArgs map[*types.TypeParam]types.Type

func SameTypeArgs(a, b TypeArgs) bool {
	if len(a) != len(b) {
		return false
	}
	for p, t := range a {
		if u, ok := b[p]; !ok || !types.Identical(t, u) {
			return false
		}
	}
	return true
}

// TypeOf is the SSA type of a type of a declaration.
func (sc *Instance) TypeOf(t types.Type) (ssa.Type, bool) { return sc.Syntax.TypeOf(sc.Subst(t)) }

// FuncName is the name of an instance: "lerp[float32]", "geom.Box[int].Area".
func (m *Syntax) FuncName(obj *types.Func, targs []types.Type) string {
	name := obj.Name()
	args := ""
	if len(targs) > 0 {
		list := make([]string, len(targs))
		for i, t := range targs {
			list[i] = m.TypeString(t)
		}
		args = "[" + strings.Join(list, ",") + "]"
	}
	if recv := obj.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			name = n.Obj().Name() + args + "." + name
		}
	} else {
		name += args
	}
	if obj.Pkg() != m.Pkg {
		name = obj.Pkg().Name() + "." + name
	}
	return name
}

// ScopeOf is the scope of a declared function's syntax.
func (m *Syntax) ScopeOf(src *load.Function, targs TypeArgs) Scope {
	sc := m.NewScope(src, m.Prog.Fset.File(src.Decl.Pos()))
	sc.Targs = targs
	sc.Funcs = m.holdsFuncs(src) || m.anyFront(targs)
	return sc
}

// anyFront reports whether one of the types is that of front-end values, which may be or
// contain function literals.
func (m *Types) anyFront(targs TypeArgs) bool {
	for _, t := range targs {
		if m.IsFrontType(t) {
			return true
		}
	}
	return false
}

// containsFunc reports whether values of a type are or lead to functions. Types that contain themselves are looked at
// once, and those with ever larger parts not at all. What a type parameter stands for is its caller's business.
func (m *Types) containsFunc(t types.Type, seen map[types.Type]bool) bool {
	if t == nil || OnlyBasic(t) || seen[t] {
		return false
	}
	seen[t] = true
	leave, ok := m.growing.enter(t)
	if !ok {
		return false
	}
	defer leave()
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return false
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil && load.IsOwn(p.Path()) { // what a qd.Thread leads to is device go's
			return m.anyContainsFunc(t.TypeArgs(), seen)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Interface: // what an interface holds may lead to functions
		return true
	case interface{ Elem() types.Type }: // a pointer, a slice, a map, an array
		return m.containsFunc(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if m.containsFunc(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}

func (m *Types) anyContainsFunc(list *types.TypeList, seen map[types.Type]bool) bool {
	for t := range list.Types() {
		if m.containsFunc(t, seen) {
			return true
		}
	}
	return false
}

// holdsFuncs reports whether function literals can be called in a function: it
// has some, or is passed some. A literal that it gets from a call has nothing that its calls could change: the variables
// of that call have ended.
func (m *Syntax) holdsFuncs(src *load.Function) bool {
	decl := src.Decl
	if holds, ok := m.holding[decl]; ok {
		return holds
	}
	holds := false
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			holds = true
		case *ast.FuncType:
			holds = holds || n != decl.Type
		case *ast.Field:
			holds = holds || m.containsFunc(src.Info.TypeOf(n.Type), map[types.Type]bool{})
		}
		return !holds
	})
	if m.holding == nil {
		m.holding = map[*ast.FuncDecl]bool{}
	}
	m.holding[decl] = holds
	return holds
}
