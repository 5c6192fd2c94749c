package tape

import (
	"reflect"
	"testing"

	"github.com/qdgen/qd/internal/runtime/device"
)

// What a pool hands out is zero and nobody else's, also after it has been rewound, and a pool keeps a bounded number of values.
func TestPool(t *testing.T) {
	var p pool[int]
	for round := range 4 {
		var all [][]int
		for i := range 5000 {
			s := p.cut(i % 70)
			if len(s) != i%70 || cap(s) != len(s) {
				t.Fatalf("%d values of %d", len(s), i%70)
			}
			for j, v := range s {
				if v != 0 {
					t.Fatalf("round %d: a value is %d", round, v)
				}
				s[j] = i
			}
			all = append(all, s)
		}
		for i, s := range all {
			for _, v := range s {
				if v != i {
					t.Fatalf("round %d: a value of %d is %d", round, i, v)
				}
			}
		}
		if len(p.kept) > keptSlabs {
			t.Errorf("%d slabs are kept", len(p.kept))
		}
		p.rewind()
	}
	if n := testing.AllocsPerRun(5, func() {
		for range keptSlabs * slab / 4 {
			p.cut(4)
		}
		p.rewind()
	}); n > 0 {
		t.Errorf("%v allocations for what is kept", n)
	}
}

// A buffer takes the place of one of the same kind alone, and there are few bytes of them.
func TestSpares(t *testing.T) {
	b, err := device.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	buffer := func(elem reflect.Type, n int) *device.Buffer {
		d, err := device.NewBuffer(b, "go", elem, []int{n}, n)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	float, integer := reflect.TypeFor[float32](), reflect.TypeFor[int32]()
	var s spares
	first := buffer(float, 6)
	if s.pop(first) != nil || !s.push(first) {
		t.Error("the first buffer")
	}
	like := buffer(float, 6)
	like.Shape = []int{2, 3}
	if s.pop(buffer(integer, 6)) != nil || s.pop(buffer(float, 5)) != nil {
		t.Error("a buffer of another kind")
	}
	if got := s.pop(like); got != first || !reflect.DeepEqual(got.Shape, like.Shape) || s.bytes != 0 {
		t.Errorf("%v, and %d bytes are left", got, s.bytes)
	}
	if s.push(buffer(float, largestSpare/4+1)) {
		t.Error("a large buffer is kept")
	}
	n := 0
	for s.push(buffer(float, 1024)) {
		n++
	}
	if n != mostSpare/4096 {
		t.Errorf("%d buffers are kept", n)
	}
}
