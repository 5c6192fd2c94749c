package cost

import "testing"

// Those of CUDA's occupancy calculator.
func TestOccupancy(t *testing.T) {
	for _, tt := range []struct {
		k             Kernel
		block         int
		blocks, warps int
		limit         string
	}{
		{Kernel{Arch: "sm_90", Registers: 32, MaxThreads: 1024}, 256, 8, 64, "warps"},
		{Kernel{Arch: "sm_90", Registers: 255, MaxThreads: 256}, 256, 1, 8, "registers"},
		{Kernel{Arch: "sm_90", Registers: 64, MaxThreads: 1024}, 128, 8, 32, "registers"},
		{Kernel{Arch: "sm_90", Registers: 16, MaxThreads: 1024}, 32, 32, 32, "blocks"},
		{Kernel{Arch: "sm_90a", Registers: 32, Shared: 100 << 10, MaxThreads: 1024}, 128, 2, 8, "shared memory"},
		{Kernel{Arch: "sm_86", Registers: 16, MaxThreads: 1024}, 1024, 1, 32, "warps"},
		{Kernel{Arch: "sm_75", Registers: 40, MaxThreads: 1024}, 256, 4, 32, "warps"},
	} {
		o, ok := tt.k.Occupancy(tt.block)
		if !ok || o.Blocks != tt.blocks || o.Warps != tt.warps || o.Limit != tt.limit {
			t.Errorf("%+v with %d threads: %+v, want %d blocks, %d warps, by %s", tt.k, tt.block, o, tt.blocks, tt.warps, tt.limit)
		}
	}
	for _, k := range []Kernel{{Arch: "sm_47", MaxThreads: 1024}, {Arch: "compute_90", MaxThreads: 1024}, {Arch: "sm_90", MaxThreads: 64}} {
		if o, ok := k.Occupancy(128); ok {
			t.Errorf("%+v: %+v", k, o)
		}
	}
}
