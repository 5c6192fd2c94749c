package check

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// Whether the iterations of a loop use elements of their own follows from the indices. These are polynomials in the
// loop's counter, in the counters of loops inside of it, and in values that do not change: i*width + j. For one value
// of the loop's counter, such an index lies between two bounds. If the bounds of the next value lie behind them, the
// iterations are apart.

// A countedLoop is a loop that counts from a number to another one, which it does not reach.
type countedLoop struct {
	counter  *types.Var
	body     *ast.BlockStmt
	from, to ast.Expr // from is nil for 0
	length   bool     // of to is where the loop ends
	pos      token.Pos
}

// counted is a loop that counts up by one, nil for a loop of another form, and for one that is marked.
func (sc *Scope) counted(s ast.Node) *countedLoop {
	l := &countedLoop{pos: s.Pos()}
	var name ast.Expr
	switch s := s.(type) {
	case *ast.RangeStmt:
		if s.Tok != token.DEFINE {
			return nil
		}
		name, l.body, l.to = s.Key, s.Body, s.X
		t := sc.GoType(s.X)
		l.length = t == nil || !IsBasic(t, types.IsInteger)
		if IsFunc(t) {
			return nil
		}
	case *ast.ForStmt:
		init, isAssign := s.Init.(*ast.AssignStmt)
		cond, isCompare := s.Cond.(*ast.BinaryExpr)
		post, isInc := s.Post.(*ast.IncDecStmt)
		if !isAssign || !isCompare || !isInc || len(init.Lhs) != 1 || len(init.Rhs) != 1 || cond.Op != token.LSS || post.Tok != token.INC {
			return nil
		}
		name, l.body, l.to = init.Lhs[0], s.Body, cond.Y
		if types.ExprString(cond.X) != types.ExprString(name) || types.ExprString(post.X) != types.ExprString(name) {
			return nil
		}
		if from := ast.Unparen(init.Rhs[0]); !sc.isZero(from) {
			l.from = from
		}
	default:
		return nil
	}
	id, ok := name.(*ast.Ident)
	if !ok || sc.MarkerCall(l.to, "Dynamic") != nil || sc.MarkerCall(l.to, "Static") != nil {
		return nil
	}
	if l.counter, _ = sc.Info.Defs[id].(*types.Var); l.counter == nil {
		return nil
	}
	return l
}

// isZero reports whether an expression is the constant 0.
func (sc *Scope) isZero(e ast.Expr) bool {
	v := sc.Info.Types[e].Value
	return v != nil && v.Kind() == constant.Int && constant.Sign(v) == 0
}

// A spread tells which elements the iterations of a loop use.
type spread struct {
	sc    *Scope
	loop  *countedLoop
	inner []*countedLoop
	defs  map[*types.Var]ast.Expr // of the body's variables that are never assigned again
	sizes map[string]bool         // names of lengths
}

