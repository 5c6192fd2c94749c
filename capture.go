package qd

import (
	"fmt"
	"go/token"
	"reflect"
	"slices"

	"github.com/qdgen/qd/frontend/comptime"
)

// A KernelOption says more of a kernel to [NewKernel].
type KernelOption interface{ option() capture }

// capture is a variable that a function literal captures.
type capture struct {
	name  string
	value any
}

func (c capture) option() capture { return c }

// Capture names a variable that a function literal captures, and its value, which is a
// compile-time constant of the kernel:
//
//	k := qd.NewKernel(func(t qd.Thread, x []float32) { x[t.ID()] *= c }, qd.Capture("c", c))
//
// All that a literal captures must be named. The variable must not be assigned to after its
// declaration: what the kernel knows is its value when NewKernel was called. It may be what a
// [Const] may be.
func Capture(name string, value any) KernelOption { return capture{name, value} }

// captured is what a function literal captures.
type captured struct {
	fn     reflect.Value // the literal with it
	values map[string]comptime.Value
	key    string // the values, as a part of keys
}

// with makes a handle for a function literal of what its options name.
func (k *Kernel) with(f any, options []KernelOption) (*Kernel, error) {
	wrong := func(format string, args ...any) (*Kernel, error) {
		return nil, &LaunchError{Kernel: k.Name(), Reason: fmt.Sprintf(format, args...)}
	}
	v := reflect.ValueOf(f)
	switch {
	case v.Kind() != reflect.Func && k.recv != nil:
		return wrong("a kernel that is a method captures its receiver, and nothing by qd.Capture")
	case v.Kind() != reflect.Func:
		return wrong("name what a kernel captures where it is made, in the qd.NewKernel of the function literal")
	case !k.literal:
		return wrong("a declared function captures nothing; qd.Capture is for function literals")
	}
	c := &captured{fn: v, values: map[string]comptime.Value{}}
	for _, o := range options {
		if o == nil {
			return wrong("an option of qd.NewKernel is nil")
		}
		o := o.option()
		if !token.IsIdentifier(o.name) {
			return wrong("qd.Capture(%q): that is no name of a variable", o.name)
		}
		if _, ok := c.values[o.name]; ok {
			return wrong("qd.Capture(%q) is there twice", o.name)
		}
		value, err := comptime.Of(reflect.ValueOf(o.value))
		if err != nil {
			return wrong("qd.Capture(%q): %v", o.name, err)
		}
		c.values[o.name] = value
	}
	var key []byte
	names := make([]string, 0, len(c.values))
	for name := range c.values {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		key = c.values[name].Append(append(key, name+"\x00"...))
	}
	c.key = string(key)
	n := *k
	n.captured = c
	return &n, nil
}

// capturedValues are what the kernel captures, by name.
func (k *Kernel) capturedValues() map[string]comptime.Value {
	if k.captured == nil {
		return nil
	}
	return k.captured.values
}

// code is the function that device "go" calls, and the arguments before the Thread, the Block
// or the Grid.
func (k *Kernel) code() (fn reflect.Value, first []reflect.Value) {
	switch {
	case k.captured != nil:
		return k.captured.fn, nil
	case k.receiver != nil:
		return k.fn, []reflect.Value{reflect.ValueOf(k.recv)}
	}
	return k.fn, nil
}
