package gradient

import (
	"slices"
	"strconv"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
)

// This file is forward-mode differentiation: the product of a kernel's Jacobian and a vector. The tangent kernel does
// what the kernel does, and computes beside each float its tangent: the derivative of the float along the direction
// that is given as the tangents of what was in memory before. What leads to floats has a twin of the same type, which
// leads to their tangents. The structure of the kernel stays: loops, exits, barriers and calls are as they were, and
// nothing is kept.
//
// A device function becomes one that takes tangents too, and gives them too: one for each set of arguments that vary.

// tangents makes the tangent kernel of one kernel.
type tangents struct {
	*differ
	root       *ssa.Func
	memo       map[string]*linear // what has been made of functions: by function and which of its arguments vary
	made       []*ssa.Func        // the tangent functions, callees before callers
	names      map[string]bool
	ids        map[*ssa.Func]int
	summaries  *analysis.Summaries
	varySeen   map[string]*varying
	recursions map[*ssa.Func]*recursion

	adds, extremes []*ssa.Instr // atomic additions, and atomic minima and maxima, of floats with tangents
}

// hasTangent reports whether values of the type have a tangent: those that hold floats, and those that lead to some.
func hasTangent(t ssa.Type) bool { return hasFloats(t) || leads(t) }

// leads reports whether values of the type lead to floats. Their tangents are twins.
func leads(t ssa.Type) bool { return leadsBut(t, nil) }

// leadsBut is leads without what lies behind the recursive types that it has come through.
func leadsBut(t ssa.Type, through []*ssa.Struct) bool {
	switch t := t.(type) {
	case ssa.Slice:
		return hasFloats(t.Elem) || leadsBut(t.Elem, through)
	case ssa.Pointer:
		return hasFloats(t.Elem) || leadsBut(t.Elem, through)
	case ssa.Array:
		return t.Len > 0 && leadsBut(t.Elem, through)
	case *ssa.Struct:
		if slices.Contains(through, t) {
			return false
		}
		if t.IsRecursive() {
			through = append(slices.Clip(through), t)
		}
		return slices.ContainsFunc(t.Fields, func(f ssa.Field) bool { return leadsBut(f.Type, through) })
	}
	return false
}

// tangentOf makes the tangent kernel of a kernel, or of a backward kernel. What that keeps has tangents, which are kept
// too.
func (d *differ) tangentOf(of *Backward) (*Backward, error) {
	k := of.Kernel
	t := &tangents{differ: d, root: k, memo: make(map[string]*linear), names: make(map[string]bool), ids: make(map[*ssa.Func]int),
		summaries: new(analysis.Summaries), varySeen: make(map[string]*varying), recursions: make(map[*ssa.Func]*recursion)}
	d.findHalves(k)
	b := &Backward{Copies: of.Copies, After: of.After, Batched: of.Batched, Blocks: of.Blocks}
	own := len(k.Params())
	if of.Batched {
		own -= batchParams
	}
	given := own - len(of.Tapes)
	for i, p := range k.Params()[:given] {
		if hasGradient(p.Type) {
			b.Gradients = append(b.Gradients, i)
		}
	}
	b.Kernel = t.function(k, make([]bool, len(k.Params()))).to
	t.refuseMixed()
	if err := d.err(); err != nil {
		return nil, err
	}
	b.parts = launched(b.Kernel)
	if len(of.Tapes) > 0 {
		// What is kept stands behind all that is given, and then what tells a batch.
		ps := b.Kernel.Body.Params
		twins := len(k.Params()) + len(b.Gradients)
		b.Kernel.Body.Params = slices.Concat(ps[:given], ps[len(k.Params()):twins], ps[given:own], ps[twins:], ps[own:len(k.Params())])
		b.Tapes = slices.Clone(of.Tapes)
		for _, t := range of.Tapes {
			if ssa.IsFloat(t) {
				b.Tapes = append(b.Tapes, t)
			}
		}
		b.Count = countTwice(of, k.Params()[:given])
		t.made = append(t.made, b.Count)
	}
	opt.Settle(t.made, new(analysis.Summaries), nil)
	return b, nil
}

// countTwice counts what a backward kernel with tangents keeps: as many tangents as floats. The parameters are those
// that it is given beside the tangents.
func countTwice(of *Backward, given []*ssa.Value) *ssa.Func {
	old := of.Count
	f := ssa.NewFunc(old.Name)
	f.Kernel, f.Kind, f.Rank, f.Decl = old.Kernel, old.Kind, old.Rank, old.Decl
	for _, p := range given {
		f.Body.AddParam(p.Type, p.Name)
	}
	kernel := old.Params()[:len(old.Params())-len(of.Tapes)]
	args := slices.Clone(f.Body.Params[:len(kernel)])
	again := make(map[*ssa.Value]*ssa.Value) // by parameter for the number of floats: that of their tangents
	for _, p := range old.Params()[len(kernel):] {
		args = append(args, f.Body.AddParam(p.Type, p.Name))
	}
	for i, t := range of.Tapes {
		if p := args[len(kernel)+i]; ssa.IsFloat(t) {
			again[p] = f.Body.AddParam(p.Type, tangentName(p))
		}
	}
	old.CopyTo(f.Body, args)
	var ins []*ssa.Instr
	b := builder{b: f.Body}
	for _, in := range slices.Clone(f.Body.Instrs) {
		ins = append(ins, in)
		if in.Op != ssa.OpStore || again[in.Args[0].Root()] == nil {
			continue
		}
		f.Body.Instrs = nil
		at := in.Args[0].Def
		b.store(b.op(ssa.OpIndexAddr, in.Args[0].Type, again[at.Args[0]], at.Args[1]), in.Args[1])
		ins = append(ins, f.Body.Instrs...)
	}
	f.Body.Instrs = ins
	return f
}

