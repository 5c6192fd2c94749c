package cubin_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/nvrtc"
	"github.com/qdgen/qd/nvrtc/cubin"
)

func TestMain(m *testing.M) {
	testenv.Setup()
	os.Exit(m.Run())
}

// source has a kernel for each thing that a kernel can cost.
const source = `
__constant__ int table[10];
__device__ int counter;

static __device__ __noinline__ float pick(float x, int n) {
	float a[8];
	for (int i = 0; i < 8; i++) a[i] = x * i;
	return a[n & 7];
}

extern "C" __global__ void calls(float* p, int n) { p[n] = pick(p[n], n); }

extern "C" __global__ void plain(float* p, int n) { p[n] += table[n] + counter; }

extern "C" __global__ void __launch_bounds__(96, 2) sharing(float* p, int n) {
	__shared__ float s[100];
	s[threadIdx.x] = p[threadIdx.x];
	__syncthreads();
	p[n] = s[n];
}

extern "C" __global__ void __launch_bounds__(1024) spilling(float* p, int n) {
	float v[200];
#line 10 "spill.go"
	for (int i = 0; i < 200; i++) v[i] = p[i * n];
#line 11 "spill.go"
	for (int r = 0; r < n; r++) {
#pragma unroll
#line 12 "spill.go"
		for (int i = 0; i < 200; i++) v[i] = v[i] * v[(i + 1) % 200] + v[(i + 5) % 200];
	}
#line 20 "spill.go"
	for (int i = 0; i < 200; i++) p[i] = v[i];
}

#line 100 "lib.go"
static __device__ float get(const float* v, int i) {
#line 101 "lib.go"
	return v[i] * 3.0f;
}

extern "C" __global__ void indexing(float* p, int n) {
#line 30 "index.go"
	float v[33];
#pragma unroll 1
#line 31 "index.go"
	for (int i = 0; i < 33; i++) v[i] = p[i];
#line 32 "index.go"
	p[n] = get(v, p[n] > 0 ? n : 3);
}
`

// versions are the architectures that each NVRTC is tried with: before sm_70 code has
// another encoding, and from ABI 8 on (all of CUDA 13) the ELF file another form.
var versions = []struct {
	major int
	archs []string
}{
	{11, []string{"sm_52", "sm_80", "sm_90"}},
	{12, []string{"sm_60", "sm_90"}},
	{13, []string{"sm_75", "sm_90", "sm_120"}},
}

// library finds the NVRTC of a major version among those of this machine and those that
// scripts/setup.sh --all installs.
func library(t testing.TB, major int) *nvrtc.Library {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("NVRTC is used on Linux only")
	}
	for _, dir := range []string{"", filepath.Join(os.Getenv("QD_TOOLS"), fmt.Sprintf("nvrtc-cu%d", major))} {
		t.Setenv("QD_NVRTC", dir)
		if lib, err := nvrtc.FindUpTo(major); err == nil {
			if found, _ := lib.Version(); found == major {
				return lib
			}
		}
	}
	err := fmt.Errorf("this machine has no NVRTC %d; run scripts/setup.sh --all", major)
	if major == 13 { // the one that setup installs
		testenv.Missing(t, err)
	}
	t.Skip(err)
	return nil
}

