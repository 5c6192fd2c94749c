package emit

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/outofssa"
)

// block prints the statements of a block and its terminator.
func (p *printer) block(b *ssa.Block) {
	for _, in := range b.Instrs {
		switch {
		case in.Op.IsTerminator():
			p.terminator(in)
		case p.code.IsStatement(in):
			p.statement(in)
		}
	}
}

// inner prints into a writer of its own, some levels deeper.
func (p *printer) inner(deeper int, print func()) *writer {
	outer := p.w
	p.w = outer.scratch(deeper)
	print()
	w := p.w
	p.w = outer
	return w
}

func (p *printer) statement(in *ssa.Instr) {
	if p.code.IsOnce(in) {
		p.actOnce(in)
		return
	}
	p.plainStatement(in)
}

// plainStatement prints a statement that each thread executes.
func (p *printer) plainStatement(in *ssa.Instr) {
	switch {
	case in.Op == ssa.OpIf && !p.code.IsLogical(in):
		p.ifStatement(in)
	case in.Op == ssa.OpLoop:
		p.loop(in)
	case in.Op == ssa.OpFor:
		p.parallel(in)
	case in.Op == ssa.OpCopyRow:
		p.need("qd.copy_row")
		p.w.at(in.Stmt)
		p.w.linef("qd::copy_row<%d>(%s);", in.Len, p.arguments(in.Args))
	case in.Op == ssa.OpMultiply:
		p.multiply(in)
	case in.Op == ssa.OpShared:
		p.shared(in)
	case in.Op == ssa.OpSync && in.Async:
		p.syncCopies(in)
	case in.Op == ssa.OpSync:
		p.w.at(in.Stmt)
		p.w.line(p.d.Block.Barrier)
	case in.Op == ssa.OpLocal:
		p.local(in)
	case in.Op == ssa.OpStore:
		p.w.at(in.Stmt)
		p.w.line(p.store(in) + ";")
	case in.Op == ssa.OpStoreRow || in.Op == ssa.OpStoreParts || in.Op == ssa.OpStoreStrided || in.Op == ssa.OpScatter:
		p.w.at(in.Stmt)
		p.w.line(p.storeVector(in) + ";")
	case in.Op == ssa.OpAdvance:
		p.w.at(in.Stmt)
		p.w.line(p.advance(in) + ";")
	case in.Op == ssa.OpPrefetch:
		p.w.at(in.Stmt)
		p.w.linef("%s<%d>(%s);", p.needVec("prefetch"), in.Len, p.arguments(in.Args))
	case in.Op == ssa.OpCheck:
		p.w.at(in.Stmt)
		p.w.line(p.check(in) + ";")
	case in.Op == ssa.OpCheckLanes:
		p.w.at(in.Stmt)
		p.w.line(p.checkLanes(in) + ";")
	case in.Op == ssa.OpPanicLanes:
		p.w.at(in.Stmt)
		p.w.line(p.panicLanes(in) + ";")
	case in.Op == ssa.OpPrintf:
		p.w.at(in.Stmt)
		p.w.line(p.printf(in) + ";")
	case len(in.Results) > 1:
		p.w.at(in.Stmt)
		p.unpack(in)
	case len(in.Results) == 0:
		p.w.at(in.Stmt)
		p.w.line(p.callText(in) + ";")
	default:
		p.w.at(in.Stmt)
		p.w.line(p.assignment(in) + ";")
	}
}

// assignment prints an instruction with one result as an assignment to, or the
// declaration of, its variable.
func (p *printer) assignment(in *ssa.Instr) string {
	x := p.held(in.Results[0])
	switch {
	case x == nil: // nobody reads it
		return p.instr(in).text
	case !x.declared && x.Once && p.code.IsTable(in):
		return p.d.Table + p.declaration(x, p.table(in))
	case !x.declared:
		return p.declaration(x, p.initial(in))
	}
	return p.update(x.name, in)
}

