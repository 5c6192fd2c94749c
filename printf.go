package qd

import (
	"io"

	"github.com/qdgen/qd/internal/runtime/device"
)

// Printf prints from a kernel, with the verbs of package fmt. On devices other
// than "go" the arguments are recorded while the kernel runs and printed when the
// launch is waited for; the order between threads is not fixed. The format must
// be a constant, the arguments numbers, bools, constant strings, and arrays and structs
// of up to 64 numbers and bools, such as vectors. Output goes to standard output,
// or where [SetOutput] says.
func Printf(format string, args ...any) { device.Printf(format, args...) }

// SetOutput sets where kernels print, from now on and on all devices, and
// returns where they printed before. A nil w discards. While w writes, kernels that
// print wait: it must not launch one, nor call SetOutput. If w fails or panics, what it
// was given is lost, and the launch goes on; the first time, a warning in the log
// (package log/slog) says why.
func SetOutput(w io.Writer) (old io.Writer) { return device.SetOutput(w) }
