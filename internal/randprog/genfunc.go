package randprog

import (
	"fmt"
	"slices"
	"strings"
)

// Slices that all threads share, by atomic operations of one kind each, and tables
// that nobody writes.
const (
	sharedPrefix = "shared"
	tablePrefix  = "table"
)

var sharedKinds = []string{"Add", "Min", "Max", "Or", "Xor", "And"}

func isShared(name string) bool { return strings.HasPrefix(name, sharedPrefix) }
func isOwn(name string) bool    { return strings.HasPrefix(name, ownPrefix) }

// function makes a device function: one that only computes, or one with effects.
func (g *generator) function() {
	r := &Routine{Name: g.global("f"), Effects: g.chance(2)}
	g.scope = &scope{budget: 3 + g.IntN(8), times: 1, depth: 1, pure: !r.Effects, callees: g.prog.Funcs}
	g.declareGlobals()
	liked := g.liked
	defer func() { g.liked, g.scope = liked, nil }()
	switch {
	case g.has(Methods) && g.chance(3):
		g.receiver(r)
	case g.has(Generics) && g.chance(3):
		r.Generic = true
		g.liked = append([]*Type{typeParam, typeParam, typeParam}, liked...)
		g.param(r, typeParam)
	}
	for i := range 1 + g.IntN(3) {
		t := g.valueType()
		switch {
		case g.has(Closures) && g.chance(8):
			r.Effects, g.pure = true, false // those of what it calls
			t = g.funcType()
		case r.Effects && (i == 0 || g.chance(3)):
			t = g.types.slice(g.scalar(), []int{perThread, 4}[g.IntN(2)])
			if g.has(Pointers) && g.chance(2) {
				t = g.types.pointer(g.valueType())
			}
		}
		g.param(r, t)
	}
	if g.has(Consts) && (g.heavy || g.chance(3)) {
		for range 1 + g.IntN(2) {
			g.constParam(r)
		}
	}
	named := g.chance(3)
	for i := range []int{0, 1, 1, 1, 1, 2, 3}[g.IntN(7)] {
		p := Param{Type: g.valueType()}
		if named {
			p.Name = fmt.Sprintf("r%d", i)
			g.declare(p.Name, p.Type)
		}
		r.Results = append(r.Results, p)
	}
	if !r.Effects && len(r.Results) == 0 {
		r.Results = []Param{{Type: g.valueType()}}
	}
	g.finish(r)
	g.prog.Funcs = append(g.prog.Funcs, r)
}

// funcType is a type of functions: from one scalar to another.
func (g *generator) funcType() *Type {
	for {
		if t, u := g.scalar(), g.scalar(); !t.Generic && !u.Generic {
			return g.types.function([]*Type{t}, []*Type{u})
		}
	}
}

// receiver makes a method of r.
func (g *generator) receiver(r *Routine) {
	types := append(append([]*Type(nil), g.structs...), g.named...)
	if len(types) == 0 {
		return
	}
	t := types[g.IntN(len(types))]
	if t.Origin != nil {
		r.Generic = true
		t = g.types.instance(t.Origin, typeParam)
		g.liked = append([]*Type{typeParam, typeParam}, g.liked...)
	}
	if r.Effects && g.has(Pointers) {
		t = g.types.pointer(t)
	}
	r.Recv = &Param{Name: "m", Type: t}
	g.declare("m", t)
	r.Name = strings.ToUpper(r.Name[:1]) + r.Name[1:]
}

func (g *generator) param(r *Routine, t *Type) {
	g.unique++
	p := Param{Name: fmt.Sprintf("p%d", g.unique), Type: t}
	r.Params = append(r.Params, p)
	g.declare(p.Name, t)
}

// finish makes the body of a function.
func (g *generator) finish(r *Routine) {
	g.results = r.Results
	g.depth = 0
	r.Body = g.blockKeeping(r)
	r.Cost = g.cost + 1
}

// blockKeeping is a function's body: the variables of its block are still there
// when its last statement is made.
func (g *generator) blockKeeping(r *Routine) *Node {
	n := &Node{Op: Block}
	g.depth = 1
	for g.budget > 0 {
		g.budget--
		g.cost += g.times
		if s := g.statement(2); s != nil {
			n.Kids = append(n.Kids, s)
			if s.Op == Return {
				return n
			}
		}
	}
	if len(r.Results) > 0 {
		n.Kids = append(n.Kids, g.returnStmt())
	}
	return n
}

