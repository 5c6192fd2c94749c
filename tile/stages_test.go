package tile_test

import (
	"fmt"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/tile"
)

// Loops over products, as pipelines of several stages.

// The operands are found by a counter that goes on in the body, by one that goes down, and by what a loop around has.
//
//qd:kernel
func counters(b qd.Block, turns int, x, y qd.View2[qd.Float16], z qd.View2[float32]) {
	sum := tile.Zeros2[float32](b, 16, 16)
	for i := range turns {
		from := 2 * turns
		for k := i; k < turns; {
			sum = tile.Dot(tile.Load2(b, x, i, k*8-16, 16, 16), tile.Load2(b, y, from, k*8, 16, 16), sum)
			k++
			from -= 2
		}
		for k := turns; k > i; k -= 2 {
			sum = tile.Dot(tile.Load2(b, x, 0, k*8, 16, 16), tile.Load2(b, y, k*8, i, 16, 16), sum)
		}
		sum = tile.Dot(tile.Load2(b, x, i, 0, 16, 16), tile.Load2(b, y, 0, i, 16, 16), sum)
	}
	sum.Store2(z, 0, 0)
}

// What a turn writes, the next one loads.
//
//qd:kernel
func chases(b qd.Block, turns int, x qd.View2[float32], z qd.View2[float32]) {
	for k := range turns {
		s := tile.Dot(tile.Load2(b, x, k*16, 0, 16, 16), tile.Load2(b, x, 0, 0, 16, 16), tile.Zeros2[float32](b, 16, 16))
		s.MulScalar(0.125).Store2(x, (k+1)*16, 0)
	}
	tile.Load2(b, x, turns*16, 0, 16, 16).Store2(z, 0, 0)
}

// Loops that are left before their end, that skip, and whose operands are used otherwise too.
//
//qd:kernel
func leaves(b qd.Block, turns int, x, y qd.View2[qd.Float16], z qd.View2[float32]) {
	sum, other := tile.Zeros2[float32](b, 16, 16), tile.Zeros2[float32](b, 16, 16)
	last := tile.Zeros2[qd.Float16](b, 16, 16)
	for k := range 100 {
		if k == turns {
			break
		}
		sum = tile.Dot(tile.Load2(b, x, k, 0, 16, 16), tile.Load2(b, y, 0, k, 16, 16), sum)
	}
	for k := range turns {
		if k%3 == 1 {
			continue
		}
		sum = tile.Dot(tile.Load2(b, x, k, 0, 16, 16), tile.Load2(b, y, 0, k, 16, 16), sum)
	}
	for k := range turns {
		s := tile.Load2(b, x, k, 8, 16, 16)
		last = tile.Load2(b, y, k, 8, 16, 16)
		sum = tile.Dot(s, last, sum)
		other = tile.Dot(last, tile.Load2(b, y, 8*k, 0, 16, 16), other)
		other = other.Add(tile.To32(s))
		u := tile.Load2(b, y, 0, 8*k, 16, 16)
		sum = tile.Dot(u, u, sum)
		other = tile.Dot(u, tile.Load2(b, x, 3, k, 16, 16), other)
	}
	sum.Add(other).Add(tile.To32(last)).Store2(z, 0, 0)
}

func TestStages(t *testing.T) {
	gold, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	x, y := numbers[qd.Float16](96*96, 7), numbers[qd.Float16](96*96, 5)
	wide, tall := numbers[float32](40*200, 7), numbers[float32](200*40, 5)
	run := func(dev *qd.Device, stages, threads, turns int) string {
		var all []any
		launch := func(k any, dim qd.Dims, args ...any) {
			t.Helper()
			if err := dev.Launch(qd.NewKernel(k).WithBlockDim(threads).WithStages(stages), dim, args...); err != nil {
				t.Fatalf("%d %d %d %+v", stages, threads, turns, err)
			}
		}
		for _, k := range []any{counters, leaves} {
			z := make([]float32, 16*16)
			launch(k, qd.Dim(1), turns, qd.ViewOf2(x, 96, 96), qd.ViewOf2(y, 96, 96), qd.ViewOf2(z, 16, 16))
			all = append(all, z)
		}
		own, z := append(numbers[float32](16*16, 3), make([]float32, turns*16*16)...), make([]float32, 16*16)
		launch(chases, qd.Dim(1), turns, qd.ViewOf2(own, 16*(turns+1), 16), qd.ViewOf2(z, 16, 16))
		all = append(all, own, z)
		// Whole tiles and edges, twice.
		for range 2 {
			z, w := make([]float32, 40*40), make([]float32, 40*40)
			depth := 32 * turns
			if turns > 0 {
				depth -= 4
			}
			launch(product[float32, float32], qd.Dim(2, 2), qd.C(Config{32, 32, 32}), qd.ViewOf2(wide[:40*depth], 40, depth), qd.ViewOf2(tall[:40*depth], depth, 40), qd.ViewOf2(z, 40, 40))
			launch(mixed[float32, float32], qd.Dim(2, 2), qd.C(Config{32, 32, 32}), qd.ViewOf2(wide[:40*depth], 40, depth), qd.ViewOf2(tall[:40*depth], depth, 40), qd.ViewOf2(z, 40, 40), qd.ViewOf2(w, 40, 40))
			all = append(all, z, w)
		}
		return fmt.Sprint(all...)
	}
	wants := map[int]string{}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for stages := 1; stages <= 4; stages++ {
			for _, turns := range []int{0, 1, 2, 3, 4, 6} {
				if wants[turns] == "" {
					wants[turns] = run(gold, stages, 64, turns)
				}
				if got := run(dev, stages, 64, turns); got != wants[turns] {
					t.Errorf("%d stages, %d turns: %s, not %s", stages, turns, got, wants[turns])
				}
			}
		}
		for _, n := range []int{-1, 0, 9} {
			if err := dev.Launch(qd.NewKernel(square).WithStages(n), qd.Dim(1), qd.ViewOf2(wide[:64*64], 64, 64), qd.ViewOf2(tall[:64*64], 64, 64)); err == nil {
				t.Errorf("%d stages are no error", n)
			} else if want := fmt.Sprintf("a loop has 1 to 8 stages, not %d", n); err.Error() != "launch square: "+want {
				t.Log(err)
			}
		}
	})
}
