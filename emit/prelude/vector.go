package prelude

import (
	"fmt"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// vectorPieces define the types of vectors.
func vectorPieces() []piece {
	var pieces []piece
	for t := ssa.Bool; t <= ssa.Float64; t++ {
		for lanes := 1; lanes <= ssa.MaxVecLanes; lanes *= 2 {
			v := ssa.Vec{Elem: t, Lanes: lanes}
			elem := t
			if t == ssa.Bool {
				elem = ssa.Int32
			}
			text := fmt.Sprintf("using %v = %v __attribute__((vector_size(%d)));\n", v, elem, lanes*elem.Size())
			pieces = append(pieces, piece{name: v.String(), needs: []string{elem.String()}, text: text})
		}
	}
	return pieces
}

// inLane is the piece that has, for numbers, the function of package math that a piece has for vectors: it computes
// with the first lane of one. It is in the place of the second piece, of code for numbers.
func inLane(vector string) (piece, insteadOf string) {
	function, t, _ := cutLast(vector, ".")
	elem, _, ok := strings.Cut(t, "x")
	if !ok || !strings.HasPrefix(function, "math.") {
		return "", ""
	}
	return function + "InLane." + t, function + "." + elem
}

// cutLast is strings.Cut at the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
