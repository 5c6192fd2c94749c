package device

import (
	"context"
	"reflect"
	"time"
	"unsafe"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/runtime/cuda"
)

// Tuning runs a kernel on the program's own arguments. What follows times such a run, and puts back what the kernel has
// written.

// Cache is the cache that kernels are built through.
func Cache() *cache.Cache { return builder().Cache }

// A Timer is a backend that knows how long something has run on its device better than the host does.
type Timer interface {
	// Time runs a launch and waits for it.
	Time(run func() error) (time.Duration, error)
}

// Time runs a launch, waits for it, and says how long it took on the device.
func Time(b Backend, run func() error) (time.Duration, error) {
	if t, ok := b.(Timer); ok {
		return t.Time(run)
	}
	start := time.Now()
	err := run()
	return time.Since(start), err
}

// Time implements [Timer] by two events around the launch.
func (b *cudaBackend) Time(run func() error) (time.Duration, error) {
	var marks [2]*cuda.Event
	for i := range marks {
		var err error
		if marks[i], err = b.dev.NewEvent(); err != nil {
			return 0, b.fail("make an event", err)
		}
		defer marks[i].Close()
	}
	stream := b.dev.Stream()
	if err := marks[0].Record(stream); err != nil {
		return 0, b.fail("record an event", err)
	}
	if err := run(); err != nil {
		return 0, err
	}
	if err := marks[1].Record(stream); err != nil {
		return 0, b.fail("record an event", err)
	}
	if err := stream.Sync(context.Background()); err != nil {
		return 0, b.fail("wait", err)
	}
	took, err := marks[1].Since(marks[0])
	return took, b.fail("read an event", err)
}

// Saved are copies of the memory that arguments of a launch lead to.
type Saved struct{ parts []*savedPart }

// A savedPart is the memory of one slice or array.
type savedPart struct {
	param  int           // whose argument it is
	slice  reflect.Value // a plain slice, or not valid
	buffer *Buffer
	copy   []byte // on the host
	mem    Memory // on the device, for arrays that are there
}

// Save copies the memory of those arguments of a launch that a kernel may write, by their index.
func Save(args []any, written func(arg int) bool) (*Saved, error) {
	s := new(Saved)
	for i, arg := range args {
		if !written(i) {
			continue
		}
		if b, ok := arg.(*Buffer); ok {
			s.parts = append(s.parts, &savedPart{param: i, buffer: b})
			continue
		}
		eachSlice(reflect.ValueOf(arg), func(v reflect.Value) {
			if v.Len() > 0 {
				s.parts = append(s.parts, &savedPart{param: i, slice: v})
			}
		})
	}
	for _, p := range s.parts {
		if err := p.save(); err != nil {
			s.Free()
			return nil, err
		}
	}
	return s, nil
}

func (p *savedPart) save() (err error) {
	if p.buffer != nil && p.buffer.mem != nil {
		p.mem, err = p.buffer.mem.Duplicate()
		return err
	}
	p.copy, err = p.now()
	return err
}

// now is a copy of the memory as it is.
func (p *savedPart) now() ([]byte, error) {
	if p.buffer == nil {
		return append([]byte(nil), sliceBytes(p.slice)...), nil
	}
	host := make([]byte, p.buffer.N*int(p.buffer.Elem.Size()))
	return host, p.buffer.Read(unsafe.Pointer(unsafe.SliceData(host)))
}

// sliceBytes is the memory of a slice's elements.
func sliceBytes(v reflect.Value) []byte {
	return unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*int(v.Type().Elem().Size()))
}

// Restore puts back what was saved.
func (s *Saved) Restore() error {
	for _, p := range s.parts {
		var err error
		switch {
		case p.mem != nil:
			err = p.buffer.mem.CopyFrom(p.mem)
		case p.buffer != nil:
			err = p.buffer.Write(unsafe.Pointer(unsafe.SliceData(p.copy)))
		default:
			copy(sliceBytes(p.slice), p.copy)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Free gives the copies back.
func (s *Saved) Free() {
	for _, p := range s.parts {
		if p.mem != nil {
			p.mem.Free()
		}
		p.copy, p.mem = nil, nil
	}
}

// An Output is what a kernel has left in the memory of an argument: Elems is a slice.
type Output struct {
	Arg   int
	Elems reflect.Value
}

// Outputs are copies of the memory as it is now.
func (s *Saved) Outputs() ([]Output, error) {
	outs := make([]Output, len(s.parts))
	for i, p := range s.parts {
		bytes, err := p.now()
		if err != nil {
			return nil, err
		}
		var elem reflect.Type
		if p.buffer != nil {
			elem = p.buffer.Elem
		} else {
			elem = p.slice.Type().Elem()
		}
		outs[i] = Output{p.param, reflect.SliceAt(elem, aligned(bytes), len(bytes)/int(elem.Size()))}
	}
	return outs, nil
}

// aligned is the address of a copy of bytes that is aligned for any element.
func aligned(bytes []byte) unsafe.Pointer {
	words := make([]uint64, (len(bytes)+7)/8)
	at := unsafe.Pointer(unsafe.SliceData(words))
	copy(unsafe.Slice((*byte)(at), len(bytes)), bytes)
	return at
}
