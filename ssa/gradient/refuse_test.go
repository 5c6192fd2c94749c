package gradient_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa/gradient"
)

// ownFunctions have gradients or replays that are not as they should be.
const ownFunctions = `
func readsDown(x []float64, n int) float64 { return sumDown(x, n) }

func sumDown(x []float64, n int) float64 {
	if n < 0 {
		return 0
	}
	return sumDown(x, n-1) + x[n]*x[n]
}

func slopesDown(adj float64, n int, x, xGrad []float64) {
	if n >= 0 {
		xGrad[n] += 2 * x[n] * adj
		slopesDown(adj, n-1, x, xGrad)
	}
}

//qd:gradient readsDown
func readsDownGradient(x []float64, n int, xGrad []float64, adj float64) { slopesDown(adj, n, x, xGrad) }

func reads(y []float64, x float64) float64 { return y[0] * x }

//qd:gradient reads
func readsGradient(y []float64, x float64, yGrad []float64, adj float64) float64 { return y[0] * adj }

func writes(y []float64, x float64) float64 { return x }

//qd:gradient writes
func writesGradient(y []float64, x float64, yGrad []float64, adj float64) float64 {
	y[1] = adj
	return adj
}

func replayed(x float64) float64 { return x }

//qd:replay replayed
func replayedAgain(x float64) float64 { return x }
`

