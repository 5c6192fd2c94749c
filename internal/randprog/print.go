package randprog

import (
	"fmt"
	"strings"
)

// A printer writes a program as Go.
type printer struct {
	b      strings.Builder
	depth  int
	labels map[int]bool // that something leaves or goes to by name
	marks  map[int]bool // what a goto may lead to
}

// Source is the program as Go declarations, without a package clause: the types
// and functions that the kernel reaches, then the kernel.
func (p *Program) Source() string {
	if p.Text != "" {
		return p.Text
	}
	var pr printer
	types, funcs := p.reached()
	for _, t := range p.Types {
		if types[t] {
			pr.typeDecl(t)
		}
	}
	for _, v := range p.Globals {
		if funcs[v.Name] {
			pr.line("var %s = %s\n", v.Name, expr(v.Value))
		}
	}
	if name := repeatName + p.Suffix; funcs[name] {
		pr.line(repeatSource, name)
	}
	for _, f := range p.Funcs {
		if funcs[f.Name] {
			pr.routine(f)
		}
	}
	pr.kernel(p)
	return p.tagged(pr.b.String())
}

// reached finds the types and, by name, the functions that the kernel uses.
func (p *Program) reached() (map[*Type]bool, map[string]bool) {
	types, funcs := map[*Type]bool{}, map[string]bool{}
	var useType func(t *Type)
	useType = func(t *Type) {
		if t == nil || types[t] {
			return
		}
		types[t] = true
		useType(t.Elem)
		useType(t.Origin)
		useType(t.Base)
		for _, f := range t.Fields {
			useType(f.Type)
		}
		for _, l := range [][]*Type{t.Params, t.Results} {
			for _, u := range l {
				useType(u)
			}
		}
	}
	byName := map[string]*Routine{}
	for _, f := range p.Funcs {
		byName[f.Name] = f
	}
	var use func(r *Routine)
	use = func(r *Routine) {
		params := append(append([]Param(nil), r.Params...), r.Results...)
		if r.Recv != nil {
			params = append(params, *r.Recv)
		}
		for _, q := range params {
			useType(q.Type)
		}
		r.Body.walk(func(n *Node) bool {
			useType(n.Type)
			useType(n.Arg)
			if n.Fn != nil {
				for _, q := range append(append([]Param(nil), n.Fn.Params...), n.Fn.Results...) {
					useType(q.Type)
				}
			}
			if n.Op == Call && n.Text == repeatName+p.Suffix {
				funcs[n.Text] = true
			}
			if v := p.global(n); v != nil {
				funcs[v.Name] = true
				useType(v.Type)
			}
			if f := byName[n.Text]; f != nil && !funcs[f.Name] && (n.Op == Call || n.Op == Var) {
				funcs[f.Name] = true
				use(f)
			}
			return true
		})
	}
	use(p.Kernel)
	if p.Recv != nil {
		useType(p.Recv.Type)
	}
	for _, c := range p.Consts {
		useType(c.Type)
	}
	return types, funcs
}

// global is the variable at package level that a node names, nil for none.
func (p *Program) global(n *Node) *Global {
	for i := range p.Globals {
		// The index of a function in an array is in the text of a call.
		if n.Op == Var && n.Text == p.Globals[i].Name || n.Op == Call && strings.Contains(n.Text, "["+p.Globals[i].Name+"&") {
			return &p.Globals[i]
		}
	}
	return nil
}

// marked is an expression with the marker of a statement around it.
func marked(n *Node, text string) string {
	switch n.Text {
	case "static":
		return "qd.Static(" + text + ")"
	case "dynamic":
		return "qd.Dynamic(" + text + ")"
	}
	return text
}

// turns is what a RangeInt goes over.
func turns(n *Node) string {
	most := 8
	if n.N > 0 {
		most = n.N
	}
	return marked(n, masked(n.Kids[0], most))
}

func (p *printer) line(format string, args ...any) {
	p.b.WriteString(strings.Repeat("\t", p.depth))
	fmt.Fprintf(&p.b, format, args...)
	p.b.WriteByte('\n')
}

func (p *printer) typeDecl(t *Type) {
	switch {
	case t.Form == Struct:
		params := ""
		if t.Origin == t {
			params = "[T qd.Number]"
		}
		p.line("type %s%s struct {", t.Name, params)
		for _, f := range t.Fields {
			if f.Embedded {
				p.line("\t%s", f.Type.Name)
			} else if f.Tag != "" {
				p.line("\t%s %s `%s`", f.Name, f.Type.Name, f.Tag)
			} else {
				p.line("\t%s %s", f.Name, f.Type.Name)
			}
		}
		p.line("}\n")
	case t.Base != nil:
		p.line("type %s %s\n", t.Name, t.Base.Name)
	}
}

