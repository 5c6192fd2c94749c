//go:build !race

package qd_test

import (
	"crypto/sha256"
	"hash/crc32"
	"hash/crc64"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	koopman    = crc32.MakeTable(crc32.Koopman)
	iso        = crc64.MakeTable(crc64.ISO)
)

// hostChecksum uses the tables outside of kernels, which changes none of them.
func hostChecksum(text []byte) uint32 {
	return crc32.Checksum(text, castagnoli) + crc32.Update(3, koopman, text) + uint32(crc64.Checksum(text, iso))
}

// checksums takes text of many lengths: longer ones are computed with tables of another form, or in assembly.
//
//qd:kernel
func checksums(t qd.Thread, text []byte, out []int) {
	i := t.ID()
	part, r := text[i:5*i], out[8*i:8*i+8]
	r[0] = int(crc32.ChecksumIEEE(part))
	r[1] = int(crc32.Checksum(part, castagnoli))
	r[2] = int(crc32.Update(uint32(i), koopman, part))
	r[3] = int(crc32.Checksum(part, crc32.MakeTable(uint32(i))))
	r[4] = int(crc64.Checksum(part, iso))
	r[5] = int(crc64.Update(uint64(i), crc64.MakeTable(crc64.ECMA), part))
	r[6] = int(crc32.Checksum(part, crc32.MakeTable(crc32.IEEE)))
}

//qd:kernel
func hashes(t qd.Thread, text []byte, out []int) {
	i := t.ID()
	part := text[i : 5*i]
	for j, b := range sha256.Sum256(part) {
		out[8*i+j/4] = out[8*i+j/4]<<8 | int(b)
	}
	for j, b := range sha256.Sum224(part) {
		out[8*i+j/4] = out[8*i+j/4]<<8 ^ int(b)
	}
}

// TestChecksums computes what the standard library has assembly for, and tables that are filled when they are needed.
func TestChecksums(t *testing.T) {
	if hostChecksum(nil) != 3 {
		t.Error("the checksum of nothing is not what it began with")
	}
	for name, kernel := range map[string]func(t qd.Thread, text []byte, out []int){"crc": checksums, "sha256": hashes} {
		t.Run(name, func(t *testing.T) {
			sameOnCPU(t, func(d *qd.Device) []int {
				const n = 50
				text, out := make([]byte, 5*n), make([]int, 8*n)
				for i := range text {
					text[i] = byte(i * 7919 >> 3)
				}
				if err := qd.NewKernel(kernel).WithDevice(d).Launch(qd.Dim(n), text, out); err != nil {
					t.Fatal(err)
				}
				return out
			})
		})
	}
}

type tableOwner struct {
	n int
	p [1]*crc32.Table
}

//qd:kernel
func comparesTables(t qd.Thread, text []byte, out []int) {
	if p, q := crc32.MakeTable(crc32.Castagnoli), crc32.MakeTable(crc32.Castagnoli); p != nil && p == q {
		out[0] = 1
	}
}

//qd:kernel
func comparesOwners(t qd.Thread, text []byte, out []int) {
	p, q := crc32.MakeTable(crc32.Castagnoli), crc32.MakeTable(crc32.Castagnoli)
	if (tableOwner{1, [1]*crc32.Table{p}}) == (tableOwner{1, [1]*crc32.Table{q}}) {
		out[0] = 1
	}
}

//qd:kernel
func switchesTables(t qd.Thread, text []byte, out []int) {
	switch p := crc64.MakeTable(crc64.ISO); p {
	case nil:
		out[0] = 1
	case crc64.MakeTable(crc64.ISO):
		out[0] = 2
	}
}

//qd:kernel
func comparesAny(t qd.Thread, text []byte, out []int) {
	var p, q any = crc32.MakeTable(crc32.Castagnoli), crc32.MakeTable(crc32.Castagnoli)
	if p == q {
		out[0] = 1
	}
}

//qd:kernel
func convertsTables(t qd.Thread, text []byte, out []int) {
	p, q := crc32.MakeTable(crc32.Castagnoli), crc32.MakeTable(crc32.Castagnoli)
	if (*[256]uint32)(p) == (*[256]uint32)(q) {
		out[0] = 1
	}
}

// isIEEE is true, which a copy of the tables does not tell.
var isIEEE = func() bool {
	switch crc32.MakeTable(crc32.IEEE) {
	case crc32.MakeTable(crc32.IEEE):
		return true
	}
	return false
}()

var isAlsoIEEE = any(crc32.MakeTable(crc32.IEEE)) == any(crc32.MakeTable(crc32.IEEE))

//qd:kernel
func readsCompared(t qd.Thread, text []byte, out []int) {
	if isIEEE {
		out[0]++
	}
}

//qd:kernel
func readsComparedAny(t qd.Thread, text []byte, out []int) {
	if isAlsoIEEE {
		out[0]++
	}
}

// TestComparedTables has variables whose initial values compare addresses of tables.
func TestComparedTables(t *testing.T) {
	for _, kernel := range []func(t qd.Thread, text []byte, out []int){readsCompared, readsComparedAny} {
		out := make([]int, 1)
		err := qd.NewKernel(kernel).WithDevice(cpuDevice(t)).Launch(qd.Dim(1), []byte{}, out)
		if err == nil || !strings.Contains(err.Error(), "it compares two addresses of a table") {
			t.Errorf("%v, error %v", out, err)
		}
	}
}

// TestTableAddresses has tables of which a kernel may have more than one.
func TestTableAddresses(t *testing.T) {
	for name, kernel := range map[string]func(t qd.Thread, text []byte, out []int){
		"pointers": comparesTables, "structs": comparesOwners, "switch": switchesTables, "any": comparesAny, "converted": convertsTables,
	} {
		err := qd.NewKernel(kernel).WithDevice(cpuDevice(t)).Launch(qd.Dim(1), []byte{}, make([]int, 1))
		if err == nil || !strings.Contains(err.Error(), "which has its own copies of tables") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
