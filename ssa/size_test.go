package ssa

import (
	"testing"
	"unsafe"
)

// Instructions are what the compiler makes most of: each byte of one costs time in all that makes or copies them.
func TestInstrSize(t *testing.T) {
	if n := unsafe.Sizeof(Instr{}); n > 256 {
		t.Errorf("an instruction takes %d bytes, more than the 256 that the allocator would give it", n)
	}
}
