package frontend

import (
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

// A StaticTyper is an Environment that knows the types of what it can evaluate, as package
// comptime names them: packages in the argument of a qd.Static need not have a source. The
// error is ErrNotRegistered where no code for the site is registered.
type StaticTyper interface {
	StaticType(site StaticSite) (string, error)
}

// An Asked is a question that lowering has asked an Environment, and the answer: the
// specialization is that of these answers.
type Asked struct {
	Var   load.Global // of a package variable, else
	Site  *StaticSite // of an expression
	Args  []comptime.Value
	Reads Reads          // what the expression depends on besides
	Value comptime.Value // the answer

	// Unknown says that the Environment did not know, and that the variable's
	// initial value in the source was taken.
	Unknown bool
}
