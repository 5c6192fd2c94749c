package vectypes

import (
	"fmt"
	"strings"
)

// swizzles are the methods X to W, and those that give vectors of two to four elements of
// a small one, by the letters of their names: XY, ZYX, WWXX.
func swizzles(c *context) (string, error) {
	var b strings.Builder
	letters := "XYZW"[:c.N]
	for i, l := range letters {
		fmt.Fprintf(&b, "\n// %c is v[%d].\nfunc (v %s) %c() %s { return v[%d] }\n", l, i, c.Vec, l, c.T, i)
	}
	names := []string{""}
	for n := 1; n <= maxShipped; n++ {
		var longer []string
		for _, name := range names {
			for _, l := range letters {
				longer = append(longer, name+string(l))
			}
		}
		if names = longer; n < minSize {
			continue
		}
		result := c.typ(Vec(n))
		for _, name := range names {
			elems := make([]string, n)
			for i, l := range name {
				elems[i] = fmt.Sprintf("v[%d]", strings.IndexRune(letters, l))
			}
			list := strings.Join(elems, ", ")
			fmt.Fprintf(&b, "\n// %s is %s{%s}.\nfunc (v %s) %[1]s() %[2]s { return %[2]s{%[3]s} }\n", name, result, list, c.Vec)
		}
	}
	return b.String(), nil
}
