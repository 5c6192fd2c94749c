package nvrtc

import (
	"regexp"
	"strconv"
	"strings"
)

// Usage has the facts about a function that are in the assembler's log and not in the cubin.
type Usage struct {
	SpillStores int // bytes that each thread stores for want of registers, each instruction counted once
	SpillLoads  int // bytes that it loads back
}

var (
	// ptxas info    : Function properties for saxpy
	usageOf = regexp.MustCompile(`^ptxas info\s*: Function properties for (\S+)$`)
	// ptxas         .     144 bytes stack frame, 284 bytes spill stores, 300 bytes spill loads
	usageSpills = regexp.MustCompile(`\b(\d+) bytes spill stores, (\d+) bytes spill loads$`)
)

// Usage reads the resource usage that the assembler wrote into the log because of Options.Usage.
// Keys are the names of functions in the PTX. CUDA 11, 12 and 13 write the same.
func (r *Result) Usage() map[string]Usage {
	all := make(map[string]Usage)
	of := ""
	for line := range strings.Lines(r.Log) {
		line = strings.TrimRight(line, "\r\n")
		if m := usageOf.FindStringSubmatch(line); m != nil {
			of = m[1]
			continue
		}
		if m := usageSpills.FindStringSubmatch(line); m != nil && of != "" {
			// Numbers that are beyond reason are those of no kernel: 0 for an error.
			stores, _ := strconv.Atoi(m[1])
			loads, _ := strconv.Atoi(m[2])
			all[of] = Usage{SpillStores: stores, SpillLoads: loads}
			of = ""
		}
	}
	return all
}
