package emit

import (
	"slices"

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
	p.vars = make([]*variable, len(p.code.Variables))
	all := make([]variable, len(p.vars))
	for i, x := range p.code.Variables {
		all[i].Variable = x
		p.vars[i] = &all[i]
	}
	order := slices.Clone(p.vars)
	slices.SortStableFunc(order, func(x, y *variable) int {
		switch {
		case x.HasName() == y.HasName():
			return x.Place - y.Place
		case x.HasName():
			return -1
		}
		return 1
	})
	p.taken = newNamer(avoid, len(order))
	for _, x := range order {
		base := localName(x.Variable)
		if x.Next {
			base += "_next"
		}
		x.name = p.taken.name(base, x.Scope)
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
