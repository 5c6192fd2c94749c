//go:build !race

package qd_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

// What a kernel says when it panics is what Go says, on each device.

type rangeError struct {
	index, length int
}

func (e rangeError) Error() string {
	return fmt.Sprintf("index %d, length %d", e.index, e.length)
}

type pointerError struct{ Op string }

func (e *pointerError) Error() string { return "in " + e.Op }

type warmth float64

func (c warmth) String() string { return fmt.Sprintf("%.1f°C", float64(c)) }

type silent struct {
	degrees warmth // not exported: package fmt does not call its method
	Degrees warmth
	flags   [2]bool
}

var (
	errEmpty   = errors.New("it is 100% empty")
	errWrapped = fmt.Errorf("wrapped: %w", errEmpty)
)

// wrongVerbs is a format that go vet does not see. Its last verb is no character.
var wrongVerbs = "%s %d %t %\xff"

func formatted(n int, format string, args ...any) int {
	if n > 1 {
		panic(fmt.Sprintf(format, args...))
	}
	return n
}

func errorOf(n int) error {
	if n > 1 {
		return errEmpty
	}
	return nil
}

//qd:kernel
func panicSprintf(t qd.Thread, x []int, y []float32) {
	if n := x[t.ID()]; n > 1 {
		panic(fmt.Sprintf("%d of %5.2f|%-4x|%v 100%%", n, y[0], uint8(n), n > 2))
	}
}

//qd:kernel
func panicNames(t qd.Thread, x []int, y []float32) {
	if n := x[t.ID()]; n > 1 {
		panic(fmt.Sprintf("%s and %q, %T %T %v", "a%d", "b", n, y[0], 3))
	}
}

//qd:kernel
func panicSprint(t qd.Thread, x []int, y []float32) {
	if n := x[t.ID()]; n > 1 {
		panic(fmt.Sprint("n", n, n, y[0], errEmpty, nil, "end", true, nil))
	}
}

//qd:kernel
func panicSprintln(t qd.Thread, x []int, y []float32) {
	if n := x[t.ID()]; n > 1 {
		panic(fmt.Sprintln("n", n, y[0]))
	}
}

//qd:kernel
func panicConcat(t qd.Thread, x []int, y []float32) {
	if n := x[t.ID()]; n > 1 {
		where := "at " + strconv.Itoa(n)
		panic(where + ", " + strconv.FormatInt(int64(n), 2) + " " + strconv.FormatBool(n > 0))
	}
}

//qd:kernel
func panicErrorf(t qd.Thread, x []int, y []float32) {
	if n := x[t.ID()]; n > 1 {
		err := fmt.Errorf("element %d", n)
		panic(fmt.Errorf("reading: %w", err))
	}
}

//qd:kernel
func panicNew(t qd.Thread, x []int, y []float32) {
	if x[t.ID()] > 1 {
		panic(errors.New("100% new"))
	}
}

//qd:kernel
func panicVariable(t qd.Thread, x []int, y []float32) {
	if err := errorOf(x[t.ID()]); err != nil {
		panic(err)
	}
}

//qd:kernel
func panicMethod(t qd.Thread, x []int, y []float32) {
	if n := x[t.ID()]; n > 1 {
		panic(rangeError{n, len(x)})
	}
}

//qd:kernel
func panicPointer(t qd.Thread, x []int, y []float32) {
	if x[t.ID()] > 1 {
		panic(&pointerError{Op: "read"})
	}
}

//qd:kernel
func panicWrapped(t qd.Thread, x []int, y []float32) {
	if n := x[t.ID()]; n > 1 {
		panic(fmt.Errorf("%+v: %s %T", rangeError{n, 1}, errWrapped, errWrapped))
	}
}

//qd:kernel
func panicStringer(t qd.Thread, x []int, y []float32) {
	if x[t.ID()] > 1 {
		panic(warmth(y[0]))
	}
}

//qd:kernel
func panicStruct(t qd.Thread, x []int, y []float32) {
	if x[t.ID()] > 1 {
		panic(silent{1.5, warmth(y[0]), [2]bool{true, false}})
	}
}

//qd:kernel
func panicFields(t qd.Thread, x []int, y []float32) {
	if n := x[t.ID()]; n > 1 {
		panic(fmt.Sprintf("%+v %v %03d", struct{ A, B int }{n, -n}, [2]int{n, 7}, [1]int{n}))
	}
}

//qd:kernel
func panicComplex(t qd.Thread, x []int, y []float32) {
	if x[t.ID()] > 1 {
		panic(complex(y[0], -y[0]))
	}
}

//qd:kernel
func panicNil(t qd.Thread, x []int, y []float32) {
	if x[t.ID()] > 1 {
		panic(nil)
	}
}

