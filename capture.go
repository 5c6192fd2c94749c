package qd

import (
	"reflect"

	"github.com/qdgen/qd/internal/runtime/kernel"
)

// innerCaptures are the captures that options are.
func innerCaptures(options []KernelOption) (captures []*kernel.Capture) {
	for _, o := range options {
		if o == nil {
			captures = append(captures, nil)
			continue
		}
		c := o.option()
		captures = append(captures, &kernel.Capture{Name: c.name, Value: c.value})
	}
	return captures
}

// closeFunc is NewFunc of the function that f points to.
func closeFunc(f any, captures []KernelOption) {
	kernel.Close(reflect.ValueOf(f).Elem(), innerCaptures(captures))
}
