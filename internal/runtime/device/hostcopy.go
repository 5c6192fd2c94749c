package device

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/qdgen/qd/internal/runtime/cuda"
)

// hostCopies are the copies on a GPU of the plain slices that a launch was given,
// alone or in views and other structs.
// Slices that overlap on the host share one copy, so that they overlap on the
// device as well, and what comes back is written once.
type hostCopies struct{ regions []*hostRegion }

// hostRegion is host memory with its copy.
type hostRegion struct {
	begin, end uintptr // on the host
	host       []byte
	mem        *cuda.Memory
	written    bool // the kernel may have written to it
}

// copyPlan allocates the copies for the slices in a launch's arguments; it is
// nil if there are none. Where all slices are empty there is nothing to copy, but the launch
// is waited for as with any.
func (p *cudaProgram) copyPlan(args []any) (*hostCopies, error) {
	c, plain := &hostCopies{}, false
	for i, arg := range args {
		if _, ok := arg.(*Buffer); ok {
			continue
		}
		eachSlice(reflect.ValueOf(arg), func(v reflect.Value) {
			plain = true
			if v.Len() == 0 {
				return
			}
			size := v.Len() * int(v.Type().Elem().Size())
			c.regions = append(c.regions, &hostRegion{
				begin:   v.Pointer(),
				end:     v.Pointer() + uintptr(size),
				host:    unsafe.Slice((*byte)(v.UnsafePointer()), size),
				written: p.abi.Params[i].Written,
			})
		})
	}
	if !plain {
		return nil, nil
	}
	c.merge()
	for _, r := range c.regions {
		var err error
		if r.mem, err = p.backend.allocate(len(r.host)); err != nil {
			c.free()
			return nil, err
		}
	}
	return c, nil
}

// merge joins the regions that overlap. Those that only touch may be different
// objects of Go's heap and stay apart.
func (c *hostCopies) merge() {
	slices.SortFunc(c.regions, func(a, b *hostRegion) int {
		switch {
		case a.begin < b.begin:
			return -1
		case a.begin > b.begin:
			return 1
		}
		return 0
	})
	var merged []*hostRegion
	for _, r := range c.regions {
		if len(merged) == 0 || r.begin >= merged[len(merged)-1].end {
			merged = append(merged, r)
			continue
		}
		last := merged[len(merged)-1]
		last.written = last.written || r.written
		if r.end > last.end {
			last.end = r.end
			last.host = unsafe.Slice(unsafe.SliceData(last.host), last.end-last.begin)
		}
	}
	c.regions = merged
}

// address is where a slice is on the device.
func (c *hostCopies) address(v reflect.Value) uintptr {
	if v.Len() == 0 {
		return 0
	}
	host := v.Pointer()
	for _, r := range c.regions {
		if r.begin <= host && host < r.end {
			return r.mem.Address() + (host - r.begin)
		}
	}
	panic("BUG: a slice without a copy")
}

// in queues the copies to the device.
func (c *hostCopies) in(s *cuda.Stream) error {
	for _, r := range c.regions {
		if err := s.CopyIn(r.mem, r.host); err != nil {
			return err
		}
	}
	return nil
}

// out queues the copies back of what may have been written.
func (c *hostCopies) out(s *cuda.Stream) error {
	for _, r := range c.regions {
		if !r.written {
			continue
		}
		if err := s.CopyOut(r.host, r.mem); err != nil {
			return err
		}
	}
	return nil
}

// free gives the copies' memory back. It may be called again.
func (c *hostCopies) free() {
	if c == nil {
		return
	}
	for _, r := range c.regions {
		if r.mem != nil {
			_ = r.mem.Free() // an error of what ran before is for whoever launched it
		}
	}
}
