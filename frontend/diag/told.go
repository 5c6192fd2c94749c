package diag

import (
	"fmt"
	"sync"
)

// Told are the warnings that have been given: a kernel may be lowered more than once, and
// several kernels reach one function. The zero Told has none. It is safe for use by several
// goroutines at once.
type Told struct{ known sync.Map }

// First reports whether a warning is new, and makes it known.
func (t *Told) First(d Diagnostic) bool {
	key := d.Once
	if key == "" {
		key = fmt.Sprintf("%v: %s", d.Pos, d.Msg)
	}
	_, before := t.known.LoadOrStore(key, true)
	return !before
}
