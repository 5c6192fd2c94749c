package ssa

import "slices"

// memory checks the operations on aggregates, local variables and addresses.
func (v *verifier) memory(in *Instr) {
	switch in.Op {
	case OpZero:
		switch t := in.Results[0].Type.(type) {
		case Basic:
			v.report(in, "the zero of %v, which is a constant", t)
		}
	case OpMake:
		v.makes(in)
	case OpField:
		if f := v.field(in, in.Args[0].Type); f != nil {
			v.result(in, 0, f)
		}
	case OpElem:
		v.index(in, 1)
		if a, ok := in.Args[0].Type.(Array); !ok {
			v.report(in, "operand 0 is %v, not an array", in.Args[0].Type)
		} else {
			v.result(in, 0, a.Elem)
		}
	case OpLocal:
		v.result(in, 0, Pointer{in.Args[0].Type})
	case OpFieldAddr:
		if f := v.field(in, v.pointer(in)); f != nil {
			v.result(in, 0, Pointer{f})
		}
	case OpElemAddr:
		v.index(in, 1)
		if a, ok := v.pointer(in).(Array); !ok {
			v.report(in, "operand 0 is %v, not a pointer to an array", in.Args[0].Type)
		} else {
			v.result(in, 0, Pointer{a.Elem})
		}
	case OpSliceOf:
		if a, ok := v.pointer(in).(Array); !ok {
			v.report(in, "operand 0 is %v, not a pointer to an array", in.Args[0].Type)
		} else {
			v.result(in, 0, Slice{a.Elem})
		}
	case OpIsNil:
		v.slice(in)
		v.result(in, 0, Bool)
	case OpApart:
		v.slice(in)
		if _, ok := in.Args[1].Type.(Slice); !ok {
			v.report(in, "operand 1 is %v, not a slice", in.Args[1].Type)
		}
		v.result(in, 0, Bool)
	case OpCopy:
		v.slice(in)
		v.operand(in, 1, in.Args[0].Type)
		v.result(in, 0, Int64)
	}
}

// makes checks that an OpMake has a value for each part.
func (v *verifier) makes(in *Instr) {
	var parts []Type
	switch t := in.Results[0].Type.(type) {
	case *Struct:
		for _, f := range t.Fields {
			parts = append(parts, f.Type)
		}
	case Array:
		for range t.Len {
			parts = append(parts, t.Elem)
		}
	default:
		v.report(in, "result is %v, not a struct or an array", t)
		return
	}
	v.allTypes(in, "operands", in.Args, parts)
}

// field is the type of the field that an instruction names, of what should be a struct.
func (v *verifier) field(in *Instr, t Type) Type {
	s, ok := t.(*Struct)
	if !ok {
		v.report(in, "operand 0 is %v, not of a struct", in.Args[0].Type)
		return nil
	}
	if in.Index < 0 || int(in.Index) >= len(s.Fields) {
		v.report(in, "%v has no field %d", s, in.Index)
		return nil
	}
	return s.Fields[in.Index].Type
}

// block0 checks an operation that tells which block of the launch runs.
func (v *verifier) block0(in *Instr) {
	if t := in.Args[0].Type; t != BlockPlace && (t != Thread || in.Op != OpBlockID) {
		v.report(in, "operand 0 is %v, not a block", t)
	}
	v.result(in, 0, Int64)
	if in.Op == OpBlockIndex && (in.Rank < 1 || in.Rank > 4 || in.Axis < 0 || in.Axis >= in.Rank) {
		v.report(in, "no axis %d of %d", in.Axis, in.Rank)
	}
}

func (v *verifier) shared(in *Instr) {
	if _, ok := in.Results[0].Type.(Slice); !ok {
		v.report(in, "result is %v, not a slice", in.Results[0].Type)
	}
	if in.Len <= 0 {
		v.report(in, "a length of %d", in.Len)
	}
	if in.Storage == RegisterStorage && (in.Index <= 0 || in.Len%max(in.Index, 1) != 0 || v.fn.Kind != BlockKernel || v.fn.Threads < WarpThreads) {
		v.report(in, "%d elements in rows of %d, in the registers of %d threads", in.Len, in.Index, v.fn.Threads)
	}
	if in.Block.Owner != nil || !v.fn.Kernel {
		v.report(in, "stands elsewhere than in the body of a kernel")
	}
}

func (v *verifier) sync(in *Instr) {
	if !v.fn.Kernel || v.fn.Kind == GridKernel || in.InsideLanes() {
		v.report(in, "stands elsewhere than in a kernel for a thread or a block, outside of a parallel for")
	}
}

// valid reports whether values have the type. What is stored in memory is made of
// bools, numbers, slices and pointers only.
func valid(t Type) bool { return validInside(t, nil) }

// validInside is valid of a type in recursive ones.
func validInside(t Type, around []*Struct) bool {
	storable := func(t Type) bool { return storableInside(t, around) }
	switch t := t.(type) {
	case Basic:
		return t > Invalid && t <= BlockPlace
	case Slice:
		return storable(t.Elem)
	case Pointer:
		return storable(t.Elem)
	case Array:
		return t.Len >= 0 && storable(t.Elem)
	case *Struct:
		if t.recursive {
			if slices.Contains(around, t) {
				return true
			}
			around = append(slices.Clip(around), t)
		}
		for _, f := range t.Fields {
			if !storable(f.Type) {
				return false
			}
		}
		return true
	case Vec:
		return (t.Elem == Bool || IsNumeric(t.Elem)) && IsLanes(t.Lanes)
	case TileType:
		return storable(t.Elem) && !HoldsAddress(t.Elem) && t.Rank <= 3 && (t.Rank < 0 || t.Len() > 0 && t.Len() <= MaxTileLen)
	}
	return false
}

