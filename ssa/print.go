package ssa

import (
	"strconv"
	"strings"
)

// String is the value as instructions name it: its number, after the name of
// the Go variable if it has one. A dot cannot be part of a Go name, so the form
// is unambiguous.
//
//	v7
//	sum.v7
func (v *Value) String() string {
	if v == nil {
		return "<nil>"
	}
	return string(appendValue(nil, v))
}

// String is the module as text: its formats, then its functions in order. The
// text is stable: equal modules print equally, on every machine.
func (m *Module) String() string {
	var p printer
	p.module(m)
	return string(p.buf)
}

// String is the function as text. Each statement of the Go source stands as a
// comment above what it became; loops are numbered in order.
func (f *Func) String() string {
	var p printer
	p.fn(f)
	return string(p.buf)
}

// String is the instruction on one line, without its blocks.
func (in *Instr) String() string {
	var p printer
	if in.Block != nil && in.Block.Func != nil {
		p.numberLoops(in.Block.Func.Body)
	}
	p.head(in)
	return string(p.buf)
}

// Listing is the module as String prints it, with the place in the Go source that each line comes from. It is zero for
// lines that come from none.
func (m *Module) Listing() (text string, lines []Pos) {
	p := printer{listing: true}
	p.module(m)
	return string(p.buf), p.lines
}

// printer writes IR as text. It prints broken IR too, as far as it goes: the
// verifier's messages and a debugging human need it most then.
type printer struct {
	buf    []byte
	indent int
	loops  []*Instr // printed so far; a loop's place here is its number

	// For Listing.
	listing bool
	at      Pos   // what is being printed comes from there
	lines   []Pos // where the lines come from
}

func (p *printer) str(s string) {
	p.buf = append(p.buf, s...)
	if p.listing && strings.HasSuffix(s, "\n") {
		p.lines = append(p.lines, p.at)
	}
}

// from notes that what follows comes from an instruction: from its statement, as emitted lines do.
func (p *printer) from(in *Instr) {
	if p.at = in.Pos; in.Stmt != nil {
		p.at = in.Stmt.Pos
	}
}

func (p *printer) int(n int)      { p.buf = strconv.AppendInt(p.buf, int64(n), 10) }
func (p *printer) value(v *Value) { p.buf = appendValue(p.buf, v) }

// line begins a new line at the current indentation.
func (p *printer) line() {
	for range p.indent {
		p.buf = append(p.buf, '\t')
	}
}

func appendValue(buf []byte, v *Value) []byte {
	if v == nil {
		return append(buf, "<nil>"...)
	}
	if v.Name != "" {
		buf = append(append(buf, v.Name...), '.')
	}
	return strconv.AppendInt(append(buf, 'v'), int64(v.ID), 10)
}

func (p *printer) typ(t Type) {
	if t == nil {
		p.str("<nil>")
		return
	}
	p.str(t.String())
}

// define writes a value where it is defined, with its type.
func (p *printer) define(v *Value) {
	p.value(v)
	if v != nil {
		p.str(":")
		p.typ(v.Type)
	}
}

// list writes values with commas between them.
func (p *printer) list(vs []*Value, write func(*Value)) {
	for i, v := range vs {
		if i > 0 {
			p.str(", ")
		}
		write(v)
	}
}

func (p *printer) module(m *Module) {
	p.at = Pos{}
	p.str("module " + m.Name)
	if m.Pkg != "" {
		p.str(" " + strconv.Quote(m.Pkg))
	}
	p.str("\n")
	for i, f := range m.Formats {
		p.str("format ")
		p.int(i)
		p.str(" " + strconv.Quote(f.Text))
		sep := ": "
		for _, a := range f.Args {
			p.str(sep)
			sep = ", "
			p.typ(a.Type)
			if a.Type == nil || a.GoType != a.Type.String() {
				p.str(" as " + a.GoType)
			}
		}
		p.str("\n")
	}
	for _, f := range m.Funcs {
		p.at = Pos{}
		p.str("\n")
		p.loops = p.loops[:0]
		p.fn(f)
	}
}

