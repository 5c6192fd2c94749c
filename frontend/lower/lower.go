package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// kernelConst declares a qd.Const parameter of a kernel, whose value the launch gives. It
// is no parameter of what is launched.
func (p parameters) kernelConst(typ ast.Expr, v *types.Var, index int) {
	t := p.b.Subst(v.Type())
	arg := check.ConstArg(t)
	if why, hint, ok := p.b.m.Constable(arg); !ok {
		p.b.m.Refuse(typ, hint, "parameter %s has type %s: %s", v.Name(), p.b.m.TypeString(t), why)
		p.b.Function.Bad = true
		p.b.Vars[v] = eval.Poison
		return
	}
	c, ok := p.b.m.Opts.Consts[index]
	var val *ssa.Value
	switch {
	case ok:
		if val = p.b.FromKnown(v.Pos(), arg, c); val == nil {
			p.b.m.Refuse(typ, "give a value of the parameter's type", "parameter %s cannot be %s of type %s", v.Name(), c, comptime.ShortType(c.Type))
			val = eval.Poison
		}
	case p.b.m.Opts.Symbolic:
		val = p.b.Symbolic(v.Pos(), arg)
	default:
		p.b.m.Refuse(typ, "pass its value, qd.C(...), where the kernel is launched", "the launch gives no value for parameter %s, a %s", v.Name(), p.b.m.TypeString(t))
		val = eval.Poison
	}
	if val == eval.Poison {
		p.b.Vars[v] = eval.Poison
		return
	}
	p.b.Define(v, eval.Aggregated(t, []*ssa.Value{val}))
}

// lowerOnce is one attempt of [Lower].
func lowerOnce(p *load.Program, k *load.Function, opts eval.Options, need, returning map[*types.Func]bool) *Module {
	m := newModule(p, opts, k.Pkg, k.Decl.Name.Name)
	m.NeedKnown, m.returning = need, returning
	if opts.Small {
		m.inlined, m.unrolled = MaxInlined-smallSource, maxUnrolled-smallSource
	}
	if k.Obj != nil {
		m.Out.Name = m.FuncName(k.Obj, k.TypeArgs)
	}
	m.Diags.Add(p.Problems...)
	if k.Obj == nil {
		m.MustBeIllTyped("a kernel without a type")
		return m
	}
	m.File = p.Fset.File(k.Decl.Pos())
	f := m.lower(k, k.TypeArgs, nil, nil, nil, nil)
	m.DropUntaken()
	f.Fn.Rank = f.Rank
	m.kernel = f
	m.checkSyncs(f.Fn)
	m.checkLanes(f.Fn)
	m.WarnOfLarge()
	m.checkLoops(f.Fn)
	m.checkTables()
	m.checkPartStores()
	m.checkResliced()
	m.argsFit(f.Fn, f.Src)
	return m
}

// Value lowers a function that is a value for kernels, for its errors: what it captures is symbolic. It gives nil
// for one without syntax of its own, and for one that has a meaning only where it is called.
func Value(p *load.Program, t load.Target, opts eval.Options) *Module {
	src, targs := t.Src, t.TypeArgs
	if src == nil {
		src = p.Function(t.Obj)
	}
	if src == nil || check.IsLibrary(src.Pkg.Path()) {
		return nil
	}
	m := newModule(p, opts, src.Pkg, src.Decl.Name.Name)
	f := &eval.Func{Obj: t.Obj, Targs: targs, Outer: src.Outer}
	if m.mustInline(f) || t.Src != nil && m.takesPlace(f) {
		return nil
	}
	m.value = true
	m.File = p.Fset.File(src.Decl.Pos())
	m.lower(src, targs, nil, nil, nil, nil)
	m.DropUntaken()
	m.WarnOfLarge()
	return m
}

// A module is the lowering of one kernel with all that it reaches.
type Module struct {
	*eval.Facts
	kernel *eval.Function                 // nil where it could not be lowered at all
	funcs  map[loweredAs][]*eval.Function // their instances
	names  map[string]bool                // of functions, taken
	Out    *ssa.Module

	syncs   map[*ssa.Instr]ast.Node // the calls of Sync
	special int                     // how many instances for known arguments there are

	lowered   []*eval.Function                // functions, in the order in which that ended
	refusedIn map[diag.Diagnostic]*types.Func // the functions that errors are in; nil for one that was lowered for known arguments

	value bool // the first function is a value for kernels, not a kernel

	inlined  int // what was lowered into callers: see MaxInlined
	copied   bodyCopies
	unrolled int // nodes of syntax in the iterations of unrolled loops

	unrollings []*unrolling // the loops that are being unrolled, the outermost first

	general    map[*types.Func]bool         // recursive functions that a condition of the running kernel ends
	capacities map[*types.Func]capacityNeed // of slices that they are given
	checking   map[*types.Func]bool         // see checks

	returning    map[*types.Func]bool // functions that return variables of functions that they are given
	nowReturning map[*types.Func]bool // those that this attempt has met

	bodies map[ast.Node]*bodySyntax // see syntaxIn

	runs      *Module                        // the functions that are run at compile time
	results   map[knownCall][]comptime.Value // of calls that have been evaluated, nil of those that cannot be
	callSteps int                            // how many steps are left for calls that are evaluated
	surroundings
}

