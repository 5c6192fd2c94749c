package widen

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/target/narrow"
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

	called map[*ssa.Func][]*ssa.Func // what the functions for vectors call
}

// Interior makes the function for vectors of the threads in the interior of a kernel's rows, if there is one. It returns
// what it has made, as [Widener.Kernel] does.
func (d *Widener) Interior(k *ssa.Func) (made []*ssa.Func) {
	if k.Interior == nil {
		return nil
	}
	inside := k.Interior.Inside
	inside.Wide = d.threads(inside, k.LoopRank())
	inside.Rare = inside.Wide.By != nil // it runs the threads that remain
	return d.decided(k, inside, "the threads in the interior of a row")
}

// Kernel makes the function for vectors of a kernel, or finds why there is none. It returns what it has made: functions
// that this function calls, and itself.
func (d *Widener) Kernel(k *ssa.Func) (made []*ssa.Func) {
	if k.Interior != nil {
		k.Wide = &ssa.Wide{Why: "its rows are split, and only those in the interior may"}
		return nil
	}
	k.Wide = d.kernel(k)
	return d.decided(k, k, "its threads")
}

// Alone decides that the threads of a kernel run alone, and says why.
func (d *Widener) Alone(k *ssa.Func, why string) {
	k.Wide = &ssa.Wide{Why: why}
	d.decided(k, k, "its threads")
}

// decided notes what has been decided about the threads that f runs, those of a kernel or of its interior, and what the
// compiler is told of the loop over these if they do not run in lanes. If they do, the loop has a few that remain.
func (d *Widener) decided(k, f *ssa.Func, threads string) (made []*ssa.Func) {
	if f.Wide.By != nil {
		f.Vector = ssa.VectorNever
		d.Summaries.Remarks.OnFunc(pass, ssa.Done, k, "%s run in the lanes of vectors, %d at once", threads, f.Wide.Lanes)
		return d.named(f.Wide.By)
	}
	switch f.Wide.Why {
	case shufflesFar:
		k.Vector, f.Vector = ssa.VectorNever, ssa.VectorNever
	case shufflesNear, resizes:
		f.Vector = ssa.VectorWanted
	}
	d.Summaries.Remarks.OnFunc(pass, ssa.Missed, k, "%s do not run in the lanes of vectors of our own: %s", threads, f.Wide.Why)
	return nil
}

// pass is the name under which remarks are made.
const pass = "widen"

func (d *Widener) kernel(k *ssa.Func) *ssa.Wide {
	if why := d.refused(k); why != "" {
		return &ssa.Wide{Why: why}
	}
	return d.threads(k, k.LoopRank())
}

// threads makes the function for vectors of a kernel, or of the interior of one, that is launched over so many dimensions.
func (d *Widener) threads(k *ssa.Func, rank int) *ssa.Wide {
	if stay := d.staying(k); stay != nil {
		if wide := d.kernelWith(k, stay, rank); wide.By != nil {
			return wide
		}
	}
	return d.kernelWith(k, nil, rank)
}

// kernelWith makes the function for vectors of a kernel in which some functions stay functions.
func (d *Widener) kernelWith(k *ssa.Func, stay map[*ssa.Func]bool, rank int) *ssa.Wide {
	if why := d.refusedSize(k, stay); why != "" {
		return &ssa.Wide{Why: why}
	}
	w := d.widener(threadOf(k), stay, analysis.NewLanes)
	w.name = k.Name + Suffix
	if why := w.accept(); why != "" {
		return &ssa.Wide{Why: why}
	}
	wide := new(ssa.Wide)
	w.lanes = d.Lanes
	if w.lanes == 0 {
		w.lanes = w.bestLanes()
		r := w.reckoned()
		if why := w.pays(r); why != "" {
			return &ssa.Wide{Why: why}
		}
		rows := r.mostlyRows(w.table)
		if rows || r.mostlyShuffles(w.table, w.lanes) {
			w.lanes /= 2
		}
		if rows {
			wide.Unroll = w.table.unroll
		}
	}
	wide.Lanes, wide.By = w.lanes, d.make(w)
	wide.Strides, wide.Distinct = w.mostlyOne(), w.distinct
	wide.By.InLine = len(wide.Strides) > 0
	if rank > 1 { // otherwise there is one row, and one end
		wide.Apart, wide.Twice = w.twice()
	}
	return wide
}

