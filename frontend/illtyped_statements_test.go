package frontend

// illTypedStatements are kernels whose statements and expressions are wrong.
var illTypedStatements = []illTypedTest{
	{"functions of package math with other numbers of constants", `
	x[0] = float32(math.Copysign(-1))
	x[1] = float32(math.Sqrt(2, 3))
	x[2] = float32(math.Mod())
	m, e := math.Frexp()
	x[3] = float32(m) + float32(e)`, []string{
		"8:33: not enough arguments in call to math.Copysign: have (number), want (float64, float64)",
		"9:30: too many arguments in call to math.Sqrt: have (number, number), want (float64)",
		"10:26: not enough arguments in call to math.Mod: have (), want (float64, float64)",
		"11:21: not enough arguments in call to math.Frexp: have (), want (float64)",
	}},
	{"panic as a value in a loop's condition", `
	for i := 0; panic(n) < 10; i++ {
		x[i] = 1
	}`, []string{
		"8:14: panic(n) (no value) used as value",
	}},
	{"an assertion of what has no value", `
	if v, ok := any(panic(1)).(interface{ m() }); ok {
		_ = v
	}
	_ = any(panic(2)).(interface{ m() })
	switch any(panic(3)).(type) {
	case interface{ m() }:
	}`, []string{
		"8:18: panic(1) (no value) used as value",
		"11:10: panic(2) (no value) used as value",
		"12:13: panic(3) (no value) used as value",
	}},
	{"two kinds at once", `
	defer fmt.Println("x")
	z := make([]int, len(x))
	z[0] = undefined
	go func() {}()
	global = 2`, []string{
		"8:2: defer statements are not supported in a kernel",
		"9:7: a kernel cannot allocate memory: the capacity len(x) is not known at compile time",
		"10:9: undefined: undefined",
		"11:2: go statements are not supported in a kernel",
		"12:2: package variable global is assigned in a kernel",
	}},
	{"no type, no noise", `
	z := undefined(1)
	w := z.f[2].g()
	z++
	w += z * a
	for i := range z {
		x[i] = z[i]
	}
	for z > w {
		if z {
			continue
		}
	}
	switch z {
	case 1, w:
		x[z] = w
	case "a":
	}
	x[0] = float32(z)
	x[z:w][0] = 1
	z, w = w, z
	z, v := w.two()
	_ = v && z == nil
	qd.Printf("%d", z)
	qd.AtomicAdd(&z[0], 1)
	x[0] = qd.Sqrt(z)
	x[1] = min(z, w)
	x[2] = -z + ^w
	var u thing
	u.m()`, []string{
		"8:7: undefined: undefined",
		"35:8: undefined: thing",
	}},
	{"the same thing is wrong twice", `
	z := make(int)
	w := append(1)
	_, _ = z, w`, []string{
		"8:12: invalid argument: cannot make int: type must be slice, map, or channel",
		"9:14: invalid append: argument must be a slice; have 1 (untyped int constant)",
	}},
	{"wrong types", `
	a = n
	n = x
	x = n
	n++
	x[0]++
	for range n {
		n[0] = 1
	}
	var s string = n
	if n {
		_ = append(x, 1)
	}
	for i := range x {
		a = i
		y[a] = 1
	}
	t = n
	n = t.ID`, []string{
		"8:6: cannot use n (variable of type int) as float32 value in assignment",
		"9:6: cannot use x (variable of type []float32) as int value in assignment",
		"10:6: cannot use n (variable of type int) as []float32 value in assignment",
		"14:3: cannot index n (variable of type int)",
		"16:6: declared and not used: s",
		"16:17: cannot use n (variable of type int) as string value in variable declaration",
		"17:5: non-boolean condition in if statement",
		"18:7: a kernel cannot allocate memory: x ends where its elements do",
		"21:7: cannot use i (variable of type int) as float32 value in assignment",
		"22:5: invalid argument: index a (variable of type float32) must be integer",
		"24:6: cannot use n (variable of type int) as qd.Thread value in assignment",
		"25:6: cannot use t.ID (value of type func() int) as int value in assignment",
	}},
	{"wrong number of arguments", `
	_ = len()
	_ = min()
	_ = int()
	_ = math.Sqrt()
	_ = math.Inf()
	_ = math.Float32bits()
	_ = qd.Sqrt()
	_ = qd.AtomicAdd()
	_ = qd.AtomicAdd(n)
	_ = t.Dim()
	_ = t.ID(1)
	qd.Printf()
	qd.Printf(n, n)
	two(1)
	n, a = two(), 2
	n = two()
	n, a, n = two()
	return 1`, []string{
		"8:10: invalid operation: not enough arguments for len() (expected 1, found 0)",
		"9:10: invalid operation: not enough arguments for min() (expected 1, found 0)",
		"10:10: missing argument in conversion to int",
		"11:16: not enough arguments in call to math.Sqrt: have (), want (float64)",
		"12:15: not enough arguments in call to math.Inf: have (), want (int)",
		"13:23: not enough arguments in call to math.Float32bits: have (), want (float32)",
		"14:14: not enough arguments in call to qd.Sqrt: have (), want (T)",
		"15:19: not enough arguments in call to qd.AtomicAdd: have (), want (*T, T)",
		"16:20: not enough arguments in call to qd.AtomicAdd: have (int), want (*T, T)",
		"17:12: not enough arguments in call to t.Dim: have (), want (int)",
		"18:11: too many arguments in call to t.ID: have (number), want ()",
		"19:12: not enough arguments in call to qd.Printf: have (), want (string, ...any)",
		"20:12: cannot use n (variable of type int) as string value in argument to qd.Printf",
		"21:6: too many arguments in call to two: have (number), want ()",
		"22:9: multiple-value two() (value of type (int, int)) in single-value context",
		"23:6: assignment mismatch: 1 variable but two returns 2 values",
		"24:12: assignment mismatch: 3 variables but two returns 2 values",
		"25:9: too many return values: have (number), want ()",
	}},
	{"branches", `
	for {
		break missing
	}
	continue
	break
block:
	{
		continue block
	}
	goto nowhere
	fallthrough
	switch n {
	case 1:
	here:
		continue here
	case 1:
	}`, []string{
		"9:9: invalid break label missing",
		"11:2: continue not in for statement",
		"12:2: break not in for, switch, or select statement",
		"13:1: label block declared and not used",
		"15:12: invalid continue label block",
		"17:7: label nowhere not declared",
		"18:2: fallthrough statement out of place",
		"21:2: label here declared and not used",
		"22:12: invalid continue label here",
		"23:7: duplicate case 1 (constant of type int) in expression switch",
	}},
	{"jumps", `
	if n > 1 {
		goto over
	}
	m := n
over:
	n = m
	goto inside
	{
	inside:
		n++
	}
	for {
		goto inside
	}`, []string{
		"9:8: goto over jumps over variable declaration at line 11",
		"14:7: goto inside jumps into block",
		"20:8: goto inside jumps into block",
	}},
	{"declarations", `
	var n int
	var n, m float32 = 1
	var z, z int
	z, z := 1, 2
	const c = undefined
	const huge = 1 << 100
	x[c] = huge
	n = huge
	n = 1 << 1000
	a = "a"
	type T struct{ f missing }
	var v T
	v.f.g()
	w := T{1, 2, 3}.f
	n := n`, []string{
		"8:6: n redeclared in this block",
		"9:6: n redeclared in this block",
		"9:9: declared and not used: m",
		"9:21: assignment mismatch: 2 variables but 1 value",
		"10:6: declared and not used: z",
		"10:9: z redeclared in this block",
		"11:5: z repeated on left side of :=",
		"12:12: undefined: undefined",
		"15:6: cannot use huge (untyped int constant 1267650600228229401496703205376) as int value in assignment (overflows)",
		"16:8: constant shift overflow",
		"17:6: cannot use \"a\" (untyped string constant) as float32 value in assignment",
		"18:19: undefined: missing",
		"21:2: declared and not used: w",
		"21:12: too many values in struct literal of type T",
		"22:4: no new variables on left side of :=",
	}},
	{"no kernel", "package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc k(t qd.Thred, x []floa32, y ...missing) (z, z int) { return }\n", []string{
		"5:10: qd.Thred is not available in kernels",
		"5:24: undefined: floa32",
		"5:34: variadic parameters are not supported",
		"5:37: undefined: missing",
		"5:46: kernel k returns a value",
		"5:50: z redeclared in this block",
		"5:59: result parameter z not in scope at return",
	}},
	{"declared twice", "package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc k(t qd.Thread) { f(1); make() }\nfunc k(t qd.Thread) {}\nfunc f(x string) {}\nfunc f(x int) int {}\n", []string{
		"5:25: cannot use 1 (untyped int constant) as string value in argument to f",
		"5:34: invalid operation: not enough arguments for make() (expected 1, found 0)",
		"8:6: f redeclared in this block",
	}},
	{"bad function", "package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc k(t qd.Thread, x []int) {\n\tx[0] = f(append(x, 1))\n\tx[1] = g()\n}\nfunc f(x []missing) (int, int) { clear(x) }\nfunc g() int\n", []string{
		"6:9: assignment mismatch: 1 variable but f returns 2 values",
		"6:11: a kernel cannot allocate memory: x ends where its elements do",
		"7:9: function g has no body in Go",
		"9:12: undefined: missing",
		"9:43: missing return",
	}},
	{"arguments of what is not there", `
	fmt.Println("x", append(x, a), &y[0])
	undefined("x", append(x, a))
	z := math.Undefined("x")
	_ = [](missing){append(x, a)}
	_ = missing(append(x, a))
	var m map[string]int
	m["a"] += "b" + undefined
	qd.Printf("%d %s", undefined, "a"+undefined, make([]int, len(x)))`, []string{
		"8:2: package fmt is not available in kernels",
		"8:19: a kernel cannot allocate memory: x ends where its elements do",
		"9:2: undefined: undefined",
		"10:2: declared and not used: z",
		"10:12: undefined: math.Undefined",
		"11:9: undefined: missing",
		"12:6: undefined: missing",
		"13:8: variable m has type map[string]int: maps are not supported",
		"14:18: undefined: undefined",
		"15:21: undefined: undefined",
		"15:36: undefined: undefined",
		"15:47: a kernel cannot allocate memory: the capacity len(x) is not known at compile time",
	}},
	{"shadows", `
	qd, math := 1, 2
	x[0] = qd.Sqrt(x[0])
	x[1] = float32(math.Sqrt(2))
	len := 3
	n = len(x)
	type float32 int
	a = float32(1)
	true := 1
	if true {
	}
	k := func() {}
	k()`, []string{
		"9:12: qd.Sqrt undefined (type int has no field or method Sqrt)",
		"10:22: math.Sqrt undefined (type int has no field or method Sqrt)",
		"12:6: invalid operation: cannot call len (variable of type int): int is not a function",
		"14:6: cannot use float32(1) (constant 1 of int type float32) as float32 value in assignment",
		"16:5: non-boolean condition in if statement",
	}},
	{"import that nobody has", "package k\n\nimport (\n\t\"example.com/lost\"\n\t\"github.com/qdgen/qd\"\n)\n\nfunc k(t qd.Thread, v lost.Type, x []int) {\n\tv.f()\n\tx[0] = lost.F(&v)\n\tgo v.f()\n}\n", []string{
		"8:23: package example.com/lost is not available in kernels",
		"10:9: package example.com/lost is not available in kernels",
		"11:2: go statements are not supported in a kernel",
	}},
}
