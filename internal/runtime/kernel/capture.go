package kernel

import (
	"fmt"
	"go/token"
	"reflect"
	"slices"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/internal/runtime/failure"
)

// A Capture is a variable that a function literal captures, and its value.
type Capture struct {
	Name  string
	Value any
}

// captured is what a function literal captures.
type captured struct {
	fn     reflect.Value // the literal with it
	values map[string]comptime.Value
	key    string // the values, as a part of keys
}

// With is the kernel of a function literal, f, that captures variables. A capture that is nil is a mistake.
func (k Kernel) With(f any, captures []*Capture) (Kernel, error) {
	wrong := func(format string, args ...any) (Kernel, error) {
		return Kernel{}, &failure.LaunchError{Kernel: k.Name(), Reason: fmt.Sprintf(format, args...)}
	}
	v := reflect.ValueOf(f)
	switch {
	case v.Kind() != reflect.Func && k.recv != nil:
		return wrong("a kernel that is a method captures only its receiver; remove the qd.Capture")
	case v.Kind() != reflect.Func:
		return wrong("put qd.Capture into the call of qd.NewKernel that has the function literal")
	case !k.Literal:
		return wrong("a declared function captures nothing; qd.Capture is for function literals")
	}
	values, err := named(captures, "qd.NewKernel")
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
	k.captured = c
	return k, nil
}

// named are the values of captures by their names, which a function of package qd is given. A capture that is nil is a
// mistake.
func named(captures []*Capture, maker string) (map[string]comptime.Value, error) {
	values := make(map[string]comptime.Value, len(captures))
	for _, o := range captures {
		if o == nil {
			return nil, fmt.Errorf("an option of %s is nil", maker)
		}
		if !token.IsIdentifier(o.Name) {
			return nil, fmt.Errorf("qd.Capture(%q): this is not the name of a variable", o.Name)
		}
		if _, ok := values[o.Name]; ok {
			return nil, fmt.Errorf("qd.Capture(%q) is given twice", o.Name)
		}
		value, err := comptime.Of(reflect.ValueOf(o.Value))
		if err != nil {
			return nil, fmt.Errorf("qd.Capture(%q): %v", o.Name, err)
		}
		values[o.Name] = value
	}
	return values, nil
}

// Close notes what a function captures that is to be a value of kernels, see [comptime.Close]. It must be addressable;
// what is no function is left alone.
func Close(f reflect.Value, captures []*Capture) {
	if f.Kind() != reflect.Func {
		return
	}
	values, err := named(captures, "qd.NewFunc")
	var given []reflect.Value
	for _, o := range captures {
		if o != nil {
			given = append(given, reflect.ValueOf(o.Value))
		}
	}
	comptime.Close(f, values, given, err)
}

// CapturedValues are what the kernel captures, by name.
func (k *Kernel) CapturedValues() map[string]comptime.Value {
	if k.captured == nil {
		return nil
	}
	return k.captured.values
}

// Code is the function that device "go" calls, and the arguments before the Thread, the Block
// or the Grid.
func (k *Kernel) Code() (fn reflect.Value, first []reflect.Value) {
	switch {
	case k.captured != nil:
		return k.captured.fn, nil
	case k.receiver != nil:
		return k.fn, []reflect.Value{reflect.ValueOf(k.recv)}
	}
	return k.fn, nil
}
