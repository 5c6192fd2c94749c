package peers

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/qdgen/qd"
)

// rowsOf gives what f makes of each line of 8 x 16 numbers along an axis.
func rowsOf[T any](x []T, axis int, f func(line []T)) []T {
	out := slices.Clone(x)
	lines, n, step, next := 8, 16, 1, 16
	if axis == 0 {
		lines, n, step, next = 16, 8, 16, 1
	}
	for l := range lines {
		line := make([]T, n)
		for i := range line {
			line[i] = x[l*next+i*step]
		}
		f(line)
		for i, v := range line {
			out[l*next+i*step] = v
		}
	}
	return out
}

func rowsSorts[T qd.Number](c *check) {
	x := coreNumbers[T](128, 3)
	gives(c, rowsOf(x, 1, func(line []T) { slices.Sort(line) }), rowsSort[T], qd.C(false), x)
	gives(c, rowsOf(x, 1, func(line []T) { slices.SortFunc(line, func(a, b T) int { return cmp.Compare(b, a) }) }), rowsSort[T], qd.C(true), x)
}

// rowsScans checks a scan along both axes.
func rowsScans(op string, backward bool, f func(x, y int32) int32) func(c *check) {
	return func(c *check) {
		x := coreNumbers[int32](128, 2)
		for axis := range 2 {
			want := rowsOf(x, axis, func(line []int32) {
				if backward {
					slices.Reverse(line)
				}
				for i := 1; i < len(line); i++ {
					line[i] = f(line[i-1], line[i])
				}
				if backward {
					slices.Reverse(line)
				}
			})
			gives(c, want, rowsScan, qd.C(op), qd.C(axis), qd.C(backward), x)
		}
	}
}

// rowsProduct is a product of 8 x 16 and 16 x 8 small whole numbers, which is exact.
func rowsProduct(x, y []float32) []float32 {
	out := make([]float32, 64)
	for i := range 8 {
		for j := range 8 {
			for k := range 16 {
				out[i*8+j] += x[i*16+k] * y[k*8+j]
			}
		}
	}
	return out
}

func rowsHalves[T qd.Storage](c *check) {
	x, y := coreNumbers[float32](128, 2), coreNumbers[float32](128, 5)
	s, t := make([]T, 128), make([]T, 128)
	for i := range s {
		s[i], t[i] = qd.From32[T](x[i]), qd.From32[T](y[i])
	}
	gives(c, rowsProduct(x, y), rowsDotHalf[T], s, t)
}

// rowsThen checks what follows a product.
func rowsThen(then string, f func(t, z []float32)) func(c *check) {
	return func(c *check) {
		x, y, z := coreNumbers[float32](128, 2), coreNumbers[float32](128, 5), coreNumbers[float32](64, 7)
		want, out := rowsProduct(x, y), make([]float32, 64)
		f(want, z)
		c.launch(rowsDotThen, 1, qd.C(then), x, y, z, out)
		for i := range out {
			if math.Abs(float64(out[i]-want[i])) > 1e-6 {
				c.Fatalf("element %d is %v, not %v", i, out[i], want[i])
			}
		}
	}
}

func rowsReduces[T qd.Int](c *check) {
	x := coreNumbers[T](16, 2)
	for i := range x {
		x[i] = x[i]%3 + 1
	}
	want := []T{0, slices.Max(x), slices.Min(x), 1}
	for _, v := range x {
		want[0] += v
		want[3] *= v
	}
	gives(c, want, rowsReduceOf[T], x)
}

func rowsAtomic[T int32 | float32 | float64](op string, f func(x, y T) T) func(c *check) {
	return func(c *check) {
		x, out := coreNumbers[T](16, 2), []T{4, -5, 6}
		want := slices.Clone(out)
		for i, v := range x {
			want[i%3] = f(want[i%3], v)
		}
		c.launch(rowsAtomics[T], 1, qd.C(op), x, out)
		equal(c, out, want)
	}
}

