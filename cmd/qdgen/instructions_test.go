package main

import (
	words "encoding/binary"
	"os"
	"testing"

	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/nvrtc"
)

// Operations of the machine code of sm_80 and sm_90: the lowest twelve bits of an instruction of 128.
const (
	opBRA  = 0x947
	opNOP  = 0x918
	opFMUL = 0x220
)

// A machineLoop is a loop of machine code: from the target of a branch back to the branch.
type machineLoop struct{ instructions, products int }

// loopsOf are the loops of machine code that have no other loop in them, and how many instructions there are at all.
func loopsOf(code []byte, arch string) (loops []machineLoop, all int) {
	type span struct{ from, to int }
	var spans []span
	n := len(code) / 16
	low := func(i int) uint64 { return words.LittleEndian.Uint64(code[16*i:]) }
	for i := range n {
		switch low(i) & 0xfff {
		case opNOP:
			continue
		case opBRA:
			// The distance in bytes from the next instruction is 4 times a signed number of 48 bits, from bit 34 on. In sm_90
			// the eight bits from bit 16 on are below these.
			distance := int(int64((low(i)>>34|words.LittleEndian.Uint64(code[16*i+8:])<<30)<<16) >> 16)
			if arch == "sm_90" {
				distance = distance<<8 | int(low(i)>>16&0xff)
			}
			to := i + 1 + distance*4/16
			if to == i { // behind the last instruction
				continue
			}
			if to < i {
				spans = append(spans, span{to, i})
			}
		}
		all++
	}
	for _, s := range spans {
		inner := true
		for _, o := range spans {
			inner = inner && (o == s || o.from < s.from || o.to > s.to)
		}
		if !inner {
			continue
		}
		l := machineLoop{instructions: s.to + 1 - s.from}
		for i := s.from; i <= s.to; i++ {
			if low(i)&0xfff == opFMUL {
				l.products++
			}
		}
		loops = append(loops, l)
	}
	return loops, all
}

// The kernels of the benchmark have no more instructions than what a CUDA programmer writes with indices of 32 bits,
// compiled by the same NVRTC: where threads loop, in a turn of the innermost loop; else in all. A compiler may do
// several turns at once: products tell how many there are.
func TestInstructionsBesideCUDA(t *testing.T) {
	lib, err := nvrtc.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	native, err := os.ReadFile("../../bench/native/native.cu")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		kernel, native string
		products       int     // of a turn, 0 without a loop
		most           float64 // as much as in hand-written CUDA
	}{
		{"saxpy", "native_saxpy", 0, 1.1},
		{"heat", "native_heat", 0, 1.1},
		{"blur", "native_blur", 1, 1.1},
		{"matmulThread", "native_matmul", 16, 1.1},
		{"matmulBlock", "native_matmul", 16, 1.1}, // its lanes are as many as a block has threads, so that they are no loops
	} {
		source := qdgen(t, ".", nil, "emit", "../../bench", "--kernel", tt.kernel, "--target", "cuda").stdout
		for _, arch := range []string{"sm_80", "sm_90"} {
			count := func(source, kernel string) float64 {
				made, err := testcache.CompileCUDA(lib, source, "k.cu", nvrtc.Options{Arch: arch})
				if err != nil {
					t.Fatal(err)
				}
				loops, all := loopsOf(codeOf(t, made.Cubin, kernel), arch)
				t.Logf("%s on %s: %d instructions, loops %v", kernel, arch, all, loops)
				if tt.products == 0 {
					return float64(all)
				}
				best := machineLoop{}
				for _, l := range loops {
					if l.products > best.products {
						best = l
					}
				}
				if best.products == 0 || best.products%tt.products != 0 {
					t.Fatalf("%s on %s: %d products in a loop, of which a turn has %d", kernel, arch, best.products, tt.products)
				}
				return float64(best.instructions*tt.products) / float64(best.products)
			}
			ours, theirs := count(source, tt.kernel), count(string(native), tt.native)
			if ours > tt.most*theirs {
				t.Errorf("%s on %s has %.1f instructions, hand-written CUDA %.1f", tt.kernel, arch, ours, theirs)
			}
		}
	}
}
