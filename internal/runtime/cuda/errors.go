package cuda

import (
	"errors"
	"fmt"
	"strings"
)

// A Code is a driver call's result.
type Code int32

// The codes that something here depends on.
const (
	ErrorOutOfMemory           Code = 2
	ErrorNoDevice              Code = 100
	ErrorNoBinaryForGPU        Code = 209
	ErrorUnsupportedPTXVersion Code = 222
	ErrorNotFound              Code = 500
	ErrorIllegalAddress        Code = 700
)

// sticky reports whether a context is unusable after the error: the driver's
// documentation says of these that the process must be ended to go on.
func (c Code) sticky() bool {
	switch c {
	case 4, // deinitialized
		214,                 // uncorrectable memory error
		220,                 // NVLink error
		226,                 // contained error
		ErrorIllegalAddress, // and the other ways in which a kernel can fail
		702,                 // launch timeout
		709,                 // context is destroyed
		710,                 // device assertion
		714,                 // hardware stack error
		715,                 // illegal instruction
		716,                 // misaligned address
		717,                 // invalid address space
		718,                 // invalid program counter
		719,                 // launch failed
		721:                 // tensor memory leak
		return true
	}
	return false
}

// An Error is a driver call that failed.
type Error struct {
	Call   string // "cuMemAlloc_v2"
	Code   Code
	Name   string // "CUDA_ERROR_OUT_OF_MEMORY"
	Text   string // the driver's words
	Detail string // what is known besides: sizes, the log of the driver's compiler; or ""
	Lost   bool   // the device cannot be used any more in this process
}

// Error gives all of it, a log on lines of its own.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s (%d): %s", e.Call, e.Name, e.Code, e.Text)
	if e.Lost {
		b.WriteString("; a kernel or the device has failed, and the device cannot be used until the program is restarted")
	}
	if e.Detail != "" {
		sep := "; "
		if strings.Contains(e.Detail, "\n") {
			sep = "\n"
		}
		b.WriteString(sep + e.Detail)
	}
	return b.String()
}

// withDetail adds what is known besides to a driver's error.
func withDetail(err error, detail string) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	c := *e // the original may be the one that a lost device shows to everybody
	c.Detail = detail
	return &c
}

// is reports whether err is a driver's error of a code.
func is(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// A MissingError says why no GPU can be used on this machine, and what to do.
type MissingError struct {
	Reason string   // what is missing
	Found  []string // what there is
	Help   string   // how to get what is missing
	Err    error    // the cause, if another package or the driver gave one
}

// Error gives all of it in one line.
func (e *MissingError) Error() string {
	s := e.Reason
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	if len(e.Found) > 0 {
		s += "; " + strings.Join(e.Found, "; ")
	}
	return s + "; " + e.Help
}

// Unwrap gives the cause.
func (e *MissingError) Unwrap() error { return e.Err }
