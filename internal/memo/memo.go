// Package memo keeps what has been made for a key, for several goroutines.
//
// A [Map] does what sync.Map does, in a few lines: Go compiles the 150 functions behind a sync.Map
// anew in each package that has one in a variable or a type, and in those that import such a type.
// A [Recent] forgets what is not asked for. A [Once] makes each value once, and [Flights] have one goroutine do the work
// that several ask for.
package memo

import "sync"

// A Map holds a value for each key. It is safe for use by several goroutines at once. The zero Map is empty.
type Map[K comparable, V any] struct {
	mu sync.RWMutex
	m  map[K]V
}

// Load gives the value of a key, if there is one.
func (m *Map[K, V]) Load(key K) (V, bool) {
	m.mu.RLock()
	v, ok := m.m[key]
	m.mu.RUnlock()
	return v, ok
}

// LoadOrStore gives the value of a key, and whether there was one before. If not it is v from now on.
func (m *Map[K, V]) LoadOrStore(key K, v V) (actual V, loaded bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if old, ok := m.m[key]; ok {
		return old, true
	}
	if m.m == nil {
		m.m = make(map[K]V)
	}
	m.m[key] = v
	return v, false
}

// Clear forgets all.
func (m *Map[K, V]) Clear() {
	m.mu.Lock()
	clear(m.m)
	m.mu.Unlock()
}
