package device

import (
	"reflect"
	"slices"
	"unsafe"
)

// argCopies are arguments with memory of their own. What is one argument's memory and another's, is so in the copies.
type argCopies struct {
	backend Backend
	buffers map[*Buffer]*Buffer
	plain   []plainCopy
}

// A plainCopy is memory of plain slices that overlap, and the copy of it.
type plainCopy struct {
	begin, end uintptr
	written    bool
	copy       []byte // nil if no written argument leads there
}

// of gives the arguments for a launch that writes to the memory of some of them, by index, and is to leave it as it
// is. Others that lead to the same memory lead to the same copy.
func (c *argCopies) of(args []any, written []int) ([]any, error) {
	args = slices.Clone(args)
	for _, i := range written {
		if b, ok := args[i].(*Buffer); ok {
			if err := c.duplicate(b.whole()); err != nil {
				return nil, err
			}
		}
	}
	c.findPlain(args, written)
	for i, arg := range args {
		if b, ok := arg.(*Buffer); ok {
			args[i] = c.buffer(b)
		} else {
			args[i] = c.value(arg)
		}
	}
	return args, nil
}

// duplicate makes a copy of a buffer, unless there is one.
func (c *argCopies) duplicate(whole *Buffer) error {
	if c.buffers[whole] != nil {
		return nil
	}
	d, err := whole.Duplicate(c.backend)
	if err != nil {
		return err
	}
	if c.buffers == nil {
		c.buffers = make(map[*Buffer]*Buffer)
	}
	c.buffers[whole] = d
	return nil
}

// buffer is a buffer in the copy of its memory, or the same one if there is none.
func (c *argCopies) buffer(b *Buffer) *Buffer {
	whole := b.whole()
	switch d := c.buffers[whole]; {
	case d == nil:
		return b
	case whole == b:
		return d
	default:
		return d.Part(b.from/int(b.Elem.Size()), b.Shape, b.N)
	}
}

// findPlain finds the memory of plain slices, and makes room for copies of what is written.
func (c *argCopies) findPlain(args []any, written []int) {
	for i, arg := range args {
		if _, ok := arg.(*Buffer); ok {
			continue
		}
		for _, s := range Slices(arg) {
			if b := bytesOf(s); len(b) > 0 {
				c.addPlain(plainCopy{begin: s.Pointer(), end: s.Pointer() + uintptr(len(b)), written: slices.Contains(written, i)})
			}
		}
	}
	for i := range c.plain {
		p := &c.plain[i]
		if !p.written {
			continue
		}
		at := int(p.begin % 8) // so that all elements are aligned as they were
		words := make([]uint64, (at+int(p.end-p.begin)+7)/8)
		p.copy = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(words)*8)[at:]
	}
}

// addPlain adds memory, and joins what overlaps it.
func (c *argCopies) addPlain(p plainCopy) {
	c.plain = slices.DeleteFunc(c.plain, func(q plainCopy) bool {
		if q.begin >= p.end || p.begin >= q.end {
			return false
		}
		p = plainCopy{begin: min(p.begin, q.begin), end: max(p.end, q.end), written: p.written || q.written}
		return true
	})
	c.plain = append(c.plain, p)
}

// value is an argument that is no buffer, with its slices in the copies that there are. It fills these as far as
// its slices go.
func (c *argCopies) value(arg any) any {
	if len(c.plain) == 0 || len(Slices(arg)) == 0 {
		return arg
	}
	v := reflect.New(reflect.TypeOf(arg)).Elem()
	v.Set(reflect.ValueOf(arg))
	eachSlice(v, func(s reflect.Value) {
		from := bytesOf(s)
		if len(from) == 0 {
			return
		}
		i := slices.IndexFunc(c.plain, func(p plainCopy) bool { return p.begin <= s.Pointer() && s.Pointer() < p.end })
		p := &c.plain[i]
		if p.copy == nil {
			return
		}
		to := p.copy[s.Pointer()-p.begin:]
		copy(to, from)
		s = reflect.NewAt(s.Type(), s.Addr().UnsafePointer()).Elem() // perhaps in a field that is not exported
		s.Set(reflect.SliceAt(s.Type().Elem(), unsafe.Pointer(unsafe.SliceData(to)), s.Len()).Convert(s.Type()))
	})
	return v.Interface()
}

// bytesOf is the memory of a slice.
func bytesOf(s reflect.Value) []byte {
	return unsafe.Slice((*byte)(s.UnsafePointer()), s.Len()*int(s.Type().Elem().Size()))
}

func (c *argCopies) free() {
	for _, d := range c.buffers {
		d.Free()
	}
}
