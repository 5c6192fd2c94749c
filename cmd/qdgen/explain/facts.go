package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/target/widen"
)

// facts notes what is known of the values and accesses of an optimized module's kernels. It is the analysis that the
// stage widen asks, so a mask or a gather in the code has its reason here.
func (w *watcher) facts(m *ssa.Module) {
	if len(w.k.Values) > 0 { // of the way to another target
		return
	}
	d := &widen.Widener{Summaries: new(analysis.Summaries), Table: cmp.Or(w.unit.Pipeline.Vectors, &widen.CPU)}
	for _, k := range m.Clone().Device().Kernels() {
		for _, t := range d.ThreadsOf(k) {
			w.values(t)
			w.accesses(t)
		}
	}
}

// values notes the variables in the code of a thread, each with the most that is true of any value that it has, in
// whichever of the kernel's loops over threads.
func (w *watcher) values(t widen.Threads) {
	type key struct {
		name, function string
		pos            Pos
	}
	at := make(map[key]int)
	for i, v := range w.k.Values {
		at[key{v.Name, v.Func, v.Pos}] = i
	}
	note := func(v *ssa.Value, pos ssa.Pos) {
		if v.Name == "" || v.Name == "_" || ssa.IsConst(v) || v.Type == ssa.Type(ssa.Thread) {
			return
		}
		made := Value{Name: v.Name, Pos: Pos{File: pos.File, Line: pos.Line}, Func: t.Code.Name}
		made.Class, made.Text = classOf(t, v)
		id := key{made.Name, made.Func, made.Pos}
		if i, ok := at[id]; ok {
			if rank(made.Class) > rank(w.k.Values[i].Class) {
				w.k.Values[i] = made
			}
			return
		}
		at[id] = len(w.k.Values)
		w.k.Values = append(w.k.Values, made)
	}
	for _, p := range t.Code.Params() {
		note(p, t.Code.Decl.Pos)
	}
	t.Code.Body.Walk(func(in *ssa.Instr) {
		for _, r := range in.Results {
			note(r, originOf(in))
		}
		for _, b := range in.Blocks {
			for _, p := range b.Params {
				note(p, originOf(in))
			}
		}
	})
}

// originOf is the place of the statement that an instruction comes from.
func originOf(in *ssa.Instr) ssa.Pos {
	if in.Stmt != nil {
		return in.Stmt.Pos
	}
	return in.Pos
}

// The classes of values.
const (
	uniform = "uniform"
	linear  = "linear"
	varying = "varying"
)

func rank(class string) int { return map[string]int{uniform: 0, linear: 1, varying: 2}[class] }

// classOf is the class of a value, and more about it.
func classOf(t widen.Threads, v *ssa.Value) (class, text string) {
	if t.Lanes.IsUniform(v) {
		return uniform, "the same in all threads of a row that come to it together"
	}
	if stride, ok := t.Lanes.Stride(v); ok {
		return linear, fmt.Sprintf("%d more in each thread of a row than in the one before", stride)
	}
	return varying, "it may differ from thread to thread"
}

// accesses notes the loads and stores in the code of a thread.
func (w *watcher) accesses(t widen.Threads) {
	t.Code.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpLoad, ssa.OpStore, ssa.OpAtomic:
		default:
			return
		}
		ptr := in.Args[0]
		pattern, bytes := t.Pattern(ptr)
		a := Access{Pos: posOf(originOf(in)), Func: t.Code.Name, Op: in.Op.String(), What: ptr.Expr(), Pattern: pattern.String()}
		switch pattern {
		case widen.Nowhere:
			return
		case widen.OnePlace:
			a.Text = "all threads of a row access the same place"
		case widen.Contiguous:
			a.Text = "the threads of a row access numbers that lie next to each other"
		case widen.Interleaved:
			a.Text = fmt.Sprintf("the place is %d bytes further in each thread of a row", bytes)
		case widen.Strided:
			a.Text = "the place is as many elements further in each thread of a row as a number says that only the running kernel knows, such as a view's stride"
		case widen.Gathered:
			a.Text = "the threads of a row access places at any distance from each other"
		}
		w.access(a)
	})
}

// access notes an access. Those that differ only in the place are one with several: an unrolled loop has many.
func (w *watcher) access(a Access) {
	const most = 3 // places that are named
	for i := range w.k.Accesses {
		b := &w.k.Accesses[i]
		if b.Pos == a.Pos && b.Func == a.Func && b.Op == a.Op && b.Pattern == a.Pattern && b.Text == a.Text && b.Lanes == a.Lanes && b.Masked == a.Masked {
			if b.Times++; b.Times <= most && !strings.Contains(b.What, a.What) {
				b.What += ", " + a.What
			}
			return
		}
	}
	a.Times = 1
	w.k.Accesses = append(w.k.Accesses, a)
}

// ofVectors are the accesses of vectors.
var ofVectors = []ssa.Op{ssa.OpLoadRow, ssa.OpStoreRow, ssa.OpLoadParts, ssa.OpStoreParts, ssa.OpLoadStrided, ssa.OpStoreStrided, ssa.OpGather, ssa.OpScatter, ssa.OpAtomicLanes}

// masks notes the accesses of vectors in a module after the stage widen, and which of them are masked.
func (w *watcher) masks(m *ssa.Module) {
	for _, f := range m.Funcs {
		f.Body.Walk(func(in *ssa.Instr) {
			if !slices.Contains(ofVectors, in.Op) {
				return
			}
			a := Access{Pos: posOf(originOf(in)), Func: f.Name, Op: in.Op.String(), What: in.Args[0].Expr(), Masked: in.Mask() != nil}
			last := in.Args[len(in.Args)-1].Type
			if vec, ok := last.(ssa.Vec); ok {
				a.Lanes = vec.Lanes
			}
			if len(in.Results) > 0 {
				if vec, ok := in.Results[0].Type.(ssa.Vec); ok {
					a.Lanes = vec.Lanes
				}
			}
			if anywhere := in.Op == ssa.OpGather || in.Op == ssa.OpScatter || in.Op == ssa.OpAtomicLanes; anywhere {
				a.What = in.Args[0].Root().Expr() + " anywhere" // the address is that of the first element
			}
			switch in.Op {
			case ssa.OpLoadRow, ssa.OpStoreRow:
				a.Pattern, a.Text = "contiguous", "one vector"
			case ssa.OpLoadParts:
				a.Pattern, a.Text = "interleaved", fmt.Sprintf("%d numbers of each element read at once and shuffled, elements every %d bytes", len(in.Results), in.Len)
			case ssa.OpStoreParts:
				a.Pattern, a.Text = "interleaved", fmt.Sprintf("%d numbers of each element shuffled and written at once, elements every %d bytes", len(in.Parts()), in.Len)
			case ssa.OpLoadStrided, ssa.OpStoreStrided:
				a.Pattern, a.Text = "strided", "one vector where the stride is 1, else lane by lane"
			default:
				a.Pattern, a.Text = "gathered", "lane by lane"
				if in.Len > 0 {
					a.Text = fmt.Sprintf("lane by lane, %d bytes for each index", in.Len)
				}
			}
			w.access(a)
		})
	}
}