// local declares a variable whose address is taken, with its value. It stands where the
// OpLocal does, for each time is a new one.
func (p *printer) local(in *ssa.Instr) {
	x := p.held(in.Results[0])
	if x.Param {
		return // it is there, with its value
	}
	p.w.at(in.Stmt)
	x.declared = true
	p.w.declares = true
	name, from := p.typeName(x.Type), in.Args[0]
	switch {
	case p.code.IsTableCopy(in) && p.code.IsInline(from):
		p.w.linef("%s%s %s = %s;", p.d.Table, name, x.name, p.table(from.Def))
	case p.code.IsTableCopy(in) && p.variable(from).Once: // it is declared as a table, and neither of the two is written to
		p.w.linef("%s& %s = const_cast<%s&>(%s);", name, x.name, name, p.expr(from).text)
	default:
		p.w.linef("%s %s = %s;", name, x.name, p.initializer(from))
	}
}

// table is the value of a table without the names of variables, which would make it none of constants.
func (p *printer) table(in *ssa.Instr) string {
	p.inTable = true
	defer func() { p.inTable = false }()
	return p.initial(in)
}

// declaration declares a variable with its first value.
func (p *printer) declaration(x *variable, value string) string {
	x.declared = true
	p.w.declares = true
	if x.Once {
		return p.constType(x.Type) + " " + x.name + " = " + value
	}
	return p.typeName(x.Type) + " " + x.name + " = " + value
}

// update assigns in to lhs, as "lhs op= ..." where in is an operation on it.
func (p *printer) update(lhs string, in *ssa.Instr) string {
	if isVector(in) {
		return p.updateVector(lhs, in)
	}
	switch in.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpDiv, ssa.OpRem, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpAndNot, ssa.OpShl, ssa.OpShr:
		op, plain := p.plainOperator(in)
		if !plain || in.Results[0].Type == ssa.Bool || p.expr(in.Args[0]).text != lhs {
			break
		}
		if c, ok := in.Args[1].Const(); ok && c.Int() == 1 && ssa.IsInteger(in.Args[1].Type) && op.prec == precAdd && lhs[0] != '*' {
			return lhs + op.text + op.text
		}
		value := p.expr(in.Args[1])
		if in.Op == ssa.OpAndNot {
			value = p.complement(in.Args[1])
		}
		return lhs + " " + op.text + "= " + value.text
	}
	return lhs + " = " + p.instr(in).text
}

// store prints a store to an element or through a pointer.
func (p *printer) store(in *ssa.Instr) string {
	lhs := p.place(in.Args[0]).text
	if v := in.Args[1]; p.code.IsInline(v) {
		return p.update(lhs, v.Def)
	}
	return lhs + " = " + p.expr(in.Args[1]).text
}

// printf records a printf call's arguments.
func (p *printer) printf(in *ssa.Instr) string {
	parts := []string{strconv.Itoa(p.formats + int(in.Format))}
	for _, a := range in.Args {
		parts = append(parts, p.word(a))
	}
	return "qd::Printf(" + strings.Join(parts, ", ") + ")"
}

// unpack prints a call with several results. Their names are declared by a
// structured binding; such values share their variables with no others.
func (p *printer) unpack(in *ssa.Instr) {
	text := ""
	switch in.Op {
	case ssa.OpMath:
		text = p.mathCall(in)
	case ssa.OpMulWide, ssa.OpDivWide:
		text = p.wideCall(in)
	case ssa.OpLoadParts:
		text = p.loadParts(in)
	default:
		text = p.callText(in)
	}
	if p.code.AllUnused(in.Results) {
		p.w.line(text + ";")
		return
	}
	p.w.declares = true
	var names []string
	for _, v := range in.Results {
		if x := p.held(v); x != nil {
			x.declared = true
			names = append(names, x.name)
		} else {
			names = append(names, p.temporary("unused"))
		}
	}
	p.w.linef("const auto [%s] = %s;", strings.Join(names, ", "), text)
}

// temporary is a name that no variable of the function has, and gives it away.
func (p *printer) temporary(base string) string {
	name := base
	for n := 2; p.taken.isTaken(name) || p.avoid[name]; n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	p.taken.take(name)
	p.w.declares = true
	return name
}

