package vectypes

import (
	"fmt"
	"strings"
)

// swizzles are the methods X to W, and those that give vectors of two to four elements of
// a small one, by the letters of their names: XY, ZYX, WWWW. Of four letters there are those
// without repetition and those of one letter alone: Go's compiler takes its time for
// each method of a type, wherever the type is mentioned.
func swizzles(c *context) (string, error) {
	var b strings.Builder
	letters := "XYZW"[:c.N]
	for i, l := range letters {
		fmt.Fprintf(&b, "\n// %c is v[%d].\nfunc (v %s) %c() T { return v[%d] }\n", l, i, c.V, l, i)
	}
	for n := 2; n <= maxShipped; n++ {
		names := []string{""}
		for range n {
			var longer []string
			for _, name := range names {
				for _, l := range letters {
					longer = append(longer, name+string(l))
				}
			}
			names = longer
		}
		for _, name := range names {
			if different := len(distinct(name)); n == 4 && different != 1 && different != n {
				continue
			}
			elems := make([]string, n)
			for i, l := range name {
				elems[i] = fmt.Sprintf("v[%d]", strings.IndexRune(letters, l))
			}
			list := strings.Join(elems, ", ")
			fmt.Fprintf(&b, "\n// %s is Vec%d{%s}.\nfunc (v %s) %[1]s() Vec%[2]d[T] { return Vec%[2]d[T]{%[3]s} }\n", name, n, list, c.V)
		}
	}
	return b.String(), nil
}

// distinct are the letters of a name.
func distinct(name string) map[rune]bool {
	letters := map[rune]bool{}
	for _, l := range name {
		letters[l] = true
	}
	return letters
}
