package gradient

import (
	"github.com/qdgen/qd/ssa"
)

// countOnce removes the second of two variables that count the turns of a loop: the kernel has its own counter, and
// countTurns adds one. They are equal up to a break. There one may be passed on as it is, and the other as it would be
// in the next turn. If nobody reads the one after the loop, the other one replaces it.
func countOnce(f *ssa.Func) {
	var loops []*ssa.Instr
	read := make(map[*ssa.Value]bool) // results of loops
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLoop {
			loops = append(loops, in)
		}
		for _, v := range in.Args {
			if v.Def != nil && v.Def.Op == ssa.OpLoop {
				read[v] = true
			}
		}
	})
	found := false
	for _, loop := range loops {
		for k, v := range loop.Results {
			if !read[v] {
				found = replaceAlike(loop, k) || found
			}
		}
	}
	if found {
		f.Body.Walk((*ssa.Instr).Resolve)
	}
}

// replaceAlike replaces variable k of a loop, whose result nobody reads, by one that counts alike.
func replaceAlike(loop *ssa.Instr, k int) bool {
	by, ok := countOf(loop, k)
	if !ok {
		return false
	}
	param, post := loop.Cond().Params[k], loop.Post().Params[k]
	for n, other := range loop.Cond().Params {
		if n == k || other.Type != param.Type || other.Forward != nil || !isSame(loop.Args[n], loop.Args[k]) {
			continue
		}
		if other, ok := countOf(loop, n); !ok || other != by {
			continue
		}
		if param.Name != "" {
			other.Name, loop.Post().Params[n].Name, loop.Results[n].Name = param.Name, post.Name, param.Name
		}
		param.ForwardTo(other)
		post.ForwardTo(loop.Post().Params[n])
		return true
	}
	return false
}

// isSame reports whether two values are one, or equal integers.
func isSame(a, b *ssa.Value) bool {
	x, ok := a.Const()
	return a == b || ok && isInt(b, x.Int())
}
