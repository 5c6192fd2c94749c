package qd

import (
	"fmt"
	"io"
	"os"
	"sync"
)

// Printf prints from a kernel, with the verbs of package fmt. On devices other
// than "go" the arguments are recorded while the kernel runs and printed when the
// launch is waited for; the order between threads is not fixed. The format must
// be a constant, the arguments numbers, bools, constant strings, and arrays and structs
// of up to 64 numbers and bools, such as vectors. Output goes to standard output,
// or where [SetOutput] says.
func Printf(format string, args ...any) {
	output.Lock()
	defer output.Unlock()
	fmt.Fprintf(output.w, format, args...)
}

// output is where Printf writes, for all devices.
var output = struct {
	sync.Mutex
	w io.Writer
}{w: standardOutput{}}

// standardOutput is what os.Stdout is when something is printed: a test or an example may put another
// file in its place.
type standardOutput struct{}

// Write implements [io.Writer].
func (standardOutput) Write(p []byte) (int, error) { return os.Stdout.Write(p) }

// SetOutput sets where kernels print, from now on and on all devices, and
// returns where they printed before. A nil w discards. While w writes, kernels that
// print wait: it must not launch one, nor call SetOutput.
func SetOutput(w io.Writer) (old io.Writer) {
	if w == nil {
		w = io.Discard
	}
	output.Lock()
	defer output.Unlock()
	old, output.w = output.w, w
	return old
}

// printLine prints a line of qd.StaticPrint.
func printLine(line string) {
	output.Lock()
	defer output.Unlock()
	fmt.Fprintln(os.Stderr, line)
}
