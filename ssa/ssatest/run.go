package ssatest

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

// Seeds is a flag of the tests that run random modules.
var Seeds = flag.Int("seeds", 600, "random modules to try")

// Trials is how many seeds a test tries: fewer with the flag -short.
func Trials() uint64 {
	if testing.Short() {
		return 100
	}
	return uint64(*Seeds)
}

// Run is all that is seen of the module's kernel on two threads: what it prints, what
// stops it, and its memory.
func Run(m *ssa.Module) (seen string, ended bool) {
	return Launch(m.Kernels()[0], NewArguments(), 2)
}

// Arguments are those of the kernel of a random module after its Thread.
type Arguments struct {
	Memory             interp.Buffers
	Ints, Floats, Vecs []byte
	Bytes              [][]byte
}

// NewArguments makes them anew, so that two runs find the same memory.
func NewArguments() *Arguments {
	buffer := func(data any) []byte {
		var b bytes.Buffer
		if err := binary.Write(&b, binary.LittleEndian, data); err != nil {
			panic(err)
		}
		return b.Bytes()
	}
	a := &Arguments{Ints: buffer([]int64{3, 1, 4, 1, 5, 9, 2, -6}), Floats: buffer([]float32{0.5, -2, 1e30, 0}),
		Vecs: buffer([]uint64{0x3f800000, 1, 0x40000000, 2, 0, 3, 0x7f800000, 4})} // of four {x float32, n int64}
	number := func(t ssa.Type, x int64) []byte { return interp.Scalar(t, ssa.IntConst(t, uint64(x))) }
	a.Bytes = [][]byte{number(ssa.Int64, 7), number(ssa.Int32, -3), number(ssa.Uint8, 200),
		interp.Scalar(ssa.Float32, ssa.Float32Const(1.5)), interp.Scalar(ssa.Float64, ssa.Float64Const(-math.Pi)), {1},
		interp.SliceArg(a.Memory.Add(a.Ints), 8), interp.SliceArg(a.Memory.Add(a.Floats), 4), interp.SliceArg(a.Memory.Add(a.Vecs), 4), bytes.Clone(a.Vecs[:16])}
	return a
}

// BlockDim is the number of threads in a block of a Launch.
const BlockDim = 4

// Launch runs threads of a kernel, or blocks of a Block kernel, one after the other.
func Launch(k *ssa.Func, a *Arguments, threads int64) (seen string, ended bool) {
	var out strings.Builder
	p := interp.Compile(k)
	for thread := range threads {
		env := &interp.Env{Memory: &a.Memory, Steps: 20000, Place: interp.Place{
			Flat: thread, ID: [4]int64{thread}, Dim: [4]int64{threads, 1, 1, 1},
			Lane: thread % BlockDim, Block: thread / BlockDim, BlockDim: BlockDim,
		}}
		if k.Kind == ssa.BlockKernel {
			env.Place.Block, env.Place.BlockIndex = thread, env.Place.ID
		}
		env.Printf = func(in *ssa.Instr, args []uint64) error {
			fmt.Fprintln(&out, "format", in.Format, args)
			return nil
		}
		_, err := p.Run(env, a.Bytes)
		if errors.Is(err, interp.ErrSteps) {
			return "", false
		}
		fmt.Fprintln(&out, err, a.Ints, a.Floats, a.Vecs)
	}
	return out.String(), true
}
