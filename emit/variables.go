package emit

import (
	"sort"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/outofssa"
)

// A variable is a variable of the function that is being printed.
type variable struct {
	*outofssa.Variable
	name     string
	declared bool // while printing
}

// nameVariables gives the function's variables their names. Go's come before those made up, in the
// order of the text. No variable gets a name that avoid reports.
func (p *printer) nameVariables(avoid func(string) bool) {
	p.vars, p.taken = make([]*variable, len(p.code.Variables)), make(map[string]bool)
	for i, x := range p.code.Variables {
		p.vars[i] = &variable{Variable: x}
	}
	order := append([]*variable(nil), p.vars...)
	sort.SliceStable(order, func(i, j int) bool {
		if order[i].HasName() != order[j].HasName() {
			return order[i].HasName()
		}
		return order[i].Place < order[j].Place
	})
	n := newNamer(avoid, len(order))
	for _, x := range order {
		base := localName(x.Variable)
		if x.Next {
			base += "_next"
		}
		x.name = n.name(base, x.Scope)
		p.taken[x.name] = true
	}
}

// localName is the name that a variable would like to have.
func localName(x *outofssa.Variable) string {
	switch {
	case x.HasName():
		return notReserved(identifier(x.Name))
	case x.Index:
		return "index"
	}
	return temporaryName(x.Values[0])
}

// held is the variable that holds v, nil if v is printed inside its uses or is unused.
func (p *printer) held(v *ssa.Value) *variable {
	if x := p.code.Variable(v); x != nil {
		return p.vars[x.Number]
	}
	return nil
}

// printed are variables as they are printed.
func (p *printer) printed(vs []*outofssa.Variable) (xs []*variable) {
	for _, x := range vs {
		xs = append(xs, p.vars[x.Number])
	}
	return xs
}
