package scale

// Fors are the kinds of kernels with parallel loops: each becomes a kernel of its own, or a loop over the
// threads of a block, and takes along what it uses of the kernel around it.
var Fors = []Shape{
	{Name: "loops of a grid", Turns: kernels, takes: "g qd.Grid",
		turn: each("\tg.For(n, func(j int) {\n\t\ty[j] += x[max(j-%[1]d, 0)] * a\n\t})")},
	{Name: "variables in a loop of a grid", Turns: kernels, takes: "g qd.Grid",
		turn: each("\tvar v%[1]d [4]float32\n\tv%[1]d[i&3] = a"), between: "\tg.For(n, func(j int) {",
		again: each("\t\ty[j] += v%[1]d[j&3]"), after: "\t})"},
	{Name: "loops of a block", Turns: kernels, takes: "b qd.Block",
		turn: each("\tb.For(64, func(j int) {\n\t\ty[j+%[1]d] += x[j] * a\n\t})")},
	{Name: "variables in a loop of a block", Turns: kernels, takes: "b qd.Block",
		turn: each("\tvar v%[1]d [4]float32\n\tv%[1]d[i&3] = a"), between: "\tb.For(64, func(j int) {",
		again: each("\t\ty[j] += v%[1]d[j&3]"), after: "\t})"},
}

// kernels are how many kernels, or loops over the threads of a block, there are in one text.
var kernels = []int{16, 128}
