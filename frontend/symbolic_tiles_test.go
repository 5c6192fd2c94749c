package frontend

import (
	"errors"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// Variables that hold tiles of two shapes where ways meet are found without a launch, but not where a launch may know
// the way, or the shape. What is not said is right for some n, and what is doubtful is wrong for some.
func TestSymbolicTiles(t *testing.T) {
	const head = `package p

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/tile"
)

func early(b qd.Block, x []float32, n qd.Const[int]) tile.Tile[float32] {
	if x[0] > 0 { return tile.Load(b, x, 0, 16) }
	return tile.Load(b, x, 0, 32)
}

func picked(b qd.Block, x []float32, n qd.Const[int]) tile.Tile[float32] {
	if n.V > 3 { return tile.Load(b, x, 0, 16) }
	return tile.Load(b, x, 0, 32)
}

func pickedEarly(b qd.Block, x []float32, n qd.Const[int]) tile.Tile[float32] {
	if n.V > 3 { return tile.Load(b, x, 0, 8) }
	if x[0] > 0 { return tile.Load(b, x, 0, 16) }
	return tile.Load(b, x, 0, 32)
}

func searched(b qd.Block, x []float32, n qd.Const[int]) tile.Tile[float32] {
	for range qd.Static(n.V) { return tile.Load(b, x, 0, 16) }
	return tile.Load(b, x, 0, 32)
}

func given(b qd.Block, x []float32, n qd.Const[int]) tile.Tile[float32] {
	if x[0] > 0 { return tile.Load(b, x, 0, 16) }
	return tile.Load(b, x, 0, n.V)
}

func pair(b qd.Block, x []float32) (tile.Tile[float32], int) {
	if x[0] > 0 { return tile.Load(b, x, 0, 16), 1 }
	return tile.Load(b, x, 0, 32), 2
}

`
	for _, tt := range []struct {
		name, src, certain, doubtful string
		right, wrong                 int // n for which the kernel is right, or wrong, 0 for none
	}{
		{"if", `if x[0] > 0 { t = u }`, "t has tiles of 32 elements and of 16", "", 0, 1},
		{"if and more", `t.Reshape2(3, 3).Sum(); if x[0] > 0 { t = u }`, "t has tiles of 32 elements and of 16", "", 0, 1},
		{"if of the launch", `if n.V > 3 { t = u }; t.Store(x, 0)`, "", "", 1, 0},
		{"a product of either", `if n.V > 3 { t = u }; t.Add(u).Store(x, 0)`, "", "", 4, 1},
		{"if not of either", `if n.V > 3 { t = u }; if x[0] > 0 { t = u }; t.Store(x, 0)`, "", "", 4, 1},
		{"other axes", `if n.V > 3 { t = t.Row() }; t.Store(x, 0)`, "", "", 1, 4},
		{"of neither length", `if n.V > 3 { t = u }; if x[0] > 0 { t = t.Row() }`, "elements here", "", 0, 1},
		{"in a branch of the launch", `if n.V > 3 { if x[0] > 0 { t = u } }`, "", "t has tiles of 32 elements and of 16", 1, 4},
		{"behind a return of the launch", `if n.V > 3 { return }; if x[0] > 0 { t = u }`, "", "t has tiles of 32 elements and of 16", 4, 1},
		{"a known length", `if x[0] > 0 { t = tile.Load(b, x, 0, n.V) }; t.Store(x, 0)`, "", "", 16, 1},
		{"a known length of another rank", `if x[0] > 0 { t = tile.Load(b, x, 0, n.V).Row() }`, "elements here", "", 0, 16},
		{"a known length beside one that differs", `v := tile.Zeros2[float32](b, n.V, 3); if x[0] > 0 { v = tile.Zeros2[float32](b, n.V, 4) }; _ = v`, "v has tiles of ?x4 elements and of ?x3", "", 0, 1},
		{"loop", `for range len(x) { t = u }`, "t has tiles of 16 elements and of 32", "", 0, 1},
		{"two variables of a loop", `v := t; for i := range len(x) { if i == 3 { break }; t, v = u, u }`, "v has tiles of 16 elements and of 32", "", 0, 1},
		{"loop with a break", `for i := range len(x) { if i == 3 { t = u; break } }`, "t has tiles of 16 elements and of 32", "", 0, 1},
		{"loop with a clause", `for i := 0; i < len(x); t = u { i++ }`, "t has tiles of 16 elements and of 32", "", 0, 1},
		{"loop of the launch", `for range qd.Static(n.V) { t = tile.Cat(0, t, t) }; t.Store(x, 0)`, "", "", 3, 0},
		{"loop unasked", `for range n.V { t = tile.Cat(0, t, t) }; t.Store(x, 0)`, "", "", 3, 0},
		{"loop of the launch with a break", `for i := range qd.Static(n.V) { if i == 3 { break }; t = u }; t.Store(x, 0)`, "", "", 5, 0},
		{"loop while", `for i := 0; qd.Static(i < n.V); i++ { t = u }; t.Store(x, 0)`, "", "", 3, 0},
		{"loop in which the launch knows more", `for range len(x) { if n.V > 3 { t = u } }`, "", "", 1, 4},
		{"loop that the launch continues", `for range len(x) { if n.V > 3 { t = u; continue } }`, "", "t has tiles of 16 elements and of 32", 1, 4},
		{"loop that the launch leaves", `for range len(x) { if n.V > 3 { break }; t = u }`, "", "t has tiles of 16 elements and of 32", 0, 1},
		{"loop in a turn", `for range qd.Static(n.V) { for range len(x) { t = u } }`, "t has tiles of 16 elements and of 32", "", 0, 1},
		{"without lengths", `var v tile.Tile[float32]; if x[0] > 0 { v = t }; _ = v`, "v has tiles of 16 elements and of no lengths", "", 0, 1},
		{"without lengths otherwise", `var v tile.Tile[float32]; if n.V > 3 { v = t }; v.Store(x, 0)`, "", "", 4, 1},
		{"switch", `switch { case x[0] > 1: t = u; case x[0] > 2: t = u }`, "t has tiles of 32 elements and of 16", "", 0, 1},
		{"switch of the launch", `switch n.V { case 1: t = u; case 2: t = t.Row() }; _ = t`, "", "", 2, 0},
		{"switch with a break", `switch { case x[0] > 1: if x[1] > 2 { break }; t = u }`, "t has tiles of", "", 0, 1},
		{"result", `early(b, x, n).Store(x, 0)`, "the result has tiles of 16 elements and of 32", "", 0, 1},
		{"result of the launch", `picked(b, x, n).Store(x, 0)`, "", "", 1, 0},
		{"result behind a return of the launch", `pickedEarly(b, x, n).Store(x, 0)`, "", "", 4, 1},
		{"result of a loop", `searched(b, x, n).Store(x, 0)`, "", "", 1, 0},
		{"result of a length", `given(b, x, n).Store(x, 0)`, "", "", 16, 1},
		{"in a lane", `b.For(8, func(l int) { v := tile.Load(b, x, 0, 8); v.Store(x, l) })`, "tiles are made by a whole block", "", 0, 1},
		{"results", `t, _ = pair(b, x)`, "the result has tiles of 16 elements and of 32", "", 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := sources(t, onePackage("p", "k.go", head+"func k(b qd.Block, n qd.Const[int], x []float32) {\nt, u := tile.Load(b, x, 0, 16), tile.Load(b, x, 0, 32)\n_, _ = t, u\n"+tt.src+"\n}\n"))
			ref := load.Ref{Pkg: "p", Name: "k"}
			_, err := Specialize(Options{Symbolic: true}, src, ref)
			var certain, doubtful string
			if found := (*diag.Diagnostics)(nil); errors.As(err, &found) {
				for _, d := range found.List {
					if d.Doubtful {
						doubtful += d.Msg + "\n"
					} else {
						certain += d.Msg + "\n"
					}
				}
			} else if err != nil {
				t.Fatal(err)
			}
			for _, w := range []struct{ got, want string }{{certain, tt.certain}, {doubtful, tt.doubtful}} {
				if (w.want == "") != (w.got == "") || !strings.Contains(w.got, w.want) {
					t.Errorf("certain: %sdoubtful: %s", certain, doubtful)
				}
			}
			for n, right := range map[int]bool{tt.right: true, tt.wrong: false} {
				if n == 0 {
					continue
				}
				_, err := Specialize(Options{Consts: map[int]comptime.Value{1: intValue(n)}}, src, ref)
				if (err == nil) != right {
					t.Errorf("with n = %d: %v", n, err)
				}
			}
		})
	}
}
