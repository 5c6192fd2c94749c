package cuda

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/internal/runtime/fault"
)

// A Device is a GPU with its primary context, which other users of CUDA in the
// process share. It is safe for use by several goroutines at once, like all that
// lives on it.
type Device struct {
	drv     *Driver
	info    *Info
	handle  int32
	current []uintptr             // the context, as the argument of cuCtxSetCurrent
	lost    atomic.Pointer[Error] // why nothing works any more
	stream  *Stream               // the device's own order

	launches atomic.Int64 // that may fail, which have been queued

	mu       sync.Mutex
	streams  map[*Stream]struct{} // open ones
	printers []*printer           // of the modules that print
}

// Device gives the GPU of an ordinal, counted from 0, and makes it ready for
// use the first time, which takes the driver some tenths of a second.
func (d *Driver) Device(ordinal int) (*Device, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if dev, ok := d.devices[ordinal]; ok {
		return dev, nil
	}
	handle, info, err := d.info(ordinal)
	if err != nil {
		return nil, err
	}
	dev := &Device{drv: d, info: info, handle: handle, current: make([]uintptr, 1), streams: make(map[*Stream]struct{})}
	if err := d.call(&d.primaryCtxRetain, uintptr(unsafe.Pointer(&dev.current[0])), uintptr(handle)); err != nil {
		return nil, err
	}
	if dev.stream, err = dev.NewStream(); err != nil {
		_ = d.call(&d.primaryCtxRelease, uintptr(handle)) // the first error is the one to tell
		return nil, err
	}
	d.devices[ordinal] = dev
	return dev, nil
}

// Driver is the driver that the device belongs to.
func (d *Device) Driver() *Driver { return d.drv }

// Info describes the GPU.
func (d *Device) Info() *Info { return d.info }

// Stream is the device's own stream, for work that needs no other order.
func (d *Device) Stream() *Stream { return d.stream }

// Sync is Settle, and then TakeFaults.
func (d *Device) Sync() error {
	if err := d.Settle(); err != nil {
		return err
	}
	return errors.Join(d.TakeFaults()...)
}

// Settle waits for everything that was started on the device, on all streams, hands on what kernels printed, and reads
// how they failed. The error may be that of any kernel before. Faults are left to TakeFaults.
func (d *Device) Settle() error {
	d.mu.Lock()
	printers := d.printers
	streams := d.openStreams()
	var host [][]byte
	for _, s := range streams {
		host = append(host, s.release()...)
	}
	d.mu.Unlock()
	err := d.call(&d.drv.ctxSynchronize)
	runtime.KeepAlive(host)
	if err == nil {
		err = drain(printers)
	}
	for _, s := range streams {
		if err == nil {
			err = s.collect()
		}
	}
	return err
}

// openStreams are the open streams. It is called with the device's lock held.
func (d *Device) openStreams() []*Stream { return slices.Collect(maps.Keys(d.streams)) }

// TakeFaults returns the first fault of each stream that has been read, in the order of their launches, unless it has
// returned that before. One on another stream than the device's own stays for that stream's Sync.
func (d *Device) TakeFaults() []error {
	d.mu.Lock()
	streams := d.openStreams()
	d.mu.Unlock()
	var list []fault.Failed
	for _, s := range streams {
		list = append(list, s.faultForDevice())
	}
	return fault.OfDevice(list)
}

// Free is how much of the device's memory is free, and how much there is.
func (d *Device) Free() (free, total uint64, err error) {
	err = d.call(&d.drv.memGetInfo, uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&total)))
	return free, total, err
}

// needStack gives each thread a stack of at least so many bytes. It never makes it smaller: other kernels, and other
// users of the context, may have asked for more.
func (d *Device) needStack(bytes int) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var now uintptr
	if err := d.call(&d.drv.ctxGetLimit, uintptr(unsafe.Pointer(&now)), limitStackSize); err != nil || now >= uintptr(bytes) {
		return err
	}
	if err := d.call(&d.drv.ctxSetLimit, limitStackSize, uintptr(bytes)); err != nil {
		return withDetail(err, fmt.Sprintf("recursion in the kernel needs a stack of %d bytes for each thread: write it as a loop", bytes))
	}
	return nil
}

// call calls a function of the driver with the device's context current.
//
//go:uintptrescapes
func (d *Device) call(f *function, args ...uintptr) error {
	if err := d.lost.Load(); err != nil {
		return err
	}
	runtime.LockOSThread()
	code := result(dl.Call(d.drv.ctxSetCurrent.addr, d.current...))
	if code != 0 {
		f = &d.drv.ctxSetCurrent
	} else {
		code = result(dl.Call(f.addr, args...))
	}
	runtime.UnlockOSThread()
	if code != 0 {
		return d.failed(f, code)
	}
	return nil
}

// failed makes an error of a code, and remembers one after which nothing works.
func (d *Device) failed(f *function, code Code) error {
	err := d.drv.error(f, code)
	if err.Lost {
		// Of several goroutines that meet the failure all tell the first's.
		if !d.lost.CompareAndSwap(nil, err) {
			return d.lost.Load()
		}
	}
	return err
}
