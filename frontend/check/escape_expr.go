package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/qdgen/qd/ssa"
)

// value is the set that the pointers in an expression's value may point to. It visits the whole
// expression, even parts that give no pointer, because calls may store pointers.
func (e *escape) value(x ast.Expr) set {
	if x == nil || e.b.Info.Types[x].IsType() {
		return nil
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		if v, ok := e.b.Info.ObjectOf(x).(*types.Var); ok {
			return e.holds[v]
		}
	case *ast.UnaryExpr:
		if x.Op != token.AND {
			return e.value(x.X)
		}
		if lit, ok := ast.Unparen(x.X).(*ast.CompositeLit); ok {
			return e.fresh(x, e.value(lit))
		}
		return e.addr(x.X)
	case *ast.StarExpr:
		return e.loaded(x, e.contents(e.value(x.X)))
	case *ast.SelectorExpr:
		return e.selector(x)
	case *ast.IndexExpr:
		e.value(x.Index)
		s := e.value(x.X)
		if !IsArray(e.b.GoType(x.X)) {
			s = e.contents(s)
		}
		return e.loaded(x, s)
	case *ast.SliceExpr:
		for _, bound := range [...]ast.Expr{x.Low, x.High, x.Max} {
			e.value(bound)
		}
		if IsArray(e.b.GoType(x.X)) {
			return e.addr(x.X)
		}
		return e.value(x.X)
	case *ast.CompositeLit:
		return e.literalValue(x)
	case *ast.BinaryExpr:
		e.value(x.X)
		if x.Op == token.LAND || x.Op == token.LOR { // in a block of its own
			e.within(lifetimeOf(x.Y), func() { e.value(x.Y) })
			return nil
		}
		e.value(x.Y)
	case *ast.TypeAssertExpr:
		return e.value(x.X)
	case *ast.CallExpr:
		return e.call(x)
	case *ast.FuncLit:
		e.funcLit(x)
		return set{{x, everywhere}: true}
	}
	return nil
}

// loaded is the set of a load. It is empty if the type of the loaded value has no pointers.
func (e *escape) loaded(x ast.Expr, s set) set {
	if e.pointing(x) {
		return s
	}
	return nil
}

func (e *escape) selector(x *ast.SelectorExpr) set {
	sel := e.b.Info.Selections[x]
	if sel == nil {
		return nil
	}
	s := e.value(x.X)
	if sel.Kind() == types.MethodVal && !e.silent && e.mayKeep(x) {
		e.b.Syntax.Refuse(x, "call the method in a function literal, which shows where the pointers come from",
			"method value %s may keep the pointers that are passed to it", types.ExprString(x))
	}
	switch {
	case sel.Kind() == types.MethodVal && e.b.TakesAddress(x):
		return e.addr(x.X)
	case e.b.Root(x) == nil && len(sel.Index()) > 1: // by way of pointers
		s = e.reach(s)
	case IsPointer(e.b.GoType(x.X)):
		s = e.contents(s)
	}
	return e.loaded(x, s)
}

// mayKeep reports whether a call of a method value can store a pointer through the receiver to which the
// value is bound. The caller does not know this receiver.
func (e *escape) mayKeep(x *ast.SelectorExpr) bool {
	recv := e.argument(x.X).types
	if t, ok := e.b.Syntax.TypeOf(e.b.GoType(x.X)); ok && e.b.TakesAddress(x) {
		recv[t] = true
	}
	sig, ok := e.b.GoType(x).(*types.Signature)
	if !ok {
		return false
	}
	given := map[ssa.Type]bool{}
	e.resultSlots(sig.Params(), given)
	places := map[ssa.Type]bool{}
	for t := range reachable(recv) {
		slots(t, places)
	}
	return level{types: reachable(given)}.fits(places)
}

// reachable are types and all types that pointers in their values lead to.
func reachable(from map[ssa.Type]bool) map[ssa.Type]bool {
	out := map[ssa.Type]bool{}
	for len(from) > 0 {
		next := map[ssa.Type]bool{}
		for t := range from {
			if !out[t] {
				out[t] = true
				slots(t, next)
			}
		}
		from = next
	}
	return out
}

// addr is the set that an expression's address points to.
func (e *escape) addr(x ast.Expr) set {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		if v, ok := e.b.Info.ObjectOf(x).(*types.Var); ok && !IsPackageVar(v) {
			return set{e.of(v): true}
		}
	case *ast.StarExpr:
		return e.value(x.X)
	case *ast.SelectorExpr:
		if sel := e.b.Info.Selections[x]; sel == nil || sel.Kind() != types.FieldVal {
			return nil
		}
		if v := e.b.Root(x); v != nil {
			e.value(x.X)
			return set{e.of(v): true}
		}
		if len(e.b.Info.Selections[x].Index()) == 1 { // a field that no embedded pointer leads to
			if IsPointer(e.b.GoType(x.X)) {
				return e.value(x.X)
			}
			return e.addr(x.X)
		}
		return e.through(x.X)
	case *ast.IndexExpr:
		e.value(x.Index)
		if IsArray(e.b.GoType(x.X)) {
			return e.addr(x.X)
		}
		return e.value(x.X)
	case *ast.CompositeLit:
		return e.fresh(x, e.value(x))
	default:
		return e.value(x)
	}
	return nil
}

