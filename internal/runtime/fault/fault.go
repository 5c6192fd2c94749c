// Package fault describes faults in compiled kernels for the host: the record that the first
// failing thread of a kernel leaves in its module, and the message for it.
package fault

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/ssa"
)

// Symbol is the name of the variable that a module with checks or panics exports: an array of records, one for each
// of the kernels that were compiled together.
const Symbol = "qd_fault"

// A Record is an element of that variable, as emitted code declares it. The first thread that
// fails fills it in; the host sets it to zero before a launch.
type Record struct {
	State  int32    // [Set], once it is filled in
	Site   int32    // which of the kernel's checks
	Thread int64    // flat index in the launch
	Values [4]int64 // of what was checked: integers, or the bits of floats
}

// Set is the state of a record that is filled in.
const Set = 2

// Size is the size of a record in bytes.
const Size = int(unsafe.Sizeof(Record{}))

// Bytes is the record's memory.
func (r *Record) Bytes() []byte { return unsafe.Slice((*byte)(unsafe.Pointer(r)), Size) }

// Leaves says what a kernel leaves for the host in variables of its module.
type Leaves struct {
	Prints bool // it prints
	Fails  bool // it has checks or panics
	Record int  // then which record is its own
}

// The beginnings of reasons: what Go's runtime says, and qdgen's own functions in kernels on device go.
const (
	ofIndex      = "index out of range"
	ofSlice      = "slice bounds out of range"
	ofConversion = "cannot convert slice with length"
	ofDivide     = "integer divide by zero"
	ofShift      = "negative shift amount"
	ofNil        = "invalid memory address or nil pointer dereference"
	ofAssert     = "assertion failed"
	ofPanic      = "panic"
)

// The ends of reasons of faults in slice expressions whose bound is a length.
const (
	ofCopy    = "what is behind the elements of a captured package variable is not copied to a kernel; slice it in the variable's declaration, or pass the slice as an argument"
	ofUnknown = "the capacity of this slice is not known in a kernel, so that it ends where its elements do; slice it in the function that makes it"
)

var begins = []struct {
	text string
	op   ssa.Op
	kind ssa.Check
}{
	{ofIndex, ssa.OpCheck, ssa.CheckIndex},
	{ofSlice, ssa.OpCheck, ssa.CheckSlice},
	{ofConversion, ssa.OpCheck, ssa.CheckSlice},
	{ofDivide, ssa.OpCheck, ssa.CheckDivide},
	{ofShift, ssa.OpCheck, ssa.CheckShift},
	{ofNil, ssa.OpCheck, ssa.CheckNil},
	{ofAssert, ssa.OpCheck, ssa.CheckAssert},
	{ofPanic + ": ", ssa.OpPanic, 0},
}

// KindOf is the operation that stops a kernel for a reason, and which check it is. It is not ok for what has no
// operation of its own.
func KindOf(reason string) (op ssa.Op, check ssa.Check, ok bool) {
	for _, b := range begins {
		if strings.HasPrefix(reason, b.text) {
			return b.op, b.kind, true
		}
	}
	return 0, 0, false
}

// Reason says what happened at a check of a kind, in Go's own words where Go has
// some. types are the types of the values that the check records.
func (r *Record) Reason(kind, message string, types []string) string {
	v := r.Values
	switch kind {
	case "index":
		switch {
		case message == ssa.OfUnsigned:
			return fmt.Sprintf(ofIndex+" [%d] with length %d", uint64(v[0]), v[1])
		case v[0] < 0:
			return fmt.Sprintf(ofIndex+" [%d]", v[0])
		}
		return fmt.Sprintf(ofIndex+" [%d] with length %d", v[0], v[1])
	case "slice":
		return r.sliceReason(message)
	case "divide":
		return ofDivide
	case "shift":
		return ofShift
	case "nil":
		return ofNil
	case "assert":
		return ofAssert + ": " + message
	case "sync":
		return "barrier divergence: a Sync depends on this condition, and threads of the block disagree on it"
	case "panic":
		text := r.panicText(message, types)
		if own, ok := strings.CutPrefix(text, "runtime error: "); ok {
			return own // a panic of math/bits
		}
		return ofPanic + ": " + text
	}
	panic("BUG: a fault of kind " + kind)
}

// Bounds is what was out of range, an index or a bound of a slice expression, and what
// it was compared with: zeros at checks of other kinds.
func (r *Record) Bounds(kind string) (index, length int) {
	switch lo, hi, n := int(r.Values[0]), int(r.Values[1]), int(r.Values[2]); {
	case kind == "index":
		return lo, hi
	case kind != "slice":
		return 0, 0
	case hi < 0 || hi > n:
		return hi, n
	default:
		return lo, hi
	}
}

// panicText is what a panic says: its message, which is a format of package fmt for the values that it records, if
// there are any.
func (r *Record) panicText(message string, types []string) string {
	if len(types) == 0 {
		return message
	}
	args := make([]any, len(types))
	for i, t := range types {
		args[i] = printf.Arg{Kind: t}.Value(uint64(r.Values[i]))
	}
	if message == "" {
		return fmt.Sprint(args...)
	}
	return fmt.Sprintf(message, args...)
}

// A Reason is what qdgen's own functions panic with in kernels on device go: the Reason of the fault.
type Reason string

// Error implements error.
func (r Reason) Error() string { return string(r) }