// newModule is a module without functions.
func newModule(prog *load.Program, opts eval.Options, pkg *types.Package, name string) *Module {
	m := &Module{
		Facts: &eval.Facts{Syntax: check.NewSyntax(prog, pkg, opts.Symbolic, opts.Warn), Opts: opts},
		funcs: map[loweredAs][]*eval.Function{},
		names: map[string]bool{},

		callSteps: maxEvaluated,

		Out: &ssa.Module{Name: name, Pkg: pkg.Path(), Fused: opts.Fused},
	}
	m.Run = m.makeCall
	return m
}

// isStandard reports whether a package is one of the standard library. The first element of its import path has no dot
// then; the module of the kernel may have such a path, too.
func (m *Module) isStandard(pkg string) bool {
	first, _, _ := strings.Cut(pkg, "/")
	kernel, _, _ := strings.Cut(m.Out.Pkg, "/")
	return !strings.Contains(first, ".") && first != kernel
}

// lower lowers a function, with its callees before it. The kernel has no caller.
func (m *Module) lower(src *load.Function, targs []types.Type, known eval.KnownArgs, closed *eval.Closed, caller *eval.Function, call ast.Node) *eval.Function {
	fn := ssa.NewFunc(m.uniqueName(src.Obj, targs, known))
	fn.Kernel, fn.Library = caller == nil && !m.value, check.IsLibrary(src.Pkg.Path())
	fn.Standard = m.isStandard(src.Pkg.Path())
	f := &eval.Function{Src: src, Targs: targs, Known: known, Closed: closed, Key: instanceKey(known, closed), Fn: fn, Caller: caller, Call: call, Open: true}
	if caller != nil {
		f.Depth = caller.Depth + 1
	}
	defer m.Enter(call, m.FuncName(src.Obj, targs))()
	doubt := m.Doubt
	f.Doubtful = doubt > 0
	m.funcs[loweredAs{src.Obj, f.Key}] = append(m.funcs[loweredAs{src.Obj, f.Key}], f)
	if sig := src.Obj.Signature(); fn.Kernel && sig.TypeParams().Len()+sig.RecvTypeParams().Len()+src.Outer.Len() != len(targs) {
		m.MustBeIllTyped("a generic kernel without type arguments")
		return f
	}
	b := newBuilder(m, f, m.ScopeOf(src, (&eval.Func{Obj: src.Obj, Targs: targs, Outer: src.Outer}).TypeArgs()))
	defer m.attribute(f)()
	fn.Decl = *b.NewStmt(src.Decl)
	b.packageVars.tables.front.stmt = &fn.Decl
	if known.Any() {
		fn.Decl.Text += " // " + known.Comment(eval.ReceiverAndParams(src.Obj.Signature()))
	}
	if fn.Kernel {
		b.parameters.kernelShape(src)
	}
	b.MemoryIn(src.Decl.Body)
	b.sharedIn(src.Decl.Body)
	b.parameters.opened()
	b.capacitiesIn(src.Decl.Body)
	b.m.CheckEscapes(src.Decl.Body, func() { b.EscapeRule(src.Obj.Signature(), src.Decl.Body) })
	b.parameters.signature(src)
	b.block(src.Decl.Body)
	b.Stmt = nil
	m.Doubt = doubt
	switch {
	case b.Dead:
	case len(fn.Results) == 0:
		b.Emit(src.Decl.Body.Rbrace, &ssa.Instr{Op: ssa.OpReturn})
	default: // a return was in what has been refused
		m.MustHaveFailed("the end of " + fn.Name + " is reached")
	}
	b.inliner.uncalled()
	b.packageVars.tables.front.end()
	f.Open = false
	m.Out.Funcs = append(m.Out.Funcs, fn)
	return f
}

// uniqueName is the name of a function in its module: the plain Go name in the
// kernel's package, "pkg.Name" in others, numbered where two packages of one
// name have functions of one name.
func (m *Module) uniqueName(obj *types.Func, targs []types.Type, known eval.KnownArgs) string {
	base := m.FuncName(obj, targs) + known.Name()
	name := base
	for n := 2; m.names[name]; n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	m.names[name] = true
	return name
}

