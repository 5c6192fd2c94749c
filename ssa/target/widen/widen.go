package widen

import (
	"fmt"
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
)

// Suffix is what the name of a kernel's function for vectors has after the kernel's.
const Suffix = ".wide"

// A Widener makes the functions for vectors of a module's kernels.
type Widener struct {
	Summaries *analysis.Summaries
	Table     *Costs
	// Lanes is the number of lanes of all vectors, and of kernels that are slower with vectors, too: for tests. 0 lets
	// the table decide.
	Lanes int

	rare map[*ssa.Func][]*ssa.Func // which the functions for vectors call
}

// Kernel makes the function for vectors of a kernel, or finds why there is none. The threads that remain at the end of
// a row are too few for vectors of the compiler's. It returns what it has made: functions that this function calls, and
// itself.
func (d *Widener) Kernel(k *ssa.Func) (made []*ssa.Func) {
	if k.Wide = d.kernel(k); k.Wide.By != nil {
		k.Vector = ssa.VectorNever
		d.Summaries.Remarks.OnFunc(pass, ssa.Done, k, "its threads run in the lanes of vectors, %d at once", k.Wide.Lanes)
		return d.named(k.Wide.By)
	}
	d.Summaries.Remarks.OnFunc(pass, ssa.Missed, k, "its threads do not run in the lanes of vectors of our own: %s", k.Wide.Why)
	return nil
}

// pass is the name under which remarks are made.
const pass = "widen"

func (d *Widener) kernel(k *ssa.Func) *ssa.Wide {
	if why := d.refused(k); why != "" {
		return &ssa.Wide{Why: why}
	}
	w := d.widener(threadOf(k))
	w.name = k.Name + Suffix
	w.facts = analysis.NewLanes(w.thread)
	if why := w.accept(); why != "" {
		return &ssa.Wide{Why: why}
	}
	w.lanes = d.Lanes
	if w.lanes == 0 {
		w.lanes = w.bestLanes()
		r := w.reckoned()
		if why := w.pays(r); why != "" {
			return &ssa.Wide{Why: why}
		}
		if r.mostlyShuffles(w.table) {
			w.lanes /= 2
		}
	}
	return &ssa.Wide{Lanes: w.lanes, By: d.make(w)}
}

// threadOf is the code of one thread of a kernel. It is the kernel itself if nothing of it is to be replaced: see
// Widener.widener.
func threadOf(k *ssa.Func) *ssa.Func {
	changes := false
	k.Body.Walk(func(in *ssa.Instr) { changes = changes || in.Op == ssa.OpCall || in.Op == ssa.OpLocal })
	if !changes {
		return k
	}
	thread := k.Clone(k.Name)
	thread.Kernel, thread.Rank, thread.Vector, thread.Wide = false, 0, ssa.VectorUnknown, nil
	return thread
}

// widener prepares the code of one thread, which becomes code without calls.
func (d *Widener) widener(thread *ssa.Func) *widener {
	inlined := opt.Inline(thread, d.Summaries, func(*ssa.Instr) bool { return true })
	if opt.Promote(thread) || inlined {
		opt.Settle([]*ssa.Func{thread}, d.Summaries, nil)
	}
	return &widener{
		table:     d.Table,
		summaries: d.Summaries,
		name:      thread.Name,
		thread:    thread,
		users:     d.Summaries.Users(thread),
		values:    make([]value, thread.NumValues()),
		loops:     make(map[*ssa.Instr]*loop),
		ready:     make(map[*ssa.Instr][]*ssa.Value),
	}
}

// make makes the function for vectors.
func (d *Widener) make(w *widener) *ssa.Func {
	by := w.function()
	opt.Settle(append(slices.Clip(w.rare), by), d.Summaries, nil)
	if d.rare == nil {
		d.rare = make(map[*ssa.Func][]*ssa.Func)
	}
	d.rare[by] = w.rare
	return by
}

// refused is why a kernel keeps its loop over threads, as far as that can be seen without its calls.
func (d *Widener) refused(k *ssa.Func) string {
	does := d.Summaries.Of(k)
	switch {
	case k.Kind != ssa.ThreadKernel || k.Phased || does.Block:
		return "it is the code of a block"
	case k.Interior != nil:
		return "its rows have an interior"
	case does.Effects.Has(analysis.MayStop):
		return "a check or a panic may stop a thread"
	}
	return d.refusedSize(k)
}

// refusedSize is why the code of a thread is too much for vectors.
func (d *Widener) refusedSize(k *ssa.Func) string {
	// The function for vectors has all that the kernel calls in it. The second bound keeps the work linear: functions
	// that call each other twice, several deep, are as much code as there are ways through them.
	all, once := sizes(k)
	if all > d.Table.maxSize || all > d.Table.maxCopies*once {
		return "it is too large with what it calls"
	}
	return ""
}

// sizes are the numbers of instructions of a function with those of its calls: each function as often as it is
// called, and each once.
func sizes(f *ssa.Func) (all, once int) {
	all = analysis.NewBottomUp(func(f *ssa.Func, of func(*ssa.Func) int) int {
		own, calls := 0, 0
		f.Body.Walk(func(in *ssa.Instr) {
			own++
			if in.Op == ssa.OpCall {
				calls = min(calls+of(in.Callee), 1<<20)
			}
		})
		once += own
		return own + calls
	}).Of(f)
	return all, once
}

// widener makes the function for vectors of one kernel.
type widener struct {
	table     *Costs
	summaries *analysis.Summaries
	name      string    // of what is made
	thread    *ssa.Func // the code of one thread, without calls
	facts     *analysis.Lanes
	users     [][]*ssa.Instr
	lanes     int
	owned     map[*ssa.Value]bool // parameters of the thread's code: memory that the block shares and nobody else sees

	at      *ssa.Block // the block being made
	in      *ssa.Instr // of the thread's code: what is being translated
	values  []value    // by the ID of a value of the thread's code
	loops   map[*ssa.Instr]*loop
	ready   map[*ssa.Instr][]*ssa.Value // what loads read that have not come yet: see parts.go
	waiting []part                      // what stores write of elements at their last one, nil if none is to come
	last    *ssa.Instr                  // that last one
	far     *farRows                    // of the loop that is being copied for all lanes
	rare    []*ssa.Func
	env     env
	vectors [ssa.BlockPlace + 1][]ssa.Type // by the type of their numbers
	ended   bool                           // the block being made ends in a jump that all lanes take
}

// function makes it. Its parameters are those of the kernel, of which the Thread is that of the first lane.
func (w *widener) function() *ssa.Func {
	f := ssa.NewFunc(w.name)
	f.Decl, f.Library = w.thread.Decl, w.thread.Library
	w.at = f.Body
	for _, p := range w.thread.Params() {
		v := f.Body.AddParam(p.Type, p.Name)
		if w.facts.IsUniform(p) {
			w.values[p.ID] = value{same: v}
		} else { // the index of the first lane
			w.values[p.ID] = value{first: v}
		}
	}
	w.env = env{slots: make(map[slot]*ssa.Value)}
	w.block(w.thread.Body, 0, nil)
	if !w.ended {
		w.append(&ssa.Instr{Op: ssa.OpReturn})
	}
	return f
}

// place is where in the source an instruction is, for a reason.
func place(in *ssa.Instr) string {
	pos := in.Place()
	if pos.Line == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d: ", pos.File, pos.Line)
}
