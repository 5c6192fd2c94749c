package gradient

import (
	"strconv"

	"github.com/qdgen/qd/ssa"
)

// A region is the memory behind a slice that a parameter is or holds, or a variable.
type region struct {
	root *ssa.Value // the parameter, or the result of the OpLocal
	path string     // the fields, and elements of arrays, on the way to the slice: ".0.1"
}

// isLocal reports whether the region is a variable of the thread.
func (r region) isLocal() bool { return r.root.IsLocal() }

// A use is what a kernel does to a region.
type use struct {
	read, written, atomic bool
	extreme               ssa.Atomic // the AtomicMin or AtomicMax of floats that is all that is done to it
}

// memory is what a kernel does to memory.
type memory struct {
	uses map[region]*use
}

// regionOf is the region in which an address or a slice lies. There is none if it is chosen by an If or a loop, or
// loaded.
func regionOf(addr *ssa.Value) (r region, ok bool) {
	v := addr.Root()
	if v.IsLocal() {
		return region{root: v}, true
	}
	if r, ok := hostRegion(v); ok {
		return r, true
	}
	path := ""
	for {
		i, ok := knownPart(v)
		if !ok {
			break
		}
		path = "." + strconv.Itoa(i) + path
		v = v.Def.Args[0]
	}
	if r = (region{v, path}); r.isShared() {
		return r, path == ""
	}
	return r, v.Def == nil && v.Block.Owner == nil
}

// knownPart is which field of a struct a value is, or which element of an array. It is not ok for others, and for an element
// at an index that is not known here.
func knownPart(v *ssa.Value) (i int, ok bool) {
	switch {
	case v.Def == nil:
	case v.Def.Op == ssa.OpField:
		return int(v.Def.Index), true
	case v.Def.Op == ssa.OpElem:
		if c, ok := v.Def.Args[1].Const(); ok {
			return int(c.Int()), true
		}
	}
	return 0, false
}

const helpOrder = "leave the result unused, or find it in a kernel of its own that changes no floats, and read it from an array here"

const helpAddress = "use the parameter or the variable itself in each of the cases"

// findMemory collects what the kernel does to memory, and refuses what cannot be followed.
func (d *differ) findMemory() {
	d.uses = make(map[region]*use)
	d.fn.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpLoad, ssa.OpStore, ssa.OpAtomic:
		case ssa.OpCopy:
			d.copies(in)
			return
		case ssa.OpCall:
			if isOwn(in) { // others are refused
				d.called(in)
			}
			return
		case ssa.OpLaunch:
			if r, ok := hostRegion(in.Args[0]); ok {
				d.uses[r] = &use{read: true, written: true}
			}
			return
		default:
			return
		}
		u := d.access(in, in.Args[0])
		switch in.Op {
		case ssa.OpLoad:
			u.read = true
		case ssa.OpStore:
			u.written = true
		case ssa.OpAtomic:
			u.written, u.atomic = true, true
			if isExtreme(in) {
				u.extreme = in.Atomic
			}
		}
	})
	if d.err() != nil {
		return
	}
	d.fn.Body.Walk(d.atomics)
	if d.Overlap {
		d.overlap()
	}
	d.fn.Body.Walk(d.calledGradients)
}

// copies notes a copy from one slice to another.
func (d *differ) copies(in *ssa.Instr) {
	to, from := d.access(in, in.Args[0]), d.access(in, in.Args[1])
	to.written, from.read = true, true
	if to == from && hasFloats(at(in.Args[0])) {
		x, _ := offsetsOf(in.Args[0])
		y, _ := offsetsOf(in.Args[1])
		if x != y {
			d.refuse(in, "cannot differentiate a copy of floats between slices that are made in different ways of the same memory", "copy the elements in a loop")
		}
	}
}

// offsetsOf are the first elements of the slices of slices on the way to a slice, and what that way begins with.
func offsetsOf(s *ssa.Value) (from *ssa.Value, offsets []*ssa.Value) {
	for s.Def != nil && s.Def.Op == ssa.OpSubslice {
		offsets = append(offsets, s.Def.Args[1])
		s = s.Def.Args[0]
	}
	if in := s.Def; in != nil && in.Op == ssa.OpSliceOf {
		s = in.Args[0]
	}
	return s, offsets
}

