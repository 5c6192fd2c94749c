package build_test

import (
	"slices"
	"strings"
	"testing"
)

const gridText = `package k

import "github.com/qdgen/qd"

//qd:kernel
func kernel(g qd.Grid, n int, x, y, z []int) {
	g.For(n, func(i int) { x[i] = y[i] })
	y[0]++
	g.For2(n, n, func(i, j int) { x[i] += z[j] })
	qd.Printf("%d\n", n)
}
`

// A Grid kernel's module describes the host's part and each loop. Only its artifact
// is kept: the source is lowered each time.
func TestGrid(t *testing.T) {
	src := &files{text: map[string]string{"k/k.go": gridText}}
	b := newBench(t, src)
	m := b.build(1, 1)
	if m.ABI != nil || m.Cached {
		t.Errorf("ABI %v, cached %v", m.ABI, m.Cached)
	}
	g := m.Grid
	if f := m.Formats(); len(f) != 1 || f[0].Text != "%d\n" {
		t.Errorf("formats %v", f)
	}
	var params []string
	for _, p := range g.ABI.Params {
		s := p.Name + " " + p.Type
		if p.Written {
			s += " written"
		}
		params = append(params, s)
	}
	if want := []string{"n int64", "x []int64 written", "y []int64 written", "z []int64"}; !slices.Equal(params, want) {
		t.Errorf("parameters %q, want %q", params, want)
	}
	var symbols []string
	for k, abi := range g.Kernels {
		symbols = append(symbols, abi.Symbol)
		if abi.Rank != k.Rank || len(abi.Params) != len(k.Params())-1 {
			t.Errorf("%s: %+v", k.Name, abi)
		}
	}
	if slices.Sort(symbols); !slices.Equal(symbols, []string{"kernel_1", "kernel_2"}) {
		t.Errorf("symbols %q", symbols)
	}

	if m := b.build(2, 1); !m.Cached || m.Grid == nil {
		t.Error("the artifact was made again")
	}
	src.edit("k/k.go", "y[0]++", "y[0]--") // in the host's part alone
	if m := b.build(3, 1); !m.Cached {
		t.Error("an edit of the host's part made a new artifact")
	} else if text := m.Grid.Host.String(); !strings.Contains(text, "sub") {
		t.Errorf("the host runs the old part:\n%s", text)
	}
	src.edit("k/k.go", "x[i] = y[i]", "x[i] = -y[i]")
	if m := b.build(4, 2); m.Cached {
		t.Error("an edit of a loop made no new artifact")
	}
}
