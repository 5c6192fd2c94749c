package initial

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

// MaxSteps is how many steps the computation of a variable may take: nodes of syntax that are run, and parts of values
// that are made.
const MaxSteps = 2_000_000

// maxCalls is how deep calls may be in one another.
const maxCalls = 1000

// A LacksError says that a variable is needed whose initial value the program was not loaded for: see [load.Also].
type LacksError struct{ Var load.Global }

func (e *LacksError) Error() string { return e.Var.Pkg + "." + e.Var.Name + " is not known" }

// Value computes the value that a variable has when its package is initialized. Nothing may change it afterwards.
func Value(m *check.Syntax, v *load.Var) (comptime.Value, error) {
	first := map[*types.Package][]*types.Var{v.Pkg: {v.Obj}}
	for {
		r := newMachine(m, first)
		value, err := r.value(v)
		var late *lateError
		if !errors.As(err, &late) {
			return value, err
		}
		first[late.v.Pkg()] = append(first[late.v.Pkg()], late.v)
	}
}

func newMachine(m *check.Syntax, first map[*types.Package][]*types.Var) *machine {
	return &machine{types: m, prog: m.Prog, vars: map[*types.Var]*block{}, several: map[*ast.ValueSpec][]any{}, packages: map[*types.Package]stage{}, first: first, calls: map[ast.Expr]bool{}, left: MaxSteps}
}

// recovered makes an error of a failure.
func (m *machine) recovered(err *error) {
	switch p := recover().(type) {
	case nil:
	case failure:
		*err = p.err
	default:
		panic(p)
	}
}

func (m *machine) value(v *load.Var) (value comptime.Value, err error) {
	defer m.recovered(&err)
	m.initialize(v.Pkg)
	b := m.vars[v.Obj]
	if err := m.unshared(v, b); err != nil {
		return comptime.Value{}, err
	}
	return m.known(b.cells[0], v.Obj.Type(), map[*block]bool{})
}

// A machine runs Go.
type machine struct {
	types *check.Syntax
	prog  *load.Program

	vars     map[*types.Var]*block
	several  map[*ast.ValueSpec][]any // the results of one call, or the like, which several variables are initialized with
	packages map[*types.Package]stage
	first    map[*types.Package][]*types.Var // variables of packages that get their initial values before init functions run
	pkg      *types.Package                  // that is being initialized

	calls    map[ast.Expr]bool // whether there are calls in expressions: see hasCall
	keyTypes []types.Type      // of what is in interfaces that are keys of maps, by their numbers

	alone    bool     // nothing of package qd may be called, which may do something
	constant bool     // no variable may be read that ever changes
	left     int      // steps
	depth    int      // of calls
	at       ast.Node // what is being run
}

// A stage is how far the initialization of a package has got.
type stage uint8

const (
	untouched stage = iota
	assigning       // variables get their initial values
	filling         // init functions run
	done
)

// A failure ends the computation.
type failure struct{ err error }

// A lateError says that init functions have run before a variable got its initial value, which must be before.
type lateError struct{ v *types.Var }

func (e *lateError) Error() string { return "variable " + e.v.Name() + " is met too late" }

func (m *machine) failed(format string, args ...any) failure {
	err := fmt.Errorf(format, args...)
	if m.at != nil {
		at := m.prog.Fset.PositionFor(m.at.Pos(), false)
		err = fmt.Errorf("%s:%d: %w", filepath.Base(at.Filename), at.Line, err)
	}
	return failure{err}
}

// step counts steps.
func (m *machine) step(n int) {
	if m.left -= n; m.left < 0 {
		panic(m.failed("it takes more than %d steps", MaxSteps))
	}
}

// initialize initializes a package, as far as its variables are needed: they get their initial values, each after those
// that it needs, and then the init functions run that may change them, in their order.
func (m *machine) initialize(p *types.Package) {
	pkg, at := m.pkg, m.at
	m.pkg = p
	m.packages[p] = assigning
	for _, obj := range m.first[p] {
		m.packageVar(obj)
	}
	m.packages[p] = filling
	for _, init := range m.prog.Var(m.first[p][0]).Inits() {
		if init == nil {
			panic(m.failed("an init function of package %s uses source that is not available", p.Name()))
		}
		m.run(&code{src: init, info: init.Info, body: init.Decl.Body, sig: init.Obj.Signature()}, nil)
	}
	m.packages[p] = done
	for obj, b := range m.vars {
		if obj.Pkg() == p {
			own(b, p)
		}
	}
	m.pkg, m.at = pkg, at
}

