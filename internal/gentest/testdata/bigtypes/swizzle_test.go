package bigtypes

import (
	"reflect"
	"testing"

	"github.com/qdgen/qd/i32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/uint8s"
)

// TestSwizzle takes all names of up to four letters: those that a vector has give its elements, and
// there are no others.
func TestSwizzle(t *testing.T) {
	const letters = "XYZWV"
	var names func(n int) []string
	names = func(n int) (list []string) {
		if n == 0 {
			return []string{""}
		}
		for _, name := range names(n - 1) {
			for _, l := range letters {
				list = append(list, name+string(l))
			}
		}
		return list
	}
	for _, v := range []any{
		i32.Vec2{0, 1}, i32.Vec3{0, 1, 2}, i32.Vec4{0, 1, 2, 3},
		uint8s.Vec2{0, 1}, uint8s.Vec3{0, 1, 2}, uint8s.Vec4{0, 1, 2, 3},
	} {
		value := reflect.ValueOf(v)
		for n := 1; n <= 4; n++ {
			for _, name := range names(n) {
				m := value.MethodByName(name)
				has := true
				for _, l := range name {
					has = has && indexOf(letters, l) < value.Len()
				}
				if m.IsValid() != has {
					t.Errorf("%T has the method %s: %v", v, name, m.IsValid())
				}
				if !m.IsValid() || n == 1 {
					continue
				}
				got := m.Call(nil)[0]
				if got.Len() != n {
					t.Fatalf("%T.%s gives %d elements", v, name, got.Len())
				}
				for i, l := range name {
					if got.Index(i).Interface() != value.Index(indexOf(letters, l)).Interface() {
						t.Errorf("%v.%s() is %v", v, name, got)
					}
				}
			}
		}
	}
}

// indexOf is the index of a letter.
func indexOf(letters string, l rune) int {
	for i, other := range letters {
		if other == l {
			return i
		}
	}
	return -1
}
