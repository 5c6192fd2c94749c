package cpp

import (
	"fmt"

	"github.com/qdgen/qd/emit"
)

// index names the index along an axis in the loop over rows, size the launch's
// size.
func index(rank, axis int) string {
	if rank == 2 {
		return "row"
	}
	return fmt.Sprintf("i%d", axis)
}

func size(rank, axis int) string {
	if rank >= 2 && axis == rank-1 {
		return "width"
	}
	return fmt.Sprintf("a.dim[%d]", axis)
}

// parts walks a row from first to stop in up to three loops. The loop in the middle runs the threads of the interior:
// see [emit.Interior]. Wherever its bounds lie, first <= lo <= hi <= stop holds, so each thread is run once.
func parts(k *emit.Kernel, indent, index, first, stop, flat string, ids []string) []string {
	lines := []string{indent + "// In the middle part, from lo to hi, no index is clamped and no test for an edge holds."}
	rest := func(pragma, init, to, function string) {
		lines = append(lines, pragma)
		lines = append(lines, eachThread(k, indent, init, index, to, function, flat, ids)...)
	}
	loop := func(pragma, from, to, function string) {
		rest(pragma, fmt.Sprintf("int64 %s = %s", index, from), to, function)
	}
	pragma := func(short bool) string {
		if short {
			return scalar
		}
		return k.Hint
	}
	lo, hi := first, stop
	for _, e := range k.Interior.From {
		lo = "qd::between(" + lo + ", " + e + ", " + stop + ")"
	}
	if len(k.Interior.From) > 0 {
		lines = append(lines, indent+"const int64 lo = "+lo+";")
		lo = "lo"
	}
	for _, e := range k.Interior.To {
		hi = "qd::between(" + lo + ", " + e + ", " + hi + ")"
	}
	if len(k.Interior.To) > 0 {
		lines = append(lines, indent+"const int64 hi = "+hi+";")
		hi = "hi"
	}
	if lo == "lo" {
		loop(pragma(k.Interior.ShortHead), first, lo, k.Symbol+"_thread")
	}
	if k.Interior.Wide == nil {
		loop(k.Interior.Hint, lo, hi, k.Interior.Inside)
	} else {
		lines = append(lines, atOnce(k, k.Interior.Wide, indent, index, lo, hi, flat, ids)...)
		rest(k.Interior.Hint, "", hi, k.Interior.Inside)
	}
	if hi == "hi" {
		loop(pragma(k.Interior.ShortTail), hi, stop, k.Symbol+"_thread")
	}
	return lines
}
