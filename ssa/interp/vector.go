package interp

import "github.com/qdgen/qd/ssa"

// vector compiles what has to do with vectors, else gives nil. The places of their lanes follow each other, each as
// that of a number.
func (c *compiler) vector(in *ssa.Instr) step {
	switch in.Op {
	case ssa.OpSplat:
		x, d, lanes := c.at(in.Args[0]), c.at(in.Result()), ssa.LanesOf(in.Result().Type)
		return plain(func(fr *frame) {
			for i := range lanes {
				fr.set(d+8*i, fr.get(x))
			}
		})
	case ssa.OpIota:
		t := in.Result().Type.(ssa.Vec)
		d := c.at(in.Result())
		return plain(func(fr *frame) {
			for i := range t.Lanes {
				fr.set(d+8*i, ssa.Wrap(t.Elem, uint64(i)))
			}
		})
	case ssa.OpSelect:
		m, x, y, d, lanes := c.at(in.Args[0]), c.at(in.Args[1]), c.at(in.Args[2]), c.at(in.Result()), ssa.LanesOf(in.Result().Type)
		return plain(func(fr *frame) {
			for i := range lanes {
				from := y
				if fr.get(m+8*i) != 0 {
					from = x
				}
				fr.set(d+8*i, fr.get(from+8*i))
			}
		})
	case ssa.OpExtract:
		x, d, lanes := c.at(in.Args[0])+8*int(in.Index), c.at(in.Result()), ssa.LanesOf(in.Result().Type)
		return plain(func(fr *frame) {
			for i := range lanes {
				fr.set(d+8*i, fr.get(x+8*i))
			}
		})
	case ssa.OpConcat:
		d, lanes := c.at(in.Result()), ssa.LanesOf(in.Args[0].Type)
		var of []int
		for _, x := range in.Args {
			of = append(of, c.at(x))
		}
		return plain(func(fr *frame) {
			for k, x := range of {
				for i := range lanes {
					fr.set(d+8*(k*lanes+i), fr.get(x+8*i))
				}
			}
		})
	case ssa.OpAny:
		m, d, lanes := c.at(in.Args[0]), c.at(in.Result()), ssa.LanesOf(in.Args[0].Type)
		return plain(func(fr *frame) {
			any := false
			for i := range lanes {
				any = any || fr.get(m+8*i) != 0
			}
			fr.setBool(d, any)
		})
	case ssa.OpAtomicLanes:
		return c.atomicLanes(in)
	case ssa.OpReduce:
		t := in.Args[0].Type.(ssa.Vec)
		f := operation(atomicOps[in.Atomic], t.Elem)
		x, d := c.at(in.Args[0]), c.at(in.Result())
		return plain(func(fr *frame) {
			sums := make([]uint64, t.Lanes)
			for i := range sums {
				sums[i] = fr.get(x + 8*i)
			}
			for len(sums) > 1 {
				half := len(sums) / 2
				for i := range half {
					sums[i] = f(sums[i], sums[half+i])
				}
				sums = sums[:half]
			}
			fr.set(d, sums[0])
		})
	case ssa.OpCheckLanes:
		return c.checkLanes(in)
	case ssa.OpPanicLanes:
		return c.panicLanes(in)
	case ssa.OpAdvance:
		x := c.at(in.Args[0])
		return plain(func(fr *frame) { fr.m.lane += int(fr.get(x)) })
	case ssa.OpPrefetch:
		return plain(func(*frame) {})
	case ssa.OpLoadParts, ssa.OpStoreParts:
		return c.accessParts(in)
	case ssa.OpLoadRow, ssa.OpLoadStrided, ssa.OpGather, ssa.OpStoreRow, ssa.OpStoreStrided, ssa.OpScatter:
		return c.accessLanes(in)
	}
	if in.Op.IsLanewise() && len(in.Args) > 0 && ssa.LanesOf(in.Args[0].Type) > 0 {
		return c.lanewise(in, ssa.LanesOf(in.Args[0].Type))
	}
	return nil
}

// checkLanes compiles a check in the lanes of a mask.
func (c *compiler) checkLanes(in *ssa.Instr) step {
	mask, steps := in.Mask(), make([]step, ssa.Lanes(in.Args))
	for i := range steps {
		one := *in
		one.Args = c.lane(in.Checked(), i)
		steps[i] = c.check(&one, i)
	}
	return plain(func(fr *frame) {
		for i, s := range steps {
			if mask == nil || fr.get(c.at(mask)+8*i) != 0 {
				s(fr)
			}
		}
	})
}

// panicLanes compiles a panic in the first lane of a mask.
func (c *compiler) panicLanes(in *ssa.Instr) step {
	mask, faults := c.at(in.Args[0]), make([]func(fr *frame), ssa.LanesOf(in.Args[0].Type))
	for i := range faults {
		one := *in
		one.Args = c.lane(in.Args[1:], i)
		faults[i] = c.fault(&one, i)
	}
	return plain(func(fr *frame) {
		for i, fault := range faults {
			if fr.get(mask+8*i) != 0 {
				fault(fr)
			}
		}
	})
}

// lanewise compiles an operation on vectors as that on numbers, for one lane after the other.
func (c *compiler) lanewise(in *ssa.Instr, lanes int) step {
	steps := make([]step, lanes)
	for i := range lanes {
		one := *in
		one.Args, one.Results = c.lane(in.Args, i), c.lane(in.Results, i)
		steps[i] = c.value(&one)
	}
	return plain(func(fr *frame) {
		for _, s := range steps {
			s(fr)
		}
	})
}

