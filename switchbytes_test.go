//go:build !race

package qd_test

import (
	"testing"

	"github.com/qdgen/qd"
)

// wordNumber has cases of constants, of other bytes, and one that falls through.
func wordNumber(b, other []byte) int {
	n := 1
	switch string(b) {
	case "go", "stop":
		n = 2
	case "wait":
		n = 3
		fallthrough
	case string(other):
		n += 10
		b[0] = 'x'
	case "":
		return 20
	default:
		if b[0] == 'q' {
			break
		}
		n = 30
	}
	return n
}

//qd:kernel
func numbersWords(t qd.Thread, text []byte, out []int) {
	i := t.ID()
	word := text[4*i : 4*i+4]
	for len(word) > 0 && word[len(word)-1] == ' ' {
		word = word[:len(word)-1]
	}
	out[2*i] = wordNumber(word, text[8:12])
	switch kind := "short"; string(word) {
	case kind + "er":
		out[2*i+1] = 1
	case "at":
		out[2*i+1] = 2
	}
	switch string([]byte("known")) {
	case "known":
		out[2*i+1] += 4
	}
}

// TestSwitchBytes has switches about the strings that bytes make.
func TestSwitchBytes(t *testing.T) {
	sameOnCPU(t, func(d *qd.Device) []int {
		text := []byte("go  waitsomestop    nonequitat  wait")
		out := make([]int, len(text)/2)
		if err := qd.NewKernel(numbersWords).WithDevice(d).Launch(qd.Dim(len(text)/4), text, out); err != nil {
			t.Fatal(err)
		}
		for _, b := range text {
			out = append(out, int(b))
		}
		return out
	})
}
