package ssa

import "testing"

func TestBounds(t *testing.T) {
	for _, message := range []string{"", OfArray, OfLowOfThree} {
		for _, set := range [][2]bool{{false, false}, {false, true}, {true, false}, {true, true}} {
			whole := OfBounds(message, set[0], set[1])
			if rest, low, high := CutBounds(whole); rest != message || low != set[0] || high != set[1] {
				t.Errorf("%q has %q, %v and %v", whole, rest, low, high)
			}
		}
	}
}