var tritonRows = []peerCase{
	{"test_sort (int32)", "sorted rows, in both orders", "the same", rowsSorts[int32]},
	{"test_sort (float32)", "of floats", "the same", rowsSorts[float32]},
	{"test_sort (int64)", "of int64", "the same", rowsSorts[int64]},
	{"test_topk", "the largest elements of rows", "TopK", func(c *check) {
		x, want := coreNumbers[int32](128, 3), []int32(nil)
		for i := range 8 {
			row := slices.Sorted(slices.Values(x[i*16 : i*16+16]))
			slices.Reverse(row)
			want = append(want, row[:4]...)
		}
		gives(c, want, rowsTopK, x)
	}},
	{"test_flip, test_flip_inf", "elements in reverse order, along each axis", "the same", func(c *check) {
		x := coreNumbers[int32](128, 3)
		for axis := range 2 {
			gives(c, rowsOf(x, axis, slices.Reverse), rowsFlip, qd.C(axis), x)
		}
	}},
	{"test_cat, test_cat_nd", "one tile behind another", "in their order, which Triton does not promise", func(c *check) {
		x, y := coreNumbers[int32](16, 2), coreNumbers[int32](16, 3)
		gives(c, append(slices.Clone(x), y...), rowsCat, x, y)
	}},
	{"test_join", "two tiles along a new axis", "the same", func(c *check) {
		x, y, want := coreNumbers[int32](16, 2), coreNumbers[int32](16, 3), []int32(nil)
		for i := range x {
			want = append(want, x[i], y[i])
		}
		gives(c, want, rowsJoin, x, y)
	}},
	{"test_join_with_mma, test_join_scalars", "tiles of two axes along a third one", "the same", func(c *check) {
		x, y, want := coreNumbers[int32](16, 2), coreNumbers[int32](16, 3), []int32(nil)
		for i := range x {
			want = append(want, x[i], y[i])
		}
		gives(c, want, rowsJoin2, x, y)
	}},
	{"test_interleave, test_interleave_scalars", "elements of two tiles in turns", "the same", func(c *check) {
		x, y, want := coreNumbers[int32](16, 2), coreNumbers[int32](16, 3), []int32(nil)
		for i := range x {
			want = append(want, x[i], y[i])
		}
		gives(c, want, rowsInterleave, x, y)
	}},
	{"test_split, test_split_to_scalar", "the two halves of a last axis of length 2", "the same", func(c *check) {
		x, want := coreNumbers[int32](32, 2), make([]int32, 32)
		for i, v := range x {
			want[i%2*16+i/2] = v
		}
		gives(c, want, rowsSplit, x)
	}},
	{"test_gather", "elements of a tile at the indices in another", "Take; an index that lies outside gives zero", func(c *check) {
		x, at := coreNumbers[int32](128, 2), coreNumbers[int](128, 6)
		for axis, n := range []int{8, 16} {
			want := make([]int32, 128)
			for i := range at {
				at[i] = (at[i]&31)%(n+1) - 1
				if at[i] < 0 {
					continue
				}
				want[i] = x[i/16*16+at[i]%16]
				if axis == 0 {
					want[i] = x[at[i]*16+i%16]
				}
			}
			gives(c, want, rowsGather, qd.C(axis), x, at)
		}
	}},
	{"test_permute (three axes)", "axes in another order", "Permute", func(c *check) {
		x, want := coreNumbers[int32](128, 2), make([]int32, 128)
		for i, v := range x {
			want[i%16*8+i/16] = v
		}
		gives(c, want, rowsPermute, x)
	}},
	{"test_dot (float16)", "a product of float16, added in float32", "the same", rowsHalves[qd.Float16]},
	{"test_dot (bfloat16)", "of bfloat16", "the same", rowsHalves[qd.BFloat16]},
	{"test_dot (add-matrix)", "a matrix is added to a product", "the same", rowsThen("add-matrix", func(t, z []float32) {
		for i := range t {
			t[i] += z[i]
		}
	})},
	{"test_dot (add-rows)", "a column is added", "the same", rowsThen("add-rows", func(t, z []float32) {
		for i := range t {
			t[i] += z[i/8]
		}
	})},
	{"test_dot (add-cols)", "a row is added", "the same", rowsThen("add-cols", func(t, z []float32) {
		for i := range t {
			t[i] += z[i%8]
		}
	})},
	{"test_dot (softmax)", "the softmax of a product's rows", "the same", rowsThen("softmax", func(t, _ []float32) {
		for i := range 8 {
			row, sum := t[i*8:i*8+8], 0.0
			most := slices.Max(row)
			for j, v := range row {
				row[j] = float32(math.Exp(float64(v-most) * 0.01))
				sum += float64(row[j])
			}
			for j := range row {
				row[j] = float32(float64(row[j]) / sum)
			}
		}
	})},
	{"test_dot (chain-dot)", "a product of a product", "the same", rowsThen("chain-dot", func(t, z []float32) {
		s := slices.Clone(t)
		for i := range t {
			t[i] = 0
			for k := range 8 {
				t[i] += s[i/8*8+k] * z[k*8+i%8]
			}
		}
	})},
	{"test_dot (float32 with input_precision)", "operands are rounded to TF32 where that is asked for", "tile.DotTF32, on every device", func(c *check) {
		x, y, want := coreNumbers[float32](64, 2), coreNumbers[float32](64, 5), make([]float32, 64)
		for i := range want {
			for k := range 8 {
				want[i] += x[i/8*8+k] * y[k*8+i%8]
			}
		}
		for i := range x { // less than half of the last digit that is kept
			x[i] *= 1 + 0x1p-13
		}
		gives(c, want, rowsDotTF32, x, y)
	}},
	{"test_dot3d", "products of several matrices at once", "Dot of tiles of three axes", func(c *check) {
		x, y, want := coreNumbers[float32](96, 2), coreNumbers[float32](96, 5), make([]float32, 48)
		for i := range want {
			for k := range 8 {
				want[i] += x[i/4*8+k] * y[i/16*32+k*4+i%4]
			}
		}
		gives(c, want, rowsDotBatch, x, y)
	}},
	{"test_dot_mulbroadcasted, test_dot_without_load", "a product of tiles that are not loaded", "the same", func(c *check) {
		x, y, want := coreNumbers[float32](16, 2), coreNumbers[float32](8, 5), make([]float32, 64)
		for i := range want {
			for k := range 16 {
				want[i] += 2 * x[k] * y[i/8]
			}
		}
		gives(c, want, rowsDotBroadcast, x, y)
	}},
	{"test_scan2d (cumprod)", "products along an axis", "they wrap", rowsScans("cumprod", false, func(x, y int32) int32 { return x * y })},
	{"test_scan2d (cummax)", "largest elements along an axis", "CumMax", rowsScans("cummax", false, func(x, y int32) int32 { return max(x, y) })},
	{"test_scan2d (get_first_element)", "a function that is not commutative", "any function", rowsScans("first", false, func(x, y int32) int32 { return x })},
	{"test_scan2d (reverse)", "from the end", "Flip before it and after it", rowsScans("cumsum", true, func(x, y int32) int32 { return x + y })},
	{"test_scan2d (linear_recurrence)", "of two tiles at once", "of structs", func(c *check) {
		x, y, want := coreNumbers[float64](16, 2), coreNumbers[float64](16, 3), make([]float64, 16)
		for i := range x {
			x[i] /= 32
			if want[i] = y[i]; i > 0 {
				want[i] = x[i]*want[i-1] + y[i]
			}
		}
		out := make([]float64, 16)
		c.launch(rowsRecurrence, 1, x, y, out)
		for i := range out {
			if math.Abs(out[i]-want[i]) > 1e-12 {
				c.Fatalf("element %d is %v, not %v", i, out[i], want[i])
			}
		}
	}},
	{"test_reduce (three axes)", "sums along each of three axes", "the same", func(c *check) {
		x := coreNumbers[int32](128, 2)
		for axis, to := range []func(i int) int{func(i int) int { return i % 32 }, func(i int) int { return i/32*8 + i%8 }, func(i int) int { return i / 8 }} {
			want := make([]int32, 128/[]int{4, 4, 8}[axis])
			for i, v := range x {
				want[to(i)] += v
			}
			gives(c, want, rowsReduce3, qd.C(axis), x)
		}
	}},
	{"test_reduce1d (int8)", "of int8, which wrap", "the same", rowsReduces[int8]},
	{"test_reduce1d (uint32)", "of uint32", "the same", rowsReduces[uint32]},
	{"test_reduce1d (int64)", "of int64", "the same", rowsReduces[int64]},
	{"test_reduce1d (argmax, tie_break_left)", "the first one of equal elements, and a NaN", "the same", func(c *check) {
		x := []float32{1, 7, -3, 7, 2, -3, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1}
		gives(c, []int{1, 2}, rowsArgMax, x)
		x[9] = float32(math.NaN())
		gives(c, []int{9, 9}, rowsArgMax, x)
	}},
	{"test_reduce_bool, test_store_bool", "masks are joined and stored", "Any, All", func(c *check) {
		x, want := coreNumbers[int32](16, 2), []bool{false, true}
		for _, v := range x {
			want[0], want[1] = want[0] || v > 10, want[1] && v > 10
			want = append(want, !(v > 10))
		}
		gives(c, want, rowsAny, x)
	}},
	{"test_block_load, boundary_check and padding_option", "tiles that lie partly outside", "of loads and of stores, without a mask", func(c *check) {
		x, want := coreNumbers[float32](128, 2), make([]float32, 128)
		for i := range 8 {
			for j := range 8 {
				v := float32(-1)
				if p, q := i-2, j+11; p >= 0 && q < 16 {
					v = x[p*16+q]
				}
				if p, q := i+5, j-3; p < 8 && q >= 0 {
					want[p*16+q] = v
				}
			}
		}
		gives(c, want, rowsEdges, x)
	}},
	{"test_masked_load_scalar", "one address for all, with a mask", "the same", func(c *check) {
		x, want := coreNumbers[float32](16, 2), make([]float32, 16)
		for i := range want {
			if want[i] = 9; i < 6 {
				want[i] = x[4]
			}
		}
		gives(c, want, rowsMaskedScalar, 6, x)
	}},
	{"test_masked_load_shared_memory", "masked loads of what is multiplied", "the same", func(c *check) {
		x, y, want := coreNumbers[float32](128, 2), coreNumbers[float32](128, 5), make([]float32, 64)
		for i := range 6 {
			for j := range 6 {
				for k := range 11 {
					want[i*8+j] += x[i*16+k] * y[j*16+k]
				}
			}
		}
		gives(c, want, rowsMaskedDot, x, y, 6, 11)
	}},
	{"test_atomic_rmw (max, int32)", "the largest of several elements and memory", "tile.AtomicMax", rowsAtomic("max", func(x, y int32) int32 { return max(x, y) })},
	{"test_atomic_rmw (min, float32)", "the smallest", "tile.AtomicMin", rowsAtomic("min", func(x, y float32) float32 { return min(x, y) })},
	{"test_atomic_rmw (add, float64)", "sums", "tile.AtomicAdd", rowsAtomic("add", func(x, y float64) float64 { return x + y })},
	{"test_atomic_cas, test_tensor_atomic_cas, test_atomic_rmw (xchg)", "elements are exchanged, and compared before", "tile.AtomicExch and AtomicCAS give the old values", func(c *check) {
		x, memory := coreNumbers[int32](16, 2), coreNumbers[int32](16, 7)
		want := slices.Clone(memory)
		for _, v := range x {
			if v == 3 {
				v = -3
			}
			want = append(want, v)
		}
		gives(c, want, rowsExchange, x, memory)
	}},
	{"test_random.py: test_rand, test_seed_is_block", "numbers from 0 to 1 that the seed and the offset decide", "Philox, as there; the bits of a number are others", func(c *check) {
		x, y := make([]float32, 256), make([]float32, 256)
		c.launch(rowsRandom, 1, uint64(1), x)
		c.launch(rowsRandom, 1, uint64(2), y)
		mean := 0.0
		for i, v := range x {
			mean += float64(v) / 256
			if v < 0 || v >= 1 || v != qd.RandFloat32(uint64(1), i) || v == y[i] {
				c.Fatalf("number %d is %v", i, v)
			}
		}
		if math.Abs(mean-0.5) > 0.1 {
			c.Errorf("the mean is %v", mean)
		}
	}},
}

