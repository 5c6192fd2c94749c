package bigtypes

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

// TestSwizzle takes every four letters: those that a vector has give its elements, as the methods
// of such names do, and others panic in plain Go.
func TestSwizzle(t *testing.T) {
	const letters = "XYZWVx"
	for a := range letters {
		for b := range letters {
			for c := range letters {
				for d := range letters {
					name := string([]byte{letters[a], letters[b], letters[c], letters[d]})
					want := qd.Vec4i{int32(a), int32(b), int32(c), int32(d)}
					swizzle(t, qd.Vec2i{0, 1}, name, want, max(a, b, c, d) < 2)
					swizzle(t, qd.Vec3i{0, 1, 2}, name, want, max(a, b, c, d) < 3)
					swizzle(t, qd.Vec4i{0, 1, 2, 3}, name, want, max(a, b, c, d) < 4)
				}
			}
		}
	}
	for _, name := range []string{"", "X", "XYX", "XYXYX"} {
		swizzle(t, qd.Vec2i{}, name, qd.Vec4i{}, false)
	}
}

func swizzle(t *testing.T, v interface{ Swizzle(string) qd.Vec4i }, name string, want qd.Vec4i, ok bool) {
	t.Helper()
	defer func() {
		if got := fmt.Sprint(recover()); strings.Contains(got, "Swizzle are four of X") == ok {
			t.Errorf("%v.Swizzle(%q) panics with %s", v, name, got)
		}
	}()
	if got := v.Swizzle(name); got != want {
		t.Errorf("%v.Swizzle(%q) is %v, want %v", v, name, got, want)
	}
	if m := reflect.ValueOf(v).MethodByName(name); m.IsValid() && m.Call(nil)[0].Interface() != any(want) {
		t.Errorf("%v.%s() is not %v", v, name, want)
	}
}
