package memo

import "sync"

// A Recent keeps values that were asked for lately. It is safe for use by several goroutines at once, and empty but for
// its limit.
//
// The values are in two tables. When the young one is full it becomes the old one, whose values are forgotten but for those
// that are asked for again. If all were forgotten at once, what is needed again and again would be made anew because of
// values that are needed once.
type Recent[K comparable, V any] struct {
	Most int // what each table may weigh

	mu         sync.Mutex
	young, old map[K]weighed[V]
	weight     int // of what is in the young one
}

type weighed[V any] struct {
	value  V
	weight int
}

// Load gives the value of a key, if it is kept.
func (r *Recent[K, V]) Load(key K) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	v, ok := r.young[key]
	if !ok {
		if v, ok = r.old[key]; ok {
			r.add(key, v)
		}
	}
	return v.value, ok
}

// Store keeps a value, which has a weight, in the place of an earlier one of the key. One that weighs more than a table may
// is not kept.
func (r *Recent[K, V]) Store(key K, v V, weight int) {
	if weight > r.Most {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(key, weighed[V]{v, weight})
}

// add adds a value to the young table. The lock is held.
func (r *Recent[K, V]) add(key K, v weighed[V]) {
	r.weight -= r.young[key].weight
	if r.young == nil || r.weight+v.weight > r.Most {
		r.young, r.old, r.weight = make(map[K]weighed[V]), r.young, 0
	}
	r.young[key] = v
	r.weight += v.weight
}

// Weights are what the values of the two tables weigh.
func (r *Recent[K, V]) Weights() (young, old int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, v := range r.old {
		old += v.weight
	}
	return r.weight, old
}
