package gradient

import (
	"fmt"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// This file is about loads that a loop does from the same place in each turn. What the turns add to the gradient there
// is summed up in a variable, which is added once, behind the reverse loop.

// A steady load is one of a loop, from memory that the kernel never writes.
type steady struct {
	addr *ssa.Value // of the kernel
	sum  *ssa.Value // the variable
}

// makeSums makes the variables for a loop of the kernel, in front of the reverse loop. Loads of loops around have
// theirs.
func (r *sweep) makeSums(loop *ssa.Instr) (list []steady) {
	if r.isGrid() || r.intermediate { // a sum that is 0 is not added, but may have a derivative
		return nil
	}
	sums := make(map[string]*ssa.Value)
	for _, b := range loop.Blocks {
		b.Walk(func(in *ssa.Instr) {
			if in.Op != ssa.OpLoad || r.sums[in] != nil || !r.isActive(in.Result()) || !isSteady(in.Args[0], loop) || !r.isSummed(in) {
				return
			}
			at := place(in.Args[0])
			if sums[at] == nil {
				sums[at] = r.local(r.zero(in.Result().Type), "sum")
				list = append(list, steady{in.Args[0], sums[at]})
			}
			r.sums[in] = sums[at]
		})
	}
	return list
}

// isSummed reports whether what is added to the gradient of a load may be summed up before.
func (r *sweep) isSummed(load *ssa.Instr) bool {
	g, _ := regionOf(load.Args[0])
	return r.isConstant(load.Args[0]) && !g.isShared() && r.twins[load.Args[0]] == nil && isPlain(load.Result().Type)
}

// isPlain reports whether values of a type are few numbers, with floats that are added without being rounded otherwise.
func isPlain(t ssa.Type) bool {
	if isHalf(t) || isLong(t) {
		return false
	}
	for i := range parts(t) {
		if !isPlain(partType(t, i)) {
			return false
		}
	}
	return true
}

// isSteady reports whether an address is of the same place in all turns of a loop, which is known outside.
func isSteady(addr *ssa.Value, loop *ssa.Instr) bool {
	for addr.IsPath() && within(addr, loop) {
		for _, i := range addr.Def.Args[1:] {
			if within(i, loop) && !ssa.IsConst(i) {
				return false
			}
		}
		addr = addr.Def.Args[0]
	}
	return !within(addr, loop)
}

// place is the same text for addresses that are computed alike.
func place(addr *ssa.Value) string {
	var b strings.Builder
	for ; addr.IsPath(); addr = addr.Def.Args[0] {
		fmt.Fprintf(&b, "%v %d", addr.Def.Op, addr.Def.Index)
		for _, i := range addr.Def.Args[1:] {
			if c, ok := i.Const(); ok {
				fmt.Fprintf(&b, " %d", c.Int())
			} else {
				fmt.Fprintf(&b, " v%d", i.ID)
			}
		}
		b.WriteString(", ")
	}
	fmt.Fprintf(&b, "v%d", addr.ID)
	return b.String()
}

// addSums adds the sums behind the reverse loop. Where a sum is 0, no turn may have come to the load: then the place
// need not exist.
func (r *sweep) addSums(list []steady) {
	for _, s := range list {
		r.addSum(s.addr, s.sum, nil)
	}
}

// addSum adds what is at a part of a sum, by the indices of the parts on the way.
func (r *sweep) addSum(addr, p *ssa.Value, way []int) {
	t := at(p)
	if !ssa.IsFloat(t) {
		for i := range parts(t) {
			if hasFloats(partType(t, i)) {
				r.addSum(addr, r.partAddr(p, i), append(way[:len(way):len(way)], i))
			}
		}
		return
	}
	sum := r.load(p)
	some := r.append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{r.op(ssa.OpNe, ssa.Bool, sum, r.zero(t))}})
	r.in(some.NewBlock(), func() {
		to := r.shadow(addr)
		for _, i := range way {
			to = r.partAddr(to, i)
		}
		r.addTo(to, &adjoint{value: sum}, r.isShared(addr))
		r.append(&ssa.Instr{Op: ssa.OpYield})
	})
	r.in(some.NewBlock(), func() { r.append(&ssa.Instr{Op: ssa.OpYield}) })
}