// isExtreme reports whether an instruction is an atomic minimum or maximum of floats.
func isExtreme(in *ssa.Instr) bool {
	return in.Op == ssa.OpAtomic && (in.Atomic == ssa.AtomicMin || in.Atomic == ssa.AtomicMax) && ssa.IsFloat(in.Result().Type)
}

// at is the type of what is at an address, or of a slice's elements.
func at(addr *ssa.Value) ssa.Type {
	if s, ok := addr.Type.(ssa.Slice); ok {
		return s.Elem
	}
	return addr.Type.(ssa.Pointer).Elem
}

// access is the use of the region that an instruction accesses.
func (d *differ) access(in *ssa.Instr, addr *ssa.Value) *use {
	r, ok := regionOf(addr)
	if !ok {
		d.refuse(in, "cannot differentiate an access to memory that a loop or other memory chooses", helpAddress)
	}
	if d.uses[r] == nil {
		d.uses[r] = new(use)
	}
	return d.uses[r]
}

// overlap lets each region of a parameter be used as all of them are.
func (d *differ) overlap() {
	var all use
	for r, u := range d.uses {
		if !r.isLocal() {
			all.read, all.written = all.read || u.read, all.written || u.written
		}
	}
	for r, u := range d.uses {
		if !r.isLocal() {
			u.read, u.written = all.read, all.written
		}
	}
}

// atomics refuses what another run of the same launch could do otherwise: it depends on the order of the threads.
func (d *differ) atomics(in *ssa.Instr) {
	if in.Op != ssa.OpAtomic && in.Op != ssa.OpLoad {
		return
	}
	r, _ := regionOf(in.Args[0])
	u := d.uses[r]
	switch {
	case r.isLocal() && in.Op == ssa.OpAtomic:
		d.refuse(in, "cannot differentiate an atomic operation on a variable", "use an ordinary one: no other thread has the variable")
	case in.Op == ssa.OpLoad && u.atomic && r.isShared(): // behind a barrier, or it would be a race
	case in.Op == ssa.OpLoad && u.atomic:
		d.refuse(in, "cannot differentiate a kernel that reads memory which it changes atomically too: what it reads depends on the order of the threads", "read it in another launch")
	case in.Op == ssa.OpAtomic && isUsed(d.fn, in.Result()):
		d.refuse(in, "cannot differentiate a kernel that uses the result of an atomic operation: it depends on the order of the threads", helpOrder)
	case isExtreme(in) && (u.read || !d.isOnly(r, in.Atomic)):
		d.refuse(in, "cannot differentiate an atomic minimum or maximum in memory that the kernel uses otherwise too", "do the rest in another launch")
	case in.Op == ssa.OpAtomic && ssa.IsFloat(in.Result().Type) && in.Atomic != ssa.AtomicAdd && !isExtreme(in):
		d.refuse(in, "cannot differentiate an atomic operation on floats other than an addition, a minimum or a maximum", "use one of these, or find the value in another kernel")
	}
}

// isOnly reports whether all that a kernel does to a region is one atomic operation.
func (d *differ) isOnly(r region, atomic ssa.Atomic) bool {
	only := true
	d.fn.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpStore, ssa.OpAtomic, ssa.OpCopy:
			used, _ := regionOf(in.Args[0])
			only = only && (used != r || in.Op == ssa.OpAtomic && in.Atomic == atomic)
		}
	})
	return only
}

// isUsed reports whether a value is an operand of anything.
func isUsed(f *ssa.Func, v *ssa.Value) bool {
	used := false
	f.Body.Walk(func(in *ssa.Instr) {
		for _, a := range in.Args {
			used = used || a == v
		}
	})
	return used
}

// isConstant reports whether the memory at an address is the same during the whole launch.
func (m *memory) isConstant(addr *ssa.Value) bool {
	r, ok := regionOf(addr)
	return ok && !r.isLocal() && !m.uses[r].written
}

// isRewritten reports whether the forward sweep has to write to an address: something is read there.
func (m *memory) isRewritten(addr *ssa.Value) bool {
	r, ok := regionOf(addr)
	return ok && (r.isLocal() || m.uses[r].read)
}
