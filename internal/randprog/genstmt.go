package randprog

import (
	"fmt"
	"strings"
)

// block makes a block of statements; first ones go before.
func (g *generator) block(nesting, most int, first ...*Node) *Node {
	vars := len(g.vars)
	g.depth++
	n := &Node{Op: Block, Kids: first}
	for range 1 + g.IntN(most) {
		if g.budget--; g.budget < 0 {
			break
		}
		g.cost += g.times
		if s := g.statement(nesting); s != nil {
			n.Kids = append(n.Kids, s)
			if s.leaves() {
				break
			}
		}
	}
	if k := len(n.Kids); g.has(Gotos) && g.chance(4) && (k == 0 || !n.Kids[k-1].leaves()) {
		if s := g.jumpBack(); s != nil {
			n.Kids = append(n.Kids, s)
		}
	}
	g.depth--
	g.vars = g.vars[:vars]
	return n
}

// leaves reports whether a statement is one that nothing comes behind.
func (n *Node) leaves() bool {
	return n.Op == Break || n.Op == Continue || n.Op == Goto || n.Op == Return
}

// statement makes one statement; nil where what was chosen is not possible.
func (g *generator) statement(nesting int) *Node {
	if g.heavy && g.chance(2) || g.has(Static) && g.chance(6) {
		if s := g.static(nesting); s != nil {
			return s
		}
	}
	if g.has(Gotos) {
		switch {
		case nesting > 0 && g.chance(12):
			make := g.jumping
			if g.chance(2) {
				make = g.turning
			}
			if s := make(nesting); s != nil {
				return s
			}
		case g.chance(8):
			if s := g.jumpTo(); s != nil {
				return s
			}
		}
	}
	n := g.IntN(30)
	if nesting == 0 {
		n %= 18
	}
	switch n {
	case 0, 1, 2:
		return g.assign()
	case 3, 4:
		return g.assignOp()
	case 5:
		return g.assignMany()
	case 6, 7, 8:
		return g.define()
	case 9:
		if g.chance(4) {
			return g.copySlice()
		}
		return g.step()
	case 10, 11:
		return g.effect()
	case 12, 13:
		return g.call()
	case 14, 15:
		if g.has(Faults) && g.chance(4) {
			return g.fault()
		}
		return g.jump()
	case 16:
		return g.pointerTo()
	case 17:
		return g.closure()
	case 18, 19, 20, 21:
		return g.ifStmt(nesting)
	case 22, 23, 24, 25, 26:
		return g.loop(nesting)
	case 27, 28:
		return g.switchStmt(nesting)
	}
	return g.block(nesting-1, 3)
}

// left is something to assign to, of any type of values.
func (g *generator) left() *Node {
	for range 4 {
		if n := g.leftOf(g.valueType()); n != nil {
			return n
		}
	}
	return nil
}

func (g *generator) leftOf(t *Type) *Node {
	n := g.part(t, true)
	if n == nil || !g.assignable(n) {
		return nil
	}
	return n
}

// assignable reports whether the function being made may assign to n, which part
// gave: a pure function not to what a parameter points to.
func (g *generator) assignable(n *Node) bool {
	for {
		switch n.Op {
		case Var:
			return true
		case Deref:
			return !g.pure
		case Index, FieldOf:
			inner := n.Kids[0]
			if f := inner.Type.Form; f == Slice || f == Pointer {
				return !g.pure
			}
			n = inner
		default:
			return false
		}
	}
}

func (g *generator) assign() *Node {
	l := g.left()
	if l == nil {
		return nil
	}
	return &Node{Op: Assign, Text: "=", Kids: []*Node{l, g.expr(l.Type, 3)}}
}

