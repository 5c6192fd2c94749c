package diag

import (
	"fmt"

	"github.com/qdgen/qd/internal/memo"
)

// Warned are the warnings that have been given: a kernel may be lowered more than once, and
// several kernels reach one function. The zero Warned has none. It is safe for use by several
// goroutines at once.
type Warned struct{ given memo.Map[string, bool] }

// First reports whether a warning is new, and counts it as given.
func (t *Warned) First(d Diagnostic) bool {
	key := d.Once
	if key == "" {
		key = fmt.Sprintf("%v: %s", d.Pos, d.Msg)
	}
	_, before := t.given.LoadOrStore(key, true)
	return !before
}