// threadOf is the code of one thread of a kernel. It is the kernel itself if nothing of it is to be replaced: see
// Widener.widener.
func threadOf(k *ssa.Func) *ssa.Func {
	changes := false
	k.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpCall, ssa.OpLocal, ssa.OpSubslice, ssa.OpSliceOf, ssa.OpElem:
			changes = true
		case ssa.OpConvert, ssa.OpRem, ssa.OpAnd, ssa.OpShr: // of which package narrow may make one of 32 bits
			changes = changes || in.Results[0].Type == ssa.Int64 || in.Args[0].Type == ssa.Int64 || in.Args[0].Type == ssa.Uint64
		}
	})
	if !changes {
		return k
	}
	thread := k.Clone(k.Name)
	thread.Kernel, thread.Rank, thread.Vector, thread.Wide = false, 0, ssa.VectorUnknown, nil
	return thread
}

// widener prepares the code of one thread, in which only calls of functions are left that stay, and analyses it.
func (d *Widener) widener(thread *ssa.Func, stay map[*ssa.Func]bool, analyse analyser) *widener {
	c := &calls{
		summaries: d.Summaries,
		analyse:   analyse,
		stay:      stay,
		alone:     make(map[*ssa.Func]*ssa.Func),
		versions:  make(map[string]*version),
		kinds:     make(map[*ssa.Func]int),
		sizes:     analysis.NewBottomUp(analysis.Size),
	}
	c.prepare(thread, nil)
	if !thread.Kernel && narrow.Lanes(thread, analyse(thread)) {
		d.Summaries.Changed(thread)
		opt.Settle([]*ssa.Func{thread}, d.Summaries, nil)
	}
	c.root = newWidener(d.Table, d.Summaries, thread, c)
	c.root.facts = analyse(thread)
	return c.root
}

func newWidener(table *Costs, summaries *analysis.Summaries, thread *ssa.Func, c *calls) *widener {
	return &widener{
		table:     table,
		summaries: summaries,
		calls:     c,
		name:      thread.Name,
		thread:    thread,
		users:     summaries.Users(thread),
		values:    make([]value, thread.NumValues()),
		loops:     make(map[*ssa.Instr]*loop),
		ready:     make(map[*ssa.Instr][]*ssa.Value),
	}
}

// make makes the function for vectors.
func (d *Widener) make(w *widener) *ssa.Func {
	if len(w.calls.codes) > 0 {
		w.calls.merge()
	}
	by := w.function(false)
	opt.Settle(append(slices.Clip(w.calls.made), by), d.Summaries, nil)
	if d.called == nil {
		d.called = make(map[*ssa.Func][]*ssa.Func)
	}
	d.called[by] = w.calls.made
	return by
}

// named are the functions that the code of vectors calls, and that code, under its name.
func (d *Widener) named(by *ssa.Func) []*ssa.Func {
	list := d.called[by]
	taken := make(map[string]bool)
	for _, f := range list {
		name := by.Name + "." + f.Name
		f.Name = name
		for n := 2; taken[f.Name]; n++ { // a function of the user's may be called f2
			f.Name = name + strconv.Itoa(n)
		}
		taken[f.Name] = true
	}
	return append(slices.Clip(list), by)
}

// refused is why a kernel keeps its loop over threads, as far as that can be seen without its calls.
func (d *Widener) refused(k *ssa.Func) string {
	if k.Kind != ssa.ThreadKernel || k.Phased || d.Summaries.Of(k).Block {
		return "it is the code of a block"
	}
	return ""
}