//qd:kernel
func panicWrongVerbs(t qd.Thread, x []int, y []float32) {
	if n := x[t.ID()]; n > 1 {
		panic(fmt.Sprintf(wrongVerbs, n, y[0], "x") + fmt.Sprintf(" %d", []any{n, 2}...))
	}
}

// wrapsNothing and hasMore are formats that go vet does not see.
var wrapsNothing, hasMore = "%w, %w, %v and %w", "%d"

//qd:kernel
func panicWrapsNothing(t qd.Thread, x []int, y []float32) {
	if n := x[t.ID()]; n > 1 {
		var none error
		panic(fmt.Errorf(wrapsNothing, none, n, none, errWrapped).Error() + fmt.Sprintf(hasMore, n, errWrapped, none, n))
	}
}

//qd:kernel
func panicForwarded(t qd.Thread, x []int, y []float32) {
	formatted(x[t.ID()], "%d <= %v: %v", x[0], y[0], errEmpty)
}

//qd:kernel
func panicCalls(t qd.Thread, x []int, y []float32) {
	k := 0
	next := func() int { k++; return k }
	if x[t.ID()] > 1 {
		panic(fmt.Sprint(next(), k, next(), " of ", k+next()))
	}
}

//qd:kernel
func panicBlock(b qd.Block, x []int, y []float32) {
	b.For(2, func(lane int) {
		if n := x[lane]; n > 1 {
			panic(fmt.Sprintf("lane %d has %d", lane, n))
		}
	})
}

//qd:kernel
func panicGrid(g qd.Grid, x []int, y []float32) {
	n := 0
	for i := range 3 {
		n += i
	}
	g.For(n, func(i int) {
		if i < len(x) && x[i] > 1 {
			panic(fmt.Sprintf("turn %d", i))
		}
	})
}

func TestPanicTexts(t *testing.T) {
	for _, k := range []any{
		panicSprintf, panicNames, panicSprint, panicSprintln, panicConcat, panicErrorf, panicNew, panicVariable, panicMethod, panicPointer,
		panicWrapped, panicStringer, panicStruct, panicFields, panicComplex, panicNil, panicWrongVerbs, panicWrapsNothing, panicForwarded, panicCalls, panicBlock, panicGrid,
	} {
		reasons := map[string]string{}
		for _, device := range []string{"go", "cpu", "checked"} {
			reasons[device] = panicReason(t, device, k)
		}
		if reasons["cpu"] != reasons["go"] || reasons["checked"] != reasons["go"] {
			t.Errorf("the devices say %q", reasons)
		}
		if r := reasons["go"]; !strings.HasPrefix(r, "panic: ") && !strings.Contains(r, "panic called with nil") {
			t.Errorf("device go says %q", r)
		}
	}
}

// panicReason is what a kernel says when it panics.
func panicReason(t *testing.T, device string, k any) string {
	t.Helper()
	name := device
	if device == "checked" {
		name = "cpu"
	}
	dev, err := qd.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	if device == "checked" {
		dev = dev.Checked()
	}
	x, y := []int{0, 7}, []float32{1.25}
	switch k.(type) {
	case func(qd.Grid, []int, []float32):
		err = dev.Run(k, x, y)
	case func(qd.Block, []int, []float32):
		err = dev.Launch(k, qd.Dim(1), x, y)
	default:
		err = dev.Launch(k, qd.Dim(2), x, y)
	}
	var fault *qd.Fault
	if !errors.As(err, &fault) {
		t.Errorf("on %s: %v", device, err)
		return ""
	}
	return fault.Reason
}

// Where a kernel cannot record what it says, it stops nevertheless, and what is not known is named.

func lengthOf(n int) (int, error) {
	if n > 1 {
		return 0, fmt.Errorf("no element %d", n)
	}
	return n, nil
}

//qd:kernel
func panicMany(t qd.Thread, x []int, y []float32) {
	if n := x[t.ID()]; n > 1 {
		panic(fmt.Sprint(n, n+1, n+2, n+3, n+4))
	}
}

//qd:kernel
func panicString(t qd.Thread, x []int, y []float32) {
	if n := x[t.ID()]; n > 1 {
		name := []byte{byte(n + 'a')}
		panic(fmt.Sprintf("%d %s: %v", n, string(name), x))
	}
}

//qd:kernel
func panicMap(t qd.Thread, x []int, y []float32) {
	if n := x[t.ID()]; n > 1 {
		panic(map[int]int{n: n}[n])
	}
}

//qd:kernel
func panicLoop(t qd.Thread, x []int, y []float32) {
	s := ""
	for i := range x[t.ID()] {
		s += strconv.Itoa(i)
	}
	if x[t.ID()] > 1 {
		panic(s)
	}
}

