package lower

import (
	"go/ast"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/desugar"
)

// manyBytes is how much source the bodies that are lowered into callers may come to before that is worth a warning:
// compilers take seconds for as much.
const manyBytes = 1 << 17

// bodyCopies are how often each body of the program has been lowered into callers, other than where it stands.
type bodyCopies struct {
	times  map[ast.Node]int // by the literal or declaration
	bytes  int              // of all
	warned bool
}

// count counts a body that is lowered into a caller, and warns if all of them have become very much code. A loop over
// an iterator is what does this unnoticed: its body is in the kernel once for each call of yield, and loops in each other
// multiply that.
func (c *bodyCopies) count(m *Module, f *body, bytes int) {
	if check.IsLibrary(f.scope.Src.Pkg.Path()) {
		return
	}
	if c.times == nil {
		c.times = make(map[ast.Node]int)
	}
	c.times[f.decl]++
	c.bytes += bytes
	if c.bytes <= manyBytes || c.warned {
		return
	}
	c.warned = true
	var most ast.Node
	for decl, n := range c.times {
		if most == nil || n > c.times[most] || n == c.times[most] && decl.Pos() < most.Pos() {
			most = decl
		}
	}
	at := check.FirstToken{Stmt: &ast.EmptyStmt{Semicolon: most.Pos()}}
	if lit, ok := most.(*ast.FuncLit); ok && desugar.IsRangeBody(lit) {
		m.Warn(at, "let the iterators call yield in one place, in a loop over what differs; or make the body a function",
			"the body of this loop is in the kernel more than %d times, once for each call of yield in the iterators around it", c.times[most])
		return
	}
	m.Warn(at, "pass functions to fewer functions, in fewer places",
		"this function is in the kernel more than %d times: it is a function literal, or takes functions or interfaces, and each call has a copy", c.times[most])
}