// tunerGrid is one block for so many elements as a configuration says.
var tunerGrid = qd.TuneGrid(func(size int, a qd.Args) qd.Dims { return qd.Dim(qd.CeilDiv(a.Len("x"), size)) })

// tunes tunes the kernel that copies and gives what was copied.
func (c *check) tunes(configs []int, n int, options ...qd.TuneOption) *qd.Tuned {
	c.Helper()
	t := qd.Tune(qd.NewKernel(rowsCopy).WithDevice(c.dev), configs, append(options, tunerGrid)...)
	x, out := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i] = rand.Float32()
	}
	c.must(t.Run(x, out))
	equal(c, out, x)
	return t
}

var tritonTuner = []peerCase{
	{"test_kwargs, test_no_do_bench", "each value of the key is tuned", "a key is a shape too", func(c *check) {
		t := c.tunes([]int{32, 128}, 1024, qd.TuneKey("x"))
		for _, n := range []int{1024, 512, 77} {
			x, out := make([]float32, n), make([]float32, n)
			x[n-1] = 5
			c.must(t.Run(x, out))
			equal(c, out, x)
		}
	}},
	{"test_restore, test_reset_to_zero", "what trials write in place is put back", "without a list of what is written", func(c *check) {
		x := make([]float32, 1000)
		t := qd.Tune(qd.NewKernel(rowsAddOne).WithDevice(c.dev), []int{16, 64, 128}, tunerGrid)
		c.must(t.Run(x))
		for i, v := range x {
			if v != 1 {
				c.Fatalf("element %d is %v", i, v)
			}
		}
	}},
	{"test_restore_with_none", "an argument that is not there", "an empty slice", func(c *check) {
		t := qd.Tune(qd.NewKernel(rowsAddOne).WithDevice(c.dev), []int{16, 64}, tunerGrid)
		c.must(t.Run([]float32(nil)))
	}},
	{"test_prune_configs (early_config_prune)", "configurations are left out by a function of the arguments", "qd.TunePrune", func(c *check) {
		asked := 0
		t := c.tunes([]int{32, 128}, 1024, qd.TunePrune(func(size int, a qd.Args) bool {
			asked++
			return size == 32 && a.Len("x") == 1024
		}))
		best, err := t.Best(make([]float32, 1024), make([]float32, 1024))
		c.must(err)
		if best != 128 || asked < 2 {
			c.Errorf("the best is %v, %d questions", best, asked)
		}
	}},
	{"test_pruned_single_config_skips_benchmark", "one configuration that is left is not measured", "the same", func(c *check) {
		t := c.tunes([]int{32, 128}, 64, qd.TunePrune(func(size int, _ qd.Args) bool { return size == 32 }))
		best, err := t.Best(make([]float32, 64), make([]float32, 64))
		c.must(err)
		equal[any](c, best, 128)
	}},
	{"test_prune_all_configs", "none is left: an error that says so", "the same", func(c *check) {
		t := qd.Tune(qd.NewKernel(rowsCopy).WithDevice(c.dev), []int{32, 128}, tunerGrid, qd.TunePrune(func(int, qd.Args) bool { return true }))
		err := t.Run(make([]float32, 64), make([]float32, 64))
		if err == nil || err.Error() != "qd: launch of rowsCopy: tuning: qd.TunePrune leaves no configuration" {
			c.Errorf("%v", err)
		}
	}},
	{"test_exceed_tmem, test_exceed_threads, test_hooks", "a configuration that the device has no room for is left out", "with a warning; if no other is left it is the error", func(c *check) {
		if c.dev.String() == "go" {
			return // has room for all
		}
		c.tunes([]int{32, 1 << 20}, 100)
		t := qd.Tune(qd.NewKernel(rowsSortAll).WithDevice(c.dev), []int{1 << 19}, tunerGrid)
		x := make([]float32, 100)
		err := t.Run(x)
		var ds *qd.Diagnostics
		if !errors.As(err, &ds) {
			c.Errorf("%v", err)
		}
	}},
	{"test_dtype_cache_results, test_config_ir_override_changes_disk_cache_key", "what was measured is kept", "TestTuneKept of package qd", nil},
	{"test_prune_configs (perf_model), top_k", "a model of the time chooses what is measured", "qd.TunePrune with a function of one's own", nil},
	{"test_override_ttir, test_override_ttgir, test_override_ptx", "code of the compiler's stages in a configuration", "there is none", nil},
}
