package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sort"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// A function literal is lowered where it is called. One that is called nowhere is
// lowered in the end for its errors, as what follows a return is.

// A literal is a function literal with the environment in which it was met first.
type literal struct {
	value    *eval.Func
	vars     map[*types.Var]*ssa.Value
	locals   map[*types.Var]*ssa.Value
	births   map[*types.Var]int // what is declared again later is another variable: see Capture
	inlined  []*inlining        // the bodies around it: if one is called in it, that is lowered from a copy
	parallel *eval.Parallel
	within   *eval.LibraryCall
	called   bool
}

// meet notes a function literal of the function that is being lowered, or of one that
// is lowered into it.
func (il inliner) meet(f *eval.Func) {
	at := f.Lit.Pos()
	if il.b.literals[at] != nil {
		return
	}
	if il.b.literals == nil {
		il.b.literals = map[token.Pos]*literal{}
	}
	vars := maps.Clone(il.b.Vars)
	for v, val := range vars {
		if g := eval.FuncOf(val); g != nil && g.Obj == nil && g.Lit == nil {
			vars[v] = eval.Poison // it may get a value before a call
		}
	}
	il.b.literals[at] = &literal{value: f, vars: vars, locals: maps.Clone(il.b.Locals), births: maps.Clone(il.b.Births), inlined: slices.Clone(il.b.inlined), parallel: il.b.Parallel, within: il.b.Within}
}

// calledHere notes a call of a function literal.
func (il inliner) calledHere(lit *ast.FuncLit) {
	if l := il.b.literals[lit.Pos()]; l != nil {
		l.called = true
	}
}

// uncalled lowers the literals that no call has reached, and those in them.
func (il inliner) uncalled() {
	for again := true; again; {
		again = false
		inOrder := slices.Collect(maps.Keys(il.b.literals))
		sort.Slice(inOrder, func(i, j int) bool { return inOrder[i] < inOrder[j] })
		for _, at := range inOrder {
			if l := il.b.literals[at]; !l.called {
				l.called, again = true, true // it may have others in it
				il.lowerUncalled(l)
			}
		}
	}
}

// lowerUncalled lowers a literal into a block that nobody owns. The function is none
// the larger for it.
func (il inliner) lowerUncalled(l *literal) {
	body := il.literalBody(l.value)
	if body.sig == nil {
		return
	}
	f := *il.b.Function
	il.b.Scope, il.b.Parallel, il.b.Within = l.value.Scope, l.parallel, l.within
	il.b.Vars, il.b.Locals, il.b.Births, il.b.inlined = l.vars, l.locals, l.births, l.inlined
	il.b.Memory = eval.Memory{}
	il.b.Cur, il.b.Dead, il.b.Gone = &ssa.Block{Func: il.b.Func}, true, false
	var args []*ssa.Value
	for v := range body.sig.Params().Variables() {
		arg := eval.Poison
		if t, ok := il.b.TypeOf(v.Type()); ok {
			arg = il.b.Cur.AddParam(t, "")
		}
		args = append(args, arg)
	}
	il.inlineCall(l.value.Lit, body, args)
	il.b.Function.Room, il.b.Function.SharedBytes, il.b.Function.Rank, il.b.Function.RankAt = f.Room, f.SharedBytes, f.Rank, f.RankAt
}
