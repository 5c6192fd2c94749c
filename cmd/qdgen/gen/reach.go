package gen

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/qdgen/qd/frontend/load"
)

// A name is a package-level declaration: packages that are type-checked at different times
// do not share their objects.
type name struct{ pkg, name string }

// closure is what kernels reach: the declarations that they name, and those that these do.
// Of a reached type all methods are. It errs on the side of too much: which values a
// kernel is launched with is not known.
type closure struct {
	l       *loader
	reached map[name]bool
	files   map[string]map[string]bool // by package
	vars    map[name]*types.Var
	nodes   map[string][]node // the reached functions, by package
	outside map[name]bool     // of the standard library, what the kernels' code names
	methods map[string]bool   // the names of methods in the kernels' code
	static  int               // how many qd.Static that compiled Go evaluates are around what is being reached
	only    map[name]bool     // what is reached from those alone
	tests   bool              // what is looked at are files of tests, which offer nothing to other packages
	own     bool              // the package has kernels
	others  bool              // it names some of other packages
	waiting []waiting         // for finish
	err     error
}

func (l *loader) closure() *closure {
	return &closure{
		l:       l,
		reached: make(map[name]bool),
		files:   make(map[string]map[string]bool),
		vars:    make(map[name]*types.Var),
		nodes:   make(map[string][]node),
		outside: make(map[name]bool),
		methods: make(map[string]bool),
		only:    make(map[name]bool),
	}
}

// packages are those with something reached, sorted.
func (c *closure) packages() []string { return slices.Sorted(maps.Keys(c.files)) }

// reach adds a declaration and what it names.
func (c *closure) reach(n name) {
	again := c.only[n] && c.static == 0
	if c.reached[n] && !again || c.l.listed[n.pkg] == nil || c.err != nil {
		return
	}
	c.reached[n] = true
	if c.static > 0 {
		c.only[n] = true
	} else {
		delete(c.only, n)
	}
	if c.l.typed[n.pkg] == nil {
		c.waiting = append(c.waiting, waiting{n, again, c.static})
		return
	}
	c.addDecls(n, again)
}

// waiting is a name that is reached, of a package that is not type-checked yet, with the closure's static at that time.
type waiting struct {
	name
	again  bool
	static int
}

// finish adds what waits for its package. Packages are type-checked together: each time the go command lists all that
// they import.
func (c *closure) finish() {
	for len(c.waiting) > 0 && c.err == nil {
		list := c.waiting
		c.waiting = nil
		var paths []string
		for _, w := range list {
			if !slices.Contains(paths, w.pkg) {
				paths = append(paths, w.pkg)
			}
		}
		if c.err = c.l.check(paths...); c.err != nil {
			return
		}
		for _, w := range list {
			c.static = w.static
			c.addDecls(w.name, w.again)
		}
		c.static = 0
	}
}

// addDecls adds what declares a name, or follows it again.
func (c *closure) addDecls(n name, again bool) {
	s := c.l.typed[n.pkg]
	for _, d := range s.decls[n.name] {
		if !again {
			c.add(s, d)
		} else {
			c.follow(s, d)
		}
	}
}

// add adds a piece of syntax.
func (c *closure) add(s *source, n node) {
	if c.files[s.PkgPath] == nil {
		c.files[s.PkgPath] = make(map[string]bool)
	}
	c.files[s.PkgPath][n.file] = true
	c.nodes[s.PkgPath] = append(c.nodes[s.PkgPath], n)
	c.follow(s, n)
}

// follow reaches what a piece of syntax names.
func (c *closure) follow(s *source, n node) {
	var byGo []ast.Expr // what compiled Go evaluates needs no source
	for _, call := range load.StaticCalls(n.Node, s.TypesInfo) {
		if arg := call.Args[0]; load.NeedsGo(arg, s.TypesInfo) {
			byGo = append(byGo, arg)
		}
	}
	ast.Inspect(n.Node, func(x ast.Node) bool {
		if id, ok := x.(*ast.Ident); ok {
			obj := s.TypesInfo.Uses[id]
			if slices.ContainsFunc(byGo, func(e ast.Expr) bool { return e.Pos() <= id.Pos() && id.Pos() < e.End() }) {
				c.static++
				c.use(obj)
				c.static--
				return true
			}
			if c.static == 0 {
				c.name(obj)
			}
			c.use(obj)
		}
		return true
	})
}

// name notes what the kernels' code names of the standard library, and the names of methods.
func (c *closure) name(obj types.Object) {
	if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil {
		c.methods[f.Name()] = true
	}
	n, ok := nameOf(obj)
	if ok && c.l.listed[n.pkg] == nil && !load.IsOwn(n.pkg) && (n.name != obj.Name() || !isHostFunction(obj)) {
		c.outside[n] = true
	}
}

// use reaches what an identifier means, if it is declared at package level or is a method.
func (c *closure) use(obj types.Object) {
	n, ok := nameOf(obj)
	if !ok {
		return
	}
	if v, ok := obj.(*types.Var); ok && c.l.listed[n.pkg] != nil {
		c.vars[n] = v
	}
	c.reach(n)
}

// nameOf is the package-level declaration that an object is, or that its method belongs to.
func nameOf(obj types.Object) (name, bool) {
	if obj == nil || obj.Pkg() == nil {
		return name{}, false
	}
	if f, ok := obj.(*types.Func); ok {
		if recv := f.Signature().Recv(); recv != nil {
			if obj = typeNameOf(recv.Type()); obj == nil {
				return name{}, false
			}
		}
	}
	if obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
		return name{}, false
	}
	return name{obj.Pkg().Path(), obj.Name()}, true
}

