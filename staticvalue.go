package qd

import "github.com/qdgen/qd/internal/runtime/registry"

// hasInitial reports whether Static may have to give another value than it is given.
func hasInitial() bool { return registry.HasInitial() }

// valueOfCall is the value of a call of Static with x on device "go".
func valueOfCall[T any](x T) T {
	if v, ok := registry.ValueOfCall((*T)(nil)); ok {
		return v.(T)
	}
	return x
}
