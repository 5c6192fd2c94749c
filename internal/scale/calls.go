package scale

import "fmt"

// Calls are the kinds of kernels with many functions. What is done for a function and not
// kept is done again for each way that leads to it: of n functions of which each calls the
// one before twice, 1<<n times.
var Calls = []Shape{
	{Name: "functions", turn: each("\tsum += f%[1]d(x[%[1]d], i)"), before: "var sum float32", after: "\ty[i] = sum",
		decl: each("func f%[1]d(v float32, i int) float32 {\n\tif v > %[1]d {\n\t\treturn v * float32(i)\n\t}\n\treturn v + %[1]d\n}")},
	{Name: "one after the other", Turns: []int{8, 64}, after: "\ty[i] = fLAST(x[i])",
		decl: callers("func f%[1]d(v float32) float32 {\n\treturn %[2]s + %[1]d\n}", "v", "f%[1]d(v * 2)")},
	{Name: "twice", Turns: doubling, after: "\ty[i] = fLAST(x[i])",
		decl: callers("func f%[1]d(v float32) float32 {\n\treturn %[2]s + %[1]d\n}", "v", "f%[1]d(v * 2) * f%[1]d(v + 1)")},
	{Name: "twice, stores", Turns: doubling, after: "\tfLAST(y, x, i)",
		decl: callers("func f%[1]d(y, x []float32, i int) {\n\t%[2]s\n\ty[i] += %[1]d\n}", "y[i] = x[i]", "f%[1]d(y, x, i)\n\tf%[1]d(y, x, i)")},
	{Name: "twice, in loops and ifs", Turns: doubling, after: "\ty[i] = fLAST(x, n)",
		decl: callers("func f%[1]d(x []float32, n int) float32 {\n\tsum := float32(%[1]d)\n\tfor k := range n {\n\t\tif x[k] > sum {\n\t\t\tsum += %[2]s\n\t\t}\n\t}\n\treturn sum\n}", "x[0]", "f%[1]d(x, k) + f%[1]d(x, k+1)")},
	{Name: "twice, clamped indices", Turns: doubling, after: "\ty[i] = fLAST(x, i, n)",
		decl: callers("func f%[1]d(x []float32, i, n int) float32 {\n\treturn %[2]s + x[min(i+%[1]d, n-1)]\n}", "x[max(i-1, 0)]", "f%[1]d(x, i, n) * f%[1]d(x, i, n)")},
	{Name: "twice, pointers", Turns: doubling, after: "\tvar v float32\n\tfLAST(&v)\n\ty[i] = v",
		decl: callers("func f%[1]d(p *float32) {\n\t%[2]s\n\t*p *= 2\n}", "*p++", "f%[1]d(p)\n\tf%[1]d(p)")},
	{Name: "twice, structs", Turns: doubling, after: "\ty[i] = fLAST(pt{x[i], a}).x", decls: "type pt struct{ x, y float32 }",
		decl: callers("func f%[1]d(p pt) pt {\n\tq := %[2]s\n\treturn pt{q.y, q.x + p.x}\n}", "p", "f%[1]d(f%[1]d(p))")},
	{Name: "twice, several results", Turns: doubling, after: "\ty[i], _ = fLAST(x[i])",
		decl: callers("func f%[1]d(v float32) (float32, bool) {\n\t%[2]s\n\treturn v + w, ok\n}", "w, ok := v, v > 1", "w, _ := f%[1]d(v)\n\tw, ok := f%[1]d(w)")},
	{Name: "twice, matrices", Turns: doubling, after: "\ty[i] = fLAST([4][4]float32{{x[i]}})[1][1]",
		decl: callers("func f%[1]d(m [4][4]float32) [4][4]float32 {\n\tm[1][2] += %[1]d\n\treturn %[2]s\n}", "m", "f%[1]d(f%[1]d(m))")},
	{Name: "twice, in a block", Turns: doubling, after: "\ts := qd.Shared[float32](t, 64)\n\ts[t.Lane()%64] = fLAST(x[i])\n\tt.Sync()\n\ty[i] = fLAST(s[0])",
		decl: callers("func f%[1]d(v float32) float32 {\n\treturn %[2]s + %[1]d\n}", "v", "f%[1]d(v * 2) * f%[1]d(v + 1)")},
	{Name: "checked twice", Checked: true, Turns: doubling, after: "\ty[i] = fLAST(x, i)",
		decl: callers("func f%[1]d(x []float32, i int) float32 {\n\treturn %[2]s + x[i+%[1]d]\n}", "x[i]", "f%[1]d(x, i) * f%[1]d(x, i+1)")},
	{Name: "checked twice, panics", Checked: true, Turns: doubling, after: "\tints[i] = fLAST(int32(n))",
		decl: callers("func f%[1]d(n int32) int32 {\n\tif n == %[1]d {\n\t\tpanic(\"n\")\n\t}\n\treturn %[2]s / n\n}", "n", "(f%[1]d(n) + f%[1]d(n+1))")},
	{Name: "many ways", Turns: doubling, after: "\ty[i] = fLAST(x[i])", decl: func(i int) string {
		calls := "v"
		for j := max(i-3, 0); j < i; j++ {
			calls += fmt.Sprintf(" + f%[1]d(v) * f%[1]d(v+1) * f%[1]d(v+2)", j)
		}
		return fmt.Sprintf("func f%d(v float32) float32 {\n\treturn %s\n}", i, calls)
	}},
	{Name: "one after the other and back", Turns: circles, after: "\tints[i] = fLAST(int32(n))", decls: backward, decl: forward},
	{Name: "checked one after the other and back", Checked: true, Turns: circles, after: "\tints[i] = fLAST(int32(n))", decls: backward, decl: forward},
}

// Functions of which each calls the one before it, and the one that calls it.
var (
	circles  = []int{8, 64}
	forward  = callers("func f%[1]d(n int32) int32 {\n\tif n < %[1]d {\n\t\treturn n\n\t}\n\treturn %[2]s\n}", "f1(n-2)", "f%[1]d(n-1) + f%[2]d(n-2)")
	backward = "func fTURNS(n int32) int32 { return n }"
)

// doubling are the sizes of kernels that would take steps without end if these doubled from
// one function to the next: where they do, the first two tell.
var doubling = []int{4, 8, 16, 30}

// callers are functions that call the one before: the first has the text first where others
// have call.
func callers(format, first, call string) func(int) string {
	return func(i int) string {
		text := first
		if i > 0 {
			text = fmt.Sprintf(call, i-1, i+1)
		}
		return fmt.Sprintf(format, i, text)
	}
}
