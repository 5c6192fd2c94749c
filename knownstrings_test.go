//go:build !race

package qd_test

import (
	"errors"
	"io"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/qdgen/qd"
)

// fieldAt is the n-th field of a text, and where it begins.
func fieldAt(text string, n int) (field string, at int) {
	for ; n > 0; n-- {
		i := strings.IndexByte(text[at:], ',')
		if i < 0 {
			return "", -1
		}
		at += i + 1
	}
	end := strings.IndexByte(text[at:], ',')
	if end < 0 {
		return text[at:], at
	}
	return text[at : at+end], at
}

const searched = "nanana"

// ofDigits panics for what is no number.
func ofDigits(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic("no number")
	}
	return n
}

// wordsOf reads a variable of package strings that only its callee names.
func wordsOf(s string) int { return len(strings.Fields(s)) }

//qd:kernel
func knownStrings(t qd.Thread, sep qd.Const[string], out []int) {
	text := "one" + sep.V + " 12 ,äöü"
	field, at := fieldAt(text, 1)
	out[0] = at*1000 + ofDigits(strings.TrimSpace(field))
	out[1] = strings.Index("hello, world", "wor")*100 + strings.LastIndex(text, "ö")
	out[2] = len(strings.ToUpper("straße")) + len(strings.ReplaceAll(text, ",", "--")) + len(strings.Repeat(text, 3))
	if strings.EqualFold("Go", "gO") && strings.Contains(text, "12") && utf8.ValidString(text) {
		out[3] = int(path.Base("/usr/local/go")[1]) + strings.Count(searched, "an")
	}
	b, err := strconv.ParseBool("true")
	if b && err == nil {
		out[4] = 1
	}
	n, err := strconv.ParseInt("7fff", 16, 32)
	if out[5] = int(n); err != nil {
		out[5] = -1
	}
	r, size := utf8.DecodeLastRuneInString(text)
	out[6] = int(r)*10 + size + 10000*wordsOf("a, bc d")
	for i, word := range qd.Static([]string{"10", "200"}) {
		out[7+i] = ofDigits(word)
	}
}

// Calls of functions that search and cut strings need no running kernel if all of their arguments are known.
func TestKnownStrings(t *testing.T) {
	for _, sep := range []string{",", "-,"} {
		sameOnCPU(t, func(d *qd.Device) []int {
			out := make([]int, 9)
			if err := d.Launch(knownStrings, qd.Dim(1), qd.C(sep), out); err != nil {
				t.Fatal(d, err)
			}
			return out
		})
	}
}

//qd:kernel
func namesakes(t qd.Thread, out []int) {
	var after func(s string, n int) int
	after = func(s string, n int) int {
		if n == 0 {
			return len(s)
		}
		return after(s[1:], n-1)
	}
	out[0] = after("abcdef", 2)
	{
		var after func(s string, n int) int
		after = func(s string, n int) int {
			if n == 0 {
				return 100 * len(s)
			}
			return after(s[1:], n-1)
		}
		out[1] = after("abcdef", 2)
	}
}

// Two function literals that have one name, and are given the same, are two functions.
func TestKnownStringsNamesakes(t *testing.T) {
	sameOnCPU(t, func(d *qd.Device) []int {
		out := make([]int, 2)
		if err := d.Launch(namesakes, qd.Dim(1), out); err != nil {
			t.Fatal(d, err)
		}
		return out
	})
}

// saysText does something with its text, so that its calls are not left out.
func saysText(t qd.Thread, text string, n int) int {
	qd.Printf("%d: %s\n", t.ID(), text)
	return n + len(text)
}

func printsText(text string) int {
	qd.Printf("%s\n", text)
	return len(text)
}

//qd:kernel
func printing(t qd.Thread, out []int) {
	out[0] = printsText("hi") + saysText(t, "there", 1)
}

// A function that prints does so, although all of its arguments are known.
func TestKnownStringsPrint(t *testing.T) {
	for _, d := range []string{"go", "cpu"} {
		dev, err := qd.Open(d)
		if err != nil {
			t.Fatal(err)
		}
		out := make([]int, 1)
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		old := os.Stdout
		os.Stdout = w
		err = errors.Join(dev.Launch(printing, qd.Dim(1), out), dev.Wait())
		os.Stdout = old
		w.Close()
		text, readErr := io.ReadAll(r)
		if err := errors.Join(err, readErr); err != nil {
			t.Fatal(d, err)
		}
		if want := "hi\n0: there\n"; string(text) != want || out[0] != 8 {
			t.Errorf("%s: %q, %d, want %q", d, text, out[0], want)
		}
	}
}