// parameters declares what a function is given, and what it gives.
type parameters struct{ b *builder }

// kernelShape checks what only kernels must be.
func (p parameters) kernelShape(src *load.Function) {
	const hint = "func kernel(t qd.Thread, x []float32)"
	sig := src.Obj.Signature()
	if r := src.Decl.Type.Results; r != nil && len(r.List) > 0 {
		p.b.m.Refuse(r, "write results into a slice parameter", "kernel %s returns a value", src.Obj.Name())
	}
	params := sig.Params()
	if params.Len() == 0 {
		p.b.m.Refuse(src.Decl.Name, "declare it as "+hint, "kernel %s has no qd.Thread parameter", src.Obj.Name())
		return
	}
	first := src.Decl.Type.Params.List[0]
	switch t := params.At(0).Type(); {
	case check.IsThread(t):
	case check.IsGrid(t):
		p.b.Func.Kind = ssa.GridKernel
	case check.IsBlock(t):
		p.b.Func.Kind = ssa.BlockKernel
	case p.b.m.IllTyped() && check.Invalid(t):
	default:
		p.b.m.Refuse(first, "declare it as "+hint, "first parameter of kernel %s must be a qd.Thread, a qd.Block or a qd.Grid", src.Obj.Name())
		p.b.m.Complain(params.At(0))
	}
}

// signature declares the parameters and the results.
func (p parameters) signature(src *load.Function) {
	sig := src.Obj.Signature()
	if sig.Variadic() && p.b.Func.Kernel {
		list := src.Decl.Type.Params.List
		p.b.m.Refuse(list[len(list)-1].Type, "take a slice", "variadic parameters are not supported")
		p.b.Function.Bad = true
	}
	if recv := sig.Recv(); recv != nil {
		if p.b.Func.Kernel {
			p.b.KernelReceiver(src, recv)
		} else {
			p.receiver(src.Decl.Recv, recv)
		}
	}
	index := -1
	fields(src.Decl.Type.Params, sig.Params(), func(v *types.Var, typ ast.Expr) {
		index++
		if p.b.Func.Kind == ssa.GridKernel && v == sig.Params().At(0) {
			p.b.Vars[v] = eval.TheGrid
			return
		}
		if p.knownParam(typ, v) {
			return
		}
		if p.b.Func.Kernel && check.IsConst(p.b.Subst(v.Type())) && index > 0 {
			p.kernelConst(typ, v, index)
			return
		}
		if !p.b.Func.Kernel && p.b.m.IsFrontType(p.b.Subst(v.Type())) {
			if !p.b.m.value {
				p.b.m.MustBeIllTyped("a call without a front-end argument")
			}
			p.b.Function.Bad = true
			p.b.Vars[v] = eval.Poison
			return
		}
		t, ok := p.b.DeclaredType(typ, v, "parameter")
		if !ok || p.b.Func.Kernel && !p.b.m.KernelParam(typ, v, t, v == sig.Params().At(0)) {
			p.b.Function.Bad = true
			p.b.Vars[v] = eval.Poison
			return
		}
		if p.b.Func.Kernel {
			p.b.Define(v, p.parts(v.Pos(), v.Name(), p.b.Subst(v.Type()), t))
			return
		}
		p.param(v, t)
	})
	if p.b.Func.Kernel {
		return // results have been refused
	}
	fields(src.Decl.Type.Results, sig.Results(), func(v *types.Var, typ ast.Expr) {
		t, ok := p.resultType(typ, v)
		if !ok {
			p.b.Function.Bad = true
		} else {
			p.b.Func.Results = append(p.b.Func.Results, t)
		}
		if v.Name() == "" {
			return
		}
		p.b.results = append(p.b.results, v)
		if !ok {
			p.b.Vars[v] = eval.Poison
		} else {
			p.b.Define(v, p.b.Zero(typ.Pos(), t))
		}
	})
}

// receiver declares a method's receiver.
func (p parameters) receiver(list *ast.FieldList, v *types.Var) {
	if p.knownParam(list.List[0].Type, v) {
		return
	}
	t, ok := p.b.DeclaredType(list.List[0].Type, v, "receiver")
	if !ok {
		p.b.Function.Bad = true
		p.b.Vars[v] = eval.Poison
		return
	}
	p.param(v, t)
}

