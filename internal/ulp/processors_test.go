package ulp

import (
	"errors"
	"fmt"
	"hash/crc64"
	"math"
	"os"
	"os/exec"
	"regexp"
	"testing"
	"unsafe"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/single"
)

// Exp32 is e to the power of the numbers whose bits are first, first+step and so on.
//
//qd:kernel
func Exp32(t qd.Thread, first, step uint32, y []float32) {
	y[t.ID()] = qd.Exp(math.Float32frombits(first + uint32(t.ID())*step))
}

// Log32 is the logarithm of the numbers whose bits are first, first+step and so on.
//
//qd:kernel
func Log32(t qd.Thread, first, step uint32, y []float32) {
	y[t.ID()] = qd.Log(math.Float32frombits(first + uint32(t.ID())*step))
}

// Exp and Log of float32 multiply and add in one operation where the processor has it and products are exact, and give
// the same results where it has two. QD_ALL_FLOATS=1 looks at all numbers. A process has one compiler, so that another
// process has the other one.
func TestExpOnAllProcessors(t *testing.T) {
	onAllProcessors(t, Exp32, -0x1.d2259ap+3, 0x1.45e742p+6, -103.9)
}

func TestLogOnAllProcessors(t *testing.T) {
	onAllProcessors(t, Log32, 0x1.827a74p-7, 0x1.2f1fd6p+3)
}

// onAllProcessors compares what a kernel gives for many numbers and for hard ones.
func onAllProcessors(t *testing.T, kernel func(qd.Thread, uint32, uint32, []float32), hard ...float32) {
	const other = "QD_ULP_OTHER"
	results := digests(t, kernel, hard)
	if os.Getenv(other) != "" {
		fmt.Println(results)
		return
	}
	compiler, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), other+"=1", "QD_CXX="+compiler.Path+" -U__FMA__ -U__ARM_FEATURE_FMA")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := regexp.MustCompile(`(?m)^\[.*\]$`).FindString(string(out)); got != fmt.Sprint(results) {
		t.Errorf("digests of the results are\n%v, and without the operation\n%v", results, got)
	}
}

// digests are digests of what a kernel gives for many numbers, or for all.
func digests(t *testing.T, kernel func(qd.Thread, uint32, uint32, []float32), hard []float32) (digests []uint64) {
	dev := open(t)
	n, step := 1<<20, uint32(4093)
	if os.Getenv("QD_ALL_FLOATS") != "" {
		n, step = 1<<24, 1
	}
	y, table := make([]float32, n), crc64.MakeTable(crc64.ECMA)
	digest := func(first uint32, y []float32) {
		if err := dev.Launch(kernel, qd.Dim(len(y)), first, step, y); err != nil {
			t.Fatal(err)
		}
		for i, v := range y {
			if v != v {
				y[i] = 2 // any NaN is as good as another one
			}
		}
		digests = append(digests, crc64.Checksum(unsafe.Slice((*byte)(unsafe.Pointer(&y[0])), 4*len(y)), table))
	}
	for first := uint64(0); first < 1<<32; first += uint64(n) * uint64(step) {
		digest(uint32(first), y)
	}
	for _, x := range hard {
		digest(math.Float32bits(x), y[:1])
	}
	return digests
}

// The functions that compute in float32 give the same on devices cpu and go, to the bit. QD_ALL_FLOATS=1 looks at all numbers.
func TestSingleOnDevices(t *testing.T) {
	dev := open(t)
	goes, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	n, step := 1<<18, uint32(16381)
	if os.Getenv("QD_ALL_FLOATS") != "" {
		n, step = 1<<24, 1
	}
	x, y, z := make([]float32, n), make([]float32, n), make([]float32, n)
	for k, f := range functions {
		if single.Functions[f.name] == nil {
			continue
		}
		for first := uint64(0); first < 1<<32; first += uint64(n) * uint64(step) {
			for i := range x {
				x[i] = math.Float32frombits(uint32(first) + uint32(i)*step)
			}
			if err := errors.Join(dev.Launch(Map32, qd.Dim(n), k, x, x, y), goes.Launch(Map32, qd.Dim(n), k, x, x, z)); err != nil {
				t.Fatal(err)
			}
			for i, x := range x {
				if math.Float32bits(y[i]) != math.Float32bits(z[i]) && (y[i] == y[i] || z[i] == z[i]) {
					t.Fatalf("%s(%x) is %x on device cpu, %x on device go", f.name, x, y[i], z[i])
				}
			}
		}
	}
}
