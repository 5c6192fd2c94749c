package peers

import (
	"strings"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/gentest/testdata/peers/clash1"
	"github.com/qdgen/qd/internal/gentest/testdata/peers/clash2"
	"github.com/qdgen/qd/internal/library"
	"github.com/qdgen/qd/ssa/opt"
)

func clashArgs(c *check) {
	gives(c, []float32{1, 2, 3, 5}, clashingStructs, clash1.SameStruct{X: 1}, clash2.SameStruct{X: 2},
		clash1.DifferentStruct{V: 3}, clash2.DifferentStruct{V: [2]float32{4, 5}})
}

// code is what kernel k of a source is compiled to: kernels of equal code are one
// module, those of different code are not.
func (c *check) code(opts frontend.Options, source string) string {
	c.Helper()
	src := load.Chain(load.Map{"m": {Path: "m", Files: []load.File{{Name: "m.go", Src: []byte("package m\n\nimport \"github.com/qdgen/qd\"\n\n" + source)}}}}, library.Sources())
	_, modules, err := frontend.CompileWith(opts, src, load.Ref{Pkg: "m", Name: "k"})
	c.must(err)
	opt.Optimize(modules[0], nil)
	return compile.CPU.Text(modules[0], emit.Options{}).Code()
}

// edits compiles a source and the same with a replacement, and fails the case unless
// the code is the same, or is not.
func (c *check) edits(same bool, source, from, to string) {
	c.Helper()
	edited := strings.Replace(source, from, to, 1)
	if edited == source && from != to {
		c.Fatalf("there is no %s", from)
	}
	a, b := c.code(frontend.Options{}, source), c.code(frontend.Options{}, edited)
	if (a == b) != same {
		c.Errorf("%q for %q: the same code %t, want %t", to, from, a == b, same)
	}
}

const overloadSource = `func fn() int { return 17 }

func fnOf(value int) int { return value }

//qd:kernel
func k(t qd.Thread, out []int) { out[0], out[1] = fn(), fnOf(out[2]) }
`

const genericSource = `func one[T qd.Number](x T) T { return x * x }

func two[T qd.Number](x, y T) T { return x * y }

//qd:kernel
func k(t qd.Thread, out []int) { out[0], out[1] = one(out[0]), two(out[1], 42) }
`

const manySource = `//qd:kernel
func zulu(t qd.Thread, out []float32) { out[t.ID()] = 1 }

//qd:kernel
func k(t qd.Thread, out []float32) { out[t.ID()] = 2 + first(1) + second(2) + first(3) }

//qd:kernel
func mike(t qd.Thread, out []float32) { out[t.ID()] = 3 }

func first(x float32) float32 { return x + 1 }

func second(x float32) float32 { return x + 2 }
`

// intOf is an int that is known.
func intOf(v int) comptime.Value {
	return comptime.Value{Kind: comptime.Int, Type: "int", Bits: uint64(v)}
}

var warpHashing = []peerCase{
	{"test_function_overload_hashing", "the code of each function that is called counts", "", func(c *check) {
		c.edits(true, overloadSource, "", "")
		c.edits(false, overloadSource, "17", "42")
		c.edits(false, overloadSource, "return value", "return value + 1")
	}},
	{"test_function_generic_overload_hashing", "and that of each generic one", "", func(c *check) {
		c.edits(true, genericSource, "", "")
		c.edits(false, genericSource, "x * x", "x + x")
		c.edits(false, genericSource, "x * y", "x + y")
	}},
	{"test_module_load", "loading a kernel does not change what it is", "", func(c *check) {
		gives(c, []int{2, 1}, rename)
		c.specializes(0, func() { gives(c, []int{2, 1}, rename) })
	}},
	{"TestOptionResolution", "a checked build is another build", "", func(c *check) {
		release, checked := c.code(frontend.Options{}, overloadSource), c.code(frontend.Options{Checked: true}, overloadSource)
		if release == checked {
			c.Error("a checked build is a release build")
		}
	}},
	{"test_codegen_is_independent_of_kernel_order", "the order of kernels in a file does not count", "", func(c *check) {
		parts := strings.SplitAfter(manySource, "\n\n")
		parts[0], parts[2] = parts[2], parts[0]
		a, b := c.code(frontend.Options{}, manySource), c.code(frontend.Options{}, strings.Join(parts, ""))
		equal(c, b, a)
	}},
	{"test_codegen_orders_same_key_kernels_by_digest", "two kernels of one name that differ in a constant", "", func(c *check) {
		const source = `//qd:kernel
func k(t qd.Thread, n qd.Const[int], out []int) { out[0] = n.V }
`
		one := c.code(frontend.Options{Consts: map[int]comptime.Value{1: intOf(1)}}, source)
		two := c.code(frontend.Options{Consts: map[int]comptime.Value{1: intOf(2)}}, source)
		if one == two {
			c.Error("two constants give one code")
		}
	}},
	{"test_called_user_functions_preserve_discovery_order, test_module_builder_orders_independent_artifacts", "the text is the same each time", "", func(c *check) {
		want := c.code(frontend.Options{}, manySource)
		for range 5 {
			equal(c, c.code(frontend.Options{}, manySource), want)
		}
	}},
	{"test_static.py: test_static_constant_hash", "a constant of another value is other code, of the same the same: ints, floats, bools, vectors, structs", "", func(c *check) {
		for _, tt := range []struct{ typ, x, y string }{
			{"int", "17", "42"}, {"float64", "17.5", "42.5"}, {"bool", "true", "false"},
			{"int8", "17", "42"}, {"uint8", "17", "42"}, {"int16", "17", "42"}, {"uint16", "17", "42"}, {"int32", "17", "42"},
			{"uint32", "17", "42"}, {"int64", "17", "42"}, {"uint64", "17", "42"}, {"float32", "17", "42"},
			{"[3]float32", "[3]float32{17, 17, 17}", "[3]float32{17, 17, 42}"},
			{"struct{ X float32 }", "struct{ X float32 }{17}", "struct{ X float32 }{42}"},
		} {
			source := "var v " + tt.typ + " = " + tt.x + "\n\n//qd:kernel\nfunc k(t qd.Thread, out []" + tt.typ + ") { out[0] = qd.Static(v) }\n"
			c.edits(false, source, "= "+tt.x, "= "+tt.y)
			c.edits(true, source, "var v", "var  v")
		}
	}},
	{"test_static.py: test_static_function_hash", "the code of a function in a static expression counts", "", func(c *check) {
		const source = `func f() int { return 17 }

//qd:kernel
func k(t qd.Thread, out []int) { out[0] = qd.Static(f)() }
`
		c.edits(false, source, "17", "42")
		c.edits(true, source, "func f", "// A comment.\nfunc f")
	}},
	{"test_kernel_options_hashed, test_cluster_dim_hashed, test_cuda_max_registers_hashed", "options of a launch", "the size of a block is an argument, not part of the code", nil},
}