// lane makes values of what is in one lane of others. A number is in all lanes.
func (c *compiler) lane(vs []*ssa.Value, i int) []*ssa.Value {
	list := make([]*ssa.Value, len(vs))
	for k, v := range vs {
		place := c.at(v)
		if ssa.LanesOf(v.Type) > 0 {
			place += 8 * i
		}
		list[k] = &ssa.Value{ID: len(c.places), Type: ssa.ElemOf(v.Type)}
		c.places = append(c.places, place)
	}
	return list
}

// accessLanes compiles an access to memory, lane by lane.
func (c *compiler) accessLanes(in *ssa.Instr) step {
	stores := in.Op == ssa.OpStoreRow || in.Op == ssa.OpStoreStrided || in.Op == ssa.OpScatter
	indexed := in.Op == ssa.OpGather || in.Op == ssa.OpScatter
	strided := in.Op == ssa.OpLoadStrided || in.Op == ssa.OpStoreStrided
	var vec *ssa.Value
	switch {
	case !stores:
		vec = in.Result()
	case indexed || strided:
		vec = in.Args[2]
	default:
		vec = in.Args[1]
	}
	t := vec.Type.(ssa.Vec)
	x, size := c.at(vec), t.Elem.Size()
	mask, index, step, by := -1, -1, -1, uint64(size)
	if m := in.Mask(); m != nil {
		mask = c.at(m)
	}
	if indexed {
		index, by = c.at(in.Args[1]), uint64(in.Len)
	}
	if strided {
		step, by = c.at(in.Args[1]), uint64(in.Len)
	}
	at := c.laneAddress(in.Args[0], by)
	return plain(func(fr *frame) {
		for i := range t.Lanes {
			lane := x + 8*i
			n := uint64(i)
			switch {
			case mask >= 0 && fr.get(mask+8*i) == 0:
				if !stores {
					fr.set(lane, 0)
				}
				continue
			case indexed:
				n = fr.get(index + 8*i)
			case strided:
				n *= fr.get(step)
			}
			if stores {
				fr.m.write(in, at(fr, n), fr.b[lane:lane+size])
				continue
			}
			fr.set(lane, 0)
			fr.m.read(in, fr.b[lane:lane+size], at(fr, n))
			fr.set(lane, extend(t.Elem, fr.get(lane)))
		}
	})
}

// laneAddress makes a function for the address that lies n times so many bytes behind a pointer. The pointer may be that of
// an element that is none, if a mask excludes its lane: then the lane's own index counts.
func (c *compiler) laneAddress(ptr *ssa.Value, by uint64) func(fr *frame, n uint64) uint64 {
	p := c.at(ptr)
	in := ptr.Def
	if in == nil || in.Op != ssa.OpIndexAddr || uint64(ptr.Type.(ssa.Pointer).Elem.Size()) != by {
		return func(fr *frame, n uint64) uint64 { return fr.get(p) + n*by }
	}
	slice, first := c.at(in.Args[0]), c.at(in.Args[1])
	return func(fr *frame, n uint64) uint64 {
		return element(fr.get(slice), fr.get(first)+n, fr.get(slice+8), by)
	}
}

// accessParts compiles an access to numbers of elements, element by element.
func (c *compiler) accessParts(in *ssa.Instr) step {
	parts := in.Parts()
	stores := in.Op == ssa.OpStoreParts
	mask := -1
	if m := in.Mask(); m != nil {
		mask = c.at(m)
	}
	t := parts[0].Type.(ssa.Vec)
	p, size, by := c.at(in.Args[0]), t.Elem.Size(), uint64(in.Len)
	var at []int
	for _, v := range parts {
		at = append(at, c.at(v))
	}
	return plain(func(fr *frame) {
		addr := fr.get(p)
		for i := range t.Lanes {
			active := mask < 0 || fr.get(mask+8*i) != 0
			for k, at := range at {
				at += 8 * i
				from := addr + uint64(i)*by + uint64(k*size)
				switch {
				case active && stores:
					fr.m.write(in, from, fr.b[at:at+size])
				case active:
					fr.set(at, 0)
					fr.m.read(in, fr.b[at:at+size], from)
					fr.set(at, extend(t.Elem, fr.get(at)))
				case !stores:
					fr.set(at, 0)
				}
			}
		}
	})
}

// atomicLanes compiles an atomic operation in lanes as that of numbers, for one lane after the other.
func (c *compiler) atomicLanes(in *ssa.Instr) step {
	lanes := in.Result().Type.(ssa.Vec).Lanes
	addr := &ssa.Value{ID: len(c.places), Type: in.Args[0].Type}
	c.placeEach([]*ssa.Value{addr})
	p, index, d := c.at(in.Args[0]), c.at(in.Args[1]), c.at(in.Result())
	values, mask := in.Args[2:], -1
	if m := in.Mask(); m != nil {
		values, mask = values[:len(values)-1], c.at(m)
	}
	steps := make([]step, lanes)
	for i := range lanes {
		one := *in
		one.Op, one.Args, one.Results = ssa.OpAtomic, append([]*ssa.Value{addr}, c.lane(values, i)...), c.lane(in.Results, i)
		steps[i] = c.atomic(&one)
	}
	return plain(func(fr *frame) {
		for i, s := range steps {
			if mask >= 0 && fr.get(mask+8*i) == 0 {
				fr.set(d+8*i, 0)
				continue
			}
			fr.set(c.at(addr), fr.get(p)+fr.get(index+8*i)*uint64(in.Len))
			s(fr)
		}
	})
}