// build compiles source.
func build(t testing.TB, lib *nvrtc.Library, o nvrtc.Options) *nvrtc.Result {
	t.Helper()
	r, err := testcache.CompileCUDA(lib, source, "source.cu", o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func forEach(t *testing.T, f func(t *testing.T, major int, arch string, r *nvrtc.Result)) {
	for _, v := range versions {
		for _, arch := range v.archs {
			t.Run(fmt.Sprintf("CUDA %d %s", v.major, arch), func(t *testing.T) {
				f(t, v.major, arch, build(t, library(t, v.major), nvrtc.Options{Arch: arch, LineInfo: true, Usage: true}))
			})
		}
	}
}

func TestRead(t *testing.T) {
	forEach(t, func(t *testing.T, major int, arch string, r *nvrtc.Result) {
		f, err := cubin.Read(r.Cubin)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("sm_%d", f.Arch); got != arch {
			t.Errorf("it is for %s", got)
		}
		if f.Constant < 40 || f.Constant > 100 || f.Global != 4 { // the table, and addresses of variables
			t.Errorf("%d bytes of constant memory, %d of global memory", f.Constant, f.Global)
		}
		var names []string
		for _, k := range f.Kernels {
			names = append(names, k.Name)
			if k.Registers < 4 || k.Registers > k.MaxRegisters || k.MaxRegisters > 255 {
				t.Errorf("%s: %d registers of %d", k.Name, k.Registers, k.MaxRegisters)
			}
			if k.Params != 12 || k.Constant < 300+k.Params || k.Code < 128 || k.Code%8 != 0 {
				t.Errorf("%s: %d bytes of parameters in %d of constant memory, %d of code", k.Name, k.Params, k.Constant, k.Code)
			}
			if k.Local < k.Frame {
				t.Errorf("%s: %d bytes of local memory, but a frame of %d", k.Name, k.Local, k.Frame)
			}
			if wants := k.Name == "sharing"; (k.Shared == 400) != wants || !wants && k.Shared != 0 {
				t.Errorf("%s: %d bytes of shared memory", k.Name, k.Shared)
			}
			if want := map[string]int{"sharing": 96, "spilling": 1024}[k.Name]; k.MaxThreads != want {
				t.Errorf("%s: blocks of %d threads, want %d", k.Name, k.MaxThreads, want)
			}
		}
		if want := []string{"calls", "indexing", "plain", "sharing", "spilling"}; !slices.Equal(names, want) {
			t.Fatalf("kernels %v, want %v", names, want)
		}
		calls, indexing, plain, spilling := f.Kernels[0], f.Kernels[1], f.Kernels[2], f.Kernels[4]

		if plain.Frame != 0 || plain.Local != 0 || len(plain.Accesses) != 0 || len(plain.Functions) != 0 {
			t.Errorf("%+v", *plain)
		}
		if len(calls.Functions) != 1 || calls.Functions[0].Name != "_Z4pickfi" && !strings.HasSuffix(calls.Functions[0].Name, "4pickEfi") {
			t.Errorf("functions that are not inlined: %+v", calls.Functions)
		} else if fn := calls.Functions[0]; fn.Code == 0 || fn.Offset == 0 || fn.Offset+fn.Code > calls.Code || calls.Local != 32 {
			t.Errorf("%+v in %+v", *fn, *calls)
		}

		// An array that is indexed at run time is no spill, whatever the version. Where it
		// comes from is known through the functions that were inlined.
		if indexing.Frame < 132 || indexing.Frame > 144 || indexing.Annotated() {
			t.Errorf("%+v", *indexing)
		}
		stored, loaded := false, false
		for _, a := range indexing.Accesses {
			switch {
			case a.Store:
				stored = stored || where(a) == "index.go:31"
			default:
				loaded = loaded || where(a) == "lib.go:101 < index.go:32"
			}
			if a.Bytes != 4 {
				t.Errorf("an access of %d bytes to float32s", a.Bytes)
			}
		}
		if !stored || !loaded {
			t.Errorf("accesses %+v", indexing.Accesses)
		}

		// All accesses are spills, as many as the assembler says. From CUDA 12 on they are
		// marked as what they are.
		usage := r.Usage()["spilling"]
		if usage.SpillStores < 100 || usage.SpillLoads < 100 {
			t.Errorf("the assembler says %+v\n%s", usage, r.Log)
		}
		if spilling.Frame < 16 || spilling.MaxRegisters != 64 || spilling.Annotated() != (major >= 12) {
			t.Errorf("frame of %d bytes, %d registers, annotated: %t", spilling.Frame, spilling.MaxRegisters, spilling.Annotated())
		}
		stores, loads := 0, 0
		for _, a := range spilling.Accesses {
			if a.Spill != (major >= 12) {
				t.Errorf("%+v", a)
			}
			if a.Store {
				stores += a.Bytes
			} else {
				loads += a.Bytes
			}
			if !strings.HasPrefix(where(a), "spill.go:") {
				t.Errorf("a spill at %s", where(a))
			}
		}
		if stores != usage.SpillStores || loads != usage.SpillLoads {
			t.Errorf("instructions store %d bytes and load %d, the assembler says %+v", stores, loads, usage)
		}
	})
}

// where writes the lines of an access, the calls after the line.
func where(a cubin.Access) string {
	var list []string
	for _, l := range a.Lines {
		list = append(list, fmt.Sprintf("%s:%d", filepath.Base(l.File), l.Line))
	}
	return strings.Join(list, " < ")
}

// Without line information all the rest is there.
func TestReadWithoutLines(t *testing.T) {
	f, err := cubin.Read(build(t, library(t, 13), nvrtc.Options{Arch: "sm_90"}).Cubin)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range f.Kernels {
		for _, a := range k.Accesses {
			if a.Lines != nil {
				t.Errorf("%s: %+v", k.Name, a)
			}
		}
		if k.Registers == 0 || (k.Name == "spilling") != k.Annotated() {
			t.Errorf("%+v", *k)
		}
	}
}

// What is no cubin, and what is only a part of one, is an error.
func TestDamaged(t *testing.T) {
	whole := build(t, library(t, 13), nvrtc.Options{Arch: "sm_90", LineInfo: true}).Cubin
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Skip(err)
	}
	for name, data := range map[string][]byte{
		"nothing":         nil,
		"text":            []byte("// PTX, say"),
		"magic alone":     []byte(elf.ELFMAG),
		"this program":    self,
		"half":            whole[:len(whole)/2],
		"without its end": whole[:len(whole)-1],
	} {
		var fe *cubin.FormatError
		if f, err := cubin.Read(data); !errors.As(err, &fe) || f != nil || fe.Error() == "" {
			t.Errorf("%s: %v, error %v", name, f, err)
		}
	}
	spoil := func(name, section string, change func(b []byte), want string) {
		t.Helper()
		f, err := elf.NewFile(bytes.NewReader(patched(whole)))
		if err != nil {
			t.Fatal(err)
		}
		s := f.Section(section)
		if s == nil {
			t.Fatalf("no section %s", section)
		}
		data := slices.Clone(whole)
		change(data[s.Offset : s.Offset+s.FileSize])
		_, err = cubin.Read(data)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
	spoil("format of an attribute", ".nv.info.spilling", func(b []byte) { b[0] = 9 }, "section .nv.info.spilling: an attribute is of no known format")
	spoil("length of an attribute", ".nv.info", func(b []byte) { binary.LittleEndian.PutUint16(b[2:], 60000) }, "section .nv.info: an attribute is longer than the section")
	spoil("version of lines", ".debug_line", func(b []byte) { b[4] = 5 }, "section .debug_line: line information of DWARF 5")
	spoil("length of lines", ".debug_line", func(b []byte) { binary.LittleEndian.PutUint32(b, 1<<30) }, "section .debug_line: it is cut off")
	spoil("end of lines", ".debug_line", func(b []byte) { b[len(b)-1] = 0x20 }, "section .debug_line: ")
	spoil("symbol of a line", ".rela.debug_line", func(b []byte) { binary.LittleEndian.PutUint64(b[8:], 1<<60) }, "a relocation names no symbol")
}

// patched is a cubin as package elf takes it.
func patched(b []byte) []byte {
	b = slices.Clone(b)
	binary.LittleEndian.PutUint32(b[20:], 1)
	return b
}

// Damage anywhere gives an error or an answer, and never a panic.
func TestDamagedAnywhere(t *testing.T) {
	for _, v := range []struct {
		major int
		arch  string
	}{{11, "sm_80"}, {13, "sm_90"}} {
		t.Run(fmt.Sprint("CUDA ", v.major), func(t *testing.T) {
			whole := build(t, library(t, v.major), nvrtc.Options{Arch: v.arch, LineInfo: true}).Cubin
			for n := 0; n < len(whole); n += 509 {
				_, _ = cubin.Read(whole[:n])
			}
			for n := 0; n < len(whole); n += 23 {
				data := slices.Clone(whole)
				data[n] ^= byte(0xff >> (n % 8))
				_, _ = cubin.Read(data)
			}
		})
	}
}

// indexed is a small source with accesses to local memory and a function inlined.
const indexed = `
static __device__ int get(const int* v, int i) { return v[i]; }
extern "C" __global__ void indexed(int* p, int n) {
	int v[9];
#pragma unroll 1
	for (int i = 0; i < 9; i++) v[i] = p[i];
	p[n] = get(v, p[n]);
}
`

func FuzzRead(f *testing.F) {
	f.Add([]byte(elf.ELFMAG))
	for _, name := range []string{"nvrtc", "nvrtc-cu12", "nvrtc-cu11"} {
		f.Setenv("QD_NVRTC", filepath.Join(os.Getenv("QD_TOOLS"), name))
		lib, err := nvrtc.Find()
		if err != nil {
			continue // what there is will do
		}
		r, err := lib.Compile(indexed, "indexed.cu", nvrtc.Options{Arch: "sm_80", LineInfo: true})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(r.Cubin)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := cubin.Read(data)
		if (file == nil) != (err != nil) {
			t.Errorf("%v, error %v", file, err)
		}
	})
}
