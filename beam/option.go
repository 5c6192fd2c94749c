package qdbeam

import (
	"fmt"
	"reflect"

	"github.com/qdgen/qd"
)

// An Option says how Map, MapKV or Combine run a kernel.
type Option func(*settings)

// settings are what options set. They travel with the pipeline, as JSON.
type settings struct {
	Kernel  string // the key of a registered function
	Args    []byte // the values of its parameters before the slices, see [appendBits]
	Batch   int    // elements of a batch, at most
	Segment int    // elements that Combine gives to one thread or block, at most
	Threads []int  // of each element, in further dimensions
	Block   int    // threads of a block; 0 leaves it to the device
	Device  string // "" is the worker's default device
	Check   bool   // a checked build

	given []any // what Args gave
}

// Args gives the kernel's parameters before the elements: qd.C(v) for a [qd.Const], and values that are the same for
// all elements.
func Args(values ...any) Option { return func(s *settings) { s.given = values } }

// Batch sets how many elements are launched together, at most. Without it there are as many as fit into
// 64 MiB with their results, and at most 65536.
func Batch(elements int) Option { return func(s *settings) { s.Batch = elements } }

// Segment sets how many elements [Combine] gives to one thread, or to one block, at most. Without it there are 1024.
func Segment(elements int) Option { return func(s *settings) { s.Segment = elements } }

// ThreadsPerElement launches a Thread kernel with several threads for each element, in one to three dimensions after
// that of the elements: t.ID2() is the element and its thread.
func ThreadsPerElement(sizes ...int) Option { return func(s *settings) { s.Threads = sizes } }

// BlockDim sets the threads of a block, as WithBlockDim of a [qd.Kernel].
func BlockDim(threads int) Option { return func(s *settings) { s.Block = threads } }

// Device names the device that all workers take, as [qd.Open] does.
func Device(name string) Option { return func(s *settings) { s.Device = name } }

// Checked launches a checked build: what panics in Go fails the bundle with its position, the thread and the
// values.
func Checked() Option { return func(s *settings) { s.Check = true } }

const (
	maxBatch       = 1 << 16
	maxBatchBytes  = 64 << 20
	defaultSegment = 1024
)

// settingsOf are the settings of a kernel, and its shape.
func settingsOf(kernel any, options []Option, before ...reflect.Type) (*settings, *shape, error) {
	s := &settings{Segment: defaultSegment}
	var err error
	if s.Kernel, err = key(kernel); err != nil {
		return nil, nil, err
	}
	if _, err := lookup(s.Kernel); err != nil {
		return nil, nil, err
	}
	fail := func(err error) (*settings, *shape, error) {
		return nil, nil, fmt.Errorf("qdbeam: kernel %s: %w", shortName(s.Kernel), err)
	}
	sh, err := shapeOf(reflect.TypeOf(kernel), before...)
	if err != nil {
		return fail(err)
	}
	for _, o := range options {
		o(s)
	}
	if s.Batch == 0 {
		s.Batch = min(maxBatch, maxBatchBytes/max(int(sh.in.Size()+sh.out.Size()), 1))
		s.Batch = max(s.Batch, 1)
	}
	switch {
	case s.Batch < 1 || s.Batch >= qd.MaxDim:
		return fail(fmt.Errorf("a batch has %d elements", s.Batch))
	case s.Segment < 1:
		return fail(fmt.Errorf("a segment has %d elements", s.Segment))
	case s.Block < 0:
		return fail(fmt.Errorf("a block has %d threads", s.Block))
	case len(s.Threads) > 0 && sh.speaks != threadType:
		return fail(fmt.Errorf("only a kernel of a qd.Thread can have several threads for each element"))
	case len(s.Threads) > 3:
		return fail(fmt.Errorf("the threads of an element have %d dimensions, more than 3", len(s.Threads)))
	}
	threads := s.Batch
	for _, n := range s.Threads {
		if n < 1 || threads > qd.MaxDim/n {
			return fail(fmt.Errorf("a batch of %d elements with %v threads each is no launch; see qdbeam.Batch", s.Batch, s.Threads))
		}
		threads *= n
	}
	if s.Args, err = encodeArgs(s.given, sh.params); err != nil {
		return fail(err)
	}
	return s, sh, nil
}

// encodeArgs encodes the values of parameters.
func encodeArgs(given []any, params []reflect.Type) ([]byte, error) {
	if len(given) != len(params) {
		return nil, fmt.Errorf("it has %d parameters between its first one and the slices: %v; qdbeam.Args gives %d values", len(params), params, len(given))
	}
	var b []byte
	for i, t := range params {
		v, err := convert(given[i], t)
		if err == nil {
			b, err = appendBits(b, v)
		}
		if err != nil {
			return nil, fmt.Errorf("value %d of qdbeam.Args: %w", i+1, err)
		}
	}
	return b, nil
}

// convert makes a value the value of a parameter, as a launch does: an int or a float64 becomes any number that equals it.
func convert(x any, t reflect.Type) (reflect.Value, error) {
	to := reflect.New(t).Elem()
	v := reflect.ValueOf(x)
	if !v.IsValid() {
		return to, fmt.Errorf("nil is no %v", t)
	}
	if v.Type().AssignableTo(t) {
		to.Set(v)
		return to, nil
	}
	from, num := v, to
	if isConst(t) && isConst(v.Type()) {
		from, num = v.Field(0), to.Field(0)
		if from.Type().AssignableTo(num.Type()) {
			num.Set(from)
			return to, nil
		}
	}
	if number(num.Kind()) && (from.Type() == reflect.TypeFor[int]() || from.Type() == reflect.TypeFor[float64]()) && isConst(t) == isConst(v.Type()) {
		c := from.Convert(num.Type())
		if back := c.Convert(from.Type()); back.Equal(from) {
			num.Set(c)
			return to, nil
		}
		if num.CanFloat() && from.CanFloat() { // 0.1 is the nearest float32, as an untyped constant is
			num.Set(c)
			return to, nil
		}
	}
	return to, fmt.Errorf("%v (%T) is no %v", x, x, t)
}

func number(k reflect.Kind) bool {
	return k >= reflect.Int && k <= reflect.Float64 && k != reflect.Uintptr
}

// decodeArgs decodes the values of parameters.
func decodeArgs(b []byte, params []reflect.Type) ([]any, error) {
	var args []any
	for _, t := range params {
		v := reflect.New(t).Elem()
		var err error
		if b, err = readBits(b, v); err != nil {
			return nil, err
		}
		args = append(args, v.Interface())
	}
	return args, nil
}
