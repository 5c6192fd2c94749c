package ssa_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
)

var seeds = flag.Int("seeds", 600, "random modules to try")

// run is all that is seen of the module's kernel on two threads: what it prints, what
// stops it, and its memory.
func run(m *ssa.Module) (seen string, ended bool) {
	return launch(m.Kernels()[0], newArguments(), 2)
}

// arguments are those of the kernel of a random module after its Thread.
type arguments struct {
	memory             interp.Buffers
	ints, floats, vecs []byte
	bytes              [][]byte
}

func newArguments() *arguments {
	buffer := func(data any) []byte {
		var b bytes.Buffer
		if err := binary.Write(&b, binary.LittleEndian, data); err != nil {
			panic(err)
		}
		return b.Bytes()
	}
	a := &arguments{ints: buffer([]int64{3, 1, 4, 1, 5, 9, 2, -6}), floats: buffer([]float32{0.5, -2, 1e30, 0}),
		vecs: buffer([]uint64{0x3f800000, 1, 0x40000000, 2, 0, 3, 0x7f800000, 4})} // of four {x float32, n int64}
	number := func(t ssa.Type, x int64) []byte { return interp.Scalar(t, ssa.IntConst(t, uint64(x))) }
	a.bytes = [][]byte{number(ssa.Int64, 7), number(ssa.Int32, -3), number(ssa.Uint8, 200),
		interp.Scalar(ssa.Float32, ssa.Float32Const(1.5)), interp.Scalar(ssa.Float64, ssa.Float64Const(-math.Pi)), {1},
		interp.SliceArg(a.memory.Add(a.ints), 8), interp.SliceArg(a.memory.Add(a.floats), 4), interp.SliceArg(a.memory.Add(a.vecs), 4), bytes.Clone(a.vecs[:16])}
	return a
}

// launch runs threads of a kernel one after the other.
func launch(k *ssa.Func, a *arguments, threads int64) (seen string, ended bool) {
	var out strings.Builder
	p := interp.Compile(k)
	for thread := range threads {
		env := &interp.Env{Memory: &a.memory, Steps: 20000, Place: interp.Place{
			Flat: thread, ID: [4]int64{thread}, Dim: [4]int64{threads, 1, 1, 1},
		}}
		env.Printf = func(in *ssa.Instr, args []uint64) error {
			fmt.Fprintln(&out, "format", in.Format, args)
			return nil
		}
		_, err := p.Run(env, a.bytes)
		if errors.Is(err, interp.ErrSteps) {
			return "", false
		}
		fmt.Fprintln(&out, err, a.ints, a.floats, a.vecs)
	}
	return out.String(), true
}

// TestRandom runs random modules before and after each pass.
func TestRandom(t *testing.T) {
	seeds := uint64(*seeds)
	if testing.Short() {
		seeds = 100
	}
	shrunk, ran := 0, 0
	for seed := range seeds {
		m := ssa.RandomModule(seed)
		input := m.String()
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, input)
		}
		want, ended := run(m)
		if !ended {
			continue
		}
		ran++
		before, last := input, ""
		ssa.Optimize(m, func(pass string, m *ssa.Module) {
			last = pass
			text := m.String()
			if err := ssa.Verify(m); err != nil {
				t.Fatalf("seed %d: after %s: %v\nbefore:\n%s\nafter:\n%s", seed, pass, err, before, text)
			}
			if got, _ := run(m); got != want {
				t.Fatalf("seed %d: after %s it runs differently:\n%s\nnot:\n%s\nbefore:\n%s\nafter:\n%s", seed, pass, got, want, before, text)
			}
			before = text
		})
		if len(before) < len(input) {
			shrunk++
		}
		// What the pipeline has settled stays as it is.
		settled := !strings.HasSuffix(last, fmt.Sprint(" ", ssa.MaxRounds))
		for _, p := range ssa.Passes() {
			if settled && p.RunOn(m) {
				t.Errorf("seed %d: %s still changes the result:\n%s\ninto:\n%s", seed, p.Name, before, m)
			}
		}
		again := ssa.RandomModule(seed)
		ssa.Optimize(again, nil)
		if again.String() != before {
			t.Errorf("seed %d: two runs of the pipeline differ", seed)
		}
	}
	if shrunk < ran*9/10 || ran < int(seeds)*9/10 {
		t.Errorf("of %d modules %d ran and %d shrank: the generator has lost its bite", seeds, ran, shrunk)
	}
}

// TestHoistRandom launches kernels and what is left of them without the checks that
// the launch answers, where it does.
func TestHoistRandom(t *testing.T) {
	seeds := uint64(*seeds)
	if testing.Short() {
		seeds = 100
	}
	hoisted, held := 0, 0
	for seed := range seeds {
		m := ssa.RandomModule(seed)
		ssa.Optimize(m, nil)
		k := m.Kernels()[0]
		before := k.String()
		fast, test := ssa.HoistChecks(k)
		if k.String() != before {
			t.Fatalf("seed %d: the kernel is changed", seed)
		}
		if fast == nil {
			continue
		}
		hoisted++
		m.Funcs = append(m.Funcs, fast)
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, fast)
		}
		for _, n := range []int64{-2, 0, 3, 8} {
			for _, threads := range []int64{1, 4, 9} {
				a, b := newArguments(), newArguments()
				for _, x := range []*arguments{a, b} {
					x.bytes[0] = interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n)))
				}
				if !test.Holds([]int64{threads}, a.bytes) {
					continue
				}
				held++
				want, ended := launch(k, a, threads)
				if got, _ := launch(fast, b, threads); ended && got != want {
					t.Fatalf("seed %d, n %d, %d threads: it runs differently:\n%s\nnot:\n%s\n%s\n%s\n%+v", seed, n, threads, got, want, k, fast, test)
				}
			}
		}
	}
	if hoisted < int(seeds)/10 || held < hoisted {
		t.Errorf("of %d kernels %d have checks for the launch, which held %d times: the generator has lost its bite", seeds, hoisted, held)
	}
}
