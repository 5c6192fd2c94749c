package main

import (
	words "encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/nvrtc"
)

// Operations of the machine code of sm_80 and sm_90: the lowest twelve bits of an instruction of 128.
var operations = map[uint64]string{
	0x23c: "HMMA", 0x237: "IMMA", 0x23f: "DMMA", 0x223: "FFMA", 0x983: "LDL", 0x387: "STL", 0xfae: "LDGSTS",
}

// The products of tiles are computed on the tensor cores, each by as many instructions as its sizes imply. Their
// operands are copied 16 bytes at once, but for those of a batch, which are copied from the tile that has all matrices,
// and nothing is in local memory.
func TestTensorCores(t *testing.T) {
	lib, err := nvrtc.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	for _, tt := range []struct {
		kernel, operation string
		want              int // in the turn of the loop, for a warp that has 32 x 16 elements of the sum
	}{
		{"float16", "HMMA", 2 * 2 * 32 / 16},  // of 16 x 8 elements and 16 products
		{"bfloat16", "HMMA", 2 * 2 * 32 / 16}, // the same
		{"eight", "IMMA", 2 * 2 * 64 / 32},    // and 32 products
		{"tf32", "HMMA", 2 * 2 * 32 / 8},      // and 8 products
		{"batch", "HMMA", 4 * 32 / 16},        // for its four matrices, of which a warp has 16 x 8 elements each
		{"doubles", "DMMA", 4 * 2 * 16 / 4},   // of 8 x 8 elements and 4 products
		{"single", "FFMA", 32 * 16 / 32 * 4},  // of one element, for the 4 products that are read at once
	} {
		source := qdgen(t, ".", nil, "emit", "./testdata/tensor", "--kernel", tt.kernel, "--target", "cuda").stdout
		for _, arch := range []string{"sm_75", "sm_80", "sm_90"} {
			made, err := testcache.CompileCUDA(lib, source, tt.kernel+".cu", nvrtc.Options{Arch: arch})
			if err != nil {
				t.Fatal(err)
			}
			found := map[string]int{}
			for code := codeOf(t, made.Cubin, tt.kernel); len(code) >= 16; code = code[16:] {
				name := operations[words.LittleEndian.Uint64(code)&0xfff]
				if name == "LDGSTS" && words.LittleEndian.Uint64(code[8:])>>9&7 == 6 {
					name += " of 128 bits"
				}
				found[name]++
			}
			if arch == "sm_75" {
				// It has no such instructions: each thread computes its elements in a plain loop.
				if found["HMMA"]+found["IMMA"]+found["DMMA"]+found["LDL"]+found["STL"] > 0 {
					t.Errorf("%s on %s: %v", tt.kernel, arch, found)
				}
				continue
			}
			if found[tt.operation] != tt.want || found["LDL"] > 0 || found["STL"] > 0 || found["LDGSTS of 128 bits"] == 0 && tt.kernel != "batch" {
				t.Errorf("%s on %s: %d %s, not %d; all: %v", tt.kernel, arch, found[tt.operation], tt.operation, tt.want, found)
			}
		}
	}
}

// In a pipeline a turn begins to copy before it multiplies, and waits for older groups of copies only.
func TestTensorStages(t *testing.T) {
	if _, err := nvrtc.Find(); err != nil {
		testenv.Missing(t, err)
	}
	for stages := 1; stages <= 4; stages++ {
		emitted := func(target string) string {
			return qdgen(t, ".", nil, "emit", "./testdata/tensor", "--kernel", "float16", "--target", target, "--stages", strconv.Itoa(stages)).stdout
		}
		text, ptx, wait := emitted("cuda"), emitted("ptx"), fmt.Sprintf("cp.async.wait_group %d;", stages-2)
		waits, copied, multiply := strings.LastIndex(text, "qd::wait_for_groups<"), strings.LastIndex(text, "qd::copy_row<"), strings.LastIndex(text, "qd::multiply_float16<")
		if copied < 0 || copied > multiply || !strings.Contains(ptx, "mma.sync") || !strings.Contains(ptx, "cp.async.cg") {
			t.Errorf("%d stages: no copies, or no products:\n%s", stages, text)
		}
		if one := stages == 1; one != (waits < 0) || waits > copied || one != strings.Contains(ptx, "cp.async.wait_all") || one == strings.Contains(ptx, wait) {
			t.Errorf("%d stages: the last wait for a group is at %d, the last copy at %d, the product at %d:\n%s", stages, waits, copied, multiply, text)
		}
	}
}
