package frontend

import (
	"testing"

	"github.com/qdgen/qd/frontend/load"
)

// A function that takes a function, is lowered as a function of its own, and calls itself with a literal: the body that
// is inlined in it has variables of its own.
func TestRecursiveLiteral(t *testing.T) {
	count := compileGo(t, sources(t)[load.QDPath], `package k

func first() (key, value []byte) { return }

func each(fn func(k, v []byte) error) error {
	for k, v := first(); k != nil; k, v = first() {
		each(func(k, v []byte) error {
			_ = next
			return nil
		})
	}
	return nil
}

func f() error {
	for next, _ := first(); next != nil; next, _ = first() {
		each(func(k, v []byte) error {
			_ = next
			return nil
		})
	}
	return nil
}
`)
	if count.refused == 0 {
		t.Error("nothing is refused")
	}
}
