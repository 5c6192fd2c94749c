package vectypes

import (
	"fmt"
	"strings"
)

// aliases are short names for the element types that are used most: of matrices that are not square
// for floats. The Go compiler compiles the methods for each of them.
func aliases() string {
	var b strings.Builder
	elems := []struct{ letter, typ string }{{"f", "float32"}, {"d", "float64"}, {"i", "int32"}, {"u", "uint32"}}
	for _, s := range Shipped() {
		short := s.String()
		if s.IsSquare() {
			short = fmt.Sprintf("Mat%d", s.Rows)
			fmt.Fprintf(&b, "// %s is a square matrix, %s.\ntype %[1]s[T Number] = %[2]s[T]\n\n", short, s)
		}
		for i, e := range elems {
			if s.IsMat() && !s.IsSquare() && i >= 2 {
				break
			}
			fmt.Fprintf(&b, "// %s%s is %s of %s.\ntype %[1]s%[2]s = %[3]s[%[4]s]\n\n", short, e.letter, s, e.typ)
		}
	}
	return b.String()
}
