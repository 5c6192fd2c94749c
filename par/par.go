package par

import (
	"fmt"

	"github.com/qdgen/qd"
)

//go:generate go run ../cmd/qdgen gen .

// A Launcher is how kernels are launched: a [*qd.Device], a [*qd.Stream] or a [*qd.Tape].
type Launcher interface {
	Launch(kernel any, dim qd.Dims, args ...any) error
}

// A call is a call of one of the functions: it launches kernels until one fails.
type call struct {
	on   Launcher
	name string
	err  error
}

// launch launches a kernel over n threads or blocks.
func (c *call) launch(kernel any, n int, args ...any) {
	if c.err != nil || n == 0 {
		return
	}
	if c.on == nil {
		c.wrong("the launcher is nil; give a device, a stream or a tape")
		return
	}
	if err := c.on.Launch(kernel, qd.Dim(n), args...); err != nil {
		c.err = fmt.Errorf("par: %s: %w", c.name, err)
	}
}

// wrong notes what is wrong with the arguments, unless something has been wrong before.
func (c *call) wrong(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("par: %s: %s", c.name, fmt.Sprintf(format, args...))
	}
}

// holds notes it if an array for results has less than n elements.
func holds[T any](c *call, what string, a *qd.Array[T], n int) {
	if a.Len() < n {
		c.wrong("the array for %s has %d elements; it needs %d", what, a.Len(), n)
	}
}

// notEmpty notes it if an array that must have some has no elements.
func notEmpty[T any](c *call, a *qd.Array[T]) {
	if a.Len() == 0 {
		c.wrong("the array has no elements")
	}
}

// notNil notes it if a function that is an argument is nil.
func notNil(c *call, isNil bool) {
	if isNil {
		c.wrong("the function is nil")
	}
}

// temporary is an array on the device of another one.
func temporary[T, U any](c *call, like *qd.Array[U], n int) *qd.Array[T] {
	if like.Device() == nil {
		c.wrong("an array was not made by qd.From or qd.Zeros")
	}
	if c.err != nil {
		return nil
	}
	a := qd.Zeros[T](like.Device(), n)
	if err := a.Err(); err != nil {
		c.err = fmt.Errorf("par: %s: %w", c.name, err)
	}
	return a
}

// notRecorded notes it if the call is in a function that Record has called, where no array can be made. It is for calls
// that make none because there are few elements: so it does not depend on their number what is an error.
func notRecorded[T any](c *call, like *qd.Array[T]) {
	if _, ok := c.on.(*qd.Stream); ok {
		temporary[T](c, like, 0)
	}
}

// pieces is how many pieces of a size n elements have.
func pieces(n, size int) int { return (n + size - 1) / size }
