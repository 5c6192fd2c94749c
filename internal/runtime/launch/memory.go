package launch

import (
	"sync"

	"github.com/qdgen/qd/internal/runtime/device"
)

// A memory is what a launch that runs once needs, and leaves to the launches after it.
type memory struct {
	values []any         // for the checked arguments
	runner device.Runner // see [device.Again]
}

var memories = sync.Pool{New: func() any { return new(memory) }}

// list returns an empty list that has room for n values. It is new if there is no memory for it.
func (m *memory) list(n int) []any {
	if m == nil {
		return make([]any, 0, n)
	}
	if cap(m.values) < n {
		m.values = make([]any, 0, n)
	}
	return m.values[:0:n]
}

// take returns the runner, which is no longer there then. It is nil if there is none.
func (m *memory) take() (r device.Runner) {
	if m != nil {
		r, m.runner = m.runner, nil
	}
	return r
}

// free leaves the memory to other launches. It keeps nothing alive that the program has passed.
func (m *memory) free() {
	clear(m.values[:cap(m.values)])
	memories.Put(m)
}