// steps prints assignments of an edge, one after the other, after what begin prints, if that is not nil.
func (p *printer) steps(steps []outofssa.Step, begin func(outofssa.Copy)) {
	var saved []string // the temporaries that are not restored yet
	for _, s := range steps {
		to := p.vars[s.To.Number]
		switch s.Kind {
		case outofssa.Save:
			name := p.temporary(to.name + "_next")
			p.w.linef("%s %s = %s;", p.constType(to.Type), name, p.expr(s.From).text)
			saved = append(saved, name)
		case outofssa.Restore:
			p.w.linef("%s = %s;", to.name, saved[len(saved)-1])
			saved = saved[:len(saved)-1]
		default:
			if begin != nil {
				begin(s.Copy)
			}
			p.w.line(p.assign(s.Copy) + ";")
		}
	}
}

// stepsBefore prints assignments in front of a loop or an If, constants under the statements that assign them.
func (p *printer) stepsBefore(steps []outofssa.Step) { p.steps(steps, p.constantFrom) }

// constantFrom begins the statement that a copied constant comes from, where that can be
// told: equal constants of different statements may have become one.
func (p *printer) constantFrom(c outofssa.Copy) {
	d := c.From.Def
	if d == nil || d.Op != ssa.OpConst || d.Stmt == nil || !assigns(d.Stmt, c.To.Name) {
		return
	}
	if before := p.w.stmt; before == nil || before.Pos.File == d.Stmt.Pos.File && before.Pos.Line < d.Stmt.Pos.Line {
		p.w.at(d.Stmt)
	}
}

// assign is one assignment of an edge, the declaration of the variable if it is the first.
func (p *printer) assign(c outofssa.Copy) string {
	to := p.vars[c.To.Number]
	if !to.declared {
		return p.declaration(to, p.initializer(c.From))
	}
	return to.name + " = " + p.expr(c.From).text
}

// declare declares what an If or a Loop assigns first within its blocks, or
// what is read after it.
func (p *printer) declare(in *ssa.Instr) {
	for _, x := range p.printed(p.code.Declared(in)) {
		if !x.declared {
			x.declared = true
			p.w.declares = true
			p.w.line(p.typeName(x.Type) + " " + x.name + ";")
		}
	}
}

// terminator prints the assignments of a terminator and the jump.
func (p *printer) terminator(in *ssa.Instr) {
	switch in.Op {
	case ssa.OpYield:
		p.edge(in)
	case ssa.OpTest, ssa.OpUnreachable:
		// A loop prints its test; the end of the block is not reached.
	case ssa.OpReturn:
		p.leave(in)
		switch len(in.Args) {
		case 0:
			if jump := p.jump(in); jump != "" {
				p.w.line(jump)
			}
		case 1:
			p.w.line("return " + p.expr(in.Args[0]).text + ";")
		default:
			p.w.line("return {" + p.typedArguments(in.Args) + "};")
		}
	case ssa.OpPanic:
		p.w.at(in.Stmt)
		p.w.line(p.panic(in) + ";")
	case ssa.OpContinue, ssa.OpBreak:
		p.edge(in)
		if jump := p.jump(in); jump != "" {
			p.leave(in)
			p.w.line(jump)
		}
	}
}

// leave begins the statement of a jump, if it is one in Go: the end of a loop's
// body jumps too.
func (p *printer) leave(in *ssa.Instr) {
	if how, _ := p.code.Jump(in); how == outofssa.Falls || in.Target != nil && in.Stmt.Same(in.Target.Stmt) {
		return
	}
	p.w.at(in.Stmt)
}

// edge prints the assignments of a terminator.
func (p *printer) edge(in *ssa.Instr) {
	copies := p.code.Copies(in)
	for _, c := range copies {
		p.constantFrom(c)
	}
	p.steps(p.code.Sequence(copies), nil)
}

// assigns reports whether a Go statement assigns to a variable, as far as its
// first line tells.
func assigns(s *ssa.Stmt, name string) bool {
	left, _, ok := strings.Cut(s.Text, "=")
	if !ok && !strings.HasPrefix(s.Text, "var ") || strings.HasSuffix(left, "<") || strings.HasSuffix(left, ">") || strings.HasSuffix(left, "!") {
		return false
	}
	words := strings.FieldsFunc(left, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	return name != "" && slices.Contains(words, name)
}
