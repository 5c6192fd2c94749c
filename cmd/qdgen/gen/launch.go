package gen

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/qdgen/qd/frontend/load"
)

// launch is a function that launches a kernel.
type launch struct {
	name    string // of the function
	kernel  string // "saxpy", "Map.Kernel"
	doc     string // the kernel's
	place   string // "Thread", "Block" or "Grid"
	rank    int    // dimensions that the kernel asks for, 0 for any
	recv    *param // of a kernel that is a method
	callee  string // marked: what qd.NewKernel is given
	tparams []tparam
	params  []param
}

// tparam is a type parameter of a launch function.
type tparam struct{ name, constraint string } // the constraint is marked

// param is a parameter of a launch function.
type param struct {
	name string
	typ  string // marked
	arg  string // marked: what the kernel is launched with
	says string // marked, for the documentation
}

// addLaunches adds a function for each kernel. It returns the files that the kernels
// are declared in.
func (p *plan) addLaunches(c *closure) (files []string) {
	methods := make(map[string]int) // number of a type's kernels
	for _, fn := range p.kernels() {
		if fn.Recv != nil {
			methods[load.ReceiverName(fn)]++
		}
	}
	for _, fn := range p.kernels() {
		obj, ok := p.TypesInfo.Defs[fn.Name].(*types.Func)
		if !ok || !isKernel(obj.Signature()) || obj.Signature().Results().Len() > 0 {
			continue // the front end has more to say about it
		}
		l, problem := p.launch(fn, obj.Signature(), methods)
		if problem != "" {
			p.notes = append(p.notes, fmt.Sprintf("%s: there is no launch function for %s: %s", p.position(fn.Name), load.FuncName(fn), problem))
			continue
		}
		p.launches = append(p.launches, l)
		files = append(files, c.l.fset.File(fn.Pos()).Name())
	}
	return files
}

// launch makes the launch function of a kernel. The problem says why there can be none.
func (p *plan) launch(fn *ast.FuncDecl, sig *types.Signature, methods map[string]int) (l *launch, problem string) {
	l = &launch{kernel: load.FuncName(fn), doc: fn.Doc.Text(), place: qdType(sig.Params().At(0).Type()), rank: p.rank(fn)}
	base, params := fn.Name.Name, sig.TypeParams()
	taken := map[string]bool{"dim": l.place != "Grid", "qd": true, fn.Name.Name: true}
	if recv := sig.Recv(); recv != nil {
		if _, pointer := types.Unalias(recv.Type()).(*types.Pointer); pointer {
			return nil, "its receiver is a pointer; a kernel captures its receiver by value"
		}
		base, params = load.ReceiverName(fn), sig.RecvTypeParams()
		switch {
		case !fn.Name.IsExported():
			return nil, "a kernel that is a method needs an exported name"
		case methods[base] > 1 && fn.Name.Name != "Kernel":
			return nil, "if a type has several kernels, only the one named Kernel has a launch function"
		}
		if fn.Name.Name != "Kernel" {
			base += upper(fn.Name.Name)
		}
	}
	for t := range params.TypeParams() {
		taken[t.Obj().Name()] = true
		l.tparams = append(l.tparams, tparam{t.Obj().Name(), p.typeText(t.Constraint())})
	}
	l.name = p.launchName(l.place, base, fn)
	l.callee = fn.Name.Name
	if sig.Recv() != nil {
		name := fresh(sig.Recv().Name(), "k", "Arg", taken)
		text := p.typeText(sig.Recv().Type())
		l.recv = &param{name: name, typ: text, arg: name, says: text}
		l.callee = name
	} else if params.Len() > 0 {
		var args []string
		for t := range params.TypeParams() {
			args = append(args, t.Obj().Name())
		}
		l.callee += "[" + strings.Join(args, ", ") + "]"
	}
	for i := 1; i < sig.Params().Len(); i++ {
		v := sig.Params().At(i)
		if !p.signable(v.Type()) {
			return nil, "the type of its parameter " + v.Name() + " cannot be named here"
		}
		l.params = append(l.params, p.param(v, i, l, taken))
	}
	return l, ""
}

