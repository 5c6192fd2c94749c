package device

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
)

// output is where kernels print, on all devices.
var output = struct {
	sync.Mutex
	w      io.Writer
	failed bool // w has failed, and a warning has said so
}{w: standardOutput{}}

// Printf prints as a kernel does.
func Printf(format string, args ...any) {
	_ = printing(func(w io.Writer) error {
		fmt.Fprintf(w, format, args...)
		return nil
	})
}

// printing gives a function the output while its lock is held, and returns the function's error. A launch has no error
// for what it prints, as nobody looks at that of [fmt.Printf]. So what the writer refuses is lost, and the first time a
// warning says so. It says so without the lock, as the log may be one that prints.
func printing(f func(w io.Writer) error) error {
	w := new(lossy)
	defer func() {
		if w.warning != "" {
			slog.Warn(w.warning)
		}
	}()
	output.Lock()
	defer output.Unlock()
	return f(w)
}

// lossy is the output while its lock is held.
type lossy struct{ warning string }

// Write implements [io.Writer]. It never fails, whatever the writer of a user does.
func (l *lossy) Write(p []byte) (taken int, _ error) {
	taken = len(p)
	var n int
	var err error
	returned := false
	defer func() {
		v := recover()
		switch {
		case v != nil:
			err = fmt.Errorf("it panics: %v", v)
		case !returned:
			err = errors.New("it ends its goroutine with runtime.Goexit, as t.FailNow of a test does")
		case err == nil && n < len(p):
			err = io.ErrShortWrite
		}
		if err == nil || output.failed {
			return
		}
		output.failed = true
		of := "the writer given to qd.SetOutput"
		if output.w == (standardOutput{}) {
			of = "standard output"
		}
		l.warning = fmt.Sprintf("what kernels print is lost: %s: %v", of, err)
	}()
	n, err = output.w.Write(p)
	returned = true
	return taken, nil
}

// standardOutput is what os.Stdout is when something is printed: a test or an example may put another
// file in its place.
type standardOutput struct{}

// Write implements [io.Writer].
func (standardOutput) Write(p []byte) (int, error) { return os.Stdout.Write(p) }

// SetOutput sets where kernels print and returns where they printed before. A nil w discards.
func SetOutput(w io.Writer) (old io.Writer) {
	if w == nil {
		w = io.Discard
	}
	output.Lock()
	defer output.Unlock()
	old, output.w, output.failed = output.w, w, false
	return old
}

// PrintLine prints a line of qd.StaticPrint.
func PrintLine(line string) {
	output.Lock()
	defer output.Unlock()
	fmt.Fprintln(os.Stderr, line)
}
