package device

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/cuda"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/kernel"
)

// A Backend is what distinguishes kinds of devices.
type Backend interface {
	// Load makes a specialization of a kernel ready to run: builds it if need be, and
	// loads its module if that is not loaded.
	Load(ctx context.Context, k *kernel.Func, opts build.Options) (*Loaded, error)
	// Together builds specializations that are wanted at once, as far as that is quicker than by one Load after
	// the other. Errors are left to Load.
	Together(ctx context.Context, requests []build.Request)
	// Alloc makes memory for an array that is not the host's own; a backend
	// whose kernels work on Go slices in place returns nil, nil.
	Alloc(bytes int) (Memory, error)
	// NewQueue makes an ordered queue of launches, for a Stream.
	NewQueue() (Queue, error)
	// NewSequence makes a sequence of steps, for a Graph.
	NewSequence(steps []Step) (Sequence, error)
	// Settle waits for everything that was launched. Errors of launches are left to TakeError.
	Settle() error
	// TakeError returns the first error of each queue's launches that have ended, in the order in which these were
	// submitted, unless it or the Wait of the queue has returned it before. It stays for the Wait of the queue.
	TakeError() error
	// KnowsBlockDim reports whether kernels for a block are made for the number of threads that their blocks have.
	KnowsBlockDim() bool
	// Abandons reports whether launches that have begun end with their context.
	Abandons() bool
	// Describe says what the device is, for people.
	Describe() string
}

// Loaded is a specialization that has been made ready.
type Loaded struct {
	Program
	Name   string           // the kernel's declaration, with type arguments; "" if it is not known
	Asked  []frontend.Asked // what it depends on beside the options
	Module *build.Module    // the module that was loaded for it, nil if none was

	Read    []bool           // which parameters lead to memory that it may read; nil if that is not known
	Written []bool           // and to memory that it may write
	Ordered bool             // what it leaves may depend on the order of its threads, or nothing is known of that
	Code    func() cache.Key // tells its code from any other; nil if it is not known

	Backward *build.Backward // of a backward kernel
	Faults   bool            // a check or a panic may stop it

	// AsBuilt is the program with the values of what it has Asked for, where Program itself has the values that these have
	// when it runs; nil where it has not.
	AsBuilt func() (Program, error)
}

// A Program is a kernel loaded on a device.
type Program interface {
	// Rank is the number of dimensions that a launch must have, 0 for any.
	Rank() int
	// Prepare makes a launch of checked arguments that can be run repeatedly.
	Prepare(l Launch) (Runner, error)
}

// A Launch is a kernel's dimensions and arguments, which have been checked.
type Launch struct {
	Kernel  *kernel.Kernel
	Dim     dims.Dims
	Threads int
	Args    []any           // of the types of Kernel.Args, or *Buffers
	Consts  []any           // of the types of Kernel.Consts
	Queue   Queue           // nil for the device's own order
	Kept    int             // of a backward kernel: how many bytes it may keep values in, 0 for MaxKept
	Passed  bool            // of a backward kernel: the kernel has run with these arguments, and has passed its checks
	Within  context.Context // ends the launch where the device can; nil for none
	Own     *cuda.OwnFaults // on a GPU: gets the faults of the launch, nil if they are for whoever waits next
}

// Prepare is [Program.Prepare]. If the program has a use for what [Again] has returned, nil for nothing, it becomes
// this launch.
func Prepare(p Program, l *Launch, again Runner) (Runner, error) {
	if p, ok := p.(*cpuProgram); ok { // a type, which is asked for in a fraction of the time of an interface
		return p.prepareAgain(l, again)
	}
	return p.Prepare(*l)
}

// done is closed when the launch is to be abandoned, nil for a launch that runs to its end.
func (l *Launch) done() <-chan struct{} {
	if l.Within == nil {
		return nil
	}
	return l.Within.Done()
}

// A Runner is a prepared launch.
type Runner interface{ Run() error }

// RunOnce runs a launch that will not be repeated.
func RunOnce(r Runner) error {
	if r, ok := r.(*cpuRun); ok {
		return r.runOnce()
	}
	err := r.Run()
	if r, ok := r.(interface{ Release() }); ok {
		r.Release()
	}
	return err
}

// Again returns a runner that [RunOnce] has run, if it can be made another launch, and nil otherwise. It refers to
// nothing that the launch was given but the kernel.
func Again(r Runner) Runner {
	if _, ok := r.(*cpuRun); ok {
		return r
	}
	return nil
}

// Memory is memory of a device.
type Memory interface {
	Address() uintptr
	Write(host []byte) error
	Read(host []byte) error
	Zero() error
	// Duplicate is other memory of the device with the same contents.
	Duplicate() (Memory, error)
	// CopyFrom copies the contents of memory of the same device and size.
	CopyFrom(m Memory) error
	// Fill sets the memory to copies of some bytes.
	Fill(elem []byte) error
	// Part is a part of the memory, which need not be freed.
	Part(from, size int) Memory
	Free()
}

// A Queue is an ordered queue of launches.
type Queue interface {
	// Submit runs a launch after those submitted before.
	Submit(r Runner) error
	// Wait waits for everything submitted and returns the first error.
	Wait(ctx context.Context) error
	Close() error
}

// Open starts the device of a name.
func Open(name string) (Backend, error) {
	switch {
	case name == "go":
		return &goBackend{}, nil
	case name == "cpu":
		return newCPUBackend()
	case strings.HasPrefix(name, "cuda:"):
		ordinal, err := strconv.Atoi(strings.TrimPrefix(name, "cuda:"))
		if err != nil || ordinal < 0 || name != fmt.Sprintf("cuda:%d", ordinal) {
			break
		}
		return newCUDABackend(ordinal)
	}
	return nil, &failure.DeviceError{Device: strconv.Quote(name), Op: "open", Err: fmt.Errorf(`there is no such device; the names are "go", "cpu", and "cuda:0", "cuda:1" and so on`)}
}

// IsGo reports whether a backend is that of device "go".
func IsGo(b Backend) bool {
	_, ok := b.(*goBackend)
	return ok
}

// freed is the error of a launch whose array was freed while it was being prepared.
func (l *Launch) freed() error {
	return &failure.LaunchError{Kernel: l.Kernel.Name(), Reason: "an array has been freed"}
}
