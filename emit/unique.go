package emit

import (
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa/target/outofssa"
)

// namer makes names unique: no two variables of one name are visible in one place. A name is used again where the
// other variable is not visible. An unrolled loop has thousands of variables that want the same name, so the namer
// remembers for each scope which numbers are taken. Most names are declared once.
type namer struct {
	avoid func(string) bool          // reports names that no variable may have
	once  map[string]*outofssa.Scope // all names that are taken, and the scope that declares one as long as it is the only one
	uses  map[nameIn]nameUse         // of the names that are not declared once
}

// A nameIn is a name in a scope.
type nameIn struct {
	name string
	in   *outofssa.Scope
}

// A nameUse says how a scope, and the scopes inside it, use a name.
type nameUse struct {
	declared bool  // the scope declares a variable of the name
	below    bool  // a scope inside does
	next     int32 // numbers of the name below this one are taken for this scope
	prefix   int32 // those up to this one for the scopes inside too
}

func newNamer(avoid func(string) bool, names int) *namer {
	return &namer{avoid, make(map[string]*outofssa.Scope, names), make(map[nameIn]nameUse)}
}

// name declares a variable in a scope, and gives its name: base, or the first of base_2,
// base_3, ... that is free.
func (n *namer) name(base string, in *outofssa.Scope) string {
	if !n.isTaken(base) && !n.avoid(base) {
		n.once[base] = in
		return base
	}
	key := nameIn{base, in}
	of := n.uses[key]
	number := max(of.next, of.prefix+1)
	for s := in.Around; s != nil; s = s.Around {
		number = max(number, n.uses[nameIn{base, s}].prefix+1)
	}
	for !n.free(numbered(base, number), in) {
		number++
	}
	name := numbered(base, number)
	n.declare(name, in)
	of = n.uses[key] // which may be what was declared
	of.next = number + 1
	for n.seen(numbered(base, of.prefix+1), in) {
		of.prefix++
	}
	n.uses[key] = of
	return name
}

// take takes a name for all scopes.
func (n *namer) take(name string) { n.once[name] = nil }

// isTaken reports whether a name means something in any scope.
func (n *namer) isTaken(name string) bool {
	_, taken := n.once[name]
	return taken
}

// declare notes that a scope declares a variable of a name.
func (n *namer) declare(name string, in *outofssa.Scope) {
	n.once[name] = nil
	key := nameIn{name, in}
	of := n.uses[key]
	of.declared = true
	n.uses[key] = of
	for s := in.Around; s != nil; s = s.Around {
		key.in = s
		of := n.uses[key]
		if of.below {
			break
		}
		of.below = true
		n.uses[key] = of
	}
}

// free reports whether a name may be declared in a scope.
func (n *namer) free(name string, in *outofssa.Scope) bool {
	return !n.seen(name, in) && !n.uses[nameIn{name, in}].below
}

// seen reports whether a name means something else in a scope.
func (n *namer) seen(name string, in *outofssa.Scope) bool {
	if only := n.once[name]; only != nil {
		n.declare(name, only)
	}
	for s := in; s != nil; s = s.Around {
		if n.uses[nameIn{name, s}].declared {
			return true
		}
	}
	return n.avoid(name)
}

// numbered is the name of the variable with this number among those of one name.
func numbered(base string, number int32) string {
	if number == 1 {
		return base
	}
	return withNumber(base, int(number))
}

// withNumber makes another name of a name.
func withNumber(base string, n int) string {
	return strings.TrimSuffix(base, "_") + "_" + strconv.Itoa(n) // C++ keeps names with __ to itself
}
