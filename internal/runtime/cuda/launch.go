package cuda

import (
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/internal/runtime/fault"
)

// DefaultBlock is the number of threads in a block where nobody asked for another.
const DefaultBlock = 256

// maxGrid is the number of blocks that a launch can have along its first dimension,
// the only one that is used.
const maxGrid = math.MaxInt32

// A Launch is a kernel with its arguments and number of threads, bound to a
// stream, ready to run any number of times without allocation.
type Launch struct {
	kernel *Kernel
	stream *Stream
	args   []byte
	size   uintptr     // of args, where the driver reads it
	extra  [5]uintptr  // tells the driver of args and size
	call   [11]uintptr // the arguments of cuLaunchKernel; empty without threads
	empty  bool

	faulted func(r *fault.Record) error
	own     *OwnFaults // nil if faults are for the Sync of the stream
}

// Launch prepares a launch over a number of threads in blocks of block threads, 0
// for the usual number. args is the kernel's argument struct; the launch uses it in place
// and keeps it alive. What cannot be launched is an error here.
func (k *Kernel) Launch(s *Stream, args []byte, threads int64, block int) (*Launch, error) {
	maxBlock := k.attrs.MaxThreads
	if block == 0 {
		block = min(DefaultBlock, maxBlock)
	}
	switch {
	case k.mod.dev != s.dev:
		return nil, fmt.Errorf("the kernel is on GPU %d, but the stream is on GPU %d", k.mod.dev.info.Ordinal, s.dev.info.Ordinal)
	case threads < 0:
		return nil, fmt.Errorf("a launch of %d threads", threads)
	case block < 1 || block > maxBlock:
		return nil, fmt.Errorf("a block of this kernel has 1 to %d threads, not %d: each takes %d registers", maxBlock, block, k.attrs.Registers)
	}
	blocks := (threads-1)/int64(block) + 1
	if blocks > maxGrid {
		return nil, fmt.Errorf("%d threads in blocks of %d are %d blocks; a launch has at most %d: use larger blocks, or several launches", threads, block, blocks, maxGrid)
	}
	l := &Launch{kernel: k, stream: s, args: args, size: uintptr(len(args)), empty: threads == 0}
	l.extra = [...]uintptr{
		paramBuffer, dl.Address(l.args),
		paramBufferSize, uintptr(unsafe.Pointer(&l.size)),
		paramEnd,
	}
	l.call = [...]uintptr{
		k.handle,
		uintptr(blocks), 1, 1,
		uintptr(block), 1, 1,
		uintptr(k.asked),
		s.handle,
		0, // arguments one by one
		uintptr(unsafe.Pointer(&l.extra[0])),
	}
	return l, nil
}

// OnFault says what error a fault of the launch becomes, which the Sync of the
// stream returns.
func (l *Launch) OnFault(f func(r *fault.Record) error) { l.faulted = f }

// FaultsTo has faults of the launch be among others that the Sync of the stream does not return. It does nothing for nil.
func (l *Launch) FaultsTo(own *OwnFaults) { l.own = own }

// left implements [recorded].
func (l *Launch) left(int) *Launch { return l }

// Run queues the launch on its stream. An error of the run itself comes from the
// stream's Sync. The arguments are copied: they may be changed for the next run.
func (l *Launch) Run() error {
	if l.empty {
		return nil
	}
	if f := l.kernel.faults; f != nil {
		return f.launch(l)
	}
	return l.queue()
}

// queue queues the kernel alone.
func (l *Launch) queue() error {
	if p := l.kernel.print; p != nil {
		return p.launch(l)
	}
	err := l.stream.call(&l.stream.dev.drv.launchKernel, l.call[:]...)
	runtime.KeepAlive(l)
	return err
}
