package qdbeam

import (
	"reflect"
	"unsafe"

	"github.com/qdgen/qd/internal/gort"
)

// A column is the elements of a batch: a slice, as a kernel takes it.
type column interface {
	set(i int, x any)
	get(i int) any                   // which is not set again: what it gives is in the column
	slice(n int) any                 // its first elements
	permute(order []int, src column) // element i becomes src's element order[i]
}

// newColumn makes a column of n elements. Numbers have one that needs no reflection.
func newColumn(t reflect.Type, n int) column {
	switch t {
	case reflect.TypeFor[float32]():
		return make(typed[float32], n)
	case reflect.TypeFor[float64]():
		return make(typed[float64], n)
	case reflect.TypeFor[int]():
		return make(typed[int], n)
	case reflect.TypeFor[int32]():
		return make(typed[int32], n)
	case reflect.TypeFor[int64]():
		return make(typed[int64], n)
	case reflect.TypeFor[uint32]():
		return make(typed[uint32], n)
	case reflect.TypeFor[uint64]():
		return make(typed[uint64], n)
	}
	return reflected{reflect.MakeSlice(reflect.SliceOf(t), n, n), reflect.Zero(t).Interface()}
}

// Both kinds of columns give elements without copies: a batch has one allocation, where Go would make one for each of its
// results.

type typed[T any] []T

func (c typed[T]) set(i int, x any) { c[i] = x.(T) }
func (c typed[T]) get(i int) any    { var zero T; return gort.At(zero, unsafe.Pointer(&c[i])) }
func (c typed[T]) slice(n int) any  { return []T(c[:n:n]) }

func (c typed[T]) permute(order []int, src column) {
	s := src.(typed[T])
	for i, j := range order {
		c[i] = s[j]
	}
}

type reflected struct {
	v    reflect.Value
	zero any // of the elements
}

func (c reflected) set(i int, x any) { c.v.Index(i).Set(reflect.ValueOf(x)) }
func (c reflected) get(i int) any    { return gort.At(c.zero, c.v.Index(i).Addr().UnsafePointer()) }
func (c reflected) slice(n int) any  { return c.v.Slice3(0, n, n).Interface() }

func (c reflected) permute(order []int, src column) {
	s := src.(reflected)
	for i, j := range order {
		c.v.Index(i).Set(s.v.Index(j))
	}
}