// newSpread looks at the body of a loop.
func (sc *Scope) newSpread(loop *countedLoop) *spread {
	s := &spread{sc: sc, loop: loop, defs: map[*types.Var]ast.Expr{}, sizes: map[string]bool{}}
	assigned := map[*types.Var]bool{}
	if sc.Src.Decl != nil {
		assigned = sc.Syntax.Reassigned(sc.Src.Decl, sc.Info)
	}
	define := func(name ast.Expr, value ast.Expr) {
		if v := sc.Defined(name); v != nil && !assigned[sc.Syntax.Original(v)] {
			s.defs[v] = value
		}
	}
	clauses := map[ast.Stmt]bool{} // what begins for statements
	ast.Inspect(loop.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			clauses[n.Init] = true
			s.addInner(n, assigned)
		case *ast.RangeStmt:
			s.addInner(n, assigned)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE && !clauses[n] && len(n.Lhs) == len(n.Rhs) {
				for i, name := range n.Lhs {
					define(name, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			if len(n.Names) == len(n.Values) {
				for i, name := range n.Names {
					define(name, n.Values[i])
				}
			}
		}
		return true
	})
	return s
}

// addInner adds a loop of the body.
func (s *spread) addInner(n ast.Stmt, assigned map[*types.Var]bool) {
	if l := s.sc.counted(n); l != nil && !assigned[s.sc.Syntax.Original(l.counter)] {
		s.inner = append(s.inner, l)
	}
}

// around are the loops of the body that a node stands in.
func (s *spread) around(n ast.Node) (loops []*countedLoop) {
	for _, l := range s.inner {
		if l.body.Pos() <= n.Pos() && n.Pos() < l.body.End() {
			loops = append(loops, l)
		}
	}
	return loops
}

// nameOf is a variable's name in polynomials.
func nameOf(v *types.Var) string { return fmt.Sprintf("%s@%d", v.Name(), v.Pos()) }

// value is what an integer expression of the body is, nil where that is no polynomial.
func (s *spread) value(e ast.Expr) polynomial {
	e = ast.Unparen(e)
	tv := s.sc.Info.Types[e]
	if tv.Value != nil {
		c, ok := ConstOf(ssa.Int64, tv.Value)
		if !ok {
			return nil
		}
		return constantPoly(c.Int())
	}
	if t := s.sc.GoType(e); t == nil || !isWide(t) {
		return nil // whose numbers might begin anew at 0
	}
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := s.sc.Info.Uses[e].(*types.Var)
		if !ok {
			return nil
		}
		if def := s.defs[v]; def != nil {
			return s.value(def)
		}
		if v == s.loop.counter || slices.ContainsFunc(s.inner, func(l *countedLoop) bool { return l.counter == v }) {
			return polynomial{nameOf(v): 1}
		}
	case *ast.UnaryExpr:
		if x := s.value(e.X); x != nil && e.Op == token.SUB {
			return polynomial{}.plus(x, -1)
		}
		return nil
	case *ast.BinaryExpr:
		x, y := s.value(e.X), s.value(e.Y)
		switch {
		case x == nil || y == nil:
		case e.Op == token.ADD:
			return x.plus(y, 1)
		case e.Op == token.SUB:
			return x.plus(y, -1)
		case e.Op == token.MUL:
			return x.mul(y)
		}
	case *ast.CallExpr: // int(i)
		if len(e.Args) == 1 && s.sc.Info.Types[e.Fun].IsType() {
			return s.value(e.Args[0])
		}
	}
	if name, ok := s.unchanging(e); ok {
		return polynomial{name: 1}
	}
	return nil
}

// isWide reports whether a type is one of integers of which no array has more elements.
func isWide(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	switch basic.Kind() {
	case types.Int, types.Int32, types.Int64, types.Uint, types.Uint32, types.Uint64, types.UntypedInt:
		return true
	}
	return false
}

// unchanging names an expression that has the same value in all iterations. Equal names are equal values.
func (s *spread) unchanging(e ast.Expr) (name string, ok bool) {
	ok = true
	var at strings.Builder
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.BasicLit, *ast.BinaryExpr, *ast.ParenExpr, *ast.SelectorExpr:
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.AND && n.Op != token.ARROW
		case *ast.CallExpr:
			ok = ok && s.sc.isSize(n)
		case *ast.Ident:
			obj := s.sc.Info.ObjectOf(n)
			if v, isVar := obj.(*types.Var); isVar && (v == s.loop.counter || s.loop.body.Pos() <= v.Pos() && v.Pos() < s.loop.body.End()) {
				ok = false
			}
			if obj != nil && obj.Pos().IsValid() {
				fmt.Fprintf(&at, "@%d", obj.Pos())
			}
		default:
			ok = false
		}
		return ok
	})
	name = types.ExprString(e) + at.String()
	if call, isCall := e.(*ast.CallExpr); ok && isCall && s.sc.isSize(call) {
		s.sizes[name] = true
	}
	return name, ok
}

// isSize reports whether a call is the length of something, or that of a view in one dimension.
func (sc *Scope) isSize(call *ast.CallExpr) bool {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		_, isBuiltin := sc.Info.Uses[fun].(*types.Builtin)
		return isBuiltin && fun.Name == "len"
	case *ast.SelectorExpr:
		return fun.Sel.Name == "Dim" && sc.sequence(fun.X) != nil
	}
	return false
}

// ends are the first and the last value of a loop's counter, nil where that is not known.
func (s *spread) ends(l *countedLoop) (first, last polynomial) {
	first = polynomial{}
	if l.from != nil {
		first = s.value(l.from)
	}
	to := l.to
	switch {
	case !l.length:
		last = s.value(to)
	default:
		t := s.sc.GoType(to)
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if a, ok := t.Underlying().(*types.Array); ok {
			last = constantPoly(a.Len())
		} else if name, ok := s.unchanging(to); ok && IsSlice(t) {
			expr := types.ExprString(to)
			name = "len(" + expr + ")" + strings.TrimPrefix(name, expr) // as that of the expression
			s.sizes[name] = true
			last = polynomial{name: 1}
		}
	}
	if first == nil || last == nil {
		return nil, nil
	}
	return first, last.plus(polynomial{"": 1}, -1)
}