func (g *generator) assignOp() *Node {
	l := g.leftOf(g.number())
	if l == nil {
		return nil
	}
	op, right := g.pick("+=", "-=", "*=", "/="), g.expr(l.Type, 2)
	if l.Type.Generic {
		op = g.pick("+=", "-=", "*=")
	}
	if l.Type.Form == Int {
		op = g.pick("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "&^=", "<<=", ">>=")
	}
	if op == "<<=" || op == ">>=" {
		right = g.dynamic(g.integer(), 1)
	}
	n := &Node{Op: Assign, Text: op, Kids: []*Node{l, right}}
	if l.Type.Form == Int && strings.ContainsAny(op, "/%<>") {
		n.Loose = g.loose()
	}
	return n
}

func (g *generator) assignMany() *Node {
	n := &Node{Op: AssignN}
	for range 2 + g.IntN(2) {
		l := g.left()
		if l == nil {
			return nil
		}
		n.Kids = append(n.Kids, l)
	}
	n.N = len(n.Kids)
	for _, l := range n.Kids[:n.N] {
		r := g.expr(l.Type, 1)
		if g.chance(3) {
			for _, other := range n.Kids[:n.N] {
				if other != l && other.Type == l.Type {
					r = other.clone() // a swap
				}
			}
		}
		n.Kids = append(n.Kids, r)
	}
	return n
}

func (g *generator) step() *Node {
	l := g.leftOf(g.number())
	if l == nil {
		return nil
	}
	return &Node{Op: Step, Text: g.pick("++", "--"), Kids: []*Node{l}}
}

// define declares a variable.
func (g *generator) define() *Node {
	t := g.valueType()
	n := &Node{Op: Decl, Type: t, Text: g.pick(":=", ":=", "var")}
	if n.Text == ":=" || g.chance(2) {
		n.Kids = []*Node{g.expr(t, 3)}
	} else {
		n.Text = "var"
	}
	if g.chance(8) {
		if s := g.one(g.visible(func(v *variable) bool {
			return v.typ.Form == Slice && !isShared(v.name) || v.typ.Form == Array && !v.fixed && g.has(Pointers) && !g.pure
		})); s != nil {
			n = g.subslice(s)
		}
	}
	n.Names = []string{g.newName()}
	g.declare(n.Names[0], n.Type)
	return n
}

// subslice declares a part of a slice.
func (g *generator) subslice(s *variable) *Node {
	length := max(1, s.typ.Len/(1<<g.IntN(3)))
	for length&(length-1) != 0 {
		length--
	}
	s.shared = s.shared || s.typ.Form == Array
	t := g.types.slice(s.typ.Elem, length)
	low := 0
	if length < s.typ.Len {
		low = g.IntN(s.typ.Len - length + 1)
	}
	part := &Node{Op: Subslice, Type: t, N: low, Kids: []*Node{use(s)}}
	if g.loose() && !isOwn(s.name) {
		part.Kids = append(part.Kids, g.dynamic(g.integer(), 0), g.dynamic(g.integer(), 0))
	}
	return &Node{Op: Decl, Text: ":=", Type: t, Kids: []*Node{part}}
}

// copySlice copies between slices, which may overlap.
func (g *generator) copySlice() *Node {
	from := g.one(g.visible(func(v *variable) bool { return v.typ.Form == Slice && !isShared(v.name) }))
	if from == nil || g.pure {
		return nil
	}
	whole := func(v *variable) *Node {
		if isOwn(v.name) {
			return &Node{Op: Subslice, Type: v.typ, Kids: []*Node{use(v)}}
		}
		return use(v)
	}
	to := g.one(g.visible(func(v *variable) bool { return v.typ.Form == Slice && v.typ.Elem == from.typ.Elem && !isShared(v.name) }))
	n := &Node{Op: Call, Type: intType, Text: "copy", Kids: []*Node{whole(to), whole(from)}}
	for i, k := range n.Kids {
		if length := k.Type.Len; length > 1 && g.chance(2) {
			n.Kids[i] = &Node{Op: Subslice, Type: g.types.slice(k.Type.Elem, length/2), N: g.IntN(length/2 + 1), Kids: []*Node{k}}
		}
	}
	return g.useCall(n)
}

// effect is an atomic operation: on what belongs to the thread any, its result
// used; on what all threads share one whose order does not matter.
func (g *generator) effect() *Node {
	if g.pure {
		return nil
	}
	t := g.number()
	if !t.isAtomic() || t.Base != nil || t.Generic {
		return nil
	}
	if g.kernel && t.Form == Int && g.chance(3) {
		if v := g.one(g.visible(func(v *variable) bool { return v.typ.Form == Slice && v.typ.Elem == t && isShared(v.name) })); v != nil {
			// All on one slice are of one kind: addition does not commute with min.
			op := "qd.Atomic" + sharedKinds[int(v.name[len(sharedPrefix)]-'0')%len(sharedKinds)]
			return &Node{Op: Eval, Kids: []*Node{{Op: Call, Type: t, Text: op, Kids: []*Node{
				{Op: Addr, Kids: []*Node{{Op: Index, Type: t, Kids: []*Node{use(v), g.index()}}}}, g.expr(t, 1)}}}}
		}
	}
	at := g.leftOf(t)
	if at == nil || !g.has(Pointers) && at.Op != Index {
		return nil
	}
	g.share(at)
	op := g.pick("Add", "Min", "Max", "Exch", "CAS", "And", "Or", "Xor")
	if t.Form == Float {
		op = g.pick("Add", "Min", "Max", "Exch")
	}
	call := &Node{Op: Call, Type: t, Text: "qd.Atomic" + op, Kids: []*Node{
		{Op: Addr, Kids: []*Node{at}}, g.expr(t, 1)}}
	if op == "CAS" {
		call.Kids = append(call.Kids, g.expr(t, 1))
	}
	return g.useCall(call)
}

// useCall is a statement with a call that has effects, of one result: nothing in
// it but the call reads what the call may write.
func (g *generator) useCall(call *Node) *Node {
	t := call.Type
	switch g.IntN(5) {
	case 0:
		return &Node{Op: Eval, Kids: []*Node{call}}
	case 1:
		if l := g.leftOf(t); l != nil && l.Op == Var {
			return &Node{Op: Assign, Text: "=", Kids: []*Node{l, call}}
		}
	case 2:
		if t.isNumber() {
			wrap := &Node{Op: Binary, Type: t, Text: g.pick("+", "-", "*"), Kids: []*Node{call, g.literal(t)}}
			name := g.newName()
			g.declare(name, t)
			return &Node{Op: Decl, Text: ":=", Type: t, Names: []string{name}, Kids: []*Node{wrap}}
		}
	case 3:
		if t.isNumber() {
			cond := &Node{Op: Binary, Type: boolType, Text: g.pick("<", ">", "!="), Kids: []*Node{call, g.literal(t)}}
			if g.chance(2) {
				cond = &Node{Op: Binary, Type: boolType, Text: g.pick("&&", "||"), Kids: []*Node{g.expr(boolType, 1), cond}}
			}
			g.level++
			then := g.block(1, 2)
			g.level--
			return &Node{Op: If, Kids: []*Node{nil, cond, then, nil}}
		}
	}
	name := g.newName()
	g.declare(name, t)
	return &Node{Op: Decl, Text: ":=", Type: t, Names: []string{name}, Kids: []*Node{call}}
}

// fault panics under a condition, asserts one, or declares a pointer that is nil.
func (g *generator) fault() *Node {
	switch g.IntN(4) {
	case 0:
		return &Node{Op: Eval, Kids: []*Node{{Op: Call, Text: "qd.Assert", Kids: []*Node{
			{Op: Binary, Type: boolType, Text: "||", Kids: []*Node{g.expr(boolType, 1), g.expr(boolType, 1)}},
			{Op: Raw, Text: fmt.Sprintf("\"assertion %d\"", g.IntN(10))}}}}}
	case 1:
		if g.has(Pointers) && !g.pure {
			t := g.types.pointer(g.valueType())
			n := &Node{Op: Decl, Text: "var", Type: t, Names: []string{g.newName()}}
			g.declare(n.Names[0], t)
			return n
		}
	case 2:
		if n := g.repoint(); n != nil && g.has(Pointers) && !g.pure {
			return n
		}
	}
	text := fmt.Sprintf("\"panic %d\"", g.IntN(10))
	return &Node{Op: If, Kids: []*Node{nil, {Op: Binary, Type: boolType, Text: "&&", Kids: []*Node{g.expr(boolType, 1), g.expr(boolType, 1)}},
		{Op: Block, Kids: []*Node{{Op: Eval, Kids: []*Node{{Op: Call, Text: "panic", Kids: []*Node{{Op: Raw, Text: text}}}}}}}, nil}}
}

// jump leaves something, mostly under a condition, so that what follows is reached.
func (g *generator) jump() *Node {
	var leave *Node
	if len(g.targets) == 0 || g.chance(6) {
		if g.kernel && g.chance(2) {
			return nil
		}
		leave = g.returnStmt()
	} else {
		to := len(g.targets) - 1 - min(g.IntN(len(g.targets)), g.IntN(len(g.targets)))
		for _, t := range g.targets[to:] {
			if t.strict {
				return nil
			}
		}
		leave = g.leave(to)
	}
	if g.chance(10) {
		return leave
	}
	then := &Node{Op: Block, Kids: []*Node{leave}}
	if g.chance(3) {
		if s := g.assign(); s != nil {
			then.Kids = []*Node{s, leave}
		}
	}
	return &Node{Op: If, Kids: []*Node{nil, g.expr(boolType, 2), then, nil}}
}

func hasLoop(targets []target) bool {
	for _, t := range targets {
		if t.loop {
			return true
		}
	}
	return false
}

// returnStmt gives values for all results, or none where they have names.
func (g *generator) returnStmt() *Node {
	n := &Node{Op: Return}
	if len(g.results) > 0 && g.results[0].Name != "" && !g.hidesResult() && g.chance(2) {
		return n
	}
	for _, r := range g.results {
		n.Kids = append(n.Kids, g.expr(r.Type, 2))
	}
	return n
}

// hidesResult reports whether the name of a result means something else here: Go
// refuses a return without values then.
func (g *generator) hidesResult() bool {
	for _, r := range g.results {
		for _, v := range g.vars {
			if v.name == r.Name && v.depth > 1 {
				return true
			}
		}
	}
	return false
}

func (g *generator) ifStmt(nesting int) *Node {
	vars := len(g.vars)
	g.depth++ // the scope of the statement itself
	defer func() { g.depth--; g.vars = g.vars[:vars] }()
	n := &Node{Op: If, Kids: make([]*Node, 4)}
	if g.chance(5) {
		n.Kids[0] = g.initStmt()
	}
	n.Kids[1] = g.expr(boolType, 3)
	g.level++
	n.Kids[2] = g.block(nesting-1, 4)
	if g.chance(2) {
		n.Kids[3] = g.block(nesting-1, 4)
	}
	g.level--
	return n
}

// initStmt is what stands before the condition of an if, or the tag of a switch.
func (g *generator) initStmt() *Node {
	t := g.scalar()
	value := g.expr(t, 2)
	v := g.declare(g.newName(), t)
	return &Node{Op: Decl, Text: ":=", Type: t, Names: []string{v.name}, Kids: []*Node{value}}
}
