//go:build !race

package qd_test

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/qdgen/qd"
)

// What kernels cannot call of the standard library is refused with advice that can be followed.

//qd:kernel
func splitsInTurn(t qd.Thread, x []byte) {
	for s := range strings.SplitSeq("a,b,c", ",") {
		x[0] += byte(len(s))
	}
}

//qd:kernel
func linesTwice(t qd.Thread, x []byte) {
	lines := bytes.Lines(x)
	for range 2 {
		for s := range lines {
			x[0] += byte(len(s))
		}
	}
}

//qd:kernel
func weekday(t qd.Thread, x []byte) { x[0] = byte(time.Unix(int64(x[0]), 0).Weekday()) }

//qd:kernel
func weekdayIn(t qd.Thread, x []byte) {
	x[0] = byte(time.Date(2024, 2, int(x[0]), 0, 0, 0, 0, time.UTC).Weekday())
}

//qd:kernel
func addresses(t qd.Thread, x []byte) {
	if netip.AddrFrom4([4]byte{1, 2, 3, x[0]}).IsPrivate() {
		x[0] = 1
	}
}

//qd:kernel
func printable(t qd.Thread, x []byte) {
	if unicode.IsPrint(rune(x[0]) + 1000) {
		x[0] = 1
	}
}

//qd:kernel
func hashesMD5(t qd.Thread, x []byte) { x[0] = md5.Sum(x)[0] }

//qd:kernel
func concats(t qd.Thread, x []byte) { copy(x, slices.Concat(x, x)) }

//qd:kernel
func collects(t qd.Thread, x []byte) { copy(x, slices.Collect(slices.Values(x))) }

//qd:kernel
func sortsSequence(t qd.Thread, x []byte) { copy(x, slices.Sorted(slices.Values(x))) }

func addressedConst(n qd.Const[int]) int {
	p := &n
	return (*p).V
}

//qd:kernel
func takesAddressOfConst(t qd.Thread, x []byte) { x[0] = byte(addressedConst(qd.C(3))) }

func TestLibraryHints(t *testing.T) {
	for _, tt := range []struct {
		kernel any
		hint   string
	}{
		{splitsInTurn, "in a loop, use []byte(s) and package bytes"},
		{linesTwice, "an iterator that remembers where it is can be used once, and not in a loop that begins after it is made"},
		{weekday, "help: compute time.Unix before the launch and pass the result as an argument"},
		{weekdayIn, "help: compute what needs it before the launch, and pass the result as an argument"},
		{addresses, "help: compute the result before the launch and pass it as an argument"},
		{printable, "help: compute unicode.IsPrint before the launch"},
		{hashesMD5, "compute md5.Sum before the launch and pass the result as an argument, or copy md5.Sum"},
		{concats, "append the slices to one with room: append(make([]T, 0, 64), x...)"},
		{collects, "slices.AppendSeq(make([]T, 0, 64), seq)"},
		{takesAddressOfConst, "n is known at compile time only, and has no address\n"},
		{sortsSequence, "slices.AppendSeq(make([]T, 0, 64), seq), and slices.Sort(s)"},
	} {
		if err := qd.Launch(tt.kernel, qd.Dim(1), []byte("cab")); err == nil || !strings.Contains(err.Error(), tt.hint) {
			t.Errorf("%v, want advice %q", err, tt.hint)
		}
	}
}

// What the advice says runs.
//
//qd:kernel
func appendsSequence(t qd.Thread, x []byte) {
	s := slices.AppendSeq(make([]byte, 0, 64), slices.Values(x))
	slices.Sort(s)
	copy(x, append(append(make([]byte, 0, 64), s...), x...)[1:])
}

//qd:kernel
func splitsBytes(t qd.Thread, x []byte) {
	n, text := 0, []byte("a,bc,def")
	for s := range bytes.SplitSeq(text, []byte(",")) {
		n = 3*n + len(s)
	}
	for s := range bytes.Lines(x) {
		n = 5*n + len(s)
	}
	x[0] = byte(n)
}

func endOf(n byte) error {
	if n > 'a' {
		return io.EOF
	}
	return nil
}

// Errors of the standard library are told apart.
//
//qd:kernel
func decodesHex(t qd.Thread, x []byte) {
	var b [2]byte
	n, err := hex.Decode(b[:], x)
	switch {
	case err == nil:
		x[0] = b[0]
	case err == hex.ErrLength:
		x[0] = 'L'
	default:
		x[0] = 'D'
	}
	x[1] = byte(n)
	if err := endOf(x[2]); err == io.EOF && err != io.ErrUnexpectedEOF {
		x[2]++
	}
}

func TestLibraryErrors(t *testing.T) {
	for _, kernel := range []any{appendsSequence, splitsBytes, decodesHex} {
		for _, text := range []string{"cab", "12ab", "1xab", "12a", "ab3"} {
			got := map[string]string{}
			for _, device := range []string{"go", "cpu"} {
				dev, err := qd.Open(device)
				if err != nil {
					t.Fatal(err)
				}
				x := []byte(text)
				if err := dev.Launch(kernel, qd.Dim(1), x); err != nil {
					t.Error(err)
				}
				got[device] = string(x)
			}
			if got["go"] != got["cpu"] {
				t.Errorf("%s: %q", text, got)
			}
		}
	}
}