// An extent is the least and the greatest that an index may be for one value of the loop's counter.
type extent struct{ least, greatest polynomial }

// negative is the extent of the negative index.
func (x extent) negative() extent {
	return extent{polynomial{}.plus(x.greatest, -1), polynomial{}.plus(x.least, -1)}
}

// extentOf is that of an index, which the counters of inner loops change. It is not ok where that is not known.
func (s *spread) extentOf(index ast.Expr, nonNegative []polynomial) (x extent, ok bool) {
	p := s.value(index)
	if p == nil {
		return x, false
	}
	x = extent{p, p}
	for _, l := range slices.Backward(s.around(index)) { // the ends of a loop may depend on those around it
		x.least, x.greatest = s.extreme(x.least, l, false, nonNegative), s.extreme(x.greatest, l, true, nonNegative)
		if x.least == nil || x.greatest == nil {
			return x, false
		}
	}
	return x, true
}

// extreme is the least or the greatest of a polynomial for all values of an inner loop's counter, nil if that is not
// known.
func (s *spread) extreme(p polynomial, l *countedLoop, greatest bool, nonNegative []polynomial) polynomial {
	counter := nameOf(l.counter)
	factor, rest, ok := p.split(counter)
	if !ok {
		return nil
	}
	if len(factor) == 0 {
		return rest
	}
	first, last := s.ends(l)
	if first == nil || last == nil {
		return nil
	}
	switch {
	case s.isNotNegative(factor, nonNegative):
	case s.isNotNegative(polynomial{}.plus(factor, -1), nonNegative):
		greatest = !greatest
	default:
		return nil
	}
	if greatest {
		return p.with(counter, last)
	}
	return p.with(counter, first)
}

// notNegative are polynomials that are not negative where loops have an iteration: the last value of each counter is
// not less than the first. Those that depend on the iteration are left out, since two iterations are compared.
func (s *spread) notNegative(loops []*countedLoop) (nonNegative []polynomial) {
	for _, l := range loops {
		if first, last := s.ends(l); first != nil && last != nil {
			p := last.plus(first, -1)
			if step, _, ok := p.split(nameOf(s.loop.counter)); ok && len(step) == 0 && p != nil {
				nonNegative = append(nonNegative, p)
			}
		}
	}
	return nonNegative
}

// isNotNegative reports whether it follows from others that a polynomial is not negative.
func (s *spread) isNotNegative(p polynomial, nonNegative []polynomial) bool {
	least := map[string]int64{}
	for _, k := range nonNegative {
		if name, n, ok := k.atLeast(); ok && n >= least[name] {
			least[name] = n
		}
	}
	follows := func(p polynomial) bool {
		for product := range p {
			for name := range strings.SplitSeq(product, times) {
				if _, ok := least[name]; !ok && name != "" && !s.sizes[name] {
					return false
				}
			}
		}
		for name, n := range least {
			if n > 0 { // the name is what it is more
				p = p.with(name, polynomial{name: 1, "": n})
			}
		}
		return p.isSum()
	}
	return p != nil && (follows(p) || slices.ContainsFunc(nonNegative, func(k polynomial) bool { return follows(p.plus(k, -1)) }))
}

// apart reports whether indices that one iteration uses are never those that another one uses. One of them each tells
// an element of a slice, several that of a view.
func (s *spread) apart(a, b []ast.Expr) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		nonNegative := s.notNegative(append(append([]*countedLoop{s.loop}, s.around(a[i])...), s.around(b[i])...))
		x, okX := s.extentOf(a[i], nonNegative)
		y, okY := s.extentOf(b[i], nonNegative)
		if okX && okY && (s.ascend(x, y, nonNegative) || s.ascend(x.negative(), y.negative(), nonNegative)) {
			return true
		}
	}
	return false
}

// ascend reports whether each of two extents lies behind both of all earlier iterations.
func (s *spread) ascend(x, y extent, nonNegative []polynomial) bool {
	return s.follows(x, y, nonNegative) && s.follows(y, x, nonNegative)
}

// follows reports whether x lies behind y of all earlier iterations.
func (s *spread) follows(x, y extent, nonNegative []polynomial) bool {
	counter := nameOf(s.loop.counter)
	step, _, ok := y.greatest.split(counter)
	before := y.greatest.with(counter, polynomial{counter: 1, "": -1})
	if !ok || before == nil || !s.isNotNegative(step, nonNegative) {
		return false
	}
	gap := x.least.plus(before, -1)
	return gap != nil && s.isNotNegative(gap.plus(polynomial{"": 1}, -1), nonNegative)
}
