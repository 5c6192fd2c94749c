package lower

import (
	"go/ast"
	"go/types"
	"slices"
	"sync"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// instanceKey tells the instances of a function apart.
func instanceKey(known eval.KnownArgs, closed *eval.Closed) string {
	if closed == nil {
		return known.Key()
	}
	return known.Key() + "closed" + string(closed.Key)
}

// closedArgs are the arguments of an instance for closed arguments: what is in these comes first.
func (c caller) closedArgs(args []*ssa.Value, closed *eval.Closed) []*ssa.Value {
	if closed == nil {
		return args
	}
	for _, f := range closed.Literals() {
		c.b.inliner.calledHere(f.Lit)
	}
	return append(slices.Clone(closed.Leaves), slices.DeleteFunc(slices.Clone(args), eval.IsFront)...)
}

// opened declares the parameters for what is in closed arguments, and the variables that function literals in these
// capture.
func (p parameters) opened() {
	closed := p.b.Function.Closed
	if closed == nil {
		return
	}
	p.b.Funcs = true
	p.b.opened.B = &p.b.Variables
	for _, leaf := range closed.Leaves {
		p.b.opened.Leaves = append(p.b.opened.Leaves, p.add(leaf.Type, leaf.Name))
	}
	closed.Open(p.b.opened)
}

// capturesOf reports whether closed arguments may have captured variables that are declared in a piece of syntax.
func (b *builder) capturesOf(decl ast.Node) bool {
	closed := b.Function.Closed
	return closed != nil && slices.ContainsFunc(closed.Literals(), func(f *eval.Func) bool { return f.Lit != decl && contains(decl, f.Lit) })
}

// sharedIn notes the variables in a body that function literals assign to while a recursive function runs: they are in
// memory, since the function is not lowered into the body, and takes their addresses.
func (b *builder) sharedIn(body *ast.BlockStmt) {
	if !b.Funcs {
		return // there are no literals
	}
	in := b.m.syntaxIn(&b.Checks, body)
	if len(in.lits) == 0 {
		return
	}
	within := sync.OnceValue(func() bool {
		src := b.Function.Src
		return b.m.LeadsToRecursion(&eval.Func{Obj: src.Obj, Targs: b.Function.Targs, Outer: src.Outer}, b.m.takesFront)
	})
	closes := slices.ContainsFunc(in.callable, func(name *ast.Ident) bool { return b.mayClose(name, within) })
	if !closes {
		return
	}
	for _, lit := range in.lits {
		b.EachAssigned(lit.Body, func(v *types.Var) {
			if !contains(lit, &ast.Ident{NamePos: v.Pos()}) {
				b.KeepInMemory(v)
			}
		})
	}
}

// mayClose reports whether what is named may come to the call of a recursive function with function literals: a
// function that takes or gives functions, or a variable that has one. within reports whether the function around leads
// to one.
func (b *builder) mayClose(name *ast.Ident, within func() bool) bool {
	switch v := b.Info.Uses[name].(type) {
	case *types.Var:
		return check.IsFunc(b.GoType(name)) && within()
	case *types.Func:
		if recv := v.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			return within()
		}
		if b.m.Prog.Function(v.Origin()) == nil {
			return false
		}
		of := b.instanceOf(name, v)
		return (b.m.takesFront(of) || b.m.givesFront(of)) && b.m.LeadsToRecursion(of, b.m.takesFront)
	}
	return false
}
