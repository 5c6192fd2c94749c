package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// Lower turns one kernel of a checked program into a module: the kernel and the
// device functions that it reaches. The error is a *diag.Diagnostics with
// everything in them that a kernel may not say. Those of a program with problems
// are in it too: such a program is lowered for its errors only.
func Lower(p *load.Program, k *load.Function, opts Options) (*ssa.Module, error) {
	m := lower(p, k, opts)
	if err := m.diags.Err(); err != nil {
		return nil, err
	}
	return m.out, nil
}

// lower lowers a kernel as far as that is possible.
func lower(p *load.Program, k *load.Function, opts Options) *module {
	m := newModule(p, opts, k.Pkg, k.Decl.Name.Name)
	if opts.small {
		m.inlined, m.unrolled = maxInlined-smallSource, maxUnrolled-smallSource
	}
	if k.Obj != nil {
		m.out.Name = m.funcName(k.Obj, k.TypeArgs)
	}
	m.diags.Add(p.Problems...)
	if k.Obj == nil {
		m.mustBeIllTyped("a kernel without a type")
		return m
	}
	m.file = p.Fset.File(k.Decl.Pos())
	f := m.lower(k, k.TypeArgs, nil, nil, nil)
	m.dropUntaken()
	f.fn.Rank = f.rank
	if f.fn.Kind == ssa.GridKernel && m.diags.Len() == 0 {
		m.outline()
	}
	m.argsFit(k)
	m.checkSyncs(f.fn)
	m.checkLanes(f.fn)
	m.warnOfLarge()
	return m
}

// Kernels finds the kernels of a package, the functions that carry the directive
// //qd:kernel, in source order.
func Kernels(src load.Sources, pkg string) ([]load.Ref, error) {
	return load.Kernels(src, pkg)
}

// A module is the lowering of one kernel with all that it reaches.
type module struct {
	*Facts
	funcs map[*types.Func][]*function // their instances
	names map[string]bool             // of functions, taken
	out   *ssa.Module

	syncs   map[*ssa.Instr]ast.Node // the calls of Sync
	special int                     // how many instances for known arguments there are

	inlined  int // what was lowered into callers: see maxInlined
	unrolled int // nodes of syntax in the turns of unrolled loops

	runs *module // the functions that are run at compile time
	surroundings
}

// newModule is a module without functions.
func newModule(prog *load.Program, opts Options, pkg *types.Package, name string) *module {
	m := &module{
		Facts: &Facts{Syntax: newSyntax(prog, pkg, opts.Symbolic, opts.Warn), opts: opts},
		funcs: map[*types.Func][]*function{},
		names: map[string]bool{},
		out:   &ssa.Module{Name: name, Pkg: pkg.Path()},
	}
	m.run = m.makeCall
	return m
}

// A function is one function on its way to SSA.
type function struct {
	src    *load.Function
	targs  []types.Type
	known  knownArgs // the known arguments that it is lowered for, nil for none
	key    string    // of known
	fn     *ssa.Func
	caller *function // whose call of it was the first
	call   ast.Node  // that call, if its errors are to be seen
	failed string    // what a static assertion in it says that has failed, of one of package qd

	open bool // its body is being lowered: a call that finds it so is recursion
	bad  bool // its signature has been refused: calls of it give poison

	room        int // bytes of its variables in memory
	sharedBytes int // of a kernel: bytes of its shared memory

	rank   int       // dimensions of the launch that it or a callee needs, 0 for any
	rankAt token.Pos // what needs them
}

// lower lowers a function, with its callees before it. The kernel has no caller.
func (m *module) lower(src *load.Function, targs []types.Type, known knownArgs, caller *function, call ast.Node) *function {
	fn := ssa.NewFunc(m.uniqueName(src.Obj, targs, known))
	fn.Kernel, fn.Library = caller == nil, isLibrary(src.Pkg.Path())
	f := &function{src: src, targs: targs, known: known, key: known.key(), fn: fn, caller: caller, call: call, open: true}
	m.funcs[src.Obj] = append(m.funcs[src.Obj], f)
	if sig := src.Obj.Signature(); fn.Kernel && sig.TypeParams().Len()+sig.RecvTypeParams().Len()+src.Outer.Len() != len(targs) {
		m.mustBeIllTyped("a generic kernel without type arguments")
		return f
	}
	b := newBuilder(m, f, m.scopeOf(src, (&funcValue{obj: src.Obj, targs: targs, outer: src.Outer}).typeArgs()))
	fn.Decl = *b.newStmt(src.Decl)
	if known.any() {
		fn.Decl.Text += " // " + known.comment(receiverAndParams(src.Obj.Signature()))
	}
	if fn.Kernel {
		b.parameters.kernelShape(src)
	}
	b.memoryIn(src.Decl.Body)
	b.m.checkEscapes(src.Decl.Body, func() { b.escapeRule(src.Obj.Signature(), src.Decl.Body) })
	b.parameters.signature(src)
	b.block(src.Decl.Body)
	b.stmt = nil
	switch {
	case b.dead:
	case len(fn.Results) == 0:
		b.emit(src.Decl.Body.Rbrace, &ssa.Instr{Op: ssa.OpReturn})
	default: // a return was in what has been refused
		m.mustHaveFailed("the end of " + fn.Name + " is reached")
	}
	b.inliner.uncalled()
	f.open = false
	m.out.Funcs = append(m.out.Funcs, fn)
	return f
}

// uniqueName is the name of a function in its module: the plain Go name in the
// kernel's package, "pkg.Name" in others, numbered where two packages of one
// name have functions of one name.
func (m *module) uniqueName(obj *types.Func, targs []types.Type, known knownArgs) string {
	base := m.funcName(obj, targs) + known.name()
	name := base
	for n := 2; m.names[name]; n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	m.names[name] = true
	return name
}

