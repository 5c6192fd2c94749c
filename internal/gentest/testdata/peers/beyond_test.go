package peers

import (
	"math"
	"strings"
	"sync"

	"github.com/qdgen/qd"
)

// agrees launches a kernel on device go and on the case's device, each with slices of
// their own from args, and compares them.
func agrees(c *check, kernel any, args func() []any) {
	c.Helper()
	goDev, err := qd.Open("go")
	c.must(err)
	want, got := args(), args()
	c.must(goDev.Launch(kernel, qd.Dim(1), want...))
	c.must(c.dev.Launch(kernel, qd.Dim(1), got...))
	equal(c, bits(got), bits(want))
}

// bits are arguments with floats as their bits: a NaN is not equal to itself.
func bits(args []any) []any {
	args = append([]any(nil), args...)
	for i, a := range args {
		if f, ok := a.([]float64); ok {
			b := make([]uint64, len(f))
			for j := range f {
				b[j] = math.Float64bits(f[j])
				if f[j] != f[j] {
					b[j] = math.Float64bits(math.NaN())
				}
			}
			args[i] = b
		}
	}
	return args
}

var beyond = []peerCase{
	{"variables that are known no more", "after conditions, pointers, closures, elements, loops", "", func(c *check) {
		for _, dyn := range []int{0, 1, 2, 3, 200} {
			agrees(c, knownNoMore, func() []any { return []any{dyn, make([]int, 9)} })
		}
	}},
	{"arithmetic of known values", "wraps, rounds and shifts as it does at run time", "", func(c *check) {
		agrees(c, knownArithmetic, func() []any { return []any{3, make([]int64, 14), make([]float64, 7)} })
	}},
	{"variables of unrolled loops", "assigned to, captured, pointed to, left", "", func(c *check) {
		for dyn := range 4 {
			agrees(c, loopVariables, func() []any { return []any{dyn, make([]int, 16)} })
		}
	}},
	{"exits from unrolled loops", "labels, switches, returns, loops between", "", func(c *check) {
		for dyn := range 9 {
			agrees(c, exits, func() []any { return []any{dyn, make([]int, 4)} })
		}
	}},
	{"known switches", "that fall through into what is decided at run time", "", func(c *check) {
		for n := range 7 {
			for dyn := range 5 {
				agrees(c, fallsThrough, func() []any { return []any{qd.C(n), dyn, make([]int, 2)} })
			}
		}
	}},
	{"recursion", "that compile-time values end", "", func(c *check) {
		gives(c, []int{13, 55, 7}, recursive, qd.C(7))
		gives(c, []int{0, 55, 7}, recursive, qd.C(0))
	}},
	{"constants of all kinds in one struct", "each field counts", "", func(c *check) {
		conf := config{Mode: fast, Name: "x", Scale: [2]float32{1, 2.5}, On: true, F: plusOne}
		conf.Nested.N = 41
		c.specializes(5, func() {
			for range 2 {
				gives(c, []float32{5, 42}, configured, qd.C(conf))
				other := conf
				other.F = plusTwo
				gives(c, []float32{5, 43}, configured, qd.C(other))
				other = conf
				other.Name = "y"
				gives(c, []float32{5, 0}, configured, qd.C(other))
				other = conf
				other.Scale[1] = 3
				gives(c, []float32{6, 42}, configured, qd.C(other))
				other = conf
				other.Mode, other.On = slow, false
				gives(c, []float32{0, 42}, configured, qd.C(other))
			}
		})
	}},
	{"constants of named types", "with their methods", "", func(c *check) {
		gives(c, []int{10}, namedConst, qd.C(fast), qd.C(5))
		gives(c, []int{15}, namedConst, qd.C(slow), qd.C(5))
	}},
	{"receivers of receivers", "known through methods of type parameters", "", func(c *check) {
		x := []float64{1, 2}
		c.launch(mapped[chain[plus, polynomial]]{chain[plus, polynomial]{plus{1}, polynomial{[4]float64{1, 2, 3}, 3}}}, 2, x)
		equal(c, x, []float64{17, 34})
		c.launch(mapped[chain[polynomial, chain[plus, plus]]]{}, 2, x)
		equal(c, x, []float64{0, 0})
	}},
	{"functions for generic kernels", "whose type has the kernel's type parameter", "", func(c *check) {
		x, y := []int{3, 4}, []float64{9, 16}
		c.launch(applied[int], 2, qd.C(doubled[int]), x)
		equal(c, x, []int{6, 8})
		c.launch(applied[float64], 2, qd.C(math.Sqrt), y)
		equal(c, y, []float64{3, 4})
	}},
	{"variables that change to what is equal, or almost", "zeros, NaN, one element, one field", "", func(c *check) {
		conf := variableConfig
		defer func() {
			variableFloat, variableArray, variableString, variableConfig = 0, [4]int{1, 2, 3, 4}, "a", conf
		}()
		run := func(specializations int, f float64, want ...int) {
			c.Helper()
			c.specializes(specializations, func() {
				outF, out := make([]float64, 1), make([]int, 3)
				c.launch(readsVariables, 1, outF, out)
				equal(c, bits([]any{outF}), bits([]any{[]float64{f}}))
				equal(c, out, want)
			})
		}
		run(1, 0, 3, 0, 3)
		variableFloat = math.Copysign(0, -1)
		run(1, variableFloat, 3, 0, 3)
		variableFloat = math.NaN()
		run(1, math.NaN(), 3, 0, 3)
		run(0, math.NaN(), 3, 0, 3)
		variableFloat = 0
		run(0, 0, 3, 0, 3)
		variableArray[2] = 7
		run(1, 0, 7, 0, 3)
		variableString = "b"
		run(1, 0, 7, 1, 3)
		variableConfig.F = plusTwo
		run(1, 0, 7, 1, 4)
		variableConfig.Mode = slow
		run(1, 0, 7, 1, 5)
	}},
	{"a prepared launch", "notices a variable that changes", "", func(c *check) {
		defer func() { modified = 17 }()
		out := make([]int, 1)
		p, err := c.dev.Bind(readsModified, qd.Dim(1), out)
		c.must(err)
		for _, v := range []int{17, 42, 17, 5} {
			modified = v
			c.must(p.Launch())
			equal(c, out[0], v)
		}
	}},
	{"qd.Dynamic", "forgets what is known", "", func(c *check) {
		gives(c, []int{1, 10, 6}, forgets, qd.C(5))
		gives(c, []int{0, 3, 6}, forgets, qd.C(3))
	}},
	{"qd.StaticAssert", "says its message", "", func(c *check) {
		gives(c, []int{8}, assertsStatically, qd.C(8))
		c.refuses("n is no multiple of 4", assertsStatically, qd.C(6), make([]int, 1))
	}},
	{"kernels of a whole grid", "with constants that choose loops", "", func(c *check) {
		x := []int{1, 2}
		c.must(c.dev.Run(gridConst, qd.C(3), qd.C(true), x))
		equal(c, x, []int{4, 5})
		c.must(c.dev.Run(gridConst, qd.C(2), qd.C(false), x))
		equal(c, x, []int{24, 30})
		c.must(c.dev.Run(gridConst, qd.C(0), qd.C(false), x))
		equal(c, x, []int{24, 30})
	}},
	{"memory of a block", "whose length is a constant", "", func(c *check) {
		x := []int{1, 2, 3, 4, 5, 6}
		c.launch(sharedConst, 2, qd.C(3), x)
		equal(c, x, []int{3, 2, 1, 6, 5, 4})
		c.launch(sharedConst, 3, qd.C(2), x)
		equal(c, x, []int{2, 3, 6, 1, 4, 5})
	}},
	{"many goroutines that launch one specialization", "make it once", "", func(c *check) {
		c.specializes(1, func() {
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					out := make([]int, 1)
					if err := c.dev.Launch(stores, qd.Dim(1), qd.C(777), out); err != nil || out[0] != 777 {
						c.Errorf("%v %v", out, err)
					}
				})
			}
			wg.Wait()
		})
	}},
	{"launches that are wrong", "each error says what to do", "", func(c *check) {
		var nilFunc func(x, y int) int
		captured, assigned, list := 3, 4, []int{5}
		defer func() { assigned = 6 }()
		for _, tt := range []struct {
			words  string
			kernel any
			args   []any
		}{
			{"qd.Const[int]", stores, []any{qd.C("5"), make([]int, 1)}},
			{"nil", functionArgument, []any{qd.C(nilFunc), 1, 2, make([]int, 1)}},
			{"captur", functionArgument, []any{qd.C(func(x, y int) int { return x + captured }), 1, 2, make([]int, 1)}},
			{"pointer", &pointerKernel{1}, []any{make([]int, 1)}},
			{"method", valueOf{3}.Kernel, []any{make([]int, 1)}},
			{"captured", qd.NewKernel(func(t qd.Thread, out []int) { out[0] = captured }), []any{make([]int, 1)}},
			{"captured", qd.NewKernel(func(t qd.Thread, out []int) { out[0] = captured }, qd.Capture("capture", captured)), []any{make([]int, 1)}},
			{"other", qd.NewKernel(func(t qd.Thread, out []int) { out[0] = captured }, qd.Capture("captured", captured), qd.Capture("other", 1)), []any{make([]int, 1)}},
			{"captured", qd.NewKernel(func(t qd.Thread, out []int) { out[0] = captured }, qd.Capture("captured", 4)), []any{make([]int, 1)}},
			{"captured", qd.NewKernel(func(t qd.Thread, out []int) { out[0] = captured }, qd.Capture("captured", int8(captured))), []any{make([]int, 1)}},
			{"assigned", qd.NewKernel(func(t qd.Thread, out []int) { out[0] = assigned }, qd.Capture("assigned", assigned)), []any{make([]int, 1)}},
			{"list", qd.NewKernel(func(t qd.Thread, out []int) { out[0] = list[0] }, qd.Capture("list", list)), []any{make([]int, 1)}},
		} {
			err := c.dev.Launch(tt.kernel, qd.Dim(1), tt.args...)
			switch {
			case err == nil:
				c.Errorf("%T %v is launched", tt.kernel, tt.args)
			case !strings.Contains(err.Error(), tt.words):
				c.Errorf("%T %v: the error does not say %q: %v", tt.kernel, tt.args, tt.words, err)
			}
		}
	}},
}
