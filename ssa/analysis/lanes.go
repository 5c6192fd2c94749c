package analysis

import "github.com/qdgen/qd/ssa"

// Lanes says how a kernel can run the threads of a part of a row together, one in each lane of its vectors: which
// values they agree on, which are a multiple of the lane's number more in each lane, and where they part. A row is
// the threads whose indices differ in the last axis. Of two threads only those are compared that come to a value
// together: a thread that has left a loop waits for the others.
//
// The classes of values are those of Pharr and Mark, "ispc: A SPMD compiler for high-performance CPU programming"
// (2012) and Moll and Hack, "Partial control-flow linearization" (2018).
type Lanes struct {
	*Divergence
	apart   map[*ssa.Instr]bool // loops; nil stands for the function
	strides map[*ssa.Value]linear
}

// linear is what is known of an integer: that it is stride more in each lane.
type linear struct {
	stride int64
	known  bool
}

// NewLanes analyses a function without calls.
func NewLanes(f *ssa.Func) *Lanes {
	d := &Divergence{funcs: make(map[*ssa.Func][]Uniformity)}
	d.lanes = &Lanes{Divergence: d, apart: make(map[*ssa.Instr]bool), strides: make(map[*ssa.Value]linear)}
	d.run(f)
	return d.lanes
}

// IsUniform reports whether the threads that come to a value together agree on it.
func (l *Lanes) IsUniform(v *ssa.Value) bool { return l.Of(v) == Uniform }

// Apart reports whether threads may leave or continue a loop, or return from the function (nil), at different
// times.
func (l *Lanes) Apart(loop *ssa.Instr) bool { return l.apart[loop] }

// laneClass is what an operation itself makes of a value. A load from one place gives all threads the
// same, because they do it at once.
func laneClass(in *ssa.Instr) Uniformity {
	switch in.Op {
	case ssa.OpThreadID:
		if in.Axis == in.Rank-1 {
			return Divergent
		}
	case ssa.OpLane, ssa.OpAtomic, ssa.OpLocal, ssa.OpCopy:
		return Divergent
	}
	return Uniform
}

// findApart finds loops that threads leave or continue apart.
func (l *Lanes) findApart(f *ssa.Func) {
	f.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpLoop:
			if l.Of(in.Cond().Terminator().Args[0]) != Uniform {
				l.setApart(in)
			}
		case ssa.OpBreak, ssa.OpContinue, ssa.OpReturn:
			l.exit(in)
		}
	})
}

func (l *Lanes) setApart(loop *ssa.Instr) {
	if !l.apart[loop] {
		l.apart[loop] = true
		l.again = true
	}
}

// exit looks at a terminator that leaves or continues its target: threads do so apart if a condition in the
// target parts them, or a loop. If they do, they leave the loops between apart too.
func (l *Lanes) exit(in *ssa.Instr) {
	apart := l.apart[in.Target]
	for o := in.Block.Owner; o != in.Target; o = o.Block.Owner {
		apart = apart || o.Op == ssa.OpIf && l.Of(o.Args[0]) != Uniform || o.Op == ssa.OpLoop && l.apart[o]
	}
	if in.Op == ssa.OpBreak {
		// A variable that is the same in all lanes as long as the loop runs cannot be another in each when it ends.
		for k, v := range in.Args {
			apart = apart || l.Of(v) != Uniform && l.Of(in.Target.Cond().Params[k]) == Uniform
		}
	}
	if !apart {
		return
	}
	l.setApart(in.Target)
	for o := in.Block.Owner; o != in.Target; o = o.Block.Owner {
		if o.Op == ssa.OpLoop {
			l.setApart(o)
		}
	}
}

// leavesApart reports whether some threads may leave a loop by a break while others stay in it.
func (l *Lanes) leavesApart(loop *ssa.Instr) bool {
	return l.apart[loop] && loop.IsTargetOf(ssa.OpBreak)
}

// Stride is how much an integer is more in each lane than in the one before, if that is known.
func (l *Lanes) Stride(v *ssa.Value) (int64, bool) {
	if v.Type != ssa.Int64 {
		return 0, false
	}
	if l.IsUniform(v) {
		return 0, true
	}
	if known, ok := l.strides[v]; ok {
		return known.stride, known.known
	}
	var s linear
	if v.Def != nil {
		s = l.stride(v.Def)
	}
	l.strides[v] = s
	return s.stride, s.known
}

func (l *Lanes) stride(in *ssa.Instr) (s linear) {
	var x, y int64
	known := false
	if len(in.Args) == 2 {
		x, known = l.Stride(in.Args[0])
		if known {
			y, known = l.Stride(in.Args[1])
		}
	}
	switch {
	case in.Op == ssa.OpThreadID:
		return linear{1, true}
	case !known:
	case in.Op == ssa.OpAdd:
		return linear{x + y, true}
	case in.Op == ssa.OpSub:
		return linear{x - y, true}
	case in.Op == ssa.OpMul:
		if c, ok := in.Args[0].Const(); ok {
			return linear{c.Int() * y, true}
		}
		if c, ok := in.Args[1].Const(); ok {
			return linear{x * c.Int(), true}
		}
	}
	return linear{}
}