// typeNameOf is the declaration of a named type, or of the one that a pointer points to;
// nil for other types.
func typeNameOf(t types.Type) types.Object {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj()
	}
	return nil
}

// reachType reaches the named types in a type argument.
func (c *closure) reachType(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if n, ok := nameOf(t.Obj()); ok {
			c.reach(n)
		}
		for arg := range t.TypeArgs().Types() {
			c.reachType(arg)
		}
	case *types.Pointer:
		c.reachType(t.Elem())
	case *types.Slice:
		c.reachType(t.Elem())
	case *types.Array:
		c.reachType(t.Elem())
	}
}

// roots reaches what kernels of other packages may be given by this one, and the kernels that it has: functions of
// their shape, function literals too; the kernels of other packages that it names; functions that are values, and
// literals that are, if they capture nothing or qd.NewFunc names what; types that are type arguments; and what other
// packages may use in kernels of theirs, which have files of their own with what that reaches of the standard library.
// A package with a closure for kernels needs a file as much as one with a kernel.
func (c *closure) roots(s *source) {
	var offered []*types.Func
	for _, f := range s.Syntax {
		file := c.l.fset.File(f.FileStart).Name()
		called, named := make(map[ast.Node]bool), make(map[ast.Node]bool)
		ast.Inspect(f, func(x ast.Node) bool {
			switch x := x.(type) {
			case *ast.CallExpr:
				c.call(s, x, called, named)
			case *ast.FuncDecl:
				obj, ok := s.TypesInfo.Defs[x.Name].(*types.Func)
				if ok && isKernel(obj.Signature()) {
					c.own = true
					c.use(obj)
				} else if ok && c.offered(s, obj) {
					offered = append(offered, obj)
				}
			case *ast.FuncLit:
				sig, ok := s.TypesInfo.TypeOf(x).(*types.Signature)
				if kernel := ok && isKernel(sig); kernel || ok && !called[x] && computes(sig) && (named[x] || len(load.SiteLocals(x, s.TypesInfo)) == 0 && !c.callsHost(s, x.Body)) {
					c.own = c.own || kernel || named[x]
					c.add(s, node{x, file})
				}
			case *ast.Ident:
				c.rootName(s, x, called[x])
			}
			return true
		})
	}
	c.finish()
	if s.Name == "main" || c.tests {
		return
	}
	outside, methods := maps.Clone(c.outside), maps.Clone(c.methods)
	defer func() { c.outside, c.methods = outside, methods }()
	for _, f := range offered {
		c.use(f)
	}
	scope := s.Types.Scope()
	for _, id := range scope.Names() {
		switch obj := scope.Lookup(id).(type) {
		case *types.TypeName, *types.Var, *types.Const:
			if obj.Exported() && deviceable(obj.Type()) {
				c.use(obj)
			}
		}
	}
	c.finish()
}

// call notes what a call calls, and so does not give away as a value, and the literal of which it names what that
// captures. What the standard library is given does not come to a kernel either.
func (c *closure) call(s *source, x *ast.CallExpr, called, named map[ast.Node]bool) {
	called[ast.Unparen(x.Fun)] = true
	id := load.NameIn(x.Fun)
	if id == nil {
		return
	}
	called[id] = true
	f, ok := s.TypesInfo.Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil {
		return
	}
	isNewFunc := f.Pkg().Path() == load.QDPath && f.Name() == "NewFunc"
	for _, arg := range x.Args {
		if isNewFunc {
			named[ast.Unparen(arg)] = true
		} else if !c.ours(f) && f.Pkg() != s.Types {
			called[ast.Unparen(arg)] = true
		}
	}
}

// offered reports whether a function may be called by kernels of other packages.
func (c *closure) offered(s *source, obj *types.Func) bool {
	return s.Name != "main" && obj.Exported() && obj.Signature().Recv() == nil && computes(obj.Signature()) && !c.forHost(obj)
}

// rootName reaches what an identifier means, if a kernel may get to know it by its being
// named there.
func (c *closure) rootName(s *source, id *ast.Ident, called bool) {
	obj := s.TypesInfo.Uses[id]
	if inst, ok := s.TypesInfo.Instances[id]; ok && c.ours(obj) {
		for arg := range inst.TypeArgs.Types() {
			c.reachType(arg)
		}
	}
	switch obj := obj.(type) {
	case *types.Func:
		if kernel := isKernel(obj.Signature()); kernel || !called && computes(obj.Signature()) && !c.forHost(obj) {
			c.others = c.others || kernel && c.isOther(s, obj)
			c.use(obj)
		} else if called && c.isOther(s, obj) && givesFunc(obj.Signature().Results()) {
			c.use(obj)
		}
	case *types.Var:
		if !obj.IsField() && c.isOther(s, obj) && holdsFunc(obj.Type()) {
			c.use(obj)
		}
	case *types.TypeName:
		if hasKernel(obj.Type()) && c.ours(obj) {
			c.others = c.others || c.isOther(s, obj)
			c.use(obj)
		}
	}
}

// ours reports whether an object is of a package that is not of the standard library.
func (c *closure) ours(obj types.Object) bool {
	return obj != nil && obj.Pkg() != nil && (c.l.listed[obj.Pkg().Path()] != nil || load.IsOwn(obj.Pkg().Path()))
}

// isOther reports whether an object is of another package whose source programs have to have.
func (c *closure) isOther(s *source, obj types.Object) bool {
	return obj.Pkg() != nil && obj.Pkg() != s.Types && c.l.listed[obj.Pkg().Path()] != nil
}
