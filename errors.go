package qd

import (
	"errors"
	"go/token"
	"slices"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/internal/bug"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/fault"
)

// Diagnostics are the errors that the front end found in kernels' source: all of
// them, each with its position, the source line and advice. A launch returns a
// *Diagnostics; errors.As finds it.
type Diagnostics struct {
	List []Diagnostic
}

// Error formats all diagnostics, sorted by position and each once, separated by
// newlines.
func (e *Diagnostics) Error() string {
	all := diag.Diagnostics{List: make([]diag.Diagnostic, len(e.List))}
	for i, d := range e.List {
		all.List[i] = d.inner()
	}
	return all.Error()
}

// A Diagnostic is one problem in a kernel's source.
type Diagnostic struct {
	Pos  token.Position // where it begins
	End  token.Position // just past where it ends; the zero Position when unknown
	Msg  string         // what is wrong, without a final period
	Hint string         // what to do instead, "" when the message says it all
	Line string         // the source line of Pos, "" when it is not to be had

	// Calls are lines with the calls that lead from the kernel to Pos, if that is in another directory: "\n\tfile:line:col: calls
	// function" for each. It is "" otherwise.
	Calls string
}

// String formats the diagnostic over several lines, without a final newline:
//
//	file:line:col: message
//		source line
//		       ^
//		file:line:col: calls function
//	help: hint
func (d Diagnostic) String() string { return d.inner().String() }

func (d *Diagnostic) inner() diag.Diagnostic {
	return diag.Diagnostic{Pos: d.Pos, End: d.End, Msg: d.Msg, Hint: d.Hint, Line: d.Line, Calls: d.Calls}
}

func newDiagnostics(inner *diag.Diagnostics) *Diagnostics {
	ds := &Diagnostics{List: make([]Diagnostic, len(inner.List))}
	for i, d := range inner.List {
		ds.List[i] = Diagnostic{Pos: d.Pos, End: d.End, Msg: d.Msg, Hint: d.Hint, Line: d.Line, Calls: d.Calls}
	}
	return ds
}

// A CompileError reports that a C++ or CUDA compiler rejected emitted code, with the emitted
// line and the Go line of each message. It is a bug in qdgen or in the compiler, not in the
// kernel.
type CompileError struct {
	Kernel   string
	Target   string // "cpp" or "cuda"
	Messages []CompileMessage
	Source   string // the emitted code
	Err      error  // the compiler's own error, with its command and log
	text     string
}

// A CompileMessage is one message of a compiler about emitted code.
type CompileMessage struct {
	Severity string // "error", "warning"
	Text     string
	Line     int    // in the emitted code, from 1; 0 if the message has no line
	Code     string // that line
	GoPos    string // "saxpy.go:14": the position of the statement that the line comes from, or ""
	GoText   string // the statement's first line
}

// Error prints every message with the emitted line and the Go line.
func (e *CompileError) Error() string { return e.text }

// Unwrap returns the compiler's own error.
func (e *CompileError) Unwrap() error { return e.Err }

func newCompileError(e *build.Error) *CompileError {
	ce := &CompileError{Kernel: e.Kernel, Target: e.Target, Source: e.Source, Err: e.Err, text: e.Error()}
	for _, m := range e.Messages {
		ce.Messages = append(ce.Messages, CompileMessage(m))
	}
	return ce
}

// An InternalError is a fault of qdgen's own that was found while it compiled a kernel: what a
// report of it should have, the stack among it, is in its fields.
type InternalError struct {
	Kernel string // its name; "" where it is not known which one it was
	Panic  any    // what was panicked with
	Stack  []byte // of the goroutine that panicked
}

// Error says what happened and asks for a report. The field Stack has the rest.
func (e *InternalError) Error() string { return (*bug.Error)(e).Error() }

// Unwrap gives what was panicked with, if that is an error.
func (e *InternalError) Unwrap() error { return (*bug.Error)(e).Unwrap() }

// public gives an error of an inner package as the type of this package that stands for it.
func public(err error) error {
	switch err := err.(type) {
	case *diag.Diagnostics:
		return newDiagnostics(err)
	case *bug.Error:
		return (*InternalError)(err)
	case *build.Error:
		return newCompileError(err)
	case *fault.Fault:
		return (*Fault)(err)
	case *failure.LaunchError:
		return (*LaunchError)(err)
	case *failure.SourceError:
		return (*SourceError)(err)
	case *failure.MissingError:
		return (*MissingError)(err)
	case *failure.DeviceError:
		return (*DeviceError)(err)
	case *failure.NamedError:
		return &failure.NamedError{Err: public(err.Err)}
	case *failure.ConfigError:
		return &failure.ConfigError{Configs: err.Configs, Err: public(err.Err)}
	case *failure.Joined: // any other list of errors is the user's own, from a function that Record or a tape has called
		all := slices.Clone(err.Errs)
		for i := range all {
			all[i] = public(all[i])
		}
		return errors.Join(all...)
	}
	return err
}

// A LaunchError reports that a launch was not started because it does not fit the kernel: a
// wrong number of arguments, a wrong type, an array of another device, dimensions out of range,
// or a value that is not a kernel. Nothing has run.
type LaunchError struct {
	Kernel string // its name, "" if there is none
	Param  string // "2 ([]float32)": the parameter's number, from 1 after the Thread, and type; "" when the error is not about one
	Reason string // what is wrong, and what to do instead
}

// Error implements error.
func (e *LaunchError) Error() string { return (*failure.LaunchError)(e).Error() }

// A SourceError reports that a kernel's Go source cannot be found, or is not what the running
// program was built from. Device "go" runs the kernel all the same; other devices need its
// source.
type SourceError struct {
	Kernel string // its name with its import path
	File   string // the file from which the running program was compiled, or the path that has changed
	Line   int    // the kernel's line in the running program if the error is about its file, else 0
	Err    error  // why the source cannot be read, or how it has changed
}

// Error implements error.
func (e *SourceError) Error() string { return (*failure.SourceError)(e).Error() }

// Unwrap returns the cause.
func (e *SourceError) Unwrap() error { return e.Err }

// A MissingError reports that a device cannot be used because something is not installed. It
// says what was looked for and how to get it.
type MissingError struct {
	Device string // "cpu", "cuda:0"
	Err    error  // what is missing
}

// Error implements error.
func (e *MissingError) Error() string { return (*failure.MissingError)(e).Error() }

// Unwrap returns the cause.
func (e *MissingError) Unwrap() error { return e.Err }

// A DeviceError reports that an operation of a device failed: out of memory, a device that does
// not exist, or an access to invalid memory in a release build. Faults that a checked build
// finds are [*Fault] errors.
type DeviceError struct {
	Device string
	Op     string // the operation, "launch saxpy"
	Err    error  // the driver's error with its name and text
}

// Error implements error.
func (e *DeviceError) Error() string { return (*failure.DeviceError)(e).Error() }

// Unwrap returns the cause.
func (e *DeviceError) Unwrap() error { return e.Err }
