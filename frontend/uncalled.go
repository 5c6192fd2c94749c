package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/qdgen/qd/ssa"
)

// A function literal is lowered where it is called. One that is called nowhere is
// lowered in the end for its errors, as what follows a return is.

// A literal is a function literal with the environment in which it was met first.
type literal struct {
	value    *funcValue
	vars     map[*types.Var]*ssa.Value
	locals   map[*types.Var]*ssa.Value
	births   map[*types.Var]int // what is declared again later is another variable: see capture
	inlined  []*inlining        // the bodies around it: if one is called in it, that is lowered from a copy
	parallel *parallel
	within   *site
	called   bool
}

// meet notes a function literal of the function that is being lowered, or of one that
// is lowered into it.
func (b inliner) meet(f *funcValue) {
	at := f.lit.Pos()
	if b.literals[at] != nil {
		return
	}
	if b.literals == nil {
		b.literals = map[token.Pos]*literal{}
	}
	vars := maps.Clone(b.vars)
	for v, val := range vars {
		if g := funcOf(val); g != nil && g.obj == nil && g.lit == nil {
			vars[v] = poison // it may get a value before a call
		}
	}
	b.literals[at] = &literal{value: f, vars: vars, locals: maps.Clone(b.locals), births: maps.Clone(b.births), inlined: slices.Clone(b.inlined), parallel: b.parallel, within: b.within}
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
		for _, at := range slices.Sorted(maps.Keys(b.literals)) {
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
	f := *b.f
	b.Scope, b.parallel, b.within = l.value.scope, l.parallel, l.within
	b.vars, b.locals, b.births, b.inlined = l.vars, l.locals, l.births, l.inlined
	b.memory = memory{}
	b.cur, b.dead, b.gone = &ssa.Block{Func: b.fn}, true, false
	var args []*ssa.Value
	for v := range body.sig.Params().Variables() {
		arg := poison
		if t, ok := b.typeOf(v.Type()); ok {
			arg = b.cur.AddParam(t, "")
		}
		args = append(args, arg)
	}
	b.inlineCall(l.value.lit, body, args)
	b.f.room, b.f.sharedBytes, b.f.rank, b.f.rankAt = f.room, f.sharedBytes, f.rank, f.rankAt
}
