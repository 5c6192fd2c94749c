package nvrtc

import (
	"maps"
	"testing"
)

// What the assemblers of CUDA 11, 12 and 13 write; package cubin's tests compare the
// numbers with the code.
func TestUsage(t *testing.T) {
	r := &Result{Log: `source.cu(3): warning #177-D: variable "u" was declared but never referenced
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'calls' for 'sm_80'
ptxas info    : Function properties for calls
ptxas         .     32 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 16 registers, used 0 barriers, 32 bytes cumulative stack size, 364 bytes cmem[0]
ptxas info    : Function properties for _Z6helperfi
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Compiling entry function 'spill' for 'sm_80'
ptxas info    : Function properties for spill
    144 bytes stack frame, 284 bytes spill stores, 300 bytes spill loads
ptxas info    : Used 64 registers, 364 bytes cmem[0]
    1 bytes stack frame, 2 bytes spill stores, 3 bytes spill loads
ptxas info    : Function properties for cut`}
	want := map[string]Usage{"calls": {}, "_Z6helperfi": {}, "spill": {SpillStores: 284, SpillLoads: 300}}
	if got := r.Usage(); !maps.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := (&Result{}).Usage(); len(got) != 0 {
		t.Errorf("without a log: %+v", got)
	}
}
