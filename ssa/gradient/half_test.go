package gradient_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
	"github.com/qdgen/qd/ssa/interp"
)

// runHalf runs a backward kernel whose parameters are x and y of one type of floats, and gives x's gradient. y's is 1 everywhere.
func runHalf(t *testing.T, text string, x []float32, threads int64) []float32 {
	t.Helper()
	m := lower(t, library(t), text, "k")
	b, err := gradient.Of(m.Kernels()[0], gradient.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ssa.Verify(moduleOf(m, b)); err != nil {
		t.Fatalf("%v\n%v", err, moduleOf(m, b))
	}
	var memory interp.Buffers
	var args [][]byte
	var data [][]byte
	for i, p := range b.Kernel.Params()[1:] {
		elem := p.Type.(ssa.Slice).Elem
		to, _ := halfOf(elem)
		var bytes []byte
		for k := range x {
			v := float32(0)
			switch i {
			case 0:
				v = x[k]
			case 3:
				v = 1
			}
			bytes = append(bytes, to(v)...)
		}
		data = append(data, bytes)
		args = append(args, interp.SliceArg(memory.Add(bytes), len(x)))
	}
	if err := launch(b.Kernel, &memory, args, threads); err != nil {
		t.Fatal(err)
	}
	elem := b.Kernel.Params()[3].Type.(ssa.Slice).Elem
	_, from := halfOf(elem)
	var got []float32
	for at := 0; at < len(data[2]); at += elem.Size() {
		got = append(got, from(data[2][at:]))
	}
	return got
}

// halfOf are the conversions of elements of a type to bytes and back.
func halfOf(t ssa.Type) (to func(float32) []byte, from func([]byte) float32) {
	short := func(bits uint16) []byte { return binary.LittleEndian.AppendUint16(nil, bits) }
	switch t.String() {
	case "qd.Float16":
		return func(x float32) []byte { return short(qd.ToFloat16(x).Bits()) },
			func(p []byte) float32 { return qd.Float16FromBits(binary.LittleEndian.Uint16(p)).Float32() }
	case "qd.BFloat16":
		return func(x float32) []byte { return short(qd.ToBFloat16(x).Bits()) },
			func(p []byte) float32 { return qd.BFloat16FromBits(binary.LittleEndian.Uint16(p)).Float32() }
	}
	return func(x float32) []byte { return binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)) },
		func(p []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(p)) }
}

// The gradients of elements of 16 bits are of 16 bits. All numbers here have few bits, so that nothing is rounded.
func TestHalf(t *testing.T) {
	tests := []struct {
		body string
		want func(x []float32, i int) float32
	}{
		{"y[i] = qd.From32[T](3 * qd.To32(x[i]))", func([]float32, int) float32 { return 3 }},
		{"y[i] = qd.From32[T](qd.To32(x[i]) * qd.To32(x[i]))", func(x []float32, i int) float32 { return 2 * x[i] }},
		{"h := x[i]\n\tif i > 1 {\n\t\th = qd.From32[T](2 * qd.To32(h))\n\t}\n\ty[i] = h", func(_ []float32, i int) float32 {
			if i > 1 {
				return 2
			}
			return 1
		}},
		{"h := x[i]\n\tfor range 3 {\n\t\th = qd.From32[T](2 * qd.To32(h))\n\t}\n\ty[i] = h", func([]float32, int) float32 { return 8 }},
		{"y[i] = qd.From32[T](qd.To32(x[0]) * float32(i))", func(_ []float32, i int) float32 { // all threads add to one
			if i == 0 {
				return 0 + 1 + 2 + 3
			}
			return 0
		}},
		{"p := pair[T]{x[i], qd.From32[T](4)}\n\ty[i] = qd.From32[T](qd.To32(p.a) * qd.To32(p.b))", func([]float32, int) float32 { return 4 }},
		{"y[i] = x[i]\n\ty[i] = qd.From32[T](qd.To32(y[i])*qd.To32(x[i]) + qd.To32(y[i]))", func(x []float32, i int) float32 { return 2*x[i] + 1 }},
		{"v := [3]T{x[i], x[i], x[i]}\n\ts := float32(0)\n\tfor k := range v {\n\t\ts += qd.To32(v[k]) * float32(k)\n\t}\n\ty[i] = qd.From32[T](s)", func([]float32, int) float32 { return 3 }},
	}
	x := []float32{1, -2, 0.5, 3}
	for _, elem := range []string{"qd.Float16", "qd.BFloat16", "float32"} {
		for _, tt := range tests {
			text := "package k\n\nimport \"github.com/qdgen/qd\"\n\ntype T = " + elem + "\n\ntype pair[T any] struct{ a, b T }\n\n//qd:kernel\nfunc k(t qd.Thread, x, y []T) {\n\ti := t.ID()\n\t" + tt.body + "\n}\n"
			for i, got := range runHalf(t, text, x, 4) {
				if want := tt.want(x, i); got != want {
					t.Errorf("%s: %s\ngradient %d is %v, not %v", elem, tt.body, i, got, want)
				}
			}
		}
	}
}