func storableInside(t Type, around []*Struct) bool {
	if LanesOf(t) > 0 || IsTile(t) {
		return false
	}
	if b, ok := t.(Basic); ok {
		return b == Bool || IsNumeric(b)
	}
	return t != nil && validInside(t, around)
}

// launchable reports whether a kernel can have a parameter of the type: it holds no
// pointer, and its slices hold neither pointers nor slices, for those would be the
// host's.
func launchable(t Type) bool {
	if s, ok := t.(Slice); ok {
		return !HoldsAddress(s.Elem)
	}
	switch t := t.(type) {
	case Pointer:
		return false
	case Array:
		return launchable(t.Elem)
	case *Struct:
		for _, f := range t.Fields {
			if !launchable(f.Type) {
				return false
			}
		}
		return true
	}
	return t == Bool || IsNumeric(t)
}

// HoldsAddress reports whether a pointer or a slice is part of the type.
func HoldsAddress(t Type) bool {
	switch t := t.(type) {
	case Pointer, Slice:
		return true
	case Array:
		return HoldsAddress(t.Elem)
	case *Struct:
		for _, f := range t.Fields {
			if HoldsAddress(f.Type) {
				return true
			}
		}
	}
	return false
}

func (v *verifier) bits(in *Instr) {
	t := in.Args[0].Type
	if in.Bits == bitsInvalid || in.Bits >= numBits || !IsUnsigned(t) {
		v.report(in, "no operation on the bits of %v", t)
		return
	}
	if in.Bits.CountsBits() {
		t = Int64
		if len(in.Results) == 1 && in.Results[0].Type == Int32 { // see package narrow
			t = Int32
		}
	}
	v.result(in, 0, t)
}

func (v *verifier) check(in *Instr) {
	var want []Type
	switch in.Check {
	case CheckIndex:
		want = []Type{Int64, Int64}
	case CheckSlice:
		want = []Type{Int64, Int64, Int64}
	case CheckAssert, CheckSync:
		want = []Type{Bool}
	case CheckNil:
		if v.pointer(in) == nil {
			return
		}
		want = []Type{in.Args[0].Type}
	case CheckDivide, CheckShift:
		if len(in.Args) == 1 && !IsInteger(in.Args[0].Type) {
			v.report(in, "operand 0 is %v, not an integer", in.Args[0].Type)
			return
		}
		if len(in.Args) == 1 && in.Check == CheckShift && !IsSigned(in.Args[0].Type) {
			v.report(in, "operand 0 is %v, which is never negative", in.Args[0].Type)
			return
		}
		want = []Type{Int64}
		if len(in.Args) == 1 {
			want[0] = in.Args[0].Type
		}
	default:
		v.report(in, "an invalid check")
		return
	}
	v.allTypes(in, "operands", in.Args, want)
}

// parallel checks an OpFor.
func (v *verifier) parallel(in *Instr) {
	n := len(in.Args)
	if n < 1 || n > 3 {
		v.report(in, "has %d sizes", n)
		return
	}
	for i := range in.Args {
		v.index(in, i)
	}
	v.all(in, "parameters", in.Blocks[0].Params, in.Args)
	if wide := in.WideBlock(); wide != nil {
		v.all(in, "parameters", wide.Params, in.Args)
		if n != 1 || !IsLanes(int(in.Len)) {
			v.report(in, "runs %d lanes of %d sizes at once", in.Len, n)
		}
	}
	if !v.fn.Kernel || v.fn.Kind == ThreadKernel && !v.fn.Phased {
		v.report(in, "stands elsewhere than in a kernel for a grid or a block, or a phased one")
	}
	if in.InsideLanes() {
		v.report(in, "stands in another parallel for")
	}
}

func (v *verifier) launch(in *Instr) {
	if !v.fn.Kernel || v.fn.Kind != GridKernel {
		v.report(in, "stands elsewhere than in a kernel for a grid")
	}
	if in.Callee == nil || in.Callee.Body == nil || !in.Callee.Kernel || in.Callee.Kind != ThreadKernel {
		v.report(in, "the callee is no kernel of a thread")
		return
	}
	if in.Rank < 1 || in.Rank > 3 || int(in.Rank) > len(in.Args) {
		v.report(in, "a launch of %d dimensions", in.Rank)
		return
	}
	for i := range int(in.Rank) {
		v.operand(in, i, Int64)
	}
	if r := in.Callee.Rank; r != 0 && r != int(in.Rank) && (in.Callee.Room == nil || !in.Callee.Room.Batched) {
		v.report(in, "the kernel takes launches of %d dimensions", r)
	}
	params := in.Callee.Params()[1:]
	if room := in.Callee.Room; room != nil {
		if room.Params() > len(params) {
			v.report(in, "the kernel has no parameters for the memory that it is given")
			return
		}
		params = params[:len(params)-room.Params()]
	}
	v.all(in, "arguments", in.Args[in.Rank:], params)
}

// hosts checks what the host keeps.
func (v *verifier) hosts(in *Instr) {
	if !v.fn.Kernel || v.fn.Kind != GridKernel {
		v.report(in, "stands elsewhere than in a kernel for a grid")
	}
	switch in.Op {
	case OpSnapshot:
		if !HoldsAddress(in.Args[0].Type) {
			v.report(in, "operand 0 is %v, which leads to no memory", in.Args[0].Type)
		}
		v.result(in, 0, Int64)
	case OpRestore:
		v.operand(in, 0, Int64)
		if !HoldsAddress(in.Results[0].Type) {
			v.report(in, "result is %v, which leads to no memory", in.Results[0].Type)
		}
	}
}
