package device

import (
	"fmt"
	"io"
	"os"
	"sync"
)

// output is where kernels print, on all devices.
var output = struct {
	sync.Mutex
	w io.Writer
}{w: standardOutput{}}

// Printf prints as a kernel does.
func Printf(format string, args ...any) {
	output.Lock()
	defer output.Unlock()
	fmt.Fprintf(output.w, format, args...)
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
	old, output.w = output.w, w
	return old
}

// PrintLine prints a line of qd.StaticPrint.
func PrintLine(line string) {
	output.Lock()
	defer output.Unlock()
	fmt.Fprintln(os.Stderr, line)
}
