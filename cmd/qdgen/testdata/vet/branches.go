package main

import "github.com/qdgen/qd"

// Which code there is depends on constants. Those of the launches count.

//qd:kernel
func neverTaken(t qd.Thread, flag qd.Const[bool], x []int) {
	if flag.V {
		_ = make([]int, len(x))
	}
	x[t.ID()] = 1
}

//qd:kernel
func onceTaken(t qd.Thread, flag qd.Const[bool], n qd.Const[int32], x []int) {
	if flag.V && n.V > 2 {
		_ = make([]int, len(x)) // want `a kernel cannot allocate memory`
	}
	if n.V > 3 {
		x = append(x, 1)
	}
}

//qd:kernel
func sometimesTaken(t qd.Thread, flag qd.Const[bool], x []int) {
	if flag.V {
		_ = make([]int, len(x)) // want `a kernel cannot allocate memory`
	}
	x = append(x, 1) // want `a kernel cannot allocate memory`
}

//qd:kernel
func chained(t qd.Thread, flag qd.Const[bool], x []int) {
	if flag.V {
		_ = make([]int, len(x))
	}
}

//qd:kernel
func byHandle(t qd.Thread, flag qd.Const[bool], x []int) {
	if flag.V {
		_ = make([]int, len(x)) // note `a kernel cannot allocate memory`
	}
}

//qd:kernel
func neverLaunched(t qd.Thread, mode qd.Const[string], x []int) {
	switch mode.V {
	case "map":
		_ = map[int]int{} // note `maps are not supported`
	}
	if mode.V == "" {
		return
	}
	x = append(x, 1) // note `cannot allocate`
}

// An ops is a table that a kernel captures.
type ops struct {
	funcs [2]func(int) int
	id    int
}

//qd:kernel
func (o ops) Kernel(t qd.Thread, x []int) { x[t.ID()] = qd.Static(o.funcs[o.id])(x[t.ID()]) }

func itself(x int) int { return x * x }

func grows(x int) int {
	var list []int
	list = append(list, x) // want `a kernel cannot allocate memory`
	return list[0]
}

//qd:kernel
func apply(t qd.Thread, f qd.Const[func(int) int], x []int) { x[t.ID()] = f.V(x[t.ID()]) }

func scaled(c int) func(int) int {
	return qd.NewFunc(func(x int) int {
		if c > 3 {
			_ = make([]int, x) // note `cannot allocate`
		}
		defer println(c) // want `defer statements are not supported`
		return c * x
	}, qd.Capture("c", c))
}

func generic[T qd.Number](c T) func(T) T {
	return qd.NewFunc(func(x T) T { return append([]T{x}, c)[1] }, qd.Capture("c", c))
}

func applied(f func(func(int) int) int) func(int) int {
	return qd.NewFunc(func(x int) int {
		return f(func(y int) int { return x + y })
	}, qd.Capture("f", f))
}

// What these mean depends on where they are called.

func shares(t qd.Thread, x []int) {
	s := qd.Shared[int](t, 4)
	s[t.Lane()] = 1
	t.Sync()
	x[0] = s[0]
}

func adds(n int) func(int) int { return func(x int) int { return x + n } }

func fills(g qd.Grid, x []int) { g.For(len(x), func(i int) { x[i] = i }) }

//qd:kernel
func cooperates(t qd.Thread, f qd.Const[func(qd.Thread, []int)], g qd.Const[func(int) func(int) int], x []int) {
	f.V(t, x)
	x[0] = g.V(1)(x[1])
}

//qd:kernel
func whole2(g qd.Grid, f qd.Const[func(qd.Grid, []int)], x []int) { f.V(g, x) }

func launches(dev *qd.Device, x []int) {
	_ = qd.Launch(neverTaken, qd.Dim(1), qd.C(false), x)
	_ = qd.Launch(onceTaken, qd.Dim(1), qd.C(true), qd.C(3), x)
	_ = dev.Launch(onceTaken, qd.Dim(1), qd.C(false), qd.C(2), x)
	for _, flag := range []bool{true, false} {
		_ = qd.Launch(sometimesTaken, qd.Dim(1), qd.C(flag), x)
	}
	_ = qd.Launch(cooperates, qd.Dim(1), qd.C(shares), qd.C(adds), x)
	_ = qd.Launch(cooperates, qd.Dim(1), qd.C(func(t qd.Thread, x []int) {
		s := qd.Shared[int](t, 4)
		t.Sync()
		x[0] = s[0]
	}), qd.C(adds), x)
	_ = qd.Run(whole2, qd.C(fills), x)
	_ = qd.NewKernel(chained).WithBlockDim(64).Launch(qd.Dim(1), qd.C(false), x)
	k := qd.NewKernel(byHandle)
	_ = k.Launch(qd.Dim(1), qd.C(false), x)
	funcs := [2]func(int) int{itself, itself}
	for id := range funcs {
		_ = qd.Launch(ops{funcs, id}, qd.Dim(1), x)
		_ = qd.NewKernel(func(t qd.Thread, x []int) {
			x[0] = qd.Static(funcs[id])(x[0])
		}, qd.Capture("funcs", funcs), qd.Capture("id", id)).Launch(qd.Dim(1), x)
	}
	_ = qd.Launch(apply, qd.Dim(1), qd.C(itself), x)
	_ = qd.Launch(apply, qd.Dim(1), qd.C(grows), x)
	_ = qd.Launch(apply, qd.Dim(1), qd.C(scaled(2)), x)
	_ = qd.Launch(apply, qd.Dim(1), qd.C(generic(2)), x)
	_ = qd.Launch(apply, qd.Dim(1), qd.C(applied(nil)), x)
	_ = qd.Launch(apply, qd.Dim(1), qd.C(func(x int) int {
		go println(x) // want `go statements are not supported`
		return x
	}), x)
}

// Values of constants are also taken from the text of the program.

type config struct {
	wide  bool
	sizes [2]int
}

var usual = config{sizes: [2]int{1, 8}}

//qd:kernel
func configured(t qd.Thread, c qd.Const[config], x []int) {
	if c.V.wide {
		_ = make([]int, len(x))
	}
	if c.V.sizes[1] == 8 {
		x = append(x, 1) // want `a kernel cannot allocate memory`
	}
	x[t.ID()] = 1
}

//qd:kernel
func sized(t qd.Thread, n qd.Const[int], x []int) {
	if n.V > 4 {
		x = append(x, 1) // want `a kernel cannot allocate memory`
	}
	if n.V > 8 {
		_ = make([]int, len(x))
	}
	x[t.ID()] = 1
}

//qd:kernel
func changing(t qd.Thread, n qd.Const[int], x []int) {
	if n.V > 8 {
		_ = make([]int, len(x)) // note `a kernel cannot allocate memory`
	}
	x[t.ID()] = 1
}

func fromText(x []int) {
	_ = qd.Launch(configured, qd.Dim(1), qd.C(usual), x)
	own := config{sizes: [2]int{2, 3}}
	_ = qd.Launch(configured, qd.Dim(1), qd.C(own), x)
	for _, n := range []int{2, usual.sizes[0], 8} {
		_ = qd.Launch(sized, qd.Dim(1), qd.C(n), x)
	}
	n := 2
	n *= len(x)
	_ = qd.Launch(changing, qd.Dim(1), qd.C(n), x)
}
