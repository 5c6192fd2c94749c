package emit_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/internal/dl"
)

// The ways in which kernels take the index of a launch over one dimension apart, into i and j, and the length of their rows.
var rowFrames = []struct {
	name, params, ids string
	width             int // if it is a constant
}{
	{name: "divided", params: "w int", ids: "k := t.ID()\n\ti, j, m := k/w, k%w, w"},
	{name: "subtracted", params: "w int", ids: "k := t.ID()\n\ti := k / w\n\tj, m := k-i*w, w"},
	{name: "length", params: "w []byte", ids: "k := t.ID()\n\ti, j, m := k/len(w), k%len(w), len(w)"},
	{name: "field", params: "w shape", ids: "k := t.ID()\n\tm := int(w.size.m)\n\ti, j := k/m, k%m"},
	{name: "computed", params: "w int", ids: "k := t.ID()\n\tm := w*2 - w\n\ti, j := k/m, k%m"},
	{name: "planes", params: "w int", ids: "k := t.ID()\n\tm := w\n\ti, j := k/w%3+k/(w*3)*3, k%w"},
	{name: "constant", params: "w int", ids: "k := t.ID()\n\tconst m = 65\n\ti, j := k/m, k%m", width: 65},
	{name: "bits", params: "w int", ids: "k := t.ID()\n\tconst m = 128\n\ti, j := k>>7, k&127", width: 128},
}

// Memory that Go does not move.
var (
	rowsOut   [3 * 150]int
	rowsCount [3 * 150]int32
)

// However long the rows are, and wherever a part of the launch begins and ends, each thread runs once and gives what Go gives.
func TestRows(t *testing.T) {
	_, functions, _ := strings.Cut(interiorValues, "package emit_test\n")
	functions += "\ntype shape struct {\n\ta int32\n\tsize struct{ n uint8; m int16 }\n}\n"
	random := rand.New(rand.NewPCG(3, 4))
	for _, frame := range rowFrames {
		for _, name := range []string{"testedInterior", "wrappedInterior", "clampedInterior"} {
			t.Run(frame.name+"/"+name, func(t *testing.T) {
				m := lower(t, functions+"\n//qd:kernel\nfunc kernel(t qd.Thread, a, b int, "+frame.params+", out []int, count []int32) {\n\t"+frame.ids+"\n\tif k >= len(out) {\n\t\treturn\n\t}\n\tcount[k]++\n\tout[k] = "+name+"(i, j, t.Dim(0), m, a, b)\n}\n")
				verify(t, m)
				text := compile.CPU.Text(m, emit.Options{}).Source
				if !strings.Contains(text, "const int64 row = flat / width") || !strings.Contains(text, "_interior(") {
					t.Fatalf("no rows, or no interior, in\n%s", text)
				}
				if text := compile.CUDA.Text(m, emit.Options{}).Source; strings.Contains(text, "width") {
					t.Errorf("threads run in rows on a GPU:\n%s", text)
				}
				b := build(t, targets[0], m)
				fn := symbol(t, b.lib, emit.Symbol(m.Kernels()[0]))
				for range 600 {
					width := []int{1, 2, 7, 63, 64, 65, 100, 128, 149, 1000, -3, -70, 1 << 41, math.MaxInt, math.MinInt}[random.IntN(15)]
					switch {
					case frame.width != 0:
						width = frame.width
					case frame.name == "field":
						width = int(int16(width))
					case frame.name == "length" && (width < 0 || width > 1000):
						width = 90
					case frame.name == "planes" && (width > 1<<40 || width < 0):
						width = 70
					}
					if width == 0 {
						continue
					}
					threads := 1 + random.IntN(len(rowsOut))
					begin := random.IntN(threads)
					end := begin + 1 + random.IntN(threads-begin)
					values := []int{math.MinInt, -1 << 31, -1, 0, 1, width / 2, width - 1, width, 1 << 40, math.MaxInt}
					x, y := values[random.IntN(len(values))], values[random.IntN(len(values))]
					given := []uint64{uint64(width)}
					switch frame.name {
					case "length":
						given = []uint64{0, uint64(width)}
					case "field":
						given = []uint64{uint64(uint16(width))<<48 | 7<<32 | 5}
					}
					out, count := rowsOut[:threads], rowsCount[:threads]
					clear(out)
					clear(count)
					within := threads - random.IntN(3)*random.IntN(threads) // others return early
					within = max(within, 0)
					block := append([]uint64{uint64(threads), 1, 1, 1, uint64(x), uint64(y)}, given...)
					block = append(block, uint64(dl.Address(out)), uint64(within), uint64(dl.Address(count)), uint64(threads))
					dl.Call(fn, uintptr(unsafe.Pointer(&block[0])), uintptr(begin), uintptr(end))
					for k := range threads {
						wantOut, wantCount := 0, int32(0)
						if k >= begin && k < min(end, within) {
							wantOut, wantCount = interiorFunctions[name](k/width, k%width, threads, width, x, y), 1
						}
						if out[k] != wantOut || count[k] != wantCount {
							t.Fatalf("rows of %d, threads %d to %d of %d, a = %d, b = %d: thread %d ran %d times and gave %d, want %d times and %d",
								width, begin, end, threads, x, y, k, count[k], out[k], wantCount, wantOut)
						}
					}
				}
			})
		}
	}
}
