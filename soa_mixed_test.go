package qd_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

// Structures of arrays beside what else kernels and launches have.
type soaPair[T any] struct{ A, B []T }

type soaPairArrays[T any] struct{ A, B *qd.Array[T] }

type soaScale[T qd.Float] struct{ By T }

// Kernel is a method, generic, whose parameters overlap, are assigned, and have their address taken.
//
//qd:kernel
func (s soaScale[T]) Kernel(t qd.Thread, turns qd.Const[int], p, q soaPair[T], sum []T) {
	i := t.ID()
	r := &p
	if i%2 == 1 {
		r = &q
	}
	for range turns.V {
		p.A, p.B = p.B, p.A
	}
	swap(&q)
	r.A[i] += s.By * r.B[i]
	all := [2]soaPair[T]{p, q}
	for _, pair := range all {
		for range pair.A[:2] {
			qd.AtomicAdd(&sum[0], 1)
		}
	}
	sum[1+i] = q.B[i]
}

func swap[T any](p *soaPair[T]) { p.A, p.B = p.B, p.A }

//qd:kernel
func soaBlocks(b qd.Block, p soaPair[int32]) {
	part := qd.Shared[int32](b, 4)
	b.For(4, func(l int) { part[l] = p.A[4*b.ID()+l] })
	b.For(4, func(l int) { p.B[4*b.ID()+l] += part[3-l] })
}

func TestLaunchStructOfArraysMixed(t *testing.T) {
	var first [][]float64
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, d := range []*qd.Device{dev, dev.Checked()} {
			for turns := range 2 {
				memory := qd.From(dev, []float64{1, 2, 3, 4, 5, 6, 7, 8})
				p := soaPairArrays[float64]{memory.Sub(0, 4), memory.Sub(4, 8)}
				q := soaPairArrays[float64]{p.B, p.A} // the same memory
				sum := qd.Zeros[float64](dev, 5)
				if err := d.Launch(soaScale[float64]{0.5}, qd.Dim(4), qd.C(turns), p, q, sum); err != nil {
					t.Fatal(err)
				}
				got := append(memory.Slice(), sum.Slice()...)
				host := []float64{1, 2, 3, 4, 5, 6, 7, 8}
				own := make([]float64, 5)
				pair := soaPair[float64]{host[:4], host[4:]}
				if err := d.Launch(soaScale[float64]{0.5}, qd.Dim(4), qd.C(turns), pair, soaPair[float64]{pair.B, pair.A}, own); err != nil {
					t.Fatal(err)
				}
				if plain := append(slices.Clone(host), own...); !slices.Equal(got, plain) {
					t.Errorf("arrays give %v, slices %v", got, plain)
				}
				if len(first) <= turns {
					first = append(first, got)
				} else if !slices.Equal(got, first[turns]) {
					t.Errorf("%v, but on another device %v", got, first[turns])
				}
			}
			x := soaPairArrays[int32]{qd.From(dev, []int32{1, 2, 3, 4, 5, 6, 7, 8}), qd.Zeros[int32](dev, 8)}
			if err := d.Launch(soaBlocks, qd.Dim(2), x); err != nil {
				t.Fatal(err)
			}
			if got := x.B.Slice(); !slices.Equal(got, []int32{4, 3, 2, 1, 8, 7, 6, 5}) {
				t.Errorf("in blocks: %v", got)
			}
		}
	})
}

//qd:kernel
func soaTuned(t qd.Thread, c qd.Const[int], p soaPair[float32]) {
	for k := range c.V {
		if i := t.ID()*c.V + k; i < len(p.A) {
			p.A[i] += p.B[i]
		}
	}
}

// What a trial has written is put back, through the fields of arrays too; a heuristic sees the struct.
func TestTuneStructOfArrays(t *testing.T) {
	t.Setenv("QD_TUNE", "force")
	onAll(t, func(t *testing.T, dev *qd.Device) {
		tuned := qd.Tune(soaTuned, []int{1, 2, 4}, qd.TuneGrid(func(c int, a qd.Args) qd.Dims {
			return qd.Dim(qd.CeilDiv(a.Value("p").(soaPairArrays[float32]).A.Len(), c))
		}))
		p := soaPairArrays[float32]{qd.From(dev, []float32{1, 2, 3, 4, 5}), qd.From(dev, []float32{1, 1, 1, 1, 2})}
		if err := tuned.Run(p); err != nil {
			t.Fatal(err)
		}
		if got := p.A.Slice(); !slices.Equal(got, []float32{2, 3, 4, 5, 7}) {
			t.Errorf("%v", got)
		}
		even := qd.Heuristic(func(a qd.Args) int { return len(a.Value("p").(soaPair[float32]).A) })
		q := soaPair[float32]{[]float32{1, 2}, []float32{3, 4}}
		if err := dev.Launch(soaTuned, qd.Dim(1), even, q); err != nil || !slices.Equal(q.A, []float32{4, 6}) {
			t.Errorf("%v %v", q.A, err)
		}
	})
}