// param makes a parameter of the launch function, and the type parameter that it needs.
func (p *plan) param(v *types.Var, i int, l *launch, taken map[string]bool) param {
	arg := param{name: fresh(v.Name(), fmt.Sprintf("arg%d", i), "Arg", taken)}
	arg.arg = arg.name
	qd, qdreg := mark+load.QDPath+mark+".", mark+registryPath+mark+"."
	buffer := func(constraint, elem, says string) {
		arg.typ = fresh(upper(arg.name), "", "Type", taken, p.declared) // which may be a type of the signature
		l.tparams = append(l.tparams, tparam{arg.typ, qdreg + constraint + "[" + elem + "]"})
		arg.says = says + " or *" + qd + "Array[" + elem + "]"
	}
	t := v.Type()
	named, _ := types.Unalias(t).(*types.Named)
	switch name := qdType(t); name {
	case "View2", "View3", "View4":
		elem := p.typeText(named.TypeArgs().At(0))
		buffer(name+"Arg", elem, p.typeText(t))
		arg.says += fmt.Sprintf(" of %s dimensions", name[len("View"):])
		return arg
	case "Const":
		arg.typ = p.typeText(named.TypeArgs().At(0))
		arg.arg = qd + "C(" + arg.name + ")"
		arg.says = arg.typ + ", known at compile time: each value is a kernel of its own"
		return arg
	}
	if s, ok := t.Underlying().(*types.Slice); ok {
		buffer("SliceArg", p.typeText(s.Elem()), "[]"+p.typeText(s.Elem()))
		return arg
	}
	arg.typ = p.typeText(t)
	arg.says = arg.typ
	return arg
}

// signable reports whether a type can stand in the signature of a launch function, where the
// kernel's type parameters can.
func (p *plan) signable(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Slice:
		return p.signable(t.Elem())
	case *types.Array:
		return p.signable(t.Elem())
	case *types.Pointer:
		return p.signable(t.Elem())
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if !p.signable(arg) {
				return false
			}
		}
		return p.canNameObject(t.Obj())
	case *types.Signature:
		for _, vars := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range vars.Variables() {
				if !p.signable(v.Type()) {
					return false
				}
			}
		}
		return true
	}
	return p.nameable(t)
}

// launchName is the name of a kernel's launch function: exported if the kernel is, and
// one that the package does not have.
func (p *plan) launchName(place, base string, fn *ast.FuncDecl) string {
	prefix := "Launch"
	if place == "Grid" {
		prefix = "Run"
	}
	if !ast.IsExported(fn.Name.Name) || !ast.IsExported(base) {
		prefix = strings.ToLower(prefix)
	}
	name := prefix + upper(base)
	if p.declared[name] {
		name += "Kernel"
	}
	for n := 2; p.declared[name]; n++ {
		name = fmt.Sprintf("%s%sKernel%d", prefix, upper(base), n)
	}
	p.declared[name] = true
	return name
}

// fresh is a name that is not taken yet, and takes it in the first of the sets.
func fresh(name, fallback, suffix string, taken ...map[string]bool) string {
	if name == "" || name == "_" {
		name = fallback
	}
	base := name
	isTaken := func(set map[string]bool) bool { return set[name] }
	for n := 1; types.Universe.Lookup(name) != nil || slices.ContainsFunc(taken, isTaken); n++ {
		if name = base + suffix; n > 1 {
			name = fmt.Sprintf("%s%s%d", base, suffix, n)
		}
	}
	taken[0][name] = true
	return name
}

// upper is a name with its first letter in upper case.
func upper(name string) string {
	r, size := utf8.DecodeRuneInString(name)
	if unicode.IsUpper(r) || unicode.ToUpper(r) == r {
		return name
	}
	return string(unicode.ToUpper(r)) + name[size:]
}