// launched are the kernels that a Grid kernel launches.
func launched(host *ssa.Func) (list []*ssa.Func) {
	host.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLaunch && !slices.Contains(list, in.Callee) {
			list = append(list, in.Callee)
		}
	})
	return list
}

// A linear is a function with the tangents of some of its arguments as further parameters, and those of its results as
// further results.
type linear struct {
	*tangents
	builder
	*varying
	to      *ssa.Func
	values  map[*ssa.Value]*ssa.Value // of the function's values
	twins   map[*ssa.Value]*ssa.Value // their tangents, none for zero
	loops   map[*ssa.Instr]*ssa.Instr
	given   []int // the parameters that have a tangent, by place
	results []int // the results that have one
}

// function is the tangent function of a function of which some arguments vary.
func (t *tangents) function(f *ssa.Func, varies []bool) *linear {
	key := t.keyOf(f, varies)
	if l := t.memo[key]; l != nil {
		return l
	}
	l := &linear{tangents: t, varying: t.varying(f, varies), values: make(map[*ssa.Value]*ssa.Value), twins: make(map[*ssa.Value]*ssa.Value), loops: make(map[*ssa.Instr]*ssa.Instr)}
	t.memo[key] = l
	l.to = ssa.NewFunc(t.nameOf(f))
	l.to.Kernel, l.to.Kind, l.to.Rank, l.to.Decl, l.to.Threads, l.to.Library = f.Kernel, f.Kind, f.Rank, f.Decl, f.Threads, f.Library
	l.b = l.to.Body
	for _, p := range f.Params() {
		l.values[p] = l.to.Body.AddParam(p.Type, p.Name)
	}
	for i, p := range f.Params() {
		if l.hasTwin(p) {
			l.given = append(l.given, i)
			twin := l.to.Body.AddParam(p.Type, tangentName(p))
			l.twins[p] = twin
		}
	}
	if f == t.root {
		for _, p := range f.Params() {
			if twin := l.twins[p]; twin != nil && hasFloats(p.Type) && leads(p.Type) {
				l.twins[p] = l.withoutFloats(twin) // numbers that are parameters are constants
			}
		}
	}
	l.to.Results = slices.Clone(f.Results)
	for k, typ := range f.Results {
		if leads(typ) || hasFloats(typ) && l.gives[k] {
			l.results = append(l.results, k)
			l.to.Results = append(l.to.Results, typ)
		}
	}
	l.block(f.Body)
	t.made = append(t.made, l.to)
	return l
}

// withoutFloats is a twin of which the floats that are not behind an address are zero.
func (l *linear) withoutFloats(v *ssa.Value) *ssa.Value {
	switch {
	case !leads(v.Type):
		return l.zero(v.Type)
	case !hasFloats(v.Type):
		return v
	}
	var vs []*ssa.Value
	for i := range parts(v.Type) {
		vs = append(vs, l.withoutFloats(l.part(v, i)))
	}
	return l.op(ssa.OpMake, v.Type, vs...)
}

// keyOf names a function and which of its arguments vary.
func (t *tangents) keyOf(f *ssa.Func, varies []bool) string {
	if t.ids[f] == 0 {
		t.ids[f] = len(t.ids) + 1
	}
	key := strconv.Itoa(t.ids[f]) + ":"
	for _, v := range varies {
		key += map[bool]string{false: "-", true: "v"}[v]
	}
	return key
}

// nameOf is a name for a tangent function.
func (t *tangents) nameOf(f *ssa.Func) string {
	name := f.Name + ".tangent"
	for n := 2; t.names[name]; n++ {
		name = f.Name + ".tangent" + strconv.Itoa(n)
	}
	t.names[name] = true
	return name
}

func tangentName(v *ssa.Value) string {
	if v.Name == "" {
		return ""
	}
	return v.Name + "Tangent"
}

// primal implements [appender].
func (l *linear) primal(v *ssa.Value) *ssa.Value { return l.values[v] }

// in implements [appender].
func (l *linear) in(b *ssa.Block, f func()) {
	old := l.b
	l.b = b
	f()
	l.b = old
}

// twin is the tangent of a value of the function, nil for zero.
func (l *linear) twin(v *ssa.Value) *ssa.Value {
	if !hasTangent(v.Type) {
		return nil
	}
	return l.twins[v]
}

// twinOrZero is the tangent of a value of the function.
func (l *linear) twinOrZero(v *ssa.Value) *ssa.Value {
	if t := l.twin(v); t != nil {
		return t
	}
	return l.zero(v.Type)
}

func (l *linear) mapped(vs []*ssa.Value) []*ssa.Value {
	out := make([]*ssa.Value, len(vs))
	for i, v := range vs {
		if out[i] = l.values[v]; out[i] == nil {
			panic("BUG: there is no " + v.String())
		}
	}
	return out
}

// withTwins are values and then the tangents of those at some places.
func (l *linear) withTwins(vs []*ssa.Value, places []int) []*ssa.Value {
	list := l.mapped(vs)
	for _, k := range places {
		list = append(list, l.twinOrZero(vs[k]))
	}
	return list
}

// bind notes new values for old ones, and behind them the tangents of those at some places.
func (l *linear) bind(old, now []*ssa.Value, places []int) {
	for i, v := range old {
		l.values[v] = now[i]
	}
	for i, k := range places {
		l.setTwin(old[k], now[len(old)+i])
	}
}

func (l *linear) setTwin(v, twin *ssa.Value) {
	if twin == nil {
		return
	}
	if twin.Name == "" && !ssa.IsConst(twin) {
		twin.Name = tangentName(v)
	}
	l.twins[v] = twin
}
