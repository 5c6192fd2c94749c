package tiles_test

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/randprog"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
)

var (
	programs = flag.Int("programs", 60, "random kernels to run")
	firstOf  = flag.Uint64("first", 1, "the seed of the first random kernel")
)

// library is the source of packages qd and tile.
func library(t testing.TB) load.Map {
	t.Helper()
	own := load.Map{}
	for path, dir := range map[string]string{load.QDPath: "../../..", load.TilePath: "../../../tile"} {
		pkg := &load.Package{Path: path}
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			pkg.Files = append(pkg.Files, load.File{Name: filepath.Base(name), Src: text})
		}
		own[path] = pkg
	}
	return own
}

// upTo is a kernel of a Go file, taken to the end of a stage that all pipelines have.
func upTo(t testing.TB, lib load.Map, source string, last *compile.Stage) *ssa.Module {
	t.Helper()
	return along(t, compile.Go, lib, source, last)
}

func along(t testing.TB, way compile.Pipeline, lib load.Map, source string, last *compile.Stage) *ssa.Module {
	t.Helper()
	src := load.Chain(load.Map{"k": {Path: "k", Files: []load.File{{Name: "k.go", Src: []byte(source)}}}}, lib)
	u := &compile.Unit{Pipeline: way, Kernel: load.Ref{Pkg: "k", Name: "k"}, Source: src}
	u.Observe = compile.Verifying(func(err error) { t.Errorf("%v\n%s", err, source) })
	if err := u.RunTo(context.Background(), last); err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return u.Module
}

// elements is how many elements slices have.
const elements = 128

// sameAlong compares what a kernel leaves after the stages for a CPU with what it leaves as it is lowered, and counts
// its operations of a kind.
func sameAlong(t *testing.T, lib load.Map, name, source string, op ssa.Op, count int) {
	t.Helper()
	want, _ := run(t, upTo(t, lib, source, compile.Lower))
	for _, last := range []*compile.Stage{compile.TilesCPU, compile.Optimize} {
		m := along(t, compile.CPU, lib, source, last)
		if got, _ := run(t, m); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s:\n%v\n%v\n%v", name, got, want, m)
		}
		n := 0
		m.Kernels()[0].Body.Walk(func(in *ssa.Instr) {
			if in.Op == op {
				n++
			}
		})
		if n != count {
			t.Errorf("%s: %d operations %v, not %d\n%v", name, n, op, count, m)
		}
	}
}

// run runs two blocks of a kernel, and gives the memory of its slices.
func run(t testing.TB, m *ssa.Module) (seen []uint32, ended bool) {
	t.Helper()
	var memory interp.Buffers
	ints, floats := make([]byte, 4*elements), make([]byte, 4*elements)
	for i := range elements {
		binary.LittleEndian.PutUint32(ints[4*i:], uint32(i*i%23-7))
		binary.LittleEndian.PutUint32(floats[4*i:], math.Float32bits(float32(i*7%19)*0.25-1.5))
	}
	args := [][]byte{binary.LittleEndian.AppendUint64(nil, 3), interp.SliceArg(memory.Add(ints), elements), interp.SliceArg(memory.Add(floats), elements)}
	k := m.Kernels()[0]
	p := interp.Compile(k)
	for block := range int64(2) {
		env := &interp.Env{Memory: &memory, Steps: 4_000_000, Shared: memory.AddShared, Place: interp.Place{Block: block, BlockDim: 32}}
		if _, err := p.Run(env, args); errors.Is(err, interp.ErrSteps) {
			return nil, false
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for i := range elements {
		seen = append(seen, binary.LittleEndian.Uint32(ints[4*i:]))
		f := binary.LittleEndian.Uint32(floats[4*i:])
		if f&0x7fffffff > 0x7f800000 {
			f = 0x7fc00000 // one NaN is as good as another
		}
		seen = append(seen, f)
	}
	return seen, true
}

// reverse has the lanes of parallel loops run in reverse order, which must make no difference.
func reverse(f *ssa.Func) {
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpFor {
			return
		}
		body := in.Blocks[0]
		ins := body.Instrs
		body.Instrs = nil
		other := map[*ssa.Value]*ssa.Value{}
		for i, p := range body.Params {
			one := body.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(ssa.Int64, 1)}, ssa.Int64).Result()
			last := body.Append(&ssa.Instr{Op: ssa.OpSub, Args: []*ssa.Value{in.Args[i], one}}, ssa.Int64).Result()
			other[p] = body.Append(&ssa.Instr{Op: ssa.OpSub, Args: []*ssa.Value{last, p}}, ssa.Int64).Result()
		}
		head := len(body.Instrs)
		body.Instrs = append(body.Instrs, ins...)
		replace := func(in *ssa.Instr) {
			for i, a := range in.Args {
				if other[a] != nil {
					in.Args[i] = other[a]
				}
			}
		}
		for _, x := range body.Instrs[head:] {
			replace(x)
			for _, nested := range x.Blocks {
				nested.Walk(replace)
			}
		}
	})
}

// A tile program means the same as tiles, as memory and loops, and as these are optimized, in whichever order lanes
// run.
func TestRandom(t *testing.T) {
	lib := library(t)
	for seed := *firstOf; seed < *firstOf+uint64(*programs); seed++ {
		source := "package k\n\nimport (\n\t\"github.com/qdgen/qd\"\n\t\"github.com/qdgen/qd/tile\"\n)\n\n" + randprog.TileKernel(seed, "k")
		want, ended := run(t, upTo(t, lib, source, compile.Lower))
		if !ended {
			continue
		}
		lowered := upTo(t, lib, source, compile.Tiles)
		optimized := upTo(t, lib, source, compile.Optimize)
		back := optimized.Clone()
		reverse(back.Kernels()[0])
		if err := ssa.Verify(back); err != nil {
			t.Fatal(err)
		}
		registers := along(t, compile.CUDA, lib, source, compile.Optimize)
		turned := registers.Clone()
		reverse(turned.Kernels()[0])
		vectors := along(t, compile.CPU, lib, source, compile.Optimize)
		other := vectors.Clone()
		reverse(other.Kernels()[0])
		for what, m := range map[string]*ssa.Module{"as memory and loops": lowered, "optimized": optimized, "in vectors": vectors, "in vectors, with lanes in reverse order": other, "in registers": registers, "in registers, with lanes in reverse order": turned, "with lanes in reverse order": back} {
			got, _ := run(t, m)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("seed %d %s:\n%s\n%v\n%v\n%v", seed, what, source, got, want, m)
			}
		}
	}
}