// parameters declares what a function is given, and what it gives.
type parameters struct{ *builder }

// kernelShape checks what only kernels must be.
func (b parameters) kernelShape(src *load.Function) {
	const hint = "func kernel(t qd.Thread, x []float32)"
	sig := src.Obj.Signature()
	if r := src.Decl.Type.Results; r != nil && len(r.List) > 0 {
		b.m.refuse(r, "write results into a slice parameter", "kernel %s returns a value", src.Obj.Name())
	}
	params := sig.Params()
	if params.Len() == 0 {
		b.m.refuse(src.Decl.Name, "declare it as "+hint, "kernel %s has no qd.Thread parameter", src.Obj.Name())
		return
	}
	first := src.Decl.Type.Params.List[0]
	switch t := params.At(0).Type(); {
	case isThread(t):
	case isGrid(t):
		b.fn.Kind = ssa.GridKernel
	case isBlock(t):
		b.fn.Kind = ssa.BlockKernel
	case b.m.illTyped() && invalid(t):
	default:
		b.m.refuse(first, "declare it as "+hint, "first parameter of kernel %s must be a qd.Thread, a qd.Block or a qd.Grid", src.Obj.Name())
		b.m.complain(params.At(0))
	}
}

// signature declares the parameters and the results.
func (b parameters) signature(src *load.Function) {
	sig := src.Obj.Signature()
	if sig.Variadic() && b.fn.Kernel {
		list := src.Decl.Type.Params.List
		b.m.refuse(list[len(list)-1].Type, "take a slice", "variadic parameters are not supported")
		b.f.bad = true
	}
	if recv := sig.Recv(); recv != nil {
		if b.fn.Kernel {
			b.kernelReceiver(src, recv)
		} else {
			b.receiver(src.Decl.Recv, recv)
		}
	}
	index := -1
	fields(src.Decl.Type.Params, sig.Params(), func(v *types.Var, typ ast.Expr) {
		index++
		if b.fn.Kind == ssa.GridKernel && v == sig.Params().At(0) {
			b.vars[v] = theGrid
			return
		}
		if b.knownParam(typ, v) {
			return
		}
		if b.fn.Kernel && isConst(b.subst(v.Type())) && index > 0 {
			b.kernelConst(typ, v, index)
			return
		}
		if !b.fn.Kernel && b.m.isFrontType(b.subst(v.Type())) {
			b.m.mustBeIllTyped("a call without a front-end argument")
			b.f.bad = true
			b.vars[v] = poison
			return
		}
		t, ok := b.declaredType(typ, v, "parameter")
		if !ok || b.fn.Kernel && !b.m.kernelParam(typ, v, t, v == sig.Params().At(0)) {
			b.f.bad = true
			b.vars[v] = poison
			return
		}
		b.param(v, t)
	})
	if b.fn.Kernel {
		return // results have been refused
	}
	fields(src.Decl.Type.Results, sig.Results(), func(v *types.Var, typ ast.Expr) {
		t, ok := b.resultType(typ, v)
		if !ok {
			b.f.bad = true
		} else {
			b.fn.Results = append(b.fn.Results, t)
		}
		if v.Name() == "" {
			return
		}
		b.results = append(b.results, v)
		if !ok {
			b.vars[v] = poison
		} else {
			b.define(v, b.zero(typ.Pos(), t))
		}
	})
}

// receiver declares a method's receiver.
func (b parameters) receiver(list *ast.FieldList, v *types.Var) {
	if b.knownParam(list.List[0].Type, v) {
		return
	}
	t, ok := b.declaredType(list.List[0].Type, v, "receiver")
	if !ok {
		b.f.bad = true
		b.vars[v] = poison
		return
	}
	b.param(v, t)
}

// knownParam declares a parameter, or the receiver, for which the function is lowered with a known
// argument; false if it has none.
func (b parameters) knownParam(typ ast.Expr, v *types.Var) bool {
	at := b.params
	b.params++
	if b.f.known == nil || b.f.known[at] == nil {
		return false
	}
	val := b.fromKnown(v.Pos(), b.subst(v.Type()), *b.f.known[at])
	if val == nil {
		if _, ok := b.declaredType(typ, v, "parameter"); ok {
			b.noValue("a known argument of another type than " + v.Type().String())
		}
		b.f.bad = true
		b.vars[v] = poison
		return true
	}
	b.define(v, val)
	return true
}

// param adds a parameter to the function.
func (b parameters) param(v *types.Var, t ssa.Type) {
	name := v.Name()
	if name == "_" {
		name = ""
	}
	b.define(v, b.fn.Body.AddParam(t, name))
}

// resultType is the SSA type of a result.
func (b parameters) resultType(typ ast.Expr, v *types.Var) (ssa.Type, bool) {
	t, ok := b.declaredType(typ, v, "result")
	if ok && isPlace(t) {
		b.m.refuse(typ, "pass the qd.Thread as an argument instead", "a function cannot return a qd.Thread")
		ok = false
	}
	b.warnLarge(v, t)
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
func (b threads) needRank(n ast.Node, rank int) {
	f := b.f
	switch {
	case f.rank == 0:
		f.rank, f.rankAt = rank, n.Pos()
	case f.rank != rank:
		b.m.refuse(n, "use only one of ID2, ID3 and ID4 in a kernel and in what it calls",
			"a launch of %d dimensions is needed here, but of %d at line %d", rank, f.rank, b.m.prog.Fset.PositionFor(f.rankAt, false).Line)
	}
}
