package bug

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func fails(v any) error { panic(v) }

func TestGuard(t *testing.T) {
	err := Guard("saxpy", func() error { return fails("BUG: no value") })
	var e *Error
	if !errors.As(err, &e) || e.Kernel != "saxpy" || e.Panic != "BUG: no value" {
		t.Fatalf("%#v", err)
	}
	for _, want := range []string{"saxpy", "BUG: no value", "report"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %q", want, err)
		}
	}
	if !strings.Contains(string(e.Stack), "bug.fails") {
		t.Errorf("where it panicked is not in the stack:\n%s", e.Stack)
	}

	if err := Guard("saxpy", func() error { return fails(io.EOF) }); !errors.Is(err, io.EOF) {
		t.Errorf("%v is not the error of the panic", err)
	}
	if err := Guard("saxpy", func() error { return io.EOF }); err != io.EOF {
		t.Errorf("error is %v", err)
	}
	if err := Guard("saxpy", func() error { return nil }); err != nil {
		t.Error(err)
	}
}
