package device

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/ssa"
)

// gridKept is what a run of the backward kernel of a Grid kernel keeps. Its host's part takes snapshots of what
// memory holds, and restores them in the opposite order. A snapshot is a note: the memory is copied when somebody
// is about to write to it, as a tape does between launches.
type gridKept struct {
	run       *gridRun
	whole     []gridRegion    // the memory of the arguments; what overlaps is one
	snapshots []*gridSnapshot // by number
	live      []*gridContents // those that are in their own memory still
	restored  []*gridContents // for the next launch
	free      map[int][]*Buffer
	made      []*Buffer
	cells     map[*ssa.Instr]*Buffer
	bytes     int // of all that was made
}

// A gridSnapshot is a value, and what was in the memory that it leads to.
type gridSnapshot struct {
	value []byte
	holds []*gridContents // by slice in the value, nil for one without elements
}

// gridContents is what a piece of memory held once.
type gridContents struct {
	gridRegion
	copy *Buffer // nil as long as it is there still
	uses int     // by snapshots that have not been restored
}

func newGridKept(r *gridRun) *gridKept {
	k := &gridKept{run: r, cells: make(map[*ssa.Instr]*Buffer)}
	k.whole = slices.Clone(r.regions)
	slices.SortFunc(k.whole, func(a, b gridRegion) int { return cmp.Compare(a.begin, b.begin) })
	n := 0
	for _, w := range k.whole {
		if n > 0 && w.begin < k.whole[n-1].end {
			k.whole[n-1].end = max(k.whole[n-1].end, w.end)
			continue
		}
		k.whole[n] = w
		n++
	}
	k.whole = k.whole[:n]
	return k
}

// end gives back what the run has made.
func (k *gridKept) end() {
	for _, b := range k.made {
		b.Free()
	}
	k.snapshots, k.live, k.restored, k.free, k.made, k.bytes = nil, nil, nil, nil, nil, 0
	clear(k.cells)
}

// take is memory of so many bytes.
func (k *gridKept) take(bytes int) (b *Buffer, addr uintptr, err error) {
	if list := k.free[bytes]; len(list) > 0 {
		b, k.free[bytes] = list[len(list)-1], list[:len(list)-1]
		addr, _ = b.hold()
		return b, addr, nil
	}
	if bound := k.run.launch.Kept; bound > 0 && k.bytes+bytes > bound {
		return nil, 0, &failure.LaunchError{Kernel: k.run.kernel.Name(), Reason: fmt.Sprintf("it keeps %d bytes, %d more than the limit: allow more with qd.TapeMemory%s", k.bytes+bytes, k.bytes+bytes-bound, orStrips(k.run.launch.Kernel.Func))}
	}
	if b, err = NewBuffer(k.run.backend, nameOf(k.run.backend), reflect.TypeFor[byte](), []int{bytes}, bytes); err != nil {
		return nil, 0, err
	}
	k.made = append(k.made, b)
	k.bytes += bytes
	addr, _ = b.hold()
	return b, addr, nil
}

// give puts memory back, for what is launched after what it was for.
func (k *gridKept) give(b *Buffer) {
	if k.free == nil {
		k.free = make(map[int][]*Buffer)
	}
	k.free[b.N] = append(k.free[b.N], b)
}

// wholeOf is the memory that a slice is a part of.
func (k *gridKept) wholeOf(s gridRegion) gridRegion {
	for _, w := range k.whole {
		if s.begin >= w.begin && s.end <= w.end {
			return w
		}
	}
	for _, c := range k.restored {
		if c.copy == nil {
			continue
		}
		if at, _ := c.copy.hold(); s.begin >= at && s.end <= at+uintptr(c.copy.N) {
			return gridRegion{at, at + uintptr(c.copy.N)}
		}
	}
	return s
}

// snapshot implements [interp.Env].
func (k *gridKept) snapshot(in *ssa.Instr, value []byte) (int64, error) {
	s := &gridSnapshot{value: slices.Clone(value)}
	eachPacked(in.Args[0].Type, s.value, func(p *packedSlice, elem int) {
		if p.n == 0 || elem == 0 {
			s.holds = append(s.holds, nil)
			return
		}
		w := k.wholeOf(p.region(elem))
		i := slices.IndexFunc(k.live, func(c *gridContents) bool { return c.gridRegion == w })
		if i < 0 {
			i = len(k.live)
			k.live = append(k.live, &gridContents{gridRegion: w})
		}
		k.live[i].uses++
		s.holds = append(s.holds, k.live[i])
	})
	k.snapshots = append(k.snapshots, s)
	return int64(len(k.snapshots) - 1), nil
}