func signature(params, results []Param) string {
	list := func(l []Param) string {
		var s []string
		for _, q := range l {
			s = append(s, strings.TrimSpace(q.Name+" "+q.Type.Name))
		}
		return strings.Join(s, ", ")
	}
	out := "(" + list(params) + ")"
	switch {
	case len(results) == 1 && results[0].Name == "":
		out += " " + results[0].Type.Name
	case len(results) > 0:
		out += " (" + list(results) + ")"
	}
	return out
}

func (p *printer) routine(r *Routine) {
	recv, name := "", r.Name
	if r.Recv != nil {
		recv = "(" + r.Recv.Name + " " + r.Recv.Type.Name + ") "
	}
	if r.Generic && r.Recv == nil {
		name += "[T qd.Number]"
	}
	p.line("func %s%s%s {", recv, name, signature(r.Params, r.Results))
	p.body(r)
	p.line("}\n")
}

// body writes a function's statements, with the fuel of its loops before them.
func (p *printer) body(r *Routine) {
	labels, marks := p.labels, p.marks
	p.labels, p.marks = map[int]bool{}, map[int]bool{}
	fuel := false
	var find func(n *Node) bool
	find = func(n *Node) bool {
		fuel = fuel || n.Fuel
		if (n.Op == Break || n.Op == Continue || n.Op == Goto) && n.Label > 0 {
			p.labels[n.Label] = true
			if n.Op == Goto && n.N > 0 {
				p.labels[n.N] = true
			}
		}
		if n.Op == Mark {
			p.marks[n.Label] = true
		}
		if n.Fn != nil {
			for _, k := range n.Kids {
				k.walk(find)
			}
			return false // it has labels and fuel of its own
		}
		return true
	}
	r.Body.walk(find)
	p.depth++
	if fuel {
		p.line("fuel := %d", fuelPerCall)
	}
	for _, s := range r.Body.Kids {
		p.stmt(s)
	}
	p.depth--
	p.labels, p.marks = labels, marks
}

// fuelPerCall is how many turns the loops of one call that nothing else ends may take.
const fuelPerCall = 24

// block writes a block's statements, without braces.
func (p *printer) block(n *Node) {
	p.depth++
	for _, s := range n.Kids {
		p.stmt(s)
	}
	p.depth--
}

// loop writes a loop or switch from its head on.
func (p *printer) loop(n *Node, head string, args ...any) {
	if p.labels[n.Label] {
		p.depth--
		p.line("L%d:", n.Label)
		p.depth++
	}
	p.line(head+" {", args...)
	if n.Fuel {
		p.line("\tif fuel--; fuel < 0 {")
		p.line("\t\tbreak")
		p.line("\t}")
	}
	if n.Op != Switch {
		for _, name := range n.Names {
			if name != "_" && name != "" {
				p.line("\t_ = %s", name)
			}
		}
		p.block(n.Kids[len(n.Kids)-1])
		p.line("}")
	}
}

func (p *printer) stmt(n *Node) {
	switch n.Op {
	case Block:
		p.line("{")
		p.block(n)
		p.line("}")
	case If:
		p.ifStmt(n, "")
	case RangeInt:
		if n.Names[0] == "" {
			p.loop(n, "for range %s", turns(n))
		} else {
			p.loop(n, "for %s := range %s", n.Names[0], turns(n))
		}
	case Range:
		left := n.Names
		for _, k := range n.Kids[:n.N] {
			left = append(left, expr(k))
		}
		define := " = "
		if n.N == 0 {
			define = " := "
		}
		p.loop(n, "for %s%srange %s", strings.Join(left, ", "), define, marked(n, expr(n.Kids[n.N])))
	case For:
		v := n.Names[0]
		step := fmt.Sprintf("%s += %d", v, n.N)
		switch {
		case n.N == 1:
			step = v + "++"
		case n.N == -1:
			step = v + "--"
		case n.N < 0:
			step = fmt.Sprintf("%s -= %d", v, -n.N)
		}
		p.loop(n, "for %s := %s; %s %s %s; %s", v, expr(n.Kids[0]), v, n.Text, expr(n.Kids[1]), step)
	case While:
		if n.Kids[0] == nil {
			p.loop(n, "for")
		} else {
			p.loop(n, "for %s", marked(n, expr(n.Kids[0])))
		}
	case Switch:
		p.switchStmt(n)
	case Mark:
		if p.labels[n.Label] {
			p.line("J%d:", n.Label)
		}
	case Goto:
		p.jump(n)
	default:
		if text := simple(n); text != "" {
			p.line("%s", text)
		}
		if n.Op == Decl || n.Op == DeclMany {
			for _, name := range n.Names {
				if name != "_" {
					p.line("_ = %s", name)
				}
			}
		}
	}
}