// refusedSize is why the code of a thread is too much for vectors.
func (d *Widener) refusedSize(k *ssa.Func, stay map[*ssa.Func]bool) string {
	// The function for vectors has all that the kernel calls in it, but what stays a function. The second bound keeps the
	// work linear: functions that call each other twice, several deep, are as much code as there are ways through them.
	size, once := d.sizes(k, stay)
	all := size.Of(k)
	for f := range stay {
		all += size.Of(f)
	}
	if all > d.Table.maxSize || all > d.Table.maxCopies*once {
		return "it is too large with what it calls"
	}
	return ""
}

// sizes are the numbers of instructions of functions with those of their calls, each as often as it is called, but for
// those that stay functions, and those that call themselves; once counts each function that f leads to once.
func (d *Widener) sizes(f *ssa.Func, stay map[*ssa.Func]bool) (size *analysis.BottomUp[int], once int) {
	size = analysis.NewBottomUp(func(f *ssa.Func, of func(*ssa.Func) int) int {
		own, calls := 0, 0
		f.Body.Walk(func(in *ssa.Instr) {
			own++
			if in.Op != ssa.OpCall {
				return
			}
			if n := of(in.Callee); !stay[in.Callee] && !d.Summaries.Of(in.Callee).Recurs {
				calls = min(calls+n, 1<<20)
			}
		})
		once += own
		return own + calls
	})
	size.Of(f)
	return size, once
}

// widener makes the function for vectors of one kernel.
type widener struct {
	table     *Costs
	summaries *analysis.Summaries
	name      string    // of what is made
	thread    *ssa.Func // the code of one thread
	calls     *calls
	facts     *analysis.Lanes
	users     [][]*ssa.Instr
	lanes     int
	waits     bool                // the code is called in a loop that lanes leave apart
	owned     map[*ssa.Value]bool // parameters of the thread's code: memory that the block shares and nobody else sees

	at       *ssa.Block // the block being made
	in       *ssa.Instr // of the thread's code: what is being translated
	values   []value    // by the ID of a value of the thread's code
	loops    map[*ssa.Instr]*loop
	ready    map[*ssa.Instr][]*ssa.Value // what loads read that have not come yet: see parts.go
	waiting  []part                      // what stores write of elements at their last one, nil if none is to come
	last     *ssa.Instr                  // that last one
	far      *farRows                    // of the loop that is being copied for all lanes
	strides  []stride                    // of elements at a distance that is no constant
	distinct [][2]*ssa.RowValue          // slices: see [ssa.Wide]
	carried  map[*ssa.Instr]bool         // see carries
	forSome  map[*ssa.Instr]bool         // see storesForSome
	env      env
	vectors  [ssa.BlockPlace + 1][]ssa.Type // by the type of their numbers
	ended    bool                           // the block being made ends in a jump that all lanes take
}

// function makes it. The parameters for a kernel are the kernel's. The Thread, and the index of a thread in a block, are
// those of the first lane. Last comes the mask of the lanes that are here, if not all are.
func (w *widener) function(masked bool) *ssa.Func {
	f := ssa.NewFunc(w.name)
	f.Decl, f.Library = w.thread.Decl, w.thread.Library
	w.at = f.Body
	for _, p := range w.thread.Params() {
		w.addParams(f.Body, p)
	}
	w.takeAll(w.thread.Params(), f.Body.Params)
	w.env = env{}
	if masked {
		w.env.mask = f.Body.AddParam(w.vec(ssa.Bool), "mask")
	}
	if len(w.thread.Results) > 0 {
		for _, v := range w.thread.Body.Terminator().Args {
			f.Results = append(f.Results, w.returnedTypes(v)...)
		}
	}
	w.block(w.thread.Body, 0, nil)
	if !w.ended { // no lane comes to a return that has results
		end := &ssa.Instr{Op: ssa.OpReturn}
		for _, t := range f.Results {
			end.Args = append(end.Args, w.at.AppendZero(t))
		}
		w.append(end)
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