// knownParam declares a parameter, or the receiver, for which the function is lowered with a known
// argument; false if it has none.
func (p parameters) knownParam(typ ast.Expr, v *types.Var) bool {
	at := p.b.params
	p.b.params++
	if closed := p.b.Function.Closed; closed.IsClosed(at) {
		p.b.Define(v, closed.Arg(at, p.b.opened))
		return true
	}
	if p.b.Function.Known == nil || p.b.Function.Known[at] == nil {
		return false
	}
	val := p.b.FromKnown(v.Pos(), p.b.Subst(v.Type()), *p.b.Function.Known[at])
	if val == nil {
		if _, ok := p.b.DeclaredType(typ, v, "parameter"); ok {
			p.b.NoValue("a known argument of another type than " + v.Type().String())
		}
		p.b.Function.Bad = true
		p.b.Vars[v] = eval.Poison
		return true
	}
	p.b.Define(v, val)
	return true
}

// param adds a parameter to the function.
func (p parameters) param(v *types.Var, t ssa.Type) {
	p.b.Define(v, p.add(t, v.Name()))
}

// add adds a parameter of a name, which may be blank.
func (p parameters) add(t ssa.Type, name string) *ssa.Value {
	if name == "_" {
		name = ""
	}
	return p.b.Func.Body.AddParam(t, name)
}

// parts adds a parameter of a kernel. A struct with slices in it is as many parameters as it has fields, so that a
// launch and a tape treat those as they treat slices that stand alone: [kernel.Func] of the runtime has the same order.
func (p parameters) parts(pos token.Pos, name string, typ types.Type, t ssa.Type) *ssa.Value {
	u, ok := typ.Underlying().(*types.Struct)
	st, isStruct := t.(*ssa.Struct)
	if !ok || !isStruct || check.IsView(typ) || !ssa.HasSlices(t) {
		return p.add(t, name)
	}
	parts := make([]*ssa.Value, len(st.Fields))
	next := func(at int, typ types.Type) {
		f := st.Fields[at]
		part := "_"
		if name != "_" && f.Name != "_" {
			part = name + "_" + f.Name
		}
		parts[at] = p.parts(pos, part, typ, f.Type)
	}
	for i := range u.NumFields() {
		at := p.b.m.FieldAt(u, i)
		if unpacked, ok := p.b.m.Unpacked(u, i); ok {
			for k := range unpacked.Count {
				next(at+k, types.Typ[types.Invalid])
			}
			continue
		}
		next(at, p.b.Subst(u.Field(i).Type()))
	}
	return p.b.Op(pos, ssa.OpMake, t, parts...)
}

// resultType is the SSA type of a result.
func (p parameters) resultType(typ ast.Expr, v *types.Var) (ssa.Type, bool) {
	goType := p.b.Subst(v.Type())
	if check.IsThread(goType) || check.IsBlock(goType) || check.IsGrid(goType) {
		name := p.b.m.TypeString(goType)
		p.b.m.Refuse(typ, "pass the "+name+" as an argument instead", "a function cannot return a %s", name)
		return ssa.Invalid, false
	}
	t, ok := p.b.DeclaredType(typ, v, "result")
	p.b.WarnLarge(v, t)
	return t, ok
}

// fields calls f for each variable of a parameter or result list, with the
// expression of its type.
func fields(list *ast.FieldList, vars *types.Tuple, f func(*types.Var, ast.Expr)) {
	if list == nil {
		return
	}
	i := 0
	for _, field := range list.List {
		for range max(1, len(field.Names)) {
			f(vars.At(i), field.Type)
			i++
		}
	}
}

// needRank notes that a launch must have so many dimensions.
func (t threads) needRank(n ast.Node, rank int) {
	f := t.b.Function
	switch {
	case f.Rank == 0:
		f.Rank, f.RankAt = rank, n.Pos()
	case f.Rank != rank:
		t.b.m.Refuse(n, "use only one of ID2, ID3 and ID4 in a kernel and in the functions that it calls",
			"this needs a launch with %d dimensions, but one with %d is needed at line %d", rank, f.Rank, t.b.m.Prog.Fset.PositionFor(f.RankAt, false).Line)
	}
}

// More adds what the program lacks for this lowering to what it is to be checked with, and
// reports whether there was anything new.
func (m *Module) More(also *load.Also) bool {
	more := m.staticFuncs && !also.Statics
	also.Statics = also.Statics || more
	for _, ref := range m.Missing {
		if !slices.Contains(also.Funcs, ref) {
			also.Funcs = append(also.Funcs, ref)
			more = true
		}
	}
	for _, v := range m.uncomputed {
		if !slices.Contains(also.Vars, v) {
			also.Vars = append(also.Vars, v)
			more = true
		}
	}
	for _, v := range m.uninitialized {
		if !slices.Contains(also.Inits, v) {
			also.Inits = append(also.Inits, v)
			more = true
		}
	}
	return more
}