// jump writes a goto. One to a label that has been removed is not written.
func (p *printer) jump(n *Node) {
	switch {
	case !p.marks[n.Label]:
	case n.N > 0 && p.marks[n.N]:
		p.line("if fuel--; fuel < 0 {")
		p.line("\tgoto J%d", n.N)
		p.line("}")
		p.line("goto J%d", n.Label)
	case n.Fuel:
		p.line("if fuel--; fuel >= 0 {")
		p.line("\tgoto J%d", n.Label)
		p.line("}")
	default:
		p.line("goto J%d", n.Label)
	}
}

// use writes a use of the variables that a statement begins with: Go wants one.
func (p *printer) use(init *Node) {
	if init != nil {
		for _, name := range init.Names {
			p.line("\t_ = %s", name)
		}
	}
}

func (p *printer) ifStmt(n *Node, before string) {
	init, cond, then, otherwise := n.Kids[0], n.Kids[1], n.Kids[2], n.Kids[3]
	head := before + "if "
	if init != nil {
		head += simple(init) + "; "
	}
	p.line("%s%s {", head, marked(n, expr(cond)))
	p.use(init)
	p.block(then)
	switch {
	case otherwise == nil:
		p.line("}")
	case len(otherwise.Kids) == 1 && otherwise.Kids[0].Op == If:
		p.ifStmt(otherwise.Kids[0], "} else ")
	default:
		p.line("} else {")
		p.block(otherwise)
		p.line("}")
	}
}

func (p *printer) switchStmt(n *Node) {
	head := "switch"
	if n.Kids[0] != nil {
		head += " " + simple(n.Kids[0]) + ";"
	}
	if n.Kids[1] != nil {
		head += " " + marked(n, expr(n.Kids[1]))
	}
	p.loop(n, "%s", head)
	for _, c := range n.Kids[2:] {
		if c.N == 0 {
			p.line("default:")
		} else {
			p.line("case %s:", exprs(c.Kids[:c.N]))
		}
		p.use(n.Kids[0])
		p.block(c.Kids[c.N])
		if c.Text == "fallthrough" {
			p.line("\tfallthrough")
		}
	}
	p.line("}")
}

// simple is a statement of one line; "" is none.
func simple(n *Node) string {
	switch n.Op {
	case Decl:
		switch {
		case len(n.Kids) == 0:
			return fmt.Sprintf("var %s %s", n.Names[0], n.Type.Name)
		case n.Text == "var":
			return fmt.Sprintf("var %s %s = %s", n.Names[0], n.Type.Name, bare(n.Kids[0]))
		}
		return n.Names[0] + " := " + expr(n.Kids[0])
	case DeclMany:
		return strings.Join(n.Names, ", ") + " := " + exprs(n.Kids)
	case Assign:
		return expr(n.Kids[0]) + " " + n.Text + " " + operand(n)
	case AssignN:
		return exprs(n.Kids[:n.N]) + " = " + exprs(n.Kids[n.N:])
	case Step:
		return expr(n.Kids[0]) + n.Text
	case Break, Continue:
		word := "break"
		if n.Op == Continue {
			word = "continue"
		}
		if n.Label > 0 {
			word += fmt.Sprintf(" L%d", n.Label)
		}
		return word
	case Return:
		return strings.TrimSpace("return " + exprs(n.Kids))
	case Eval:
		return expr(n.Kids[0])
	}
	panic(fmt.Sprintf("BUG: no statement: op %d", n.Op))
}

// operand is the right side of an assignment.
func operand(n *Node) string {
	right := n.Kids[1]
	if n.Loose && !right.isConst() {
		return expr(right)
	}
	switch n.Text {
	case "/=", "%=":
		if right.Type.Form == Int {
			return nonzero(right)
		}
	case "<<=", ">>=":
		return count(right)
	}
	return bare(right)
}
