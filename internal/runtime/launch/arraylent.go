package launch

import "unsafe"

// Lend gives an array, a *qd.Array that has just been made on a device, n elements of the host. It reports whether they
// are the array's memory from now on, as on devices that work on host memory. On others the array gets a copy of them.
func Lend(array any, host unsafe.Pointer, n int) (lent bool) {
	h := array.(interface{ handle() *Handle }).handle()
	a := ArrayOf(h)
	if a.err != nil { // which says why there can be none
		return false
	}
	if over := a.Over(host, n); over != nil {
		h.array = &Array{dev: a.dev, Buffer: over}
		return true
	}
	From(h, a.dev, a.Elem, host, n, nil)
	return false
}
