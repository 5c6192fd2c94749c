package scale

import "fmt"

// Deep are the kinds of kernels with one thing that is very deep, or very wide.
var Deep = []Shape{
	{Name: "deep ifs on one bool", Turns: deep, before: "ok := a > 1", turn: each("\tif ok {\n\t\tok = x[%[1]d] > a"),
		again: func(int) string { return "\t}" }, after: "\tif ok {\n\t\ty[i] = a\n\t}"},
	{Name: "deep ifs with a bool", Turns: deep, before: "ok := false", turn: each("\tif x[%[1]d] > a {"),
		between: "\ty[n] = a\n\tok = true", again: func(int) string { return "\t}" }, after: "\tif ok {\n\t\ty[i] = a\n\t}"},
	{Name: "deep ifs and elses with a bool", Turns: deep, before: "ok := false", turn: each("\tif x[%[1]d] > a {"),
		between: "\tok = true", again: each("\t} else {\n\t\tok = x[%[1]d+1] > 2\n\t}"), after: "\tif ok {\n\t\ty[i] = a\n\t}"},
	{Name: "a deep condition", Turns: deep, before: "f0 := func() bool { y[n] = a; return true }",
		turn: func(i int) string {
			return fmt.Sprintf("\tf%d := func() bool { return x[%d] > a && f%d() }", i+1, i, i)
		},
		after: "\tif fTURNS() {\n\t\ty[i] = a\n\t}"},
	{Name: "an edge with many copies", Turns: []int{50, 400}, Dense: true, before: "w := a", turn: each("\tv%[1]d := x[%[1]d]"),
		between: "\tfor range n {", again: each("\t\tv%[1]d, w = w, v%[1]d"), after: "\t}\n\ty[i] = w"},
	{Name: "an edge with many sums", Turns: []int{50, 400}, Dense: true, before: "w := a", turn: each("\tv%[1]d := x[%[1]d]"),
		between: "\tfor range n {", again: each("\t\tw, v%[1]d = v%[1]d+w, w"), after: "\t}\n\ty[i] = w"},
	{Name: "sums of sums", Turns: deep, before: "m, b := int(ints[n]), int(ints[i])", turn: func(int) string { return "\tm, b = m+b, m" }, after: "\tif m < n {\n\t\ty[i] = a\n\t}"},
	{Name: "a long sum", before: "\ty[i] = a +", turn: each("\t\tx[%[1]d]*a +"), after: "\t\ta"},
	{Name: "a long sum of ints", before: "\tints[i] = 1 +", turn: each("\t\tints[%[1]d]*ints[n] +"), after: "\t\t2"},
	{Name: "a long sum of a function's", before: "\ty[i] = a +", turn: each("\t\tf(x[%[1]d]) +"), after: "\t\ta", decls: "func f(v float32) float32 { return v*v + 1 }"},
	{Name: "a long condition", before: "\tif n > 1 ||", turn: each("\t\tx[%[1]d] > a ||"), after: "\t\ta > 2 {\n\t\ty[i] = a\n\t}"},
	{Name: "writes behind loads of structs", takes: "t qd.Thread, ps []pt", turn: each("\tp%[1]d := ps[n+%[1]d]"),
		again: each("\tps[n-%[1]d].y = p%[1]d.x + a"), decls: "type pt struct{ x, y float32 }"},
	{Name: "writes behind loads of arrays", takes: "t qd.Thread, ps [][4]float32", turn: each("\tp%[1]d := ps[n+%[1]d]"),
		again: each("\tps[n-%[1]d][1] = p%[1]d[2] + a")},
	{Name: "writes behind loads of a local struct", before: "var ps [64]pt", turn: each("\tp%[1]d := ps[(n+%[1]d)&63]"),
		again: each("\tps[(i+%[1]d)&63].y = p%[1]d.x + a"), after: "\ty[i] = ps[n&63].y", decls: "type pt struct{ x, y float32 }"},
}

// deep are the depths of what is nested: compilers take no more than some 256. The text of a nest is indented, so that
// it grows as the square of the depth. What grows faster than that is found, and what doubles before it takes too long.
var deep = []int{6, 12, 24, 60}
