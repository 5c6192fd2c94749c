// Package bug turns a panic of qdgen itself into an error. A bug in qdgen must not end the program
// that launches a kernel.
package bug

import (
	"fmt"
	"runtime/debug"
)

// An Error is a fault of qdgen's that was found while it compiled a kernel.
type Error struct {
	Kernel string // its name; "" where it is not known which one it was
	Panic  any    // what was panicked with
	Stack  []byte // of the goroutine that panicked
}

// Error says what happened and asks for a report. [Error.Stack] has the rest.
func (e *Error) Error() string {
	kernel := ""
	if e.Kernel != "" {
		kernel = " of kernel " + e.Kernel
	}
	return fmt.Sprintf("qd: the compilation%s failed: %v: this is a bug in qdgen, not in the kernel;"+
		" please report it with the kernel's source and the stack in the error's details at https://github.com/qdgen/qd/issues", kernel, e.Panic)
}

// Unwrap gives what was panicked with, if that is an error.
func (e *Error) Unwrap() error {
	err, _ := e.Panic.(error)
	return err
}

// Guard calls f for a kernel and gives its error; of a panic it gives an *Error. What calls it has
// to be fit to go on. It is where qdgen recovers from its own panics in all work that somebody
// waits for; in the rest of the work, on the neighbours of a launched kernel, diag.Bug reports them.
func Guard(kernel string, f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &Error{Kernel: kernel, Panic: v, Stack: debug.Stack()}
		}
	}()
	return f()
}
