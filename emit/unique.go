package emit

import (
	"strconv"
	"strings"
)

// namer makes names unique: no two variables of one name are visible at one place,
// though a name may be used again where the other is not seen. Of an unrolled loop there
// are thousands of variables that would have one name; so it remembers, for each place,
// which numbers need not be tried again.
type namer struct {
	avoid    func(string) bool
	declared map[nameIn]bool // in a scope there is a variable of the name
	below    map[nameIn]bool // likewise in a scope inside
	next     map[nameIn]int  // numbers of a name below this one are taken for its scope
	prefix   map[nameIn]int  // those up to this one for the scopes inside too
}

// A nameIn is a name in a scope.
type nameIn struct {
	name string
	in   *scope
}

func newNamer(avoid func(string) bool) *namer {
	return &namer{avoid, make(map[nameIn]bool), make(map[nameIn]bool), make(map[nameIn]int), make(map[nameIn]int)}
}

// name declares a variable in a scope, and gives its name: base, or the first of base_2,
// base_3, ... that is free.
func (n *namer) name(base string, in *scope) string {
	key := nameIn{base, in}
	number := max(n.next[key], 1)
	for s := in; s != nil; s = s.text {
		number = max(number, n.prefix[nameIn{base, s}]+1)
	}
	for !n.free(numbered(base, number), in) {
		number++
	}
	name := numbered(base, number)
	n.declared[nameIn{name, in}] = true
	for s := in.text; s != nil && !n.below[nameIn{name, s}]; s = s.text {
		n.below[nameIn{name, s}] = true
	}
	n.next[key] = number + 1
	prefix := n.prefix[key]
	for n.seen(numbered(base, prefix+1), in) {
		prefix++
	}
	n.prefix[key] = prefix
	return name
}

// free reports whether a name may be declared in a scope.
func (n *namer) free(name string, in *scope) bool {
	return !n.below[nameIn{name, in}] && !n.seen(name, in)
}

// seen reports whether a name means something else in a scope.
func (n *namer) seen(name string, in *scope) bool {
	for s := in; s != nil; s = s.text {
		if n.declared[nameIn{name, s}] {
			return true
		}
	}
	return n.avoid(name)
}

// numbered is the name of the variable with this number among those of one name.
func numbered(base string, number int) string {
	if number == 1 {
		return base
	}
	return withNumber(base, number)
}

// withNumber makes another name of a name.
func withNumber(base string, n int) string {
	return strings.TrimSuffix(base, "_") + "_" + strconv.Itoa(n) // C++ keeps names with __ to itself
}
