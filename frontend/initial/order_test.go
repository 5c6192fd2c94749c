package initial_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/initial/testdata/orders"
	"github.com/qdgen/qd/frontend/initial/testdata/values"
)

const (
	ordersPath = "github.com/qdgen/qd/frontend/initial/testdata/orders"
	valuesPath = "github.com/qdgen/qd/frontend/initial/testdata/values"
)

// TestOrder computes variables that depend on whether variables are read before the calls beside them, and compares them
// with those that Go's compiler gives this test.
func TestOrder(t *testing.T) {
	compare(t, ordersPath, orders.Values())
}

// TestOpenOrder has variables of which the compiler reads some operands early, for reasons of its own.
func TestOpenOrder(t *testing.T) {
	src := sources(t)
	const want = "in an order that Go leaves open"
	for name := range orders.Open() {
		if v, err := computeOf(t, src, ordersPath, name); err == nil {
			t.Errorf("%s is %v", name, v)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// TestLanguage computes variables with all kinds of statements and types, and compares them with those that Go gives.
func TestLanguage(t *testing.T) {
	compare(t, valuesPath, values.Values())
}

// TestRefused has variables that would have a wrong value.
func TestRefused(t *testing.T) {
	src := sources(t)
	wants := map[string]string{"signaling": "it uses a signaling NaN"}
	for name := range values.Refused() {
		want := cmp.Or(wants[name], "the variable of a loop when its turn is over")
		if v, err := computeOf(t, src, valuesPath, name); err == nil {
			t.Errorf("%s is %v", name, v)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
