package vectypes

import (
	"fmt"
	"strings"
)

// swizzles are the methods X to W, and those that give vectors of two to four elements of
// a small one, by the letters of their names: XY, ZYX, WWWW. Of four letters there are those
// without repetition and those of one letter alone, and the method Swizzle for the others, of which
// there are 320: Go's compiler takes its time for each method of a type, wherever the type is mentioned.
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
	list := strings.Join(strings.Split(letters, ""), ", ")
	list = list[:len(list)-3] + " and" + list[len(list)-2:]
	fmt.Fprintf(&b, `
// Swizzle is the vector of the four elements that the letters name: v.Swizzle("XXYY") is
// Vec4{v[0], v[0], v[1], v[1]}. The letters are known at compile time, and any but four of %s are an error then. Two and three elements are given by methods: v.XXY().
func (v %s) Swizzle(letters string) Vec4[T] {
	StaticAssert(isSwizzle(letters, %d), "the letters of a Vec%[3]d's Swizzle are four of %[1]s, as in v.Swizzle(\"XXYY\"); for two and three elements there are methods, such as v.XXY()")
	if len(letters) != 4 {
		return Vec4[T]{} // the assertion has said so
	}
	return Vec4[T]{v[(letters[0]-'X')&3], v[(letters[1]-'X')&3], v[(letters[2]-'X')&3], v[(letters[3]-'X')&3]}
}
`, list, c.V, c.N)
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
