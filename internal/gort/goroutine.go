package gort

import (
	"bytes"
	"runtime"
	"strconv"
)

// Goroutine is the number of the goroutine that calls it, which no other has while the program runs; 0 where it cannot
// be told. It takes microseconds.
func Goroutine() uint64 {
	var buf [64]byte
	text, ok := bytes.CutPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine ")) // "goroutine 7 [running]:"
	if !ok {
		return 0
	}
	number, _, _ := bytes.Cut(text, []byte(" "))
	n, _ := strconv.ParseUint(string(number), 10, 64)
	return n
}
