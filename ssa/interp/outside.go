package interp

import (
	"errors"

	"github.com/qdgen/qd/ssa"
)

// outside compiles what has to do with the launch and with the host, else gives nil.
func (c *compiler) outside(in *ssa.Instr) step {
	d := -1
	if len(in.Results) > 0 {
		d = c.at(in.Results[0])
	}
	place := func(get func(p *Place) int64) step {
		return plain(func(fr *frame) { fr.set(d, uint64(get(&fr.m.env.Place))) })
	}
	switch axis := in.Axis; in.Op {
	case ssa.OpThreadID:
		if in.Rank == 1 {
			return place(func(p *Place) int64 { return p.Flat })
		}
		return place(func(p *Place) int64 { return p.ID[axis] })
	case ssa.OpThreadDim:
		return place(func(p *Place) int64 { return p.Dim[axis] })
	case ssa.OpLane:
		return place(func(p *Place) int64 { return p.Lane })
	case ssa.OpBlockID:
		return place(func(p *Place) int64 { return p.Block })
	case ssa.OpBlockDim:
		return place(func(p *Place) int64 { return p.BlockDim })
	case ssa.OpBlockIndex:
		if in.Rank == 1 {
			return place(func(p *Place) int64 { return p.Block })
		}
		return place(func(p *Place) int64 { return p.BlockIndex[axis] })
	case ssa.OpSync:
		return plain(func(fr *frame) {
			if fr.m.env.Sync == nil {
				fail(in, errNone)
			}
			if err := fr.m.env.Sync(in); err != nil {
				fail(in, err)
			}
		})
	case ssa.OpShared:
		return plain(func(fr *frame) {
			if fr.m.env.Shared == nil {
				fail(in, errNone)
			}
			addr, err := fr.m.env.Shared(in)
			if err != nil {
				fail(in, err)
			}
			fr.set(d, addr)
			fr.set(d+8, uint64(in.Len))
		})
	case ssa.OpLaunch:
		return c.launch(in)
	case ssa.OpPrintf:
		return plain(func(fr *frame) {
			args := make([]uint64, len(in.Args))
			for i, a := range in.Args {
				args[i] = fr.get(c.at(a))
			}
			if fr.m.env.Printf == nil {
				fail(in, errNone)
			}
			if err := fr.m.env.Printf(in, args); err != nil {
				fail(in, err)
			}
		})
	case ssa.OpCheck:
		return c.check(in)
	}
	return nil
}

var errLocalLaunched = errors.New("the address of a local variable is an argument of a launch")

func (c *compiler) launch(in *ssa.Instr) step {
	return plain(func(fr *frame) {
		dims := make([]int64, in.Rank)
		for i := range dims {
			dims[i] = int64(fr.get(c.at(in.Args[i])))
		}
		args := make([][]byte, 0, len(in.Args)-int(in.Rank))
		for _, a := range in.Args[in.Rank:] {
			at := c.at(a)
			if _, ok := a.Type.(ssa.Slice); ok && fr.get(at) >= LocalBase {
				fail(in, errLocalLaunched)
			}
			args = append(args, append([]byte(nil), fr.b[at:at+a.Type.Size()]...))
		}
		if fr.m.env.Launch == nil {
			fail(in, errNone)
		}
		if err := fr.m.env.Launch(in, dims, args); err != nil {
			fail(in, err)
		}
	})
}

func (c *compiler) check(in *ssa.Instr) step {
	var x [3]int
	for i, a := range in.Args {
		x[i] = c.at(a)
	}
	fault := c.fault(in)
	var holds func(fr *frame) bool
	switch in.Check {
	case ssa.CheckIndex:
		holds = func(fr *frame) bool {
			i, n := int64(fr.get(x[0])), int64(fr.get(x[1]))
			return 0 <= i && i < n
		}
	case ssa.CheckSlice:
		holds = func(fr *frame) bool {
			lo, hi, n := int64(fr.get(x[0])), int64(fr.get(x[1])), int64(fr.get(x[2]))
			return 0 <= lo && lo <= hi && hi <= n
		}
	case ssa.CheckShift:
		holds = func(fr *frame) bool { return int64(fr.get(x[0])) >= 0 }
	default: // not 0, not nil, true
		holds = func(fr *frame) bool { return fr.get(x[0]) != 0 }
	}
	return plain(func(fr *frame) {
		if !holds(fr) {
			fault(fr)
		}
	})
}