// changes copies what is in memory that is about to be written.
func (k *gridKept) changes(addr uintptr, n int) error {
	var left []*gridContents
	for _, c := range k.live {
		if c.begin >= addr+uintptr(n) || addr >= c.end {
			left = append(left, c)
			continue
		}
		if c.uses == 0 {
			continue
		}
		size := int(c.end - c.begin)
		b, at, err := k.take(size)
		if err == nil {
			err = k.run.memory.copy(at, c.begin, size)
		}
		if err != nil {
			return err
		}
		c.copy = b
	}
	k.live = left
	return nil
}

// restore implements [interp.Env].
func (k *gridKept) restore(in *ssa.Instr, number int64) ([]byte, error) {
	s := k.snapshots[number]
	k.snapshots[number] = nil
	i := 0
	eachPacked(in.Result().Type, s.value, func(p *packedSlice, _ int) {
		c := s.holds[i]
		i++
		if c == nil {
			return
		}
		if c.copy != nil {
			at, _ := c.copy.hold()
			p.addr += at - c.begin
		}
		c.uses--
		if !slices.Contains(k.restored, c) {
			k.restored = append(k.restored, c)
		}
	})
	return s.value, nil
}

// shared implements [interp.Env].
func (k *gridKept) shared(in *ssa.Instr) (uint64, error) {
	b := k.cells[in]
	if b == nil {
		size := in.Result().Type.(ssa.Slice).Elem.Size() * int(in.Len)
		var err error
		if b, _, err = k.take(size); err != nil {
			return 0, err
		}
		if err := b.Clear(); err != nil {
			return 0, err
		}
		k.cells[in] = b
		at, _ := b.hold()
		k.run.regions = append(k.run.regions, gridRegion{at, at + uintptr(size)})
	}
	at, _ := b.hold()
	return uint64(at), nil
}

// launch implements [interp.Env].
func (k *gridKept) launch(in *ssa.Instr, sizes []int64, args [][]byte) error {
	for i, arg := range args {
		if p := k.run.grid.Kernels[in.Callee].Params[i]; p.Written && in.Callee.Room == nil {
			var err error
			eachPacked(in.Callee.Params()[i+1].Type, arg, func(s *packedSlice, elem int) {
				if r := s.region(elem); err == nil {
					err = k.changes(r.begin, int(r.end-r.begin))
				}
			})
			if err != nil {
				return err
			}
		}
	}
	var err error
	if in.Callee.Room != nil {
		err = k.launchWithRoom(in, loopSizes(sizes), args)
	} else {
		err = k.run.start(in, sizes, args)
	}
	for _, c := range k.restored {
		if c.uses == 0 && c.copy != nil {
			k.give(c.copy)
			c.copy = nil
		}
	}
	k.restored = k.restored[:0]
	return err
}

// launchWithRoom launches a kernel with what it keeps: copies of memory that it writes for itself, and memory for what
// another kernel counts.
func (k *gridKept) launchWithRoom(in *ssa.Instr, sizes [3]int, args [][]byte) error {
	dim, total, err := k.run.dimsOf(in, sizes)
	if err != nil || total == 0 {
		return err
	}
	room := in.Callee.Room
	if room.Count == nil {
		return k.launchOnCopies(in.Callee, in.Callee, dim, total, args)
	}
	heights, perThread, err := k.heights(in.Callee, dim, total, args)
	if err != nil {
		return err
	}
	allowed := MaxKept
	if bound := k.run.launch.Kept; bound > 0 {
		allowed = max(1, bound-k.bytes)
	}
	n := total
	if room.Batched && perThread*total > allowed {
		n = min(total, max(1, allowed/perThread))
		if n > wide {
			n -= n % wide
		}
	}
	tapes, give, err := k.slices(room.Elems, func(i int) int { return heights[i] * n })
	if err != nil {
		return err
	}
	defer give()
	all := slices.Concat(args, tapes)
	if !room.Batched {
		return k.launchOnCopies(in.Callee, in.Callee, dim, total, all)
	}
	batch := make([]int64, 1+len(dim.N))
	for axis := range dim.N {
		batch[1+axis] = int64(dim.Size(axis))
	}
	for i := range batch {
		all = append(all, unsafe.Slice((*byte)(unsafe.Pointer(&batch[i])), 8))
	}
	for first := 0; first < total; first += n {
		batch[0] = int64(first)
		now := min(n, total-first)
		if err := k.launchOnCopies(in.Callee, in.Callee, dims.Of(now), now, all); err != nil {
			return err
		}
	}
	return nil
}

