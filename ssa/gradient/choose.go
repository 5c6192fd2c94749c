package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// This file is about addresses and slices that a condition chooses. What accesses one of them becomes an If on the same
// condition, with an access to either in each of its blocks:
//
//	s = if c { yield x } else { yield y }; p = index s, i; v = load p
//
// becomes
//
//	v = if c { p = index x, i; w = load p; yield w } else { p = index y, i; w = load p; yield w }
//
// A slice that a loop chooses stays as it is.

// unchoose rewrites the accesses in a structured function, and reports whether there were any.
func unchoose(f *ssa.Func) bool {
	changed := false
	for again := true; again; {
		again = false
		var found *ssa.Instr
		var arg int
		f.Body.Walk(func(in *ssa.Instr) {
			if found != nil || in.Blocks != nil || in.Op.IsTerminator() || in.Op.IsPath() {
				return
			}
			for i, a := range in.Args {
				if isAddress(a.Type) && isChosen(a.Root()) {
					found, arg = in, i
					return
				}
			}
		})
		if found == nil {
			break
		}
		u := &unchooser{visible: found.Block}
		if choices(found.Args[arg], make(map[*ssa.Value]int)) > maxChoices || !u.can(found.Args[arg]) {
			return changed // it is refused where it stands
		}
		u.rewrite(found, arg)
		changed, again = true, true
	}
	return changed
}

// maxChoices is between how many addresses one access may choose. It is written once for each of them.
const maxChoices = 32

// choices is between how many addresses conditions choose one, or more than maxChoices.
func choices(v *ssa.Value, memo map[*ssa.Value]int) int {
	if memo[v] > 0 {
		return memo[v]
	}
	n := 1
	switch {
	case isChosen(v):
		k := v.Index()
		n = min(choices(v.Def.Then().Terminator().Args[k], memo)+choices(v.Def.Else().Terminator().Args[k], memo), maxChoices+1)
	case v.Def != nil && (v.Def.Op.IsPath() || v.Def.Op == ssa.OpField):
		n = choices(v.Def.Args[0], memo)
	}
	memo[v] = n
	return n
}

func isAddress(t ssa.Type) bool {
	switch t.(type) {
	case ssa.Slice, ssa.Pointer:
		return true
	}
	return false
}

// isChosen reports whether a value is the result of an If.
func isChosen(v *ssa.Value) bool { return v.Def != nil && v.Def.Op == ssa.OpIf }

// An unchooser rewrites one access.
type unchooser struct {
	visible *ssa.Block // where the access stands
}

// can reports whether all is there that it takes to choose an address again.
func (u *unchooser) can(v *ssa.Value) bool {
	switch {
	case isChosen(v):
		k := v.Index()
		return u.canHave(v.Def.Args[0]) && u.can(v.Def.Then().Terminator().Args[k]) && u.can(v.Def.Else().Terminator().Args[k])
	case v.IsPath():
		return u.can(v.Def.Args[0]) && !slices.ContainsFunc(v.Def.Args[1:], func(a *ssa.Value) bool { return !u.canHave(a) })
	case v.Def != nil && v.Def.Op == ssa.OpZero:
		return true
	case v.Def != nil && v.Def.Op == ssa.OpField:
		return u.isVisible(v) || u.can(v.Def.Args[0])
	}
	return u.isVisible(v)
}

// canHave reports whether a value can be had where the access stands: it is visible, or Ifs can give it to the outside.
func (u *unchooser) canHave(v *ssa.Value) bool {
	for b := seenIn(v); !u.isIn(b); b = b.Owner.Block {
		if b.Owner.Op != ssa.OpIf {
			return false
		}
	}
	return true
}

func (u *unchooser) isVisible(v *ssa.Value) bool { return u.isIn(seenIn(v)) }

