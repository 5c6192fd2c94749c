package memo

import "context"

// A Once makes the value of each key once, however many goroutines ask for it. It keeps no errors: what has failed is
// tried again when somebody asks again. The zero Once has no values.
type Once[K comparable, V any] struct {
	made   Map[K, V]
	making Flights[K, V]
}

// Do returns the value of a key, made by f if there is none yet.
func (o *Once[K, V]) Do(key K, f func() (V, error)) (V, error) {
	return o.DoWithin(context.Background(), key, f)
}

// DoWithin is Do for an f that ends with a context. It waits for another goroutine's f as [Flights.Do] does.
func (o *Once[K, V]) DoWithin(ctx context.Context, key K, f func() (V, error)) (V, error) {
	if v, ok := o.made.Load(key); ok {
		return v, nil
	}
	v, _, err := o.making.Do(ctx, key, func() (V, error) {
		if v, ok := o.made.Load(key); ok { // made meanwhile
			return v, nil
		}
		v, err := f()
		if err == nil {
			o.made.LoadOrStore(key, v)
		}
		return v, err
	})
	return v, err
}
