package qdarrow_test

import (
	"fmt"
	"log"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/interop/qdarrow"
)

//qd:kernel
func squares(t qd.Thread, x, y []float64) { y[t.ID()] = x[t.ID()] * x[t.ID()] }

func Example() {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	b.AppendValues([]float64{1, 2, 3}, nil)
	column := b.NewArray()
	defer column.Release()

	x, err := qdarrow.Values[float64](column)
	if err != nil {
		log.Fatal(err)
	}
	y := make([]float64, len(x))
	if err := qd.Launch(squares, qd.Dim(len(x)), x, y); err != nil {
		log.Fatal(err)
	}
	result := qdarrow.Of(y)
	defer result.Release()
	fmt.Println(result)
	// Output: [1 4 9]
}

func numbers[T qdarrow.Number](t *testing.T) {
	t.Helper()
	host := []T{5, 0, 7, 9, 11}
	a := qdarrow.Of(host)
	defer a.Release()
	if x, err := qdarrow.Values[T](a); err != nil || !slices.Equal(x, host) || &x[0] != &host[0] {
		t.Errorf("%T: %v %v", host, x, err)
	}
	part := array.NewSlice(a, 1, 4)
	defer part.Release()
	if x, err := qdarrow.Values[T](part); err != nil || !slices.Equal(x, host[1:4]) || &x[0] != &host[1] {
		t.Errorf("a part of %T: %v %v", host, x, err)
	}
	if got := part.String(); got != "[0 7 9]" {
		t.Errorf("%T: %s", host, got)
	}
	empty := qdarrow.Of([]T{})
	defer empty.Release()
	if x, err := qdarrow.Values[T](empty); err != nil || len(x) != 0 || empty.Len() != 0 {
		t.Errorf("no %T: %v %v", host, x, err)
	}
}

func TestNumbers(t *testing.T) {
	numbers[int8](t)
	numbers[int16](t)
	numbers[int32](t)
	numbers[int64](t)
	numbers[uint8](t)
	numbers[uint16](t)
	numbers[uint32](t)
	numbers[uint64](t)
	numbers[float32](t)
	numbers[float64](t)
}

func TestNullsAndOtherTypes(t *testing.T) {
	b := array.NewInt32Builder(memory.DefaultAllocator)
	b.AppendValues([]int32{1, 2, 3, 4}, []bool{true, false, true, true})
	a := b.NewArray()
	defer a.Release()
	part := array.NewSlice(a, 1, 3)
	defer part.Release()
	if got := qdarrow.Valid(part); !slices.Equal(got, []bool{false, true}) {
		t.Error(got)
	}
	if got := qdarrow.Valid(qdarrow.Of([]int32{1, 2})); !slices.Equal(got, []bool{true, true}) {
		t.Error(got)
	}
	if _, err := qdarrow.Values[float32](a); err == nil || err.Error() != "qdarrow: an array of int32 has no values of type float32" {
		t.Error(err)
	}
	s := array.NewStringBuilder(memory.DefaultAllocator)
	s.Append("x")
	if _, err := qdarrow.Values[uint8](s.NewArray()); err == nil {
		t.Error("numbers of strings")
	}
	d := array.NewTimestampBuilder(memory.DefaultAllocator, arrow.FixedWidthTypes.Timestamp_s.(*arrow.TimestampType))
	d.Append(77)
	if x, err := qdarrow.Values[int64](d.NewArray()); err != nil || !slices.Equal(x, []int64{77}) {
		t.Error(x, err)
	}
	n := array.NewNull(3)
	if _, err := qdarrow.Values[int64](n); err == nil {
		t.Error("numbers of nulls")
	}
}
