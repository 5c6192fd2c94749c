package corpus

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/nvrtc"
	"github.com/qdgen/qd/nvrtc/cubin"
)

// archs are the architectures that the CUDA is compiled for: that of every kernel, and one that those with tiles are compiled for
// too, whose text has parts for each, and some of the others, where what differs is NVRTC's part.
var archs = []string{"sm_90", "sm_80"}

// TestNVRTC compiles the CUDA of every kernel to PTX and to a cubin.
func TestNVRTC(t *testing.T) {
	compiles(t)
	lib, err := nvrtc.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	forEachKernel(t, func(t *testing.T, f *File, k *Kernel) {
		m := optimized(t, f, k)
		text := emitCUDA(m)
		for i, arch := range archs {
			if i > 0 && !strings.HasPrefix(f.Name, "tiles_") && crc32.ChecksumIEEE([]byte(k.Name))%4 != 0 {
				continue
			}
			r, err := testcache.CompileCUDA(lib, text, k.Name+".cu", nvrtc.Options{Arch: arch})
			if err != nil {
				t.Fatalf("%s: %v", arch, err)
			}
			if r.Log != "" {
				t.Errorf("%s: NVRTC says\n%s", arch, r.Log)
			}
			for _, k := range m.Device().Kernels() {
				checkPTX(t, string(r.PTX), arch, emit.Symbol(k))
				checkCubin(t, r.Cubin, arch, emit.Symbol(k))
			}
		}
	})
}

// checkPTX demands that a PTX text is for the architecture and has the kernel.
func checkPTX(t *testing.T, ptx, arch, symbol string) {
	t.Helper()
	if !strings.Contains(ptx, ".target "+arch) {
		t.Errorf("%s: the PTX is not for it", arch)
	}
	if !strings.Contains(ptx, ".entry "+symbol+"(") {
		t.Errorf("%s: the PTX has no kernel %s", arch, symbol)
	}
}

// checkCubin demands that a cubin is for the architecture and has the kernel, and that
// what it costs can be read.
func checkCubin(t *testing.T, data []byte, arch, symbol string) {
	t.Helper()
	file, err := cubin.Read(data)
	if err != nil {
		t.Errorf("%s: %v", arch, err)
		return
	}
	if got := fmt.Sprintf("sm_%d", file.Arch); got != arch {
		t.Errorf("%s: the cubin is for %s", arch, got)
	}
	i := slices.IndexFunc(file.Kernels, func(k *cubin.Kernel) bool { return k.Name == symbol })
	if i < 0 {
		t.Errorf("%s: the cubin has no kernel %s", arch, symbol)
	} else if k := file.Kernels[i]; k.Registers == 0 || k.Registers > 255 || k.Code == 0 || k.Params == 0 ||
		k.Local < k.Frame && (k.Local != -1 || len(k.Functions) == 0) { // a function that calls itself has a stack without a bound
		t.Errorf("%s: %s costs %+v", arch, symbol, *k)
	}
}

// TestNoContraction demands that NVRTC fuses no multiplication with an addition:
// Go rounds twice.
func TestNoContraction(t *testing.T) {
	lib, err := nvrtc.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	checked := 0
	for _, f := range files {
		if f.Name != "float32_stays" && f.Name != "arith_float32" && f.Name != "arith_float64" && f.Name != "prog_saxpy" {
			continue
		}
		for _, k := range f.Kernels {
			r, err := testcache.CompileCUDA(lib, emitCUDA(optimized(t, f, k)), k.Name+".cu", nvrtc.Options{Arch: archs[0]})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(r.PTX), "fma.rn") {
				t.Errorf("the PTX of %s has a fused multiply-add:\n%s", k.Name, r.PTX)
			}
			checked++
		}
	}
	if checked < 4 {
		t.Errorf("only %d kernels checked", checked)
	}
}
