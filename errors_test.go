package qd

import (
	"errors"
	"fmt"
	"go/token"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/internal/bug"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/fault"
)

// What inner packages return, a user finds as a type of this package, with the same text.
func TestPublicErrors(t *testing.T) {
	cause := errors.New("a cause")
	at := token.Position{Filename: "k.go", Line: 3, Column: 2}
	inner := []error{
		&diag.Diagnostics{List: []diag.Diagnostic{{Pos: at, End: at, Msg: "m", Hint: "h", Line: "\tx", Calls: "\n\tm.go:1:2: calls f"}, {Pos: at, Msg: "n"}}},
		&bug.Error{Kernel: "k", Panic: cause, Stack: []byte("stack")},
		&build.Error{Kernel: "k", Target: "cpp", Messages: []build.Message{{Severity: "error", Text: "no", Line: 1, Code: "x"}}, Source: "x\n", Err: cause},
		&fault.Fault{Kernel: "k", Reason: "r", File: "k.go", Line: 3, Col: 2, Thread: []int{1, 2}, Index: 3, Len: 2},
		&failure.LaunchError{Kernel: "k", Param: "1 (int)", Reason: "r"},
		&failure.SourceError{Kernel: "k", File: "k.go", Line: 3, Err: cause},
		&failure.MissingError{Device: "cpu", Err: cause},
		&failure.DeviceError{Device: "cpu", Op: "load", Err: cause},
	}
	check := func(what string, given error) {
		t.Helper()
		err := public(given)
		if err.Error() != given.Error() {
			t.Errorf("%s: %q has become %q", what, given, err)
		}
		found := []bool{
			errors.As(err, new(*Diagnostics)), errors.As(err, new(*InternalError)), errors.As(err, new(*CompileError)), errors.As(err, new(*Fault)),
			errors.As(err, new(*LaunchError)), errors.As(err, new(*SourceError)), errors.As(err, new(*MissingError)), errors.As(err, new(*DeviceError)),
		}
		for i, e := range inner {
			if want := fmt.Sprintf("%T", e) == what || what == "all"; found[i] != want {
				t.Errorf("%s: found %v at %d, want %v", what, found[i], i, want)
			}
		}
	}
	for _, e := range inner {
		what := fmt.Sprintf("%T", e)
		check(what, e)
		check(what, &failure.NamedError{Err: e})
		if _, ok := e.(interface{ Unwrap() error }); ok && !errors.Is(public(e), cause) {
			t.Errorf("%s has lost its cause", what)
		}
	}
	check("all", failure.Join(inner...))
	if err := public(nil); err != nil {
		t.Errorf("no error has become %v", err)
	}
	if err := public(cause); err != cause {
		t.Errorf("another error has become %v", err)
	}
}

// ownErrors is a user's own list of errors, which may be empty.
type ownErrors []error

func (e ownErrors) Error() string   { return fmt.Sprintf("%d errors", len(e)) }
func (e ownErrors) Unwrap() []error { return e }

// The error of a user's function is returned as it is, whatever it consists of.
func TestRecordAndTapeErrors(t *testing.T) {
	dev, err := Open("go")
	if err != nil {
		t.Fatal(err)
	}
	one, two := errors.New("one"), errors.New("two")
	for _, mine := range []error{fmt.Errorf("loading: %w (and %w)", one, two), &ownErrors{one, two}, &ownErrors{}, errors.Join(one, two)} {
		tape := NewTape(dev)
		calls := 0
		fails := func() error { calls++; return mine }
		g, err := dev.Record(func(*Stream) error { return fails() })
		if g != nil || err != mine {
			t.Errorf("Record: %v has become %v, %v", mine, g, err)
		}
		if err := tape.Checkpoint(fails); err != mine {
			t.Errorf("Checkpoint: %v has become %v", mine, err)
		}
		if err := tape.Steps(3, func(int) error { return fails() }); err != mine {
			t.Errorf("Steps: %v has become %v", mine, err)
		}
		if calls != 3 {
			t.Errorf("%v: %d calls", mine, calls)
		}
	}
}