// pureCall is a call of a function without effects that gives one t.
func (g *generator) pureCall(t *Type, depth int) *Node {
	var fit []*Routine
	for _, f := range g.callees {
		if !f.Maker && (!f.Effects || g.has(Order) && !g.pure && g.chance(2)) && len(f.Results) == 1 && g.affords(f) &&
			(f.Results[0].Type == t || f.Generic && f.Recv == nil && f.Results[0].Type == typeParam && t.isNumber()) {
			fit = append(fit, f)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	f := fit[g.IntN(len(fit))]
	arg := t
	if f.Results[0].Type != typeParam {
		arg = g.typeArg(f)
	}
	return g.callOf(f, arg, min(depth-1, 1))
}

// most is how many statements a thread may run.
const most = 4000

func (g *generator) affords(f *Routine) bool { return g.times*f.Cost <= most/4 }

// callOf calls a function, which may be generic; nil where there is nothing to pass.
func (g *generator) callOf(f *Routine, typeArg *Type, depth int) *Node {
	n := &Node{Op: Call, Text: f.Name}
	if len(f.Results) == 1 {
		n.Type = g.types.subst(f.Results[0].Type, typeArg)
	}
	// The first parameter's argument says the type too, unless it is a constant.
	if f.Generic && f.Recv == nil && g.chance(2) {
		n.Arg = typeArg
	}
	if f.Recv != nil {
		n.Ptr = true
		t := g.types.subst(f.Recv.Type, typeArg)
		if g.chance(5) {
			n.Recv = t
		}
		recv := g.recvArg(t)
		if recv == nil {
			return nil
		}
		if n.Recv == nil && recv.promotes() && g.chance(2) {
			recv = recv.Kids[0]
		}
		n.Kids = []*Node{recv}
	}
	running := false
	for i, p := range f.Params {
		arg := g.arg(g.types.subst(p.Type, typeArg), depth)
		if p.Count {
			switch {
			case p.Type.Form == Const:
				arg = g.constArg(p.Type, true)
			case p.Known || !f.Params[1].Type.isNumber() || g.chance(2):
				arg = g.count()
			default:
				arg, running = g.runningCount(), true
			}
		} else if running { // a known number could become another one in each call, without end
			arg = &Node{Op: Call, Type: arg.Type, Text: "qd.Dynamic", Kids: []*Node{arg}}
		}
		if arg == nil {
			return nil
		}
		if i == 0 && f.Generic && f.Recv == nil && arg.isConst() {
			n.Arg = typeArg
		}
		n.Kids = append(n.Kids, arg)
	}
	g.cost += g.times * f.Cost
	return n
}

// promotes reports whether an expression is an embedded field whose methods are
// those of the struct around it too.
func (n *Node) promotes() bool {
	if n.Op != FieldOf || n.Type == nil || n.Text != n.Type.Name {
		return false
	}
	outer := n.Kids[0].Type
	if outer.Form == Pointer {
		outer = outer.Elem
	}
	embedded := 0
	for _, f := range outer.Fields {
		if f.Embedded {
			embedded++
		}
	}
	return embedded == 1
}

// typeArg is a type argument for a function, if it is generic.
func (g *generator) typeArg(f *Routine) *Type {
	if f.Generic && f.Recv != nil {
		return g.argOf(f.Recv.Type)
	}
	return g.number()
}

// argOf is the type argument of some instance of the type of a receiver.
func (g *generator) argOf(recv *Type) *Type {
	if recv.Form == Pointer {
		recv = recv.Elem
	}
	var args []*Type
	for _, t := range g.structs {
		if t.Origin == recv.Origin {
			args = append(args, t.Arg)
		}
	}
	return args[g.IntN(len(args))]
}

// recvArg is what a method is called on: for a method on a pointer something that
// has an address, or a pointer.
func (g *generator) recvArg(t *Type) *Node {
	if t.Form != Pointer {
		n := g.expr(t, 1)
		if n.Op == Lit || n.Op == Binary || n.Op == Unary || n.Op == Compose {
			return g.part(t, false)
		}
		return n
	}
	if p := g.part(t, false); p != nil && g.chance(2) {
		return p
	}
	n := g.leftOf(t.Elem)
	if n != nil {
		g.share(n)
	}
	return n
}

// share notes that the address of a variable is taken.
func (g *generator) share(n *Node) {
	for n.Op != Var {
		n = n.Kids[0]
	}
	for _, v := range g.vars {
		if v.name == n.Text {
			v.shared = true
		}
	}
}

// arg is an argument of type t.
func (g *generator) arg(t *Type, depth int) *Node {
	switch t.Form {
	case Slice:
		v := g.one(g.visible(func(v *variable) bool {
			return v.typ.Form == Slice && v.typ.Elem == t.Elem && v.typ.Len >= t.Len && !isShared(v.name) && !strings.HasPrefix(v.name, tablePrefix)
		}))
		if v == nil {
			return nil
		}
		whole := use(v)
		if isOwn(v.name) {
			whole = &Node{Op: Subslice, Type: v.typ, Kids: []*Node{whole}}
		}
		if v.typ.Len > t.Len {
			return &Node{Op: Subslice, Type: t, N: g.IntN(v.typ.Len - t.Len + 1), Kids: []*Node{whole}}
		}
		return whole
	case Pointer:
		return g.pointer(t)
	case Func:
		return g.funcValue(t)
	case Const:
		return g.constArg(t, false)
	}
	return g.expr(t, depth)
}

// pointer is an address of a t.Elem, or a pointer there is.
func (g *generator) pointer(t *Type) *Node {
	if g.chance(3) {
		if v := g.one(g.visible(func(v *variable) bool { return v.typ == t })); v != nil {
			return use(v)
		}
	}
	n := g.leftOf(t.Elem)
	if n == nil {
		return nil
	}
	if r := root(n); isShared(r) || strings.HasPrefix(r, tablePrefix) {
		return nil
	}
	g.share(n)
	return &Node{Op: Addr, Type: t, Kids: []*Node{n}}
}

// root is the variable that an expression is a part of.
func root(n *Node) string {
	for n.Op != Var {
		n = n.Kids[0]
	}
	return n.Text
}

// call is a statement with a call of a function, often one with effects.
func (g *generator) call() *Node {
	var fit []*Routine
	for _, f := range g.callees {
		if g.affords(f) && !(g.pure && f.Effects) && !(f.Maker && g.literals > 0) {
			fit = append(fit, f)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	f := fit[g.IntN(len(fit))]
	if f.Maker {
		return g.made(f)
	}
	typeArg := g.typeArg(f)
	c := g.callOf(f, typeArg, 2)
	if c == nil {
		return nil
	}
	switch {
	case len(f.Results) == 0:
		return &Node{Op: Eval, Kids: []*Node{c}}
	case len(f.Results) == 1:
		return g.useCall(c)
	}
	if g.chance(2) {
		n := &Node{Op: AssignN, N: len(f.Results)}
		for _, r := range f.Results {
			t := g.types.subst(r.Type, typeArg)
			l := g.leftOf(t)
			if l == nil || l.Op != Var {
				l = &Node{Op: Raw, Text: "_", Type: t}
			}
			n.Kids = append(n.Kids, l)
		}
		n.Kids = append(n.Kids, c)
		return n
	}
	n := &Node{Op: DeclMany, Kids: []*Node{c}}
	var types []*Type
	for _, r := range f.Results {
		g.unique++
		n.Names = append(n.Names, fmt.Sprintf("v%d", g.unique))
		types = append(types, g.types.subst(r.Type, typeArg))
	}
	for i, name := range n.Names {
		g.declare(name, types[i])
	}
	return n
}

// pointerTo declares a pointer, or assigns to one.
func (g *generator) pointerTo() *Node {
	if !g.has(Pointers) || g.pure {
		return nil
	}
	if g.has(Globals) && g.chance(3) {
		return g.reader()
	}
	if g.chance(3) {
		return g.repoint()
	}
	t := g.types.pointer(g.valueType())
	p := g.pointer(t)
	if p == nil {
		return nil
	}
	n := &Node{Op: Decl, Text: ":=", Type: t, Names: []string{g.newName()}, Kids: []*Node{p}}
	g.declare(n.Names[0], t)
	return n
}

// repoint assigns to a pointer: the address of something that lives as long.
func (g *generator) repoint() *Node {
	p := g.one(g.visible(func(v *variable) bool { return v.typ.Form == Pointer && v.name[0] == 'v' }))
	if p == nil {
		return nil
	}
	all := g.vars
	defer func() { g.vars = all }()
	i := slices.Index(all, p)
	hidden := map[string]bool{} // by p itself and by what was declared since
	for _, v := range all[i:] {
		hidden[v.name] = true
	}
	g.vars = slices.DeleteFunc(slices.Clone(all[:i]), func(v *variable) bool { return hidden[v.name] })
	to := g.pointer(p.typ)
	if to == nil {
		return nil
	}
	return &Node{Op: Assign, Text: "=", Kids: []*Node{use(p), to}}
}
