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

var seeds = flag.Int("seeds", 1000, "random modules to try")

// run is all that is seen of the module's kernel on two threads: what it prints, what
// stops it, and its memory.
func run(m *ssa.Module) (seen string, ended bool) {
	var out strings.Builder
	var memory interp.Buffers
	ints, floats := new(bytes.Buffer), new(bytes.Buffer)
	binary.Write(ints, binary.LittleEndian, []int64{3, 1, 4, 1, 5, 9, 2, -6})
	binary.Write(floats, binary.LittleEndian, []float32{0.5, -2, 1e30, 0})
	s := interp.SliceArg(memory.Add(ints.Bytes()), 8)
	fs := interp.SliceArg(memory.Add(floats.Bytes()), 4)

	vecs := new(bytes.Buffer) // of four {x float32, n int64}
	binary.Write(vecs, binary.LittleEndian, []uint64{0x3f800000, 1, 0x40000000, 2, 0, 3, 0x7f800000, 4})
	vs := interp.SliceArg(memory.Add(vecs.Bytes()), 4)

	p := interp.Compile(m.Kernels()[0])
	for thread := range int64(2) {
		env := &interp.Env{Memory: &memory, Steps: 20000, Place: interp.Place{
			Flat: thread, ID: [4]int64{thread}, Dim: [4]int64{16, 1, 1, 1},
		}}
		env.Printf = func(in *ssa.Instr, args []uint64) error {
			fmt.Fprintln(&out, "format", in.Format, args)
			return nil
		}
		number := func(t ssa.Type, x int64) []byte { return interp.Scalar(t, ssa.IntConst(t, uint64(x))) }
		_, err := p.Run(env, [][]byte{number(ssa.Int64, thread*7), number(ssa.Int32, thread-3), number(ssa.Uint8, 200),
			interp.Scalar(ssa.Float32, ssa.Float32Const(1.5)), interp.Scalar(ssa.Float64, ssa.Float64Const(-math.Pi)), {byte(thread)}, s, fs, vs, vecs.Bytes()[:16]})
		if errors.Is(err, interp.ErrSteps) {
			return "", false
		}
		fmt.Fprintln(&out, err, ints.Bytes(), floats.Bytes(), vecs.Bytes())
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
		before := input
		ssa.Optimize(m, func(pass string, m *ssa.Module) {
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
		for _, p := range ssa.Passes() {
			if p.RunOn(m) {
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
