//go:build !amd64 && !arm64

package gort

import (
	"bytes"
	"runtime"
	"strconv"
)

// goroutine is the number that traces show; 0 where it cannot be told.
func goroutine() uint64 {
	var buf [64]byte
	text, ok := bytes.CutPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine ")) // "goroutine 7 [running]:"
	if !ok {
		return 0
	}
	number, _, _ := bytes.Cut(text, []byte(" "))
	n, _ := strconv.ParseUint(string(number), 10, 64)
	return n
}