//qd:kernel
func panicReturned(t qd.Thread, x []int, y []float32) {
	if _, err := lengthOf(x[t.ID()]); err != nil {
		panic(err)
	}
}

//qd:kernel
func panicHalf(t qd.Thread, x []int, y []float32) {
	if h := qd.ToFloat16(float32(x[t.ID()])); x[t.ID()] > 1 {
		panic(fmt.Sprintf("%v, %v, %v, %v", h, struct{ B qd.BFloat16 }{qd.ToBFloat16(2)}, struct{ qd.Float16 }{h}, h.Float32()))
	}
}

func TestPanicTextsUnknown(t *testing.T) {
	for _, tt := range []struct {
		kernel         any
		compiled, inGo string
	}{
		{panicMany, "7 8 9 10 [n + 4]", "7 8 9 10 11"},
		{panicString, "7 [string(name)]: [x]", "7 h: [0 7]"},
		{panicMap, "[map[int]int{…}[n]]", "7"},
		{panicLoop, "[s]", "0123456"},
		{panicReturned, "no element [n]", "no element 7"},
		{panicHalf, "[h], {[struct{B qd.BFloat16}{…}.B]}, [struct{qd.Float16}{…}], 7", "7, {2}, 7, 7"},
	} {
		for _, device := range []string{"go", "cpu"} {
			want := "panic: " + tt.compiled
			if device == "go" {
				want = "panic: " + tt.inGo
			}
			if got := panicReason(t, device, tt.kernel); got != want {
				t.Errorf("%s: %q, want %q", device, got, want)
			}
		}
	}
}

// An error that a kernel makes differs from nil and from the errors in variables, and its text may be known.

//qd:kernel
func madeErrors(t qd.Thread, x []int) {
	i := t.ID()
	_, err := lengthOf(i)
	switch {
	case err == nil:
		x[i] = 1
	case err == errEmpty || errors.Is(err, errEmpty):
		x[i] = 2
	default:
		x[i] = 3
	}
	e := errors.New("three")
	x[i] = 10*x[i] + len(e.Error())
	if _, ok := e.(interface{ Unwrap() error }); ok || e == nil || e == errEmpty {
		x[i] = 0
	}
}

func TestMadeErrors(t *testing.T) {
	for _, device := range []string{"go", "cpu"} {
		dev, err := qd.Open(device)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]int, 3)
		if err := dev.Launch(madeErrors, qd.Dim(3), x); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(x) != "[15 15 35]" {
			t.Errorf("%s: %v", device, x)
		}
	}
}

// Which method Unwrap an error has follows from its format and from how many arguments there are.

var (
	errTwoWrapped = fmt.Errorf("%w and %w", errEmpty, errWrapped)
	lackWrapped   = "%d %w"
	errNotShown   = fmt.Errorf(lackWrapped, 1, errEmpty)
)

func unwraps(err error) int {
	if _, ok := err.(interface{ Unwrap() error }); ok {
		return 1
	}
	if _, ok := err.(interface{ Unwrap() []error }); ok {
		return 2
	}
	return 0
}

//qd:kernel
func wrapsErrors(t qd.Thread, x []int) {
	n := t.ID()
	for _, got := range [...]int{
		unwraps(fmt.Errorf("%*d %+w", 3, n, errEmpty)),
		unwraps(fmt.Errorf("%[2]w %[1]d", n, errEmpty)),
		unwraps(fmt.Errorf("%d %w %w", n, errEmpty, errWrapped)),
		unwraps(fmt.Errorf(lackWrapped, n)),
		unwraps(fmt.Errorf("%d %%w %v", n, errEmpty)),
		unwraps(errWrapped), unwraps(errTwoWrapped), unwraps(errEmpty),
	} {
		x[n] = 3*x[n] + got
	}
}

//qd:kernel
func wrapsUnknown(t qd.Thread, x []int) { x[0] = unwraps(errNotShown) }

func TestWrappedErrors(t *testing.T) {
	var got [2][1]int
	for i, device := range []string{"go", "cpu"} {
		dev, err := qd.Open(device)
		if err != nil {
			t.Fatal(err)
		}
		if err := dev.Launch(wrapsErrors, qd.Dim(1), got[i][:]); err != nil {
			t.Error(err)
		}
	}
	if got[0] != got[1] {
		t.Errorf("the devices give %v", got)
	}
	if err := qd.Launch(wrapsUnknown, qd.Dim(1), got[0][:]); err == nil || !strings.Contains(err.Error(), "whose dynamic type the source does not show") {
		t.Error(err)
	}
}
