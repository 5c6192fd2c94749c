package parslice

import (
	"fmt"
	"unsafe"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// A slice is a plain slice as an array on a device.
type slice[T any] struct {
	*qd.Array[T]
	host []T
	lent bool // the array is in the slice's memory
}

// of makes an array for a slice on a device.
func of[T any](dev *qd.Device, x []T) slice[T] {
	a := qd.Zeros[T](dev, 0)
	lent := launch.Lend(a, unsafe.Pointer(unsafe.SliceData(x)), len(x))
	return slice[T]{a, x, lent}
}

// copy copies the elements from the device into the slice, where they are not there.
func (s slice[T]) copy() error { return s.first(len(s.host)) }

// first is copy of the first n elements.
func (s slice[T]) first(n int) error {
	if s.lent {
		return nil
	}
	return s.Sub(0, n).CopyTo(s.host[:n])
}

// inPlace reports whether kernels work on the slice itself.
func (s slice[T]) inPlace() bool { return s.lent }

// An array is a slice of any type of elements.
type array interface {
	Err() error
	Free()
	inPlace() bool
}

// run calls a function of package par with arrays, which are given back when its kernels have run. Then, unless something was
// wrong, copies brings what they have changed to the host.
func run(dev *qd.Device, arrays []array, call func() error, copies ...func() error) error {
	for _, a := range arrays {
		defer a.Free()
	}
	for _, a := range arrays {
		if err := a.Err(); err != nil {
			return err
		}
	}
	err := call()
	// Where kernels work on the slices, a launch returns when they have run. To wait for the device would be to wait for what others
	// have launched on streams too, and to return their errors.
	if !arrays[0].inPlace() {
		if failed := dev.Wait(); err == nil {
			err = failed
		}
	}
	for _, c := range copies {
		if err == nil {
			err = c()
		}
	}
	return err
}

// apart is an error if two slices that kernels read and write in different places have memory in common.
func apart[T, U any](function string, x []T, y []U) error {
	from, to := ends(x)
	begin, end := ends(y)
	if from < end && begin < to {
		return fmt.Errorf("parslice: %s: the slices overlap", function)
	}
	return nil
}

// ends are the addresses where the memory of a slice begins and ends.
func ends[T any](x []T) (from, to uintptr) {
	from = uintptr(unsafe.Pointer(unsafe.SliceData(x)))
	return from, from + uintptr(len(x))*unsafe.Sizeof(*new(T))
}
