// Package qdarrow gives kernels the numbers of Arrow arrays, and makes Arrow arrays of what kernels have written.
//
//	x, err := qdarrow.Values[float64](column)
//	err = qd.Launch(scale, qd.Dim(len(x)), 2, x)
//
// Both share the memory: nothing is copied on the devices "go" and "cpu". It is a module of its own, so that only
// programs that use it need Arrow.
package qdarrow

import (
	"fmt"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// A Number is an element of both.
type Number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// Values are the numbers of an array. They are of use as long as the array is: call Release after the launches. An
// array is not to be changed, so kernels should only read them. At places that are null there may be any number: see
// [Valid]. Dates, times and the like are arrays of integers, and have values of type int32 or int64.
func Values[T Number](a arrow.Array) ([]T, error) {
	width, ok := a.DataType().(arrow.FixedWidthDataType)
	if !ok || !represents[T](a.DataType()) {
		return nil, fmt.Errorf("qdarrow: an array of %v has no values of type %T", a.DataType(), *new(T))
	}
	size := width.BitWidth() / 8
	data := a.Data()
	if a.Len() == 0 || len(data.Buffers()) < 2 || data.Buffers()[1] == nil {
		return nil, nil
	}
	bytes := data.Buffers()[1].Bytes()[data.Offset()*size:][:a.Len()*size]
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(bytes))), a.Len()), nil
}

// represents reports whether an array of a type has elements of type T in its memory.
func represents[T Number](t arrow.DataType) bool {
	switch own := dataType[T](); t.ID() {
	case own.ID():
		return true
	case arrow.DATE32, arrow.TIME32, arrow.INTERVAL_MONTHS:
		return own.ID() == arrow.INT32
	case arrow.DATE64, arrow.TIME64, arrow.TIMESTAMP, arrow.DURATION:
		return own.ID() == arrow.INT64
	}
	return false
}

// dataType is the type of an array of numbers.
func dataType[T Number]() arrow.DataType {
	switch any(*new(T)).(type) {
	case int8:
		return arrow.PrimitiveTypes.Int8
	case int16:
		return arrow.PrimitiveTypes.Int16
	case int32:
		return arrow.PrimitiveTypes.Int32
	case int64:
		return arrow.PrimitiveTypes.Int64
	case uint8:
		return arrow.PrimitiveTypes.Uint8
	case uint16:
		return arrow.PrimitiveTypes.Uint16
	case uint32:
		return arrow.PrimitiveTypes.Uint32
	case uint64:
		return arrow.PrimitiveTypes.Uint64
	case float32:
		return arrow.PrimitiveTypes.Float32
	}
	return arrow.PrimitiveTypes.Float64
}

// Valid tells for each place of an array whether it is not null. It is a copy: Arrow has bits.
func Valid(a arrow.Array) []bool {
	valid := make([]bool, a.Len())
	bits := a.NullBitmapBytes()
	for i := range valid {
		valid[i] = a.NullN() == 0 || len(bits) > 0 && bitutil.BitIsSet(bits, a.Data().Offset()+i)
	}
	return valid
}

// Of is an array with the numbers of a slice as its memory. The slice is not to be changed any more. Release the array
// as any other.
func Of[T Number](x []T) arrow.Array {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(*new(T))))
	values := memory.NewBufferBytes(bytes)
	data := array.NewData(dataType[T](), len(x), []*memory.Buffer{nil, values}, nil, 0, 0)
	defer data.Release()
	return array.MakeFromData(data)
}