// through is the set that the pointers on the path from a value to one of its fields lead to.
func (e *escape) through(x ast.Expr) set {
	if !IsPointer(e.b.GoType(x)) {
		if e.b.Root(x) != nil {
			return e.reach(e.value(x))
		}
		return e.reach(e.addr(x))
	}
	return e.reach(e.value(x))
}

// fresh is a variable without a name that an expression makes.
func (e *escape) fresh(x ast.Expr, holds set) set {
	e.add(x, holds)
	return set{{x, e.lifetime}: true}
}

// contents is the set that the pointers in the given objects may point to.
func (e *escape) contents(s set) set {
	out := set{}
	for l := range s {
		for m := range e.held(l.obj) {
			out[m] = true
		}
	}
	return out
}

// reach is a set and everything that the pointers in it lead to.
func (e *escape) reach(s set) set {
	out := set{}
	var visit func(set)
	visit = func(s set) {
		for l := range s {
			if !out[l] {
				out[l] = true
				visit(e.held(l.obj))
			}
		}
	}
	visit(s)
	return out
}

func (e *escape) literalValue(x *ast.CompositeLit) set {
	out := set{}
	for _, elt := range x.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			elt = kv.Value
		}
		for l := range e.value(elt) {
			out[l] = true
		}
	}
	if t := e.b.GoType(x); IsPointer(t) || IsSlice(t) { // an element &T{...} without the &T; a new array
		return e.fresh(x, out)
	}
	return out
}

func (e *escape) funcLit(x *ast.FuncLit) {
	// The variables are those of the source: an instance's signature would have new
	// ones each time it is asked for, and there would be no end to them.
	sig, ok := e.b.Info.TypeOf(x).(*types.Signature)
	if !ok {
		return
	}
	for v := range sig.Params().Variables() {
		if t := e.b.Subst(v.Type()); !IsFunc(t) && !e.hasPointers(t) {
			continue
		}
		p := location{pointee{v}, lifetimeOf(x)}
		e.add(v, set{p: true})
		e.add(p.obj, set{p: true})
	}
	e.bodies[x.End()] = function{lifetime: lifetimeOf(x), body: lifetimeOf(x.Body)}
	e.lits[lifetimeOf(x)] = e.ownOfLiteral(x)
	outer := e.literal
	e.literal = x
	e.stmt(x.Body)
	e.literal = outer
	for v := range sig.Results().Variables() {
		if v.Name() != "" {
			e.add(x, e.flow(x.Body, "result "+v.Name(), lifetimeOf(x), e.holds[v]))
		}
	}
}

// call is the result of a call. It also records what the call may store.
func (e *escape) call(x *ast.CallExpr) set {
	if e.b.isNew(x) {
		var holds set
		for _, arg := range x.Args {
			for l := range e.value(arg) {
				if holds == nil {
					holds = set{}
				}
				holds[l] = true
			}
		}
		return e.fresh(x, holds)
	}
	var given []level
	var bound set // what a method value is bound to
	for _, arg := range x.Args {
		given = append(given, e.argument(arg))
	}
	if len(x.Args) > 0 && e.b.BuiltinName(x) == "append" { // the elements are copied
		return given[0].set
	}
	if len(x.Args) == 1 && e.b.Info.Types[x.Fun].IsType() {
		return e.loaded(x, given[0].set) // none, if a slice has become an array
	}
	fun := ast.Unparen(x.Fun)
	if sel, ok := fun.(*ast.SelectorExpr); ok && e.b.Info.Selections[sel] != nil {
		given = append(given, e.argument(sel.X))
		if t, ok := e.b.Syntax.TypeOf(e.b.GoType(sel.X)); ok && e.b.TakesAddress(sel) {
			given = append(given, level{e.addr(sel.X), map[ssa.Type]bool{t: true}})
		}
	} else {
		bound = e.reach(e.value(fun))
	}
	list := -1 // which is the array of the variadic arguments
	if elem := e.b.variadicElem(x); elem != nil {
		list = len(given)
		given = append(given, level{set{{variadicArray{x}, e.lifetime}: true}, map[ssa.Type]bool{elem: true}})
	}
	var levels []level
	for _, arg := range given {
		levels = append(levels, e.levels(arg)...)
	}
	for _, to := range levels {
		for _, from := range levels {
			e.pass(x, to, from)
		}
	}
	slots, anything := e.slotsOf(x), e.givesInterfaces(x)
	if len(slots) == 0 && !anything && !IsFunc(e.b.GoType(x)) {
		return nil
	}
	out, front := set{}, e.givesFront(x)
	for l := range bound {
		if _, ok := l.obj.(*ast.FuncLit); !ok || front {
			out[l] = true
		}
	}
	returns, sig := e.b.calledReturns(x)
	several := false // the arguments are the results of one call
	if len(x.Args) == 1 {
		_, several = e.b.GoType(x.Args[0]).(*types.Tuple)
	}
	for i, arg := range given {
		if returns != nil && !several && !returns.mayReturn(sig, i, len(x.Args), list) {
			continue
		}
		for _, from := range e.levels(arg) {
			if anything || from.fits(slots) {
				maps.Copy(out, from.set)
			}
		}
		e.addGiven(out, arg.set)
	}
	e.addGiven(out, bound)
	if returns != nil && len(returns.own) > 0 || e.owns(x) {
		maps.Copy(out, e.fresh(x, out))
		e.add(x, out)
	}
	return out
}