func (p *printer) fn(f *Func) {
	p.at = f.Decl.Pos
	p.statement(&f.Decl)
	if f.Kernel {
		p.str("kernel ")
	} else {
		p.str("func ")
	}
	p.str(f.Name + "(")
	if f.Body != nil {
		p.list(f.Body.Params, p.define)
	}
	p.str(")")
	p.results(f.Results)
	switch f.Kind {
	case BlockKernel:
		p.str(" of block")
	case GridKernel:
		p.str(" of grid")
	}
	if f.Rank != 0 {
		p.str(" rank ")
		p.int(f.Rank)
	}
	if f.Interchanged != 0 {
		p.str(" interchanged ")
		p.int(f.Interchanged - 1)
	}
	p.threads(f)
	for _, s := range f.Small {
		p.str(" small " + f.Params()[s.Param].Name)
		if s.Offset > 0 {
			p.str("+")
			p.int(s.Offset)
		}
	}
	if f.Gradient != nil {
		p.str(" gradient " + f.Gradient.By.Name)
	}
	if f.Replay != nil {
		p.str(" replay " + f.Replay.Name)
	}
	p.str(" {\n")
	p.block(f.Body)
	p.at = f.Decl.Pos
	p.str("}\n")
}

// results writes a function's result types as Go does.
func (p *printer) results(ts []Type) {
	switch len(ts) {
	case 0:
	case 1:
		p.str(" ")
		p.typ(ts[0])
	default:
		sep := " ("
		for _, t := range ts {
			p.str(sep)
			sep = ", "
			p.typ(t)
		}
		p.str(")")
	}
}

// statement writes the comment of a Go statement.
func (p *printer) statement(s *Stmt) {
	if s.Text == "" {
		return
	}
	p.line()
	p.str("// ")
	if s.Pos.File != "" {
		p.str(s.At() + ": ")
	}
	p.str(s.Text + "\n")
}

// block writes a block's instructions, one level deeper than what is around it.
func (p *printer) block(b *Block) {
	if b == nil {
		return
	}
	// The statement of the owner stands above the owner: parts of the same
	// statement, such as a loop's condition, do not repeat it.
	var owner, last *Stmt
	if b.Owner != nil {
		owner = b.Owner.Stmt
		last = owner
	}
	p.indent++
	for _, in := range b.Instrs {
		p.from(in)
		back := in.Op.IsTerminator() && sameStmt(in.Stmt, owner)
		if in.Stmt != nil && !sameStmt(in.Stmt, last) && !back {
			p.statement(in.Stmt)
			last = in.Stmt
		}
		p.instr(in)
	}
	p.indent--
}

// sameStmt reports whether two statements print alike.
func sameStmt(a, b *Stmt) bool {
	return a == b || a.Same(b) && a.Text == b.Text
}

// instr writes an instruction with its blocks.
func (p *printer) instr(in *Instr) {
	p.from(in)
	p.line()
	p.head(in)
	p.decided(in)
	switch {
	case in.Op == OpIf && len(in.Blocks) == 2:
		p.str(" {\n")
		p.block(in.Then())
		p.from(in)
		p.close("else")
		p.block(in.Else())
		p.line()
		p.str("}")
	case in.Op.OwnsLanes() && len(in.Blocks) > 0:
		p.str(" (")
		if body := in.Blocks[0]; body != nil {
			p.list(body.Params, p.define)
		}
		p.str(") {\n")
		p.block(in.Blocks[0])
		p.from(in)
		p.line()
		p.str("}")
		if wide := in.WideBlock(); wide != nil {
			p.str(" by " + strconv.Itoa(int(in.Len)) + " lanes (")
			p.list(wide.Params, p.define)
			p.str(") {\n")
			p.block(wide)
			p.line()
			p.str("}")
		}
	case in.Op == OpLoop && len(in.Blocks) == 3:
		p.str(" {\n")
		p.block(in.Cond())
		p.from(in)
		p.close("do")
		p.block(in.Do())
		p.from(in)
		p.line()
		p.str("} post ")
		if post := in.Post(); post != nil && len(post.Params) > 0 {
			p.str("(")
			p.list(post.Params, p.define)
			p.str(") ")
		}
		p.str("{\n")
		p.block(in.Post())
		p.line()
		p.str("}")
	}
	p.from(in)
	p.str("\n")
}

// close ends a block and opens the next one of the same instruction.
func (p *printer) close(next string) {
	p.line()
	p.str("} " + next + " {\n")
}
