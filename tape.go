package qd

import (
	"unsafe"

	"github.com/qdgen/qd/internal/runtime/launch"
	"github.com/qdgen/qd/internal/runtime/tape"
)

// A Tape runs launches and records them, so that [Tape.Backward] can differentiate what they compute. It is for one
// goroutine at a time.
//
//	w := qd.From(dev, host).WithGrad()
//	tape := qd.NewTape(dev)
//	err := tape.Launch(loss, qd.Dim(n), w, x, sum)
//	err = tape.Backward(sum) // w.Grad() has d sum / d w added to it
//
// Arrays with a gradient are what is differentiated by: their gradient is that by their elements as they were before
// the first recorded launch. The tape itself keeps the gradients of all arrays between. It notices when an array
// changes that it needs, by a launch, recorded or not, or by [Array.CopyFrom], [Array.CopyArray] or [Array.Fill], and
// keeps a copy. These three are recorded too. Plain slices are constants, which are copied. After a change that is not
// recorded, of an array that depends on one with a gradient, the next launch with that array is an error.
type Tape struct{ core any } // *tape.Tape, see opaque.go

// A TapeOption is a setting of a tape, see [NewTape].
type TapeOption interface {
	tape(bytes, snapshots, strip *int)
}

type tapeMemory int

func (m tapeMemory) tape(bytes, _, _ *int) { *bytes = int(m) }

type tapeSnapshots int

func (n tapeSnapshots) tape(_, snapshots, _ *int) { *snapshots = int(n) }

type tapeStrips int

func (n tapeStrips) tape(_, _, strip *int) { *strip = int(n) }

// TapeMemory bounds the bytes that a tape takes: for copies of arrays and gradients, see [Tape.Memory], and for what
// backward kernels keep while they run, which go through the threads of a launch in batches if there is not enough for
// all. What would need more is an error, which says how much is missing.
func TapeMemory(bytes int) TapeOption { return tapeMemory(bytes) }

// TapeSnapshots is how many snapshots [Tape.Steps] keeps at once, 1 at least.
func TapeSnapshots(n int) TapeOption { return tapeSnapshots(n) }

// TapeStrips is for kernels with long loops. A backward kernel keeps something of each turn of a loop. With this
// option, loops are cut into strips of so many turns: the backward kernel keeps the variables of the loop before each
// strip, runs the turns of one strip at a time once more, and keeps something of each of those alone. The least memory
// for a loop of n turns is with about √n in a strip. Gradients are the same.
//
// A loop is not cut if threads wait for each other in it, or if it reads memory that the kernel writes, unless these
// are floats that no other thread uses. The ordinary loops of a Grid kernel are cut too: what is kept before a strip of
// these has copies of the arrays that the kernel writes.
func TapeStrips(turns int) TapeOption { return tapeStrips(turns) }

// NewTape makes a tape for launches on a device.
func NewTape(dev *Device, options ...TapeOption) *Tape {
	var all tape.Options
	for _, o := range options {
		if o != nil {
			o.tape(&all.Bound, &all.Snapshots, &all.Strip)
		}
	}
	return &Tape{tape.New(innerDevice(dev), all)}
}

// Launch runs a launch as [Device.Launch] does, and records it. A kernel that has no gradient is refused with its
// position before it runs, if it depends on an array that has one. Plain slices of floats are for such kernels to read
// only.
func (t *Tape) Launch(kernel any, dim Dims, args ...any) error {
	return public(innerTape(t).Launch(kernelOf(kernel), dim.inner(), args))
}

// Run runs a Grid kernel as [Device.Run] does, and records it. [Tape.Backward] runs the whole kernel backward: the
// loops from the last to the first, ordinary loops around them turn by turn, and what the host computes between them.
func (t *Tape) Run(kernel any, args ...any) error {
	return public(innerTape(t).Run(kernelOf(kernel), args))
}

// Backward differentiates y, an [*Array] with one float: it adds to the gradients of arrays the derivatives of y by
// their elements. It may be called again, and for another y.
func (t *Tape) Backward(y any) error { return public(innerTape(t).Backward(y)) }

