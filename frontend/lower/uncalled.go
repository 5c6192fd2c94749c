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
func (b inliner) meet(f *eval.Func) {
	at := f.Lit.Pos()
	if b.literals[at] != nil {
		return
	}
	if b.literals == nil {
		b.literals = map[token.Pos]*literal{}
	}
	vars := maps.Clone(b.Vars)
	for v, val := range vars {
		if g := eval.FuncOf(val); g != nil && g.Obj == nil && g.Lit == nil {
			vars[v] = eval.Poison // it may get a value before a call
		}
	}
	b.literals[at] = &literal{value: f, vars: vars, locals: maps.Clone(b.Locals), births: maps.Clone(b.Births), inlined: slices.Clone(b.inlined), parallel: b.Parallel, within: b.Within}
}

// calledHere notes a call of a function literal.
func (b inliner) calledHere(lit *ast.FuncLit) {
	if l := b.literals[lit.Pos()]; l != nil {
		l.called = true
	}
}

// uncalled lowers the literals that no call has reached, and those in them.
func (b inliner) uncalled() {
	for again := true; again; {
		again = false
		inOrder := slices.Collect(maps.Keys(b.literals))
		sort.Slice(inOrder, func(i, j int) bool { return inOrder[i] < inOrder[j] })
		for _, at := range inOrder {
			if l := b.literals[at]; !l.called {
				l.called, again = true, true // it may have others in it
				b.lowerUncalled(l)
			}
		}
	}
}

// lowerUncalled lowers a literal into a block that nobody owns. The function is none
// the larger for it.
func (b inliner) lowerUncalled(l *literal) {
	body := b.literalBody(l.value)
	if body.sig == nil {
		return
	}
	f := *b.Function
	b.Scope, b.Parallel, b.Within = l.value.Scope, l.parallel, l.within
	b.Vars, b.Locals, b.Births, b.inlined = l.vars, l.locals, l.births, l.inlined
	b.Memory = eval.Memory{}
	b.Cur, b.Dead, b.Gone = &ssa.Block{Func: b.Func}, true, false
	var args []*ssa.Value
	for v := range body.sig.Params().Variables() {
		arg := eval.Poison
		if t, ok := b.TypeOf(v.Type()); ok {
			arg = b.Cur.AddParam(t, "")
		}
		args = append(args, arg)
	}
	b.inlineCall(l.value.Lit, body, args)
	b.Function.Room, b.Function.SharedBytes, b.Function.Rank, b.Function.RankAt = f.Room, f.SharedBytes, f.Rank, f.RankAt
}
