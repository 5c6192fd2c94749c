package launch

import "weak"

// An Identity tells which memory an array is. Two arrays have one identity if they are the same elements of one whole:
// those of two calls of Sub or Reshape, too. It keeps no array reachable, and no array that is made later has it.
type Identity struct {
	whole   weak.Pointer[Array]
	from, n int
}

// IdentityOf is the identity of an argument that is a *qd.Array with memory. It is not ok for others.
func IdentityOf(arg any) (id Identity, ok bool) {
	a, ok := arrayOf(arg)
	if !ok || a == nil || a.dev == nil {
		return id, false
	}
	return Identity{weak.Make(a.Whole()), a.from, a.N}, true
}

// IsGone reports whether nobody can use the array any more: it has been freed, or nothing leads to it.
func (id Identity) IsGone() bool {
	a := id.whole.Value()
	return a == nil || a.IsFreed()
}
