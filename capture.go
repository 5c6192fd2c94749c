package qd

import (
	"errors"
	"fmt"
	"go/token"
	"reflect"
	"slices"

	"github.com/qdgen/qd/frontend/comptime"
)

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
	values, err := namedCaptures(options)
	if err != nil {
		return wrong("%v", err)
	}
	c := &captured{fn: v, values: values}
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

// namedCaptures are the values of the variables that options name.
func namedCaptures(options []KernelOption) (map[string]comptime.Value, error) {
	values := make(map[string]comptime.Value, len(options))
	for _, o := range options {
		if o == nil {
			return nil, errors.New("an option is nil")
		}
		o := o.option()
		if !token.IsIdentifier(o.name) {
			return nil, fmt.Errorf("qd.Capture(%q): that is no name of a variable", o.name)
		}
		if _, ok := values[o.name]; ok {
			return nil, fmt.Errorf("qd.Capture(%q) is there twice", o.name)
		}
		value, err := comptime.Of(reflect.ValueOf(o.value))
		if err != nil {
			return nil, fmt.Errorf("qd.Capture(%q): %v", o.name, err)
		}
		values[o.name] = value
	}
	return values, nil
}

// closeFunc is NewFunc of the function that f points to.
func closeFunc(f any, captures []KernelOption) {
	v := reflect.ValueOf(f).Elem()
	if v.Kind() != reflect.Func {
		return
	}
	values, err := namedCaptures(captures)
	var types []reflect.Type
	for _, o := range captures {
		if o != nil {
			types = append(types, reflect.TypeOf(o.option().value))
		}
	}
	comptime.Close(v, values, types, err)
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