// BackwardFrom differentiates y, an [*Array], from a gradient of it: an array or a slice with the derivatives of the
// result by the elements of y.
func (t *Tape) BackwardFrom(y, seed any) error { return public(innerTape(t).BackwardFrom(y, seed)) }

// Checkpoint calls f, and records its launches in another way: instead of what the backward kernels need of each
// launch, the tape keeps the arrays as they were before f, as far as f changes them. [Tape.Backward] runs the launches
// again on copies, but does not call f again. There may be checkpoints and [Tape.Steps] in f.
func (t *Tape) Checkpoint(f func() error) error { return public(innerTape(t).Checkpoint(f)) }

// Steps calls f(0), f(1) and so on, n times, and records the launches of all steps. It is for long loops: the tape
// keeps snapshots, the arrays as they were before some of the steps, as far as the steps change them. [Tape.Backward]
// goes from the last step to the first, and runs the launches of the steps between again on copies, but does not call f
// again. There are as many snapshots as [TapeSnapshots] says, or else as fit into [TapeMemory], or else as many that no
// step is run again more than three times: 9 of 200 steps, 17 of 1,000. Which steps have them is chosen so that as few
// steps are run again as possible with so many snapshots (Griewank and Walther's schedule, Revolve). There may be
// checkpoints and Steps in f. An error of f ends the loop.
func (t *Tape) Steps(n int, f func(i int) error) error { return public(innerTape(t).Steps(n, f)) }

// Memory is the number of bytes that the tape takes now, for copies of arrays and for gradients.
func (t *Tape) Memory() int { return innerTape(t).Memory() }

// Reset forgets what was recorded and gives the memory back, but for small buffers that the tape takes again. The
// gradients of arrays stay.
func (t *Tape) Reset() { innerTape(t).Reset() }

// Device is the device that the tape is for.
func (t *Tape) Device() *Device { return faceOf(innerTape(t).Device()) }

// WithGrad gives the array a gradient, which is zero, and returns the array. It panics if there are no floats in the
// elements.
func (a *Array[T]) WithGrad() *Array[T] {
	withGrad(a.inner())
	return a
}

//go:noinline
func withGrad(h *handle) { launch.WithGrad(h) }

// Grad is the gradient: an array of the same shape, nil if there is none. See [Array.WithGrad].
func (a *Array[T]) Grad() *Array[T] {
	return (*Array[T])(gradOf(a.inner()))
}

//go:noinline
func gradOf(a *handle) unsafe.Pointer {
	g := new(handle)
	if !launch.Grad(a, g) {
		return nil
	}
	return unsafe.Pointer(g)
}

// ZeroGrad makes the gradient zero.
func (a *Array[T]) ZeroGrad() error { return zeroGrad(a.inner()) }

//go:noinline
func zeroGrad(h *handle) error { return public(launch.ArrayOf(h).ZeroGrad()) }

// Gradient is the backward kernel of the kernel. Its parameters are those of the kernel, and then for each that is a
// slice or a view of floats, or has some in it, one of the same type with the gradient: on entry the derivatives of a
// result by what a launch of the kernel leaves in memory, at the end those by what was there before. An array that the
// kernel both reads and writes is to be given as it was before the launch, and is written again.
//
// On device "go" and in checked builds, a launch of it first does the checks of the kernel. If one fails, no memory has
// changed.
//
// The backward kernel of a tangent kernel differentiates twice: see [Kernel.Tangent]. So does that of a backward
// kernel, if this keeps no values in memory and is given no copy of an array.
func (k *Kernel) Gradient() *Kernel { return &Kernel{innerKernel(k).Gradient()} }

// Tangent is the tangent kernel of the kernel: forward-mode differentiation, a product of the Jacobian and a vector. It
// does what the kernel does. Its parameters are those of the kernel, and then for each that is a slice or a view of
// floats, or has some in it, one of the same type with the tangents: on entry the derivatives of what is in memory
// along any direction, at the end those of what the launch leaves there.
//
// k.Tangent().Gradient() and k.Gradient().Tangent() are the second derivative: of a kernel that computes one number, a
// product of its Hessian and a vector.
func (k *Kernel) Tangent() *Kernel { return &Kernel{innerKernel(k).Tangent()} }
