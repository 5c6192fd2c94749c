package gradient_test

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
)

// A host runs Grid kernels. Each launch of a backward kernel has copies of all buffers that it writes for itself.
type host struct {
	memory    *interp.Buffers
	runner    *runner
	snapshots []snapshot
	cells     map[*ssa.Instr]uint64
}

// A snapshot is a value that leads to copies of buffers.
type snapshot struct{ value []byte }

func newHost(memory *interp.Buffers, r *runner) *host {
	return &host{memory: memory, runner: r, cells: make(map[*ssa.Instr]uint64)}
}

// run runs the host's part.
func (h *host) run(k *ssa.Func, args [][]byte) error {
	env := &interp.Env{Memory: h.memory, Steps: 1 << 22, Launch: h.launch,
		Printf: func(*ssa.Instr, []uint64) error { return nil },
		Snapshot: func(in *ssa.Instr, value []byte) (int64, error) {
			value = slices.Clone(value)
			h.copy(in.Args[0].Type, value, make(map[uint64]uint64))
			h.snapshots = append(h.snapshots, snapshot{value})
			return int64(len(h.snapshots) - 1), nil
		},
		Restore: func(in *ssa.Instr, number int64) ([]byte, error) {
			s := h.snapshots[number]
			if s.value == nil {
				return nil, errors.New("a snapshot is restored twice")
			}
			h.snapshots[number].value = nil
			return s.value, nil
		},
		Shared: func(in *ssa.Instr) (uint64, error) {
			if _, ok := h.cells[in]; !ok {
				h.cells[in], _ = h.memory.AddShared(in)
			}
			return h.cells[in], nil
		},
	}
	_, err := h.runner.program(k).Run(env, args)
	return err
}

// copy has a value lead to copies of the buffers that it leads to.
func (h *host) copy(t ssa.Type, value []byte, copies map[uint64]uint64) {
	relocate(t, value, func(slice []byte) {
		addr := binary.LittleEndian.Uint64(slice)
		base, p := h.memory.Of(addr)
		if p == nil {
			return
		}
		if _, ok := copies[base]; !ok {
			copies[base] = h.memory.Add(slices.Clone(p))
		}
		binary.LittleEndian.PutUint64(slice, copies[base]+addr-base)
	})
}

// launch launches a part, or its backward kernel.
func (h *host) launch(in *ssa.Instr, sizes []int64, args [][]byte) error {
	dim, total := [4]int64{1, 1, 1, 1}, int64(1)
	for axis, n := range sizes {
		dim[axis] = max(0, n)
		total *= dim[axis]
	}
	room := in.Callee.Room
	if total == 0 {
		return nil
	}
	if room == nil {
		return launchOver(h.runner.program(in.Callee), h.memory, args, dim, total)
	}
	own := func() [][]byte {
		list, copies := slices.Clone(args), make(map[uint64]uint64)
		for _, i := range room.Copies {
			list[i-1] = slices.Clone(args[i-1])
			h.copy(in.Callee.Params()[i].Type, list[i-1], copies)
		}
		return list
	}
	var tapes [][]byte
	if room.Count != nil {
		var counts [][]byte
		given := own()[:len(room.Count.Params())-1-len(room.Elems)]
		for range room.Elems {
			c := make([]byte, 8*total)
			counts = append(counts, c)
			given = append(given, interp.SliceArg(h.memory.Add(c), int(total)))
		}
		if err := launchOver(h.runner.program(room.Count), h.memory, given, dim, total); err != nil {
			return err
		}
		for i, t := range room.Elems {
			most := uint64(0)
			for at := 0; at < len(counts[i]); at += 8 {
				most = max(most, binary.LittleEndian.Uint64(counts[i][at:]))
			}
			n := int(most) * int(total)
			tapes = append(tapes, interp.SliceArg(h.memory.Add(make([]byte, n*t.Size())), n))
		}
	}
	all := append(own(), tapes...)
	if room.Batched {
		all = append(all, int64Arg(0))
		for _, n := range dim {
			all = append(all, int64Arg(n))
		}
		dim = [4]int64{total, 1, 1, 1}
	}
	return launchOver(h.runner.program(in.Callee), h.memory, all, dim, total)
}

func int64Arg(x int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(x)) }
