package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// A stack keeps numbers of one type for a thread. It is a local array, or interleaved with those of the other threads
// in a slice: number k of thread i is at k*n+i, if there are n threads.
type stack struct {
	elem   ssa.Basic
	top    *ssa.Value // the variable with the number of elements, nil if that is known at each place: see height
	height *ssa.Value // what is known of it at the end of the forward sweep so far, nil for 0
	array  *ssa.Value // the address of the local array, nil if there is none
	memory *ssa.Value // the slice, nil if there is none
	thread *ssa.Value // with it: the index of the thread
	stride *ssa.Value // and the number of threads
}

// maxLocal is how many numbers a stack has room for that is a local array.
const maxLocal = 64

// numbersOf lists the numbers and bools that a value of a type is made of.
func numbersOf(t ssa.Type) (list []ssa.Basic) {
	if b, ok := t.(ssa.Basic); ok {
		return []ssa.Basic{b}
	}
	for i := range parts(t) {
		list = append(list, numbersOf(partType(t, i))...)
	}
	return list
}

// heights are how many numbers of each type a thread keeps at most, -1 where nothing is known.
func (d *differ) heights() map[ssa.Basic]int64 {
	h := make(map[ssa.Basic]int64)
	d.fn.Body.Walk(func(loop *ssa.Instr) {
		if loop.Op != ssa.OpLoop || len(d.pushes[loop]) == 0 {
			return
		}
		turns := int64(1)
		for o := loop; o != nil; o = o.Block.Owner {
			if o.Op != ssa.OpLoop {
				continue
			}
			if n, ok := d.limits[o]; ok && turns >= 0 {
				turns = min(turns*n, maxLocal+1)
			} else {
				turns = -1
			}
			if d.strips[o] != nil { // the next run of it begins where this one has begun
				break
			}
		}
		for _, v := range d.pushes[loop] {
			for _, b := range numbersOf(v.Type) {
				if h[b] >= 0 && turns >= 0 {
					h[b] += turns
				} else {
					h[b] = -1
				}
			}
		}
	})
	return h
}

// makeStacks makes the stacks at the beginning of the function, and its parameters for those in memory.
func (r *sweep) makeStacks() {
	h := r.heights()
	var elems []ssa.Basic
	for b := range h {
		elems = append(elems, b)
	}
	slices.Sort(elems)
	for _, b := range elems {
		s := &stack{elem: b}
		r.stacks[b] = s
		if n := h[b]; n >= 0 && n <= maxLocal {
			t := ssa.Array{Elem: b, Len: int(n)}
			s.array = r.local(r.zero(t), "kept")
		} else {
			s.memory = r.to.Body.AddParam(ssa.Slice{Elem: b}, "kept"+title(b.String()))
			r.memories = append(r.memories, s)
			s.thread, s.stride = r.flat(), r.threads()
		}
		if !r.isStraight(b) {
			s.top = r.newTop()
		}
	}
}

// newTop is a variable for the height of a stack. Once the sweeps are complete it becomes a value.
func (r *sweep) newTop() *ssa.Value {
	v := r.local(r.int(0), "top")
	r.tops[v.Def] = true
	return v
}

func title(s string) string { return string(s[0]-'a'+'A') + s[1:] }

// flat is the index of the thread in the launch.
func (r *sweep) flat() *ssa.Value {
	return r.append(&ssa.Instr{Op: ssa.OpThreadID, Rank: 1, Args: r.to.Params()[:1]}, ssa.Int64).Result()
}

// threads is the number of threads of the launch.
func (r *sweep) threads() *ssa.Value {
	rank := r.to.Rank
	if rank == 0 {
		rank = 4
	}
	var n *ssa.Value
	for axis := range rank {
		dim := r.append(&ssa.Instr{Op: ssa.OpThreadDim, Axis: int8(axis), Args: r.to.Params()[:1]}, ssa.Int64).Result()
		if n == nil {
			n = dim
		} else {
			n = r.op(ssa.OpMul, ssa.Int64, n, dim)
		}
	}
	n.Name = "threads"
	return n
}

// on is the address of a number on a stack.
func (r *sweep) on(s *stack, i *ssa.Value) *ssa.Value {
	if s.memory == nil {
		return r.op(ssa.OpElemAddr, ssa.Pointer{Elem: s.elem}, s.array, i)
	}
	place := r.op(ssa.OpAdd, ssa.Int64, r.op(ssa.OpMul, ssa.Int64, i, s.stride), s.thread)
	return r.op(ssa.OpIndexAddr, ssa.Pointer{Elem: s.elem}, s.memory, place)
}

// count makes the kernel that counts how high the stacks in memory become.
func (d *differ) count(memories []*stack) *ssa.Func {
	r := d.newSweep(".count")
	for b := range d.heights() {
		r.stacks[b] = &stack{elem: b}
	}
	var counts []*ssa.Value
	for _, m := range memories {
		counts = append(counts, r.to.Body.AddParam(ssa.Slice{Elem: ssa.Int64}, "count"+title(m.elem.String())))
	}
	for _, s := range sortedStacks(r.stacks) {
		if !r.isStraight(s.elem) {
			s.top = r.newTop()
		}
	}
	r.makePeaks()
	body := d.fn.Body.Instrs
	r.again(body[:len(body)-1])
	for i, m := range memories {
		p := r.op(ssa.OpIndexAddr, ssa.Pointer{Elem: ssa.Int64}, counts[i], r.flat())
		r.store(p, r.orNone(r.withPeaks(r.heightOf(r.stacks[m.elem]), m.elem)))
	}
	r.append(&ssa.Instr{Op: ssa.OpReturn})
	return r.to
}

func sortedStacks(m map[ssa.Basic]*stack) (list []*stack) {
	for _, s := range m {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *stack) int { return int(a.elem) - int(b.elem) })
	return list
}