// addGiven adds the results of the function literals in a set.
func (e *escape) addGiven(out, s set) {
	for l := range s {
		if lit, ok := l.obj.(*ast.FuncLit); ok {
			maps.Copy(out, e.held(lit))
		}
	}
}

// A level is the memory that an argument reaches through one, two or more pointers: the objects, and the
// types of the values there.
type level struct {
	set
	types map[ssa.Type]bool
}

// slotsOf is slots of an expression, which may be a call with several results.
func (e *escape) slotsOf(x ast.Expr) map[ssa.Type]bool {
	out := map[ssa.Type]bool{}
	e.resultSlots(e.b.GoType(x), out)
	return out
}

// levels are an argument's levels. The first one is the argument itself.
func (e *escape) levels(l level) (out []level) {
	for len(l.types) > 0 && len(l.set) > 0 && !slices.ContainsFunc(out, l.within) { // types may lead to themselves
		out = append(out, l)
		next := level{e.contents(l.set), map[ssa.Type]bool{}}
		for t := range l.types {
			slots(t, next.types)
		}
		l = next
	}
	return out
}

// within reports whether all of a level is in another one.
func (l level) within(other level) bool {
	for at := range l.set {
		if !other.set[at] {
			return false
		}
	}
	for t := range l.types {
		if !other.types[t] {
			return false
		}
	}
	return true
}

// slots adds the types that the pointers and slices in values of a type point to.
func slots(t ssa.Type, out map[ssa.Type]bool) {
	switch t := t.(type) {
	case ssa.Pointer:
		out[t.Elem] = true
	case ssa.Slice:
		out[t.Elem] = true
	case ssa.Array:
		slots(t.Elem, out)
	case *ssa.Struct:
		for _, f := range t.Fields {
			slots(f.Type, out)
		}
	}
}

// fits reports whether pointers to the values at a level, or to parts of them, point to one of the given
// types.
func (l level) fits(to map[ssa.Type]bool) bool {
	for t := range l.types {
		if partOf(t, to) {
			return true
		}
	}
	return false
}

// resultSlots is slots of the results of a call.
func (e *escape) resultSlots(t types.Type, out map[ssa.Type]bool) {
	if tuple, ok := t.(*types.Tuple); ok {
		for v := range tuple.Variables() {
			e.resultSlots(e.b.Subst(v.Type()), out)
		}
		return
	}
	if s, ok := e.b.Syntax.TypeOf(t); ok {
		slots(s, out)
	}
}

// variadicElem is the type of the elements of the array that a call makes for the
// arguments of a variadic parameter, nil if it makes none.
func (sc *Calls) variadicElem(e *ast.CallExpr) ssa.Type {
	if len(e.Args) == 0 || e.Ellipsis.IsValid() {
		return nil
	}
	fun := sc.Info.Types[e.Fun]
	if sig, ok := fun.Type.(*types.Signature); ok && !sig.Variadic() {
		return nil // of nearly all calls, whatever the type arguments are
	}
	typ := sc.GoType(e.Fun)
	if typ == nil || fun.IsBuiltin() {
		return nil
	}
	sig, ok := typ.Underlying().(*types.Signature)
	if !ok || !sig.Variadic() {
		return nil
	}
	t, _ := sc.Syntax.TypeOf(sig.Params().At(sig.Params().Len() - 1).Type())
	slice, ok := t.(ssa.Slice)
	if !ok {
		return nil
	}
	return slice.Elem
}

// pass records that a call may store pointers from one level of an argument at a level of another one,
// if the types fit.
func (e *escape) pass(x *ast.CallExpr, to, from level) {
	for l := range to.set {
		what := "what the call is given"
		places := map[ssa.Type]bool{}
		if v, ok := l.obj.(*types.Var); ok {
			what = v.Name()
			e.resultSlots(e.b.Subst(v.Type()), places)
		} else {
			for t := range to.types {
				slots(t, places)
			}
		}
		if from.fits(places) {
			e.add(l.obj, e.flow(x, what, l.lifetime, from.set))
		}
	}
}

// partOf reports whether a type or a part of it is among the given types.
func partOf(t ssa.Type, among map[ssa.Type]bool) bool {
	if among[t] {
		return true
	}
	switch t := t.(type) {
	case ssa.Array:
		return partOf(t.Elem, among)
	case *ssa.Struct:
		for _, f := range t.Fields {
			if partOf(f.Type, among) {
				return true
			}
		}
	}
	return false
}
