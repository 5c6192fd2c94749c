package main

import (
	"bytes"
	"debug/elf"
	words "encoding/binary"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/qdgen/qd/cmd/qdgen/cost"
	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/nvrtc"
)

// TestResourcesAreTrue compares the numbers of --resources, which are read from the attributes of the machine code,
// with what the assembler says in its log and with what the machine code does: this test reads both on its own.
func TestResourcesAreTrue(t *testing.T) {
	lib, err := nvrtc.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	for _, tt := range []struct {
		kernel string
		local  bool // its local memory is for spilled values alone
	}{
		{"plain", true}, {"picked", false}, {"summed", false}, {"large", true}, {"many", true}, {"shared", true},
	} {
		t.Run(tt.kernel, func(t *testing.T) {
			var all []*cost.Kernel
			qdgen(t, ".", nil, "emit", "./testdata/cost", "--kernel", tt.kernel, "--resources", "--json", "--arch", "sm_90").parse(t, &all)
			source := qdgen(t, ".", nil, "emit", "./testdata/cost", "--kernel", tt.kernel, "--target", "cuda").stdout
			made, err := testcache.CompileCUDA(lib, source, tt.kernel+".cu", nvrtc.Options{Arch: "sm_90", LineInfo: true, Usage: true})
			if err != nil || len(all) != 1 {
				t.Fatal(err, all)
			}
			k := all[0]
			said := saidOf(t, made.Log, tt.kernel)
			for _, n := range []struct {
				what      string
				got, want int
			}{
				{"registers", k.Registers, said["registers"]},
				{"frame", k.Frame, said["bytes stack frame"]},
				{"spill stores", k.SpillStores, said["bytes spill stores"]},
				{"spill loads", k.SpillLoads, said["bytes spill loads"]},
				{"shared memory", k.Shared, said["bytes smem"]},
			} {
				if n.got != n.want {
					t.Errorf("%s: %d, but the assembler says %d:\n%s", n.what, n.got, n.want, made.Log)
				}
			}
			code := codeOf(t, made.Cubin, tt.kernel)
			if k.Code != len(code) {
				t.Errorf("%d bytes of code, but the section has %d", k.Code, len(code))
			}
			if stores, loads := localBytes(code); tt.local && (stores != k.SpillStores || loads != k.SpillLoads) {
				t.Errorf("instructions store %d and load %d bytes of local memory, but %d and %d are said to be spilled", stores, loads, k.SpillStores, k.SpillLoads)
			}
		})
	}
}

// saidOf are the numbers that the assembler gives for a function, by the words behind them.
func saidOf(t *testing.T, log, function string) map[string]int {
	t.Helper()
	_, about, ok := strings.Cut(log, "Function properties for "+function+"\n")
	if !ok {
		t.Fatalf("the log says nothing of %s:\n%s", function, log)
	}
	about, _, _ = strings.Cut(about, "Compiling entry function")
	said := map[string]int{}
	for _, m := range regexp.MustCompile(`(\d+) (registers|bytes (?:stack frame|spill stores|spill loads|smem))`).FindAllStringSubmatch(about, -1) {
		if _, ok := said[m[2]]; !ok {
			said[m[2]], _ = strconv.Atoi(m[1])
		}
	}
	if said["registers"] == 0 {
		t.Fatalf("the log gives no registers of %s:\n%s", function, log)
	}
	return said
}

// codeOf is the code of a kernel.
func codeOf(t *testing.T, cubin []byte, kernel string) []byte {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(cubin))
	if err != nil {
		t.Fatal(err)
	}
	s := f.Section(".text." + kernel)
	if s == nil {
		t.Fatal("no section has the kernel")
	}
	code, err := s.Data()
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// localBytes is how many bytes the instructions of sm_90 store to local memory and load from it. An instruction has 128
// bits: the lowest twelve are what it does, and bits 73 to 75 the size of what it moves.
func localBytes(code []byte) (stores, loads int) {
	const store, load = 0x387, 0x983
	sizes := [8]int{1, 1, 2, 2, 4, 8, 16, 0}
	for ; len(code) >= 16; code = code[16:] {
		size := sizes[words.LittleEndian.Uint64(code[8:])>>9&7]
		switch words.LittleEndian.Uint64(code) & 0xfff {
		case store:
			stores += size
		case load:
			loads += size
		}
	}
	return stores, loads
}