// What has no gradient here is refused where it stands.
func TestRefused(t *testing.T) {
	tests := []struct{ name, params, body, want string }{
		{"old value", "x, y []float32", "y[0] = qd.AtomicAdd(&x[0], 1)", "9:9: cannot differentiate a kernel that uses the result of an atomic operation"},
		{"slot", "n []int32, x, y []float32", "at := qd.AtomicAdd(&n[0], 1)\n\ty[at] = x[t.ID()]", "9:8: cannot differentiate a kernel that uses the result of an atomic operation"},
		{"read after", "x, y []float32", "qd.AtomicAdd(&y[0], x[1])\n\tx[0] = y[0]", "10:9: cannot differentiate a kernel that reads memory which it changes atomically too"},
		{"min that is read", "x, y []float32", "qd.AtomicMin(&y[0], x[1])\n\tx[0] = y[1]", "10:9: cannot differentiate a kernel that reads memory which it changes atomically too"},
		{"min and max", "x, y []float32", "qd.AtomicMin(&y[0], x[1])\n\tqd.AtomicMax(&y[1], x[1])", "9:2: cannot differentiate an atomic minimum or maximum in memory that the kernel uses otherwise too"},
		{"min and store", "x, y []float32", "qd.AtomicMin(&y[0], x[1])\n\ty[1] = x[1]", "9:2: cannot differentiate an atomic minimum or maximum in memory that the kernel uses otherwise too"},
		{"exchange", "x, y []float32", "qd.AtomicExch(&y[0], x[1])", "9:2: cannot differentiate an atomic operation on floats other than an addition, a minimum or a maximum"},
		{"bits", "x, y []float32", "y[0] = math.Float32frombits(math.Float32bits(x[0]) | 1)", "9:9: cannot differentiate a float that is made of the bits of another"},
		{"mantissa", "x, y []float32", "y[0] = float32(math.Float32bits(x[0]) & 255)", "9:9: cannot differentiate a float that is made of the bits of another"},
		{"kept bits", "x []float32, u []uint32", "u[0] = math.Float32bits(x[0])", "9:2: cannot differentiate memory that holds the bits of floats"},
		{"half", "x, y []qd.Float16", "y[0] = x[0]", "9:9: cannot differentiate a kernel that only copies elements of type qd.Float16; convert one of them to float32 and back"},
		{"half's bits", "x, y []qd.Float16", "y[0] = qd.Float16FromBits(x[0].Bits() ^ 0x8000)", "9:9: cannot differentiate a struct or an array that holds the bits of floats"},
		{"gradient reads", "x, y []float64", "y[0] = 1\n\ty[1] = reads(y, x[0])", "10:9: cannot differentiate a call of reads: its gradient readsGradient reads memory that the kernel writes"},
		{"gradient reads in recursion", "x, y []float64", "y[0] = 1\n\ty[1] = readsDown(y, 2)", "10:9: cannot differentiate a call of readsDown: its gradient readsDownGradient reads memory that the kernel writes"},
		{"gradient writes", "x, y []float64", "y[1] = writes(x, x[0])", "9:9: cannot differentiate a call of writes: its gradient writesGradient writes memory of the kernel"},
		{"replay of floats", "x, y []float64", "y[1] = replayed(x[0])", "9:9: cannot differentiate replayed, which has a replay and makes floats, but has no gradient"},
		{"copy", "x []float32, y [][4]float32", "copy(y[0][:], y[1][:])\n\tx[0] = y[0][1]", "9:2: cannot differentiate a copy of floats between slices that are made in different ways of the same memory"},
		{"chosen slice", "x, y, z []float32", "s := x\n\tfor k := range len(x) {\n\t\tif y[k] > 0 {\n\t\t\ts = y\n\t\t}\n\t}\n\tz[0] = s[0]", "memory that a loop or other memory chooses"},
		{"exits", "x, y []float32", "s := x[0]\n\tfor k := range qd.Static(200) {\n\t\tif s > 3 {\n\t\t\tbreak\n\t\t}\n\t\ts *= x[k]\n\t}\n\ty[0] = s", "8:1: cannot differentiate a kernel with so many exits"},
		{"barrier", "x, y []float32", "if t.Lane() > 1 {\n\t\treturn\n\t}\n\tt.Sync()\n\ty[0] = x[0]", "12:2: cannot differentiate a barrier that some threads have returned before"},
		{"barrier, by what is loaded", "x, y []float32", "v := x[t.ID()]\n\tif v < 0 {\n\t\treturn\n\t}\n\tt.Sync()\n\ty[0] = v", "13:2: cannot differentiate a barrier that some threads have returned before"},
		{"barrier in a loop", "x, y []float32", "for k := range 9 {\n\t\tt.Sync()\n\t\tif x[t.ID()+k] < 0 {\n\t\t\treturn\n\t\t}\n\t}\n\ty[0] = 1", "10:3: cannot differentiate a barrier that some threads have returned before"},
	}
	lib := library(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := "package k\n\nimport (\n\t\"math\"\n\t\"github.com/qdgen/qd\"\n)\n\nfunc k(t qd.Thread, " + tt.params + ") {\n\t" + tt.body + "\n}\n\nvar _ = math.Pi\n" + ownFunctions
			m := lower(t, lib, text, "k")
			_, err := gradient.Of(m.Kernels()[0], gradient.Options{})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// What is refused in the standard library is refused at the call in the user's code.
func TestRefusedStandard(t *testing.T) {
	const text = `package k

import (
	"math/cmplx"
	"slices"

	"github.com/qdgen/qd"
)

func tan(t qd.Thread, x, y []complex128) {
	i := t.ID()
	y[i] = x[i] * twice(x[i])
}

func twice(x complex128) complex128 { return 2 * cmplx.Tan(x) }

func sorts(t qd.Thread, x, y []float64) {
	a := [3]float64(x)
	slices.Sort(a[:])
	y[0] = a[1]
}
`
	for _, tt := range []struct{ kernel, want string }{
		{"tan", "k.go:15:50: cannot differentiate a float that is made of the bits of another, in cmplx.Tan; compute it in another way"},
		{"sorts", "k.go:19:2: cannot PUT a kernel that calls slices.pdqsortOrdered[float64], which calls itself, in slices.Sort; compute it in another way"},
	} {
		k := lower(t, library(t), text, tt.kernel).Kernels()[0]
		for steps, verb := range map[string]string{gradient.Reverse: "differentiate", gradient.Tangent: "find the tangents of"} {
			_, err := gradient.Of(k, gradient.Options{Steps: steps})
			if want := strings.Replace(tt.want, "PUT", verb, 1); err == nil || strings.Count(err.Error(), "cannot") != 1 || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, not %s", tt.kernel, err, want)
			}
		}
	}
}

// What does not depend on floats, or what nothing depends on, is no reason to refuse a kernel.
func TestAccepted(t *testing.T) {
	lib := library(t)
	for _, body := range []string{
		"qd.AtomicAdd(&n[0], 1)\n\ty[0] = x[0]",
		"if math.Float32bits(x[0])>>31 == 0 {\n\t\ty[0] = x[0]\n\t}",
		"y[0] = math.Float32frombits(0x3f800000) * x[0]",
		"n[0] = int32(x[0])",
		"qd.Printf(\"%v\\n\", x[0])\n\ty[0] = x[0]",
		"if x[0] < 0 {\n\t\tpanic(\"negative\")\n\t}\n\ty[0] = x[0]",
	} {
		text := fmt.Sprintf("package k\n\nimport (\n\t\"math\"\n\t\"github.com/qdgen/qd\"\n)\n\nfunc k(t qd.Thread, n []int32, x, y []float32) {\n\t%s\n}\n\nvar _ = math.Pi\n", body)
		m := lower(t, lib, text, "k")
		if _, err := gradient.Of(m.Kernels()[0], gradient.Options{}); err != nil {
			t.Errorf("%s\n%v", body, err)
		}
	}
}

// recursive are functions that call themselves, or each other.
const recursive = `
func powers(x float32, n int) float32 {
	if n == 0 {
		return 1
	}
	return x * powers(x, n-1)
}

func scales(y []float32, n int) {
	if n > 0 {
		y[n] *= 2
		scales(y, n-1)
	}
}

func evens(x float32, n int) float32 {
	if n == 0 {
		return x
	}
	return odds(x, n-1) * x
}

func odds(x float32, n int) float32 {
	if n == 0 {
		return 1
	}
	return evens(x, n-1)
}

func lower(x []float32, lo, hi int, v float32) int {
	if lo >= hi {
		return lo
	}
	if m := (lo + hi) / 2; x[m] < v {
		return lower(x, m+1, hi, v)
	}
	return lower(x, lo, (lo+hi)/2, v)
}

func pick(a, b uint32, n int) uint32 {
	if n == 0 {
		return a
	}
	return pick(b, a, n-1)
}

func bitsOf(x float32, n int) uint32 {
	if n == 0 {
		return math.Float32bits(x)
	}
	return bitsOf(x, n-1)
}

type scene struct {
	scale float32
	table []float32
}

func scaled(s scene, n int) float32 {
	if n == 0 {
		return s.scale
	}
	return scaled(s, n-1)
}

func notes(x, y []float32, seen []int32, n int) {
	if n > 0 {
		if x[n] < y[n] {
			seen[n] = int32(n)
		}
		notes(y, x, seen, n-1)
	}
}

func grows(a, b float32, n int) float32 {
	if n == 0 {
		return a
	}
	return grows(b, a, n-1)
}

func factorial(n int) int {
	if n < 2 {
		return 1
	}
	return n * factorial(n-1)
}
`

// An atomic addition beside an atomic minimum or maximum has no tangent where both may change one element. Functions that
// call themselves with floats have none.
func TestRefusedTangents(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"one array", "qd.AtomicMin(&y[0], x[1])\n\tqd.AtomicAdd(&y[1], x[2])", "10:2: cannot find the tangents of an atomic addition to memory in which the kernel finds an atomic minimum or maximum too"},
		{"in a function", "qd.AtomicMax(&y[0], x[1])\n\tadded(y, x[2])", "17:2: cannot find the tangents of an atomic addition to memory in which the kernel finds an atomic minimum or maximum too"},
		{"recursion", "y[0] = powers(x[0], int(x[1]))", "9:9: cannot find the tangents of a kernel that calls powers, which calls itself"},
		{"recursion in memory", "scales(y, int(x[1]))", "9:2: cannot find the tangents of a kernel that calls scales, which calls itself"},
		{"recursion in both", "y[0] = evens(x[0], int(x[1]))", "cannot find the tangents of a kernel that calls"},
		{"recursion of integers", "y[factorial(int(x[1]))] = x[0]", ""},
		{"recursion of integers that compares floats", "y[0] = x[lower(x, 0, len(x), 3)]", ""},
		{"recursion of floats that do not vary", "y[0] = x[0]\n\tf := powers(1.5, len(x))\n\ty[0] *= f", ""},
		{"recursion of bits", "y[0] = math.Float32frombits(pick(uint32(len(x)), math.Float32bits(x[1]), len(x)))", "cannot find the tangents of a kernel that calls pick"},
		{"recursion that makes bits", "y[0] = math.Float32frombits(bitsOf(x[1], len(x)))", "cannot find the tangents of a kernel that calls bitsOf"},
		{"recursion of floats beside a slice", "y[0] = scaled(scene{x[1], z}, len(x))", "cannot find the tangents of a kernel that calls scaled"},
		{"recursion that writes integers", "notes(x, z, n, len(x))\n\ty[0] = x[0]", ""},
		{"recursion that varies when it goes on", "y[0] = grows(1, x[1], len(x))", "cannot find the tangents of a kernel that calls grows"},
		{"two arrays", "qd.AtomicMin(&y[0], x[1])\n\tqd.AtomicAdd(&z[0], x[2])", ""},
		{"constant", "qd.AtomicMin(&y[0], x[1])\n\tqd.AtomicAdd(&y[1], 2)", ""},
	}
	lib := library(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := "package k\n\nimport (\n\t\"math\"\n\t\"github.com/qdgen/qd\"\n)\n\nfunc k(t qd.Thread, n []int32, x, y, z []float32) {\n\t" + tt.body + "\n}\n\nvar _ = math.Pi\n\n//go:noinline\nfunc added(y []float32, v float32) {\n\tqd.AtomicAdd(&y[0], v)\n}\n" + recursive
			k := lower(t, lib, text, "k").Kernels()[0]
			_, err := gradient.Of(k, gradient.Options{Steps: gradient.Tangent})
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if _, err := gradient.Of(k, gradient.Options{Steps: gradient.Tangent, Overlap: true}); tt.name == "two arrays" && err == nil {
				t.Error("two parameters that may be one array are accepted")
			}
		})
	}
}