// packageVar is the memory of a package variable.
func (m *machine) packageVar(obj *types.Var) *block {
	p := obj.Pkg()
	b, met := m.vars[obj]
	if p == m.pkg && met {
		if b == nil {
			panic(m.failed("variable %s depends on itself", obj.Name()))
		}
		return b
	}
	v := m.prog.Var(obj)
	if v == nil {
		panic(m.failed("it uses variable %s.%s", p.Name(), obj.Name()))
	}
	if why := v.Changed(); m.constant && m.pkg == nil && why != "" {
		panic(m.failed("variable %s %s", obj.Name(), why))
	}
	if p != m.pkg {
		// Its package is initialized before, and others may have called its functions since.
		if why := v.ChangedLater(); why != "" {
			panic(m.failed("variable %s %s", obj.Name(), why))
		}
		if met {
			return b
		}
	}
	if !v.Filled {
		panic(failure{&LacksError{load.Global{Pkg: v.Pkg.Path(), Name: obj.Name()}}})
	}
	switch m.packages[p] {
	case untouched:
		m.first[p] = append(m.first[p], obj)
		m.initialize(p)
		return m.vars[obj]
	case filling, done:
		panic(failure{&lateError{obj}})
	}
	if why := v.SetOutside(); why != "" {
		panic(m.failed("variable %s %s", obj.Name(), why))
	}
	if v.ChangedInitializing() {
		panic(m.failed("variable %s may be changed by what other variables are initialized with", obj.Name()))
	}
	if v.Wrong {
		panic(m.failed("the source of what variable %s is initialized with is not available", obj.Name()))
	}
	m.vars[obj] = nil // until it is known
	b = m.initialized(v)
	own(b, p)
	m.vars[obj] = b
	return b
}

// initialized is the memory of a variable with its initial value.
func (m *machine) initialized(v *load.Var) *block {
	b := &block{cells: []any{m.zero(v.Obj.Type())}}
	e, index := v.Init()
	if e == nil {
		return b
	}
	at := m.at
	f := &frame{machine: m, info: v.Info, vars: map[*types.Var]*block{}}
	m.at = e
	var val any
	if len(v.Spec.Values) == len(v.Spec.Names) {
		f.ordered([]operand{{e: e, t: v.Obj.Type()}}, func() { val = f.exprAs(e, v.Obj.Type()) })
	} else {
		results, met := m.several[v.Spec]
		if !met {
			f.ordered(operandsOf(e), func() { results = f.several(e) })
			m.several[v.Spec] = results
		}
		val = m.convert(results[index], f.typeOf(e).(*types.Tuple).At(index).Type(), v.Obj.Type())
	}
	m.put(&b.cells[0], m.copied(val))
	m.at = at
	return b
}

// own makes memory, and what it leads to, that of a package.
func own(b *block, p *types.Package) {
	all := memory{}
	all.add(b)
	for x := range all {
		switch x := x.(type) {
		case *block:
			x.owner = p
		case *hash:
			x.owner = p
		}
	}
}

// mayWrite makes sure that memory does not belong to a package, unless that is the one whose init functions run.
func (m *machine) mayWrite(owner *types.Package) {
	if owner != nil && (owner != m.pkg || m.packages[owner] != filling) {
		panic(m.failed("it changes a variable of package %s", owner.Name()))
	}
}

