package tape

// A branch is the root of a tree of versions of one array, or of parts of it. A tape may know as many parts as it has
// recorded launches, and each launch asks for a few of them. The tree is ordered by spans, first by their beginnings.
// It is a treap: its shape is that of a tree to which the versions were added by their ranks, which are as good as
// random, so its depth grows with the logarithm of their number. The nil branch has no versions.
type branch struct {
	version     *version // whose methods are not the branch's: the compiler makes wrappers of those in each program
	left, right *branch
	most        int // the largest end of a span in the tree
}

// rank is higher than those of all other versions in the tree.
func (b *branch) rank() uint64 {
	h := uint64(b.version.span.from)*0x9e3779b97f4a7c15 + uint64(b.version.span.to)
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9 // as splitmix64 does it
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// isBefore reports whether a span comes before another one in the order of a tree.
func isBefore(s, t span) bool { return s.from < t.from || s.from == t.from && s.to < t.to }

// find returns the version of a span, nil if there is none.
func (b *branch) find(s span) *version {
	for b != nil && b.version.span != s {
		if isBefore(s, b.version.span) {
			b = b.left
		} else {
			b = b.right
		}
	}
	if b == nil {
		return nil
	}
	return b.version
}

// with adds a version, with a branch for it. It returns the new tree.
func (b *branch) with(v *version, leaf *branch) *branch {
	if b == nil {
		*leaf = branch{version: v, most: v.span.to}
		return leaf
	}
	up := &b.right
	if isBefore(v.span, b.version.span) {
		up = &b.left
	}
	*up = (*up).with(v, leaf)
	child := *up
	if child.rank() <= b.rank() {
		b.measure()
		return b
	}
	if up == &b.left { // the child becomes the parent
		b.left, child.right = child.right, b
	} else {
		b.right, child.left = child.left, b
	}
	b.measure()
	child.measure()
	return child
}

// measure sets most, after a change of the branches.
func (b *branch) measure() {
	b.most = b.version.span.to
	if b.left != nil {
		b.most = max(b.most, b.left.most)
	}
	if b.right != nil {
		b.most = max(b.most, b.right.most)
	}
}

// overlapping calls f for the versions of spans that overlap one, until there is an error.
func (b *branch) overlapping(s span, f func(*version) error) error {
	if b == nil || b.most <= s.from {
		return nil
	}
	if err := b.left.overlapping(s, f); err != nil {
		return err
	}
	if b.version.span.overlaps(s) {
		if err := f(b.version); err != nil {
			return err
		}
	}
	if b.version.span.from >= s.to { // so do all spans behind it
		return nil
	}
	return b.right.overlapping(s, f)
}

// without removes the versions of spans that overlap one. It returns the new tree.
func (b *branch) without(s span) *branch {
	if b == nil || b.most <= s.from {
		return b
	}
	b.left = b.left.without(s)
	if b.version.span.from < s.to {
		b.right = b.right.without(s)
	}
	if b.version.span.overlaps(s) {
		return joined(b.left, b.right)
	}
	b.measure()
	return b
}

// joined is the tree of two, of which the first has the spans that come before.
func joined(a, b *branch) *branch {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.rank() > b.rank():
		a.right = joined(a.right, b)
		a.measure()
		return a
	}
	b.left = joined(a, b.left)
	b.measure()
	return b
}
