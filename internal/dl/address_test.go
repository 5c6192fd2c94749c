package dl

import "testing"

// A slice whose address is taken stays where it is when the stack moves, however small it is.
func TestAddress(t *testing.T) {
	for _, n := range []int{1, 10, 1000} {
		s := make([]int8, n)
		before := Address(s)
		deepen(1000)
		if after := Address(s); after != before {
			t.Errorf("%d elements were at %#x and are at %#x", n, before, after)
		}
	}
}

// deepen makes the goroutine's stack grow, so that it moves.
//
//go:noinline
func deepen(depth int) int {
	var frame [128]int
	if depth > 0 {
		frame[depth%len(frame)] = deepen(depth - 1)
	}
	return frame[0] + frame[depth%len(frame)]
}