// unshared makes sure that no other package variable that may be changed leads to the memory of one.
func (m *machine) unshared(v *load.Var, b *block) error {
	mine := memory{}
	mine.add(b)
	for obj, x := range m.vars {
		if obj == v.Obj {
			continue
		}
		if err := mine.apart(obj.Name(), x, m.prog.Var(obj).ChangedLater() != ""); err != nil {
			return err
		}
	}
	// Nobody has met some of those that are initialized together: what init functions do with them has not been run.
	for spec, results := range m.several {
		for i, id := range spec.Names {
			other := m.prog.Var(m.declared(id))
			if other == nil || m.vars[other.Obj] != nil {
				continue
			}
			if err := mine.apart(id.Name, results[i], other.Changed() != ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// declared is the variable that a name declares, nil for "_".
func (m *machine) declared(id *ast.Ident) *types.Var {
	obj, _ := m.prog.Info.Defs[id].(*types.Var)
	return obj
}

// apart makes sure that a variable does not lead to the memory, if what it leads to may be changed.
func (s memory) apart(name string, value any, changed bool) error {
	others := memory{}
	if changed {
		others.add(value)
	} else {
		others.addCalled(value, memory{}) // a call changes no variable, but what the function knows of
	}
	for shared := range others {
		if s[shared] {
			return fmt.Errorf("variable %s leads to the same memory", name)
		}
	}
	return nil
}

// memory is a set of blocks and hashes.
type memory map[any]bool

// add adds the memory that a value leads to.
func (s memory) add(v any) { s.reach(v, nil) }

// addCalled adds the memory that functions lead to which a value leads to. The memory on the way to them is seen.
func (s memory) addCalled(v any, seen memory) { seen.reach(v, s.add) }

// reach adds the memory that a value leads to, and gives the functions on the way to called, if it is not nil, in place
// of what they lead to.
func (s memory) reach(v any, called func(any)) {
	switch v := v.(type) {
	case *block:
		if v == nil || s[v] {
			return
		}
		s[v] = true
		for _, x := range v.cells {
			switch x.(type) {
			case int64, uint64, float64:
			default:
				s.reach(x, called)
			}
		}
	case pointer:
		s.reach(v.in, called)
	case slice:
		s.reach(v.in, called)
	case boxed:
		s.reach(v.v, called)
	case *hash:
		if v == nil || s[v] {
			return
		}
		s[v] = true
		for i := range v.keys {
			s.reach(v.keys[i], called)
			s.reach(v.vals[i], called)
		}
	case function:
		switch {
		case called != nil:
			called(v)
		case v.code != nil:
			for _, b := range v.around {
				s.reach(b, nil)
			}
			s.reach(v.recv, nil)
		}
	}
}

// A frame is the variables of a function that is being run.
type frame struct {
	machine *machine
	info    *types.Info
	targs   check.TypeArgs
	vars    map[*types.Var]*block
	code    *code

	ahead   *ahead // what has been evaluated of the statement, or nil
	results []any  // of the return statement that has been reached
}

// A code is a function that can be called.
type code struct {
	src    *load.Function
	info   *types.Info
	body   *ast.BlockStmt
	sig    *types.Signature
	targs  check.TypeArgs
	around map[*types.Var]*block // of a literal
	recv   any                   // of a method: its receiver
	host   func([]any) any       // of a function that the host runs
}

// typeOf is the type of an expression, in an instance.
func (f *frame) typeOf(e ast.Expr) types.Type { return f.subst(f.info.TypeOf(e)) }

func (f *frame) subst(t types.Type) types.Type {
	if len(f.targs) == 0 || t == nil {
		return t
	}
	return f.machine.types.With(f.targs).Typ(t)
}

// place is the cell of a variable.
func (f *frame) place(v *types.Var) pointer {
	if b := f.vars[v]; b != nil {
		return pointer{b, 0}
	}
	if f.code != nil {
		if b := f.code.around[v]; b != nil {
			f.machine.use(b)
			return pointer{b, 0}
		}
	}
	if !check.IsPackageVar(v) {
		panic(f.machine.failed("it uses variable %s", v.Name()))
	}
	return pointer{f.machine.packageVar(v), 0}
}

// declare makes a variable.
func (f *frame) declare(id *ast.Ident, v any) {
	f.machine.step(1)
	obj, _ := f.info.Defs[id].(*types.Var)
	if obj == nil {
		return // blank
	}
	f.vars[obj] = &block{cells: []any{f.machine.copied(v)}}
}

// A target is where an assignment writes to.
type target struct {
	p   pointer
	h   *hash
	key any
}

// target finds out where an assignment writes to.
func (f *frame) target(to ast.Expr) target {
	to = ast.Unparen(to)
	if isBlank(to) {
		return target{}
	}
	if x, ok := to.(*ast.IndexExpr); ok {
		if t, ok := f.typeOf(x.X).Underlying().(*types.Map); ok {
			h, _ := f.expr(x.X).(*hash)
			return target{h: h, key: f.machine.copied(f.exprAs(x.Index, t.Key()))}
		}
	}
	return target{p: f.addr(to)}
}

// write writes to a target. What is not the memory of the package that is being initialized must have been made since.
func (f *frame) write(to ast.Expr, at target, v any) {
	v = f.machine.copied(v)
	if at.p.in == nil {
		if isBlank(to) {
			return
		}
		if at.h != nil {
			f.machine.mayWrite(at.h.owner)
		}
		f.machine.set(at.h, at.key, v)
		return
	}
	f.machine.mayWrite(at.p.in.owner)
	f.machine.use(at.p.in)
	f.machine.put(&at.p.in.cells[at.p.at], v)
}
