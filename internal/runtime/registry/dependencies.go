package registry

import "github.com/qdgen/qd/internal/runtime/encoding"

// Dependencies are what a program was built for, beside what that is now.
type Dependencies struct {
	some       bool // there are any
	variables  []encoding.Comparison
	statics    []staticWas
	registered int64 // how often variables had been registered, 0 if that does not matter
}

// Hold reports whether nothing has changed that the program depends on.
func (d *Dependencies) Hold() bool { return !d.some || d.allHold() }

// Values reports whether the program has values of variables or expressions that may change.
func (d *Dependencies) Values() bool { return len(d.variables) > 0 || len(d.statics) > 0 }

func (d *Dependencies) allHold() bool {
	return encoding.Same(d.variables) && unchanged(d.statics) &&
		(d.registered == 0 || d.registered == generated.turn())
}
