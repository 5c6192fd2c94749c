package errors

import "github.com/qdgen/qd"

func cloned[M ~map[K]V, K comparable, V any](m M) M { return m }

func lengthOf(x []struct{}) int { return len(x) }

func indexOf[E comparable](s []E, v E) int {
	for i, e := range s {
		if e == v {
			return i
		}
	}
	return -1
}

func anything(x any) {}

func bytesOf(s string) []byte {
	return []byte(s) // want "the result outlives the array that it points to, made by \\[\\]byte\\(s\\)"
}

//qd:kernel
func converted(t qd.Thread, x []int) {
	m := map[int]string{} // want "maps are not supported"
	cloned(m)
	var b [100]struct{}
	x[0] = lengthOf(b[:])
	v := [...]string{"a"}
	x[1] = indexOf(v[:], "a") // want "v is known at compile time only, and cannot be sliced"
	anything("x")
	x[2] = int(bytesOf("abc")[0])
	i := byte(x[3])
	x[4] = len(qd.Static(string([]byte{i}))) // want "element 0 of \\[\\]byte\\{…\\} is not known at compile time"
	list := qd.Static([]int{1, 2})
	copy(x, list) // want "list is known at compile time only, and cannot be copied to or from"
	s := "a"
	if x[5] > 0 {
		s = "b"
	}
	_ = append(make([]byte, 0, 8), s...) // want "s is not known at compile time: it differs between branches or iterations"
	copy(make([]byte, 8), s)             // want "s is not known at compile time: it differs between branches or iterations"
	_ = []byte(s)                        // want "s is not known at compile time: it differs between branches or iterations"
}

//qd:kernel
func comparedAny(t qd.Thread, x []int) {
	s := "a"
	var a, b any
	a = s
	b = nil
	if a == b {
		x[0] = 1
	}
	var c, d any
	c, d = struct{ C int32 }{1}, struct{ C uint32 }{1}
	if c == d {
		x[1] = 1
	}
}

type sequence func(yield func(int) bool)

//qd:kernel
func rangesOverNamed(t qd.Thread, x []int) {
	var s sequence
	for i := range s { // want "s is nil here"
		x[i] = i
	}
}
