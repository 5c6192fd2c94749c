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
		if in.Async {
			return plain(func(*frame) {}) // the lanes have run, and copied, one after the other
		}
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
	case ssa.OpSnapshot, ssa.OpRestore, ssa.OpPush, ssa.OpPop:
		return c.keeping(in)
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
		return c.check(in, 0)
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

func (c *compiler) check(in *ssa.Instr, lane int) step {
	var x [3]int
	for i, a := range in.Args {
		x[i] = c.at(a)
	}
	fault := c.fault(in, lane)
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
	case ssa.CheckSync:
		holds = func(fr *frame) bool {
			if fr.m.env.Agrees == nil {
				return true
			}
			same, err := fr.m.env.Agrees(in, fr.get(x[0]) != 0)
			if err != nil {
				fail(in, err)
			}
			return same
		}
	default: // not 0, not nil, true
		holds = func(fr *frame) bool { return fr.get(x[0]) != 0 }
	}
	return plain(func(fr *frame) {
		if !holds(fr) {
			fault(fr)
		}
	})
}

// keeping compiles what keeps values of a run, and gives them again.
func (c *compiler) keeping(in *ssa.Instr) step {
	at, t := 0, ssa.Type(nil)
	if len(in.Results) > 0 {
		at, t = c.at(in.Result()), in.Result().Type
	}
	if in.Op == ssa.OpSnapshot || in.Op == ssa.OpPush {
		t = in.Args[0].Type
	}
	size, n := t.Size(), room(t)
	switch in.Op {
	case ssa.OpSnapshot:
		from := c.at(in.Args[0])
		return plain(func(fr *frame) {
			if fr.m.env.Snapshot == nil {
				fail(in, errNone)
			}
			number, err := fr.m.env.Snapshot(in, fr.b[from:from+size])
			if err != nil {
				fail(in, err)
			}
			fr.set(at, uint64(number))
		})
	case ssa.OpRestore:
		number := c.at(in.Args[0])
		return plain(func(fr *frame) {
			if fr.m.env.Restore == nil {
				fail(in, errNone)
			}
			value, err := fr.m.env.Restore(in, int64(fr.get(number)))
			if err != nil {
				fail(in, err)
			}
			fr.setBytes(at, t, value)
		})
	case ssa.OpPush:
		from := c.at(in.Args[0])
		return plain(func(fr *frame) { fr.m.pushed = append(fr.m.pushed, fr.b[from:from+n]...) })
	}
	return plain(func(fr *frame) {
		m := fr.m
		if len(m.pushed) < n {
			fail(in, errNone)
		}
		top := len(m.pushed) - n
		copy(fr.b[at:at+n], m.pushed[top:])
		m.pushed = m.pushed[:top]
	})
}
