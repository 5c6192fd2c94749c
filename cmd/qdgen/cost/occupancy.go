package cost

import (
	"strconv"
	"strings"
)

// An Occupancy is how many threads of a kernel one multiprocessor runs at once, for one size of its blocks.
type Occupancy struct {
	Block  int    `json:"block"`  // threads in a block
	Blocks int    `json:"blocks"` // at once
	Warps  int    `json:"warps"`  // at once
	Most   int    `json:"most"`   // warps that the multiprocessor can have
	Limit  string `json:"limit"`  // what allows no more: "registers", "shared memory", "blocks" or "warps"
}

// A multiprocessor is what limits the threads on one.
type multiprocessor struct {
	warps, blocks int
	shared        int // bytes
	reserved      int // bytes of shared memory that the system takes of each block
}

// multiprocessors are those of the architectures, by their numbers. (CUDA C++ Programming Guide, technical
// specifications per compute capability.)
var multiprocessors = map[int]multiprocessor{
	50: {64, 32, 64 << 10, 0}, 52: {64, 32, 96 << 10, 0}, 53: {64, 32, 64 << 10, 0},
	60: {64, 32, 64 << 10, 0}, 61: {64, 32, 96 << 10, 0}, 62: {64, 32, 64 << 10, 0},
	70: {64, 32, 96 << 10, 0}, 72: {64, 32, 96 << 10, 0}, 75: {32, 16, 64 << 10, 0},
	80: {64, 32, 164 << 10, 1 << 10}, 86: {48, 16, 100 << 10, 1 << 10}, 87: {48, 16, 164 << 10, 1 << 10}, 89: {48, 24, 100 << 10, 1 << 10},
	90: {64, 32, 228 << 10, 1 << 10}, 100: {64, 32, 228 << 10, 1 << 10}, 103: {64, 32, 228 << 10, 1 << 10},
	120: {48, 24, 100 << 10, 1 << 10}, 121: {48, 24, 100 << 10, 1 << 10},
}

// Occupancy is that of a kernel for blocks of so many threads. It is false for an architecture that is not known here,
// and for blocks that the kernel cannot have.
func (k *Kernel) Occupancy(block int) (o Occupancy, ok bool) {
	n, err := strconv.Atoi(strings.TrimRight(strings.TrimPrefix(k.Arch, "sm_"), "af"))
	sm, found := multiprocessors[n]
	if err != nil || !found || block <= 0 || block > k.MaxThreads {
		return o, false
	}
	ofBlock := (block + warp - 1) / warp
	o = Occupancy{Block: block, Most: sm.warps, Blocks: sm.warps / ofBlock, Limit: "warps"}
	limit := func(blocks int, by string) {
		if blocks < o.Blocks {
			o.Blocks, o.Limit = blocks, by
		}
	}
	limit(sm.blocks, "blocks")
	if k.Registers > 0 {
		limit(part/registersOfWarp(k.Registers)*parts/ofBlock, "registers")
	}
	if k.Shared+sm.reserved > 0 {
		limit(sm.shared/(k.Shared+sm.reserved), "shared memory")
	}
	o.Warps = o.Blocks * ofBlock
	return o, true
}
