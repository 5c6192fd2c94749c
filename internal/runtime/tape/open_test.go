package tape

import (
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// depth is the depth of a tree whose order, ranks and ends are checked on the way.
func (b *branch) depth(t *testing.T) int {
	if b == nil {
		return 0
	}
	most := b.version.span.to
	for _, child := range []*branch{b.left, b.right} {
		if child == nil {
			continue
		}
		most = max(most, child.most)
		if child.rank() > b.rank() || isBefore(child.version.span, b.version.span) != (child == b.left) {
			t.Errorf("%v is the parent of %v", b.version.span, child.version.span)
		}
	}
	if b.most != most {
		t.Errorf("%v: the largest end is %d, not %d", b.version.span, b.most, most)
	}
	return 1 + max(b.left.depth(t), b.right.depth(t))
}

// The tree has the versions that a list would have, and is not deep, in whichever order they come.
func TestOpenVersions(t *testing.T) {
	const n = 1 << 12
	next := map[string]func(i int) span{
		"one behind the other": func(i int) span { return span{i, i + 1} },
		"from the last one on": func(i int) span { return span{4 * (n - i), 4*(n-i) + 4} },
		"overlapping":          func(i int) span { return span{i, i + 16} },
		"growing":              func(i int) span { return span{0, i + 1} },
		"shrinking":            func(i int) span { return span{i, n} },
		"random":               func(int) span { from := rand.IntN(n); return span{from, from + 1 + rand.IntN(40)} },
	}
	for order, spanOf := range next {
		var tree *branch
		for i := range n {
			if v := (&version{span: spanOf(i)}); tree.find(v.span) == nil {
				tree = tree.with(v, new(branch))
			}
		}
		if depth := tree.depth(t); depth > 5*bits.Len(n) {
			t.Errorf("%s: %d versions are %d deep", order, n, depth)
		}
	}
	var tree *branch
	var list []*version
	for range 4 * n {
		s := next["random"](0)
		if rand.IntN(4) == 0 {
			var got, want []*version
			if err := tree.overlapping(s, func(v *version) error { got = append(got, v); return nil }); err != nil {
				t.Fatal(err)
			}
			list = slices.DeleteFunc(list, func(v *version) bool {
				if v.span.overlaps(s) {
					want = append(want, v)
					return true
				}
				return false
			})
			slices.SortFunc(want, func(v, w *version) int {
				if isBefore(v.span, w.span) {
					return -1
				}
				return 1
			})
			if !slices.Equal(got, want) {
				t.Fatalf("%d versions overlap %v, not %d", len(got), s, len(want))
			}
			tree = tree.without(s)
			continue
		}
		at := slices.IndexFunc(list, func(v *version) bool { return v.span == s })
		if v := tree.find(s); at >= 0 != (v != nil) || at >= 0 && v != list[at] {
			t.Fatalf("%v is at %d in the list, but the tree has %v", s, at, v)
		}
		if at < 0 {
			list = append(list, &version{span: s})
			tree = tree.with(list[len(list)-1], new(branch))
		}
	}
	tree.depth(t)
	stop := errors.New("stop")
	calls := 0
	if err := tree.overlapping(span{0, 2 * n}, func(*version) error { calls++; return stop }); len(list) > 0 && (err != stop || calls != 1) {
		t.Errorf("%v after %d calls", err, calls)
	}
	if tree = tree.without(span{0, 2 * n}); tree.depth(t) > 0 {
		t.Error("there are versions left")
	}
}

// What a launch looks at does not grow with the parts of an array that others have used, and writes end all of them.
func TestVersionsOfParts(t *testing.T) {
	const n = 1 << 12
	tape := New(nil, Options{})
	a := &node{array: new(launch.Array), live: &device.Buffer{N: n}}
	for i := range n {
		if first := tape.version(a, span{i, i + 1}); tape.version(a, span{i, i + 1}) != first {
			t.Fatal("a part has two versions")
		}
	}
	if depth := a.open.depth(t); depth > 5*bits.Len(n) {
		t.Errorf("%d versions are %d deep", n, depth)
	}
	for i := range n {
		if err := tape.beforeWrite(a, span{i, i + 1}); err != nil {
			t.Fatal(err)
		}
	}
	if a.open != nil {
		t.Errorf("%v is still there", a.open.version.span)
	}
}