// heights are how many numbers of each type a thread keeps at most, and the bytes that they take.
func (k *gridKept) heights(f *ssa.Func, dim dims.Dims, total int, args [][]byte) (heights []int, perThread int, err error) {
	room := f.Room
	ints := make([]ssa.Type, len(room.Elems))
	for i := range ints {
		ints[i] = ssa.Int64
	}
	counts, give, err := k.slices(ints, func(int) int { return total })
	if err != nil {
		return nil, 0, err
	}
	defer give()
	given := len(room.Count.Params()) - 1 - len(counts)
	if err := k.launchOnCopies(f, room.Count, dim, total, slices.Concat(args[:given], counts)); err != nil {
		return nil, 0, err
	}
	if err := k.run.memory.settle(); err != nil {
		return nil, 0, err
	}
	all := make([]int64, total)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(all))), 8*total)
	for i, c := range counts {
		if err := k.run.memory.read(bytes, (*packedSlice)(unsafe.Pointer(unsafe.SliceData(c))).addr); err != nil {
			return nil, 0, err
		}
		heights = append(heights, int(slices.Max(all)))
		perThread += heights[i] * room.Elems[i].Size()
	}
	return heights, perThread, nil
}

// slices makes slices of elements of several types, packed, until give is called.
func (k *gridKept) slices(elems []ssa.Type, n func(i int) int) (list [][]byte, give func(), err error) {
	var made []*Buffer
	give = func() {
		for _, b := range made {
			k.give(b)
		}
	}
	for i, elem := range elems {
		b, at, err := k.take(n(i) * elem.Size())
		if err != nil {
			give()
			return nil, nil, err
		}
		made = append(made, b)
		s := &packedSlice{notNil(at), uintptr(n(i))}
		list = append(list, unsafe.Slice((*byte)(unsafe.Pointer(s)), sliceSize))
	}
	return list, give, nil
}

// launchOnCopies launches a kernel, of which f is told what it writes for itself, with copies of that. Other
// arguments that lead to the same memory lead to the same copy.
func (k *gridKept) launchOnCopies(f, kernel *ssa.Func, dim dims.Dims, total int, args [][]byte) error {
	args = slices.Clone(args)
	copies := make(map[gridRegion]*Buffer) // what is in one piece, is so in the copies
	var err error
	for _, i := range f.Room.Copies {
		eachPacked(f.Params()[i].Type, args[i-1], func(s *packedSlice, elem int) {
			w := k.wholeOf(s.region(elem))
			if s.n == 0 || elem == 0 || err != nil || copies[w] != nil {
				return
			}
			b, at, failed := k.take(int(w.end - w.begin))
			if err = failed; err == nil {
				copies[w] = b
				err = k.run.memory.copy(at, w.begin, b.N)
			}
		})
	}
	for i, p := range kernel.Params()[1:] {
		args[i] = slices.Clone(args[i])
		eachPacked(p.Type, args[i], func(s *packedSlice, elem int) {
			w := k.wholeOf(s.region(elem))
			if b := copies[w]; b != nil && s.n > 0 && elem > 0 {
				at, _ := b.hold()
				s.addr += at - w.begin
			}
		})
	}
	defer func() {
		for _, b := range copies {
			k.give(b)
		}
	}()
	if err != nil {
		return err
	}
	l, err := k.run.newLaunch(kernel, dim, total)
	if err != nil {
		return err
	}
	l.set(args)
	return l.Run()
}
