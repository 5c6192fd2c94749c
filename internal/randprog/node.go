package randprog

import "github.com/qdgen/qd/internal/randprog/harness"

// An Op says what a node of the tree is.
type Op uint8

// Expressions. Kids are the operands, Text an operator or a name.
const (
	Lit     Op = iota // Text: the value, without its type
	Var               // Text
	Unary             // Text
	Binary            // Text; integer division and shifts print with what keeps them from panicking
	Convert           // to Type
	Call              // Text: the function; a method's receiver is the first kid when Method is set
	Index             // container, index: prints with a mask or a remainder
	FieldOf           // Text
	Compose           // composite literal of Type; Text "keyed" prints field names
	Addr
	Deref
	Subslice // container, low: Type.Len elements
	Literal  // function literal: Fn
	Raw      // Text as it is

	// Statements.
	Block
	Decl     // Names[0] of Type, with a value or without; Text "var" or ":="
	DeclMany // Names := one call, or as many kids
	Assign   // Text: "=" or "+=", ...; left, right
	AssignN  // N left sides, then the right ones
	Step     // Text: "++" or "--"
	If       // init or nil, condition, then, else or nil
	RangeInt // Names[0] over a number below 8; body last
	Range    // Names[0] and [1] over a container; body last; with N, N left sides come first and there are no Names
	For      // Names[0] of Type from kid 0, while it is Text kid 1, by steps of N; body last
	While    // condition or nil, body
	Switch   // init or nil, tag or nil, cases
	Case     // N expressions, then the block; default without; Text "fallthrough"
	Break    // Label, 0 for the innermost
	Continue
	Goto // Label; with Fuel it counts as a turn of a loop, at the end of which it goes to the label N, if it is not 0
	Mark // Label: what a Goto leads to
	Return
	Eval // an expression for its effects
)

// A Node is an expression or a statement.
type Node struct {
	Op    Op
	Type  *Type // of an expression or a declared variable
	Text  string
	Kids  []*Node // may hold nil where a part is optional
	N     int
	Names []string
	Label int   // of a loop or switch, or of what leaves it
	Loose bool  // of an index, a divisor or a count of a shift: nothing keeps it from making Go panic
	Fuel  bool  // the loop counts its turns, as nothing else ends it
	Ptr   bool  // of a Call: Text is a method
	Recv  *Type // of a Call of a method by its expression: of the receiver
	Arg   *Type // of a Call of a generic function: the type argument, if it is written
	Fn    *Routine
}

// A Routine is a function, a method or a function literal.
type Routine struct {
	Name    string
	Recv    *Param // of a method
	Generic bool   // it has the type parameter T
	Params  []Param
	Results []Param // named, or not
	Body    *Node
	Asks    bool // it has parameters that are known at compile time
	Maker   bool // it gives a function
	Effects bool // it may write what its arguments point to, or what it captures
	Cost    int  // about how many statements one call runs
}

// A Param is a parameter or a result.
type Param struct {
	Name  string
	Type  *Type
	Count bool // a small number, which ends a recursion
	Known bool // that number is known
}

// A Program is one kernel with all that it uses.
type Program struct {
	Name     string // of the kernel: "k" and the tag
	Seed     uint64
	Features Features // that it was generated with
	Checked  bool     // it may panic, and is compiled so that it does; its launches are of one thread
	Suffix   string   // of all names at package level in the tree
	Tag      string   // what they end in when printed
	Rank     int      // dimensions of its launches, 1 or 2
	Many     bool     // one more launch has many threads, if it is not checked
	Types    []*Type
	Globals  []Global
	Recv     *Given     // of a kernel that is a method
	Consts   []Given    // the kernel's compile-time arguments
	Funcs    []*Routine // each calls only those before it
	Kernel   *Routine
	Inputs   []harness.Input // of the kernel's parameters after the Thread
	Text     string          // the source of a program that is no tree: a kernel for a block that computes with tiles
	Stages   int             // of loops over products in it, see qd.Kernel.WithStages
}

// clone copies a tree.
func (n *Node) clone() *Node {
	if n == nil {
		return nil
	}
	c := *n
	c.Kids = make([]*Node, len(n.Kids))
	for i, k := range n.Kids {
		c.Kids[i] = k.clone()
	}
	c.Fn = n.Fn.clone()
	return &c
}

func (r *Routine) clone() *Routine {
	if r == nil {
		return nil
	}
	c := *r
	c.Body = r.Body.clone()
	return &c
}

// Tagged is p with other names at package level, so that variants of one program go
// into one package.
func (p *Program) Tagged(tag string) *Program {
	c := *p
	c.Tag, c.Name = tag, "k"+tag
	return &c
}

// Clone copies a program, all but its types.
func (p *Program) Clone() *Program {
	c := *p
	c.Funcs = make([]*Routine, len(p.Funcs))
	for i, f := range p.Funcs {
		c.Funcs[i] = f.clone()
	}
	c.Kernel = p.Kernel.clone()
	return &c
}

// walk calls f for n and all below it, until f says not to go down.
func (n *Node) walk(f func(*Node) bool) {
	if n == nil || !f(n) {
		return
	}
	for _, k := range n.Kids {
		k.walk(f)
	}
	if n.Fn != nil {
		n.Fn.Body.walk(f)
	}
}

// size counts the nodes of a tree.
func (n *Node) size() int {
	count := 0
	n.walk(func(*Node) bool { count++; return true })
	return count
}

// isConst reports whether Go may evaluate an expression at compile time, where an
// overflow is an error.
func (n *Node) isConst() bool {
	switch n.Op {
	case Lit:
		return true
	case Unary, Binary, Convert:
	case Call:
		if n.Text != "min" && n.Text != "max" {
			return false
		}
	default:
		return false
	}
	for _, k := range n.Kids {
		if !k.isConst() {
			return false
		}
	}
	return true
}