// seenIn is the block in which a value is visible. That of a loop's variable is the body.
func seenIn(v *ssa.Value) *ssa.Block {
	b := v.Home()
	if v.Def == nil && b.Owner != nil && b.Owner.Op == ssa.OpLoop && b == b.Owner.Cond() {
		return b.Owner.Do()
	}
	return b
}

// isIn reports whether the access stands in a block, or in one nested there.
func (u *unchooser) isIn(b *ssa.Block) bool { return u.visible == b || u.visible.Inside(b) }

// have is a value where the access stands.
func (u *unchooser) have(v *ssa.Value) *ssa.Value {
	for !u.isVisible(v) {
		in := v.Home().Owner
		for _, b := range in.Blocks {
			end := b.Terminator()
			given := v
			if !v.Home().Inside(b) && v.Home() != b {
				at := len(b.Instrs) - 1
				b.Instrs = b.Instrs[:at]
				given = b.AppendZero(v.Type)
				b.Instrs = append(b.Instrs, end)
			}
			end.Args = append(slices.Clone(end.Args), given)
		}
		v = in.AddResult(v.Type, v.Name)
	}
	return v
}

// rewrite replaces an access by what chooses the address again.
func (u *unchooser) rewrite(in *ssa.Instr, arg int) {
	b := in.Block
	at := slices.Index(b.Instrs, in)
	rest := slices.Clone(b.Instrs[at+1:])
	b.Instrs = b.Instrs[:at]
	results := u.with(in, b, in.Args[arg], func(b *ssa.Block, addr *ssa.Value) []*ssa.Value {
		n := new(ssa.Instr)
		*n = *in
		n.Args, n.Results = slices.Clone(in.Args), nil
		n.Args[arg] = addr
		b.Append(n)
		for _, r := range in.Results {
			n.AddResult(r.Type, r.Name)
		}
		return n.Results
	})
	b.Instrs = append(b.Instrs, rest...)
	by := make(map[*ssa.Value]*ssa.Value)
	for i, r := range in.Results {
		by[r] = results[i]
	}
	b.Func.Body.Walk(func(in *ssa.Instr) {
		for i, a := range in.Args {
			if n := by[a]; n != nil {
				in.Args[i] = n
			}
		}
	})
}

// with appends what does something with an address.
func (u *unchooser) with(like *ssa.Instr, b *ssa.Block, v *ssa.Value, do func(b *ssa.Block, addr *ssa.Value) []*ssa.Value) []*ssa.Value {
	switch {
	case isChosen(v):
		k := v.Index()
		n := b.Append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{u.have(v.Def.Args[0])}, Pos: like.Pos, Stmt: like.Stmt})
		for i, from := range v.Def.Blocks {
			nb := n.NewBlock()
			results := u.with(like, nb, from.Terminator().Args[k], do)
			nb.Append(&ssa.Instr{Op: ssa.OpYield, Args: results, Pos: like.Pos, Stmt: like.Stmt})
			if i == 0 {
				for _, r := range results {
					n.AddResult(r.Type, r.Name)
				}
			}
		}
		return n.Results
	case v.IsPath() && (isChosen(v.Root()) || !u.isVisible(v)):
		return u.with(like, b, v.Def.Args[0], func(b *ssa.Block, base *ssa.Value) []*ssa.Value {
			args := map[*ssa.Value]*ssa.Value{v.Def.Args[0]: base}
			for _, a := range v.Def.Args[1:] {
				args[a] = u.have(a)
			}
			return do(b, copyInstr(v.Def, b, few(args)).Result())
		})
	case v.Def != nil && v.Def.Op == ssa.OpField && !u.isVisible(v): // of a view
		return u.with(like, b, v.Def.Args[0], func(b *ssa.Block, of *ssa.Value) []*ssa.Value {
			return do(b, copyInstr(v.Def, b, few{v.Def.Args[0]: of}).Result())
		})
	case v.Def != nil && v.Def.Op == ssa.OpZero && !u.isVisible(v):
		return do(b, b.AppendZero(v.Type))
	}
	return do(b, v)
}
