package load

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// A generic kernel is compiled for the type arguments that it is launched with. A
// running program knows them only by the types of the function's parameters; who
// names the kernel to a tool can write them out; and where it is only looked at for what
// is wrong with it, the first types that its constraints allow will do.

// typeArgs is what stands in brackets in the kernel's name: its type arguments, as
// somebody wrote them. The runtime writes "..." there.
func (k Ref) typeArgs() string {
	_, args, ok := strings.Cut(k.Name, "[")
	if args = strings.TrimSuffix(args, "]"); !ok || args == "..." || strings.Contains(k.Name, "].") {
		return ""
	}
	return args
}

// reachTypes reaches what a kernel's types name: the kernel itself does not.
func (l *loader) reachTypes(k Ref) {
	texts := []string{k.Params, k.typeArgs(), k.recvTypeArgs()}
	for _, t := range parseCaptures(k.Captures) {
		texts = append(texts, t)
	}
	for _, text := range texts {
		l.reachTypeNames(text, k.Pkg)
	}
}

// reachTypeNames reaches what a list of types names; pkg is what names without an import
// path belong to.
func (l *loader) reachTypeNames(text, pkg string) {
	if text == "" {
		return
	}
	list, _ := parseTypes(text) // errors are reported when the types are looked up
	for _, t := range list {
		t.each(func(t *typeName) {
			if path := t.path; t.prefix == "" {
				if path == "" {
					path = pkg
				}
				l.typeNamed(path, t.name)
			}
		})
	}
}

// A root is a kernel that was asked for, or a function that is one's argument.
type root struct {
	decl  *decl
	ref   Ref
	value bool // it is no kernel
}

// what is how messages call a root.
func (r root) what() string {
	if r.value {
		return "function"
	}
	return "kernel"
}

// value makes a function known that is given to a kernel.
func (w *typedWalk) value(r root) {
	f := w.function(r.decl)
	if f.Obj == nil {
		return
	}
	if r.decl.lit != nil {
		w.literalValue(r, f)
		return
	}
	t, err := w.target(f.Obj, f.Pkg, r.ref)
	if err != nil {
		w.report(r.decl.fn.Name.Pos(), r.decl.fn.Name.End(), "pass an instance with type arguments that are declared at package level",
			"function %s cannot be instantiated: %v", f.Obj.Name(), err)
		return
	}
	w.prog.targets[r.ref] = t
}

// kernel is the program's view of a kernel, with the type arguments of a generic one.
func (w *typedWalk) kernel(r root) *Function {
	f := w.function(r.decl)
	if r.decl.lit != nil {
		return w.kernelLiteral(r, f)
	}
	if f.Obj == nil || f.Obj.Signature().TypeParams() == nil && f.Obj.Signature().RecvTypeParams() == nil {
		return f
	}
	t, err := w.target(f.Obj, f.Pkg, r.ref)
	var list ast.Node = r.decl.fn.Type.TypeParams
	example := f.Obj.Name() + "[float32]"
	if recv := ReceiverName(r.decl.fn); recv != "" {
		list = r.decl.fn.Recv
		example = recv + "[float32]." + f.Obj.Name()
	}
	if err != nil && w.wrongIn(list) {
		return f // about the constraints something has been said
	}
	if err != nil {
		hint := "launch it with type arguments that are declared at package level"
		switch {
		case r.ref.Params == "" && r.ref.typeArgs() == "" && r.ref.recvTypeArgs() == "":
			hint = "name it with its type arguments, as in " + example
		case errors.As(err, new(*noPackageError)):
			hint = "launch it from the package that declares the type, or run qdgen gen in that package, and build the program again"
		case errors.As(err, new(*unboundError)):
			hint = "use the type parameter in the type of a parameter, or make the kernel a method of a generic type"
		}
		w.report(list.Pos(), list.End(), hint,
			"kernel %s cannot be instantiated: %v", f.Obj.Name(), err)
		return f
	}
	instance := *f
	instance.TypeArgs = t.TypeArgs
	return &instance
}

// bindWritten gives type parameters the type arguments that somebody has written.
func (w *typedWalk) bindWritten(written string, pkg *types.Package, params *types.TypeParamList, args map[*types.TypeParam]types.Type) error {
	list, err := w.resolveAll(written, pkg)
	if err != nil {
		return err
	}
	if len(list) != params.Len() {
		return &countError{params.Len(), len(list)}
	}
	for i, t := range list {
		args[params.At(i)] = t
	}
	return nil
}

// typeArguments finds the type arguments of a generic function of a package.
func (w *typedWalk) typeArguments(fn *types.Func, pkg *types.Package, k Ref) ([]types.Type, error) {
	params := fn.Signature().TypeParams()
	args := make(map[*types.TypeParam]types.Type)
	switch written := k.typeArgs(); {
	case written != "":
		if err := w.bindWritten(written, pkg, params, args); err != nil {
			return nil, err
		}
	case k.Params != "":
		list, err := w.resolveAll(k.Params, pkg)
		if err != nil {
			return nil, err
		}
		for i, t := range list {
			if i < fn.Signature().Params().Len() {
				unify(fn.Signature().Params().At(i).Type(), t, args)
			}
		}
	default:
		return guessed(params)
	}
	return complete(params, args, false)
}

// guessed are the first types that the constraints allow.
func guessed(params *types.TypeParamList) ([]types.Type, error) {
	args := make(map[*types.TypeParam]types.Type)
	for p := range params.TypeParams() {
		if t := firstType(p.Constraint()); t != nil {
			args[p] = t
		}
	}
	return complete(params, args, true)
}

// complete finds the type arguments that follow from others by the constraints, as that of E from that of S, which is
// ~[]E, that of P from that of T, where P is *T, and that of T from a method of S. To guess, it takes []E for S too.
func complete(params *types.TypeParamList, args map[*types.TypeParam]types.Type, guess bool) ([]types.Type, error) {
	for range params.Len() {
		for p := range params.TypeParams() {
			core := firstType(p.Constraint())
			switch t := args[p]; {
			case t != nil && !mentionsParam(t):
				if core != nil {
					unify(core, t.Underlying(), args)
				}
				unifyMethods(p.Constraint(), t, args)
			case core == nil:
			case guess || onlyType(p.Constraint()):
				args[p] = replaced(core, args)
			}
		}
	}
	list := make([]types.Type, params.Len())
	for i := range list {
		if list[i] = args[params.At(i)]; list[i] == nil || mentionsParam(list[i]) {
			return nil, &unboundError{params.At(i).Obj().Name()}
		}
	}
	return list, nil
}

// unify finds type arguments with which t is u.
func unify(t, u types.Type, args map[*types.TypeParam]types.Type) {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		if old := args[p]; old == nil || mentionsParam(old) {
			args[p] = u
		}
		return
	}
	switch t := types.Unalias(t).(type) {
	case *types.Slice:
		if u, ok := types.Unalias(u).(*types.Slice); ok {
			unify(t.Elem(), u.Elem(), args)
		}
	case *types.Array:
		if u, ok := types.Unalias(u).(*types.Array); ok {
			unify(t.Elem(), u.Elem(), args)
		}
	case *types.Pointer:
		if u, ok := types.Unalias(u).(*types.Pointer); ok {
			unify(t.Elem(), u.Elem(), args)
		}
	case *types.Signature:
		if u, ok := types.Unalias(u).(*types.Signature); ok {
			unifyTuples(t.Params(), u.Params(), args)
			unifyTuples(t.Results(), u.Results(), args)
		}
	case *types.Named:
		u, ok := types.Unalias(u).(*types.Named)
		if !ok || u.Origin() != t.Origin() {
			return
		}
		for i := range t.TypeArgs().Len() {
			unify(t.TypeArgs().At(i), u.TypeArgs().At(i), args)
		}
	}
}

// unifyTuples finds type arguments with which the types of t are those of u.
func unifyTuples(t, u *types.Tuple, args map[*types.TypeParam]types.Type) {
	for i := range min(t.Len(), u.Len()) {
		unify(t.At(i).Type(), u.At(i).Type(), args)
	}
}

// unifyMethods finds type arguments with which the methods that a constraint asks for are those of t.
func unifyMethods(constraint, t types.Type, args map[*types.TypeParam]types.Type) {
	iface, ok := constraint.Underlying().(*types.Interface)
	if !ok {
		return
	}
	for m := range iface.Methods() {
		found, _, _ := types.LookupFieldOrMethod(t, false, m.Pkg(), m.Name())
		if f, ok := found.(*types.Func); ok {
			unify(m.Signature(), f.Signature(), args)
		}
	}
}

// replaced is a type with type arguments in the place of type parameters, as far as
// they are known.
func replaced(t types.Type, args map[*types.TypeParam]types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		if u := args[t]; u != nil {
			return u
		}
	case *types.Slice:
		return types.NewSlice(replaced(t.Elem(), args))
	case *types.Array:
		return types.NewArray(replaced(t.Elem(), args), t.Len())
	case *types.Pointer:
		return types.NewPointer(replaced(t.Elem(), args))
	}
	return t
}

// mentionsParam reports whether there is a type parameter in a type.
func mentionsParam(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Slice:
		return mentionsParam(t.Elem())
	case *types.Array:
		return mentionsParam(t.Elem())
	case *types.Pointer:
		return mentionsParam(t.Elem())
	case *types.Signature:
		return tupleMentionsParam(t.Params()) || tupleMentionsParam(t.Results())
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if mentionsParam(arg) {
				return true
			}
		}
	}
	return false
}

func tupleMentionsParam(t *types.Tuple) bool {
	for v := range t.Variables() {
		if mentionsParam(v.Type()) {
			return true
		}
	}
	return false
}

// onlyType reports whether a constraint lists one type, and not those with the same
// underlying one.
func onlyType(constraint types.Type) bool {
	iface, ok := constraint.Underlying().(*types.Interface)
	if !ok || iface.NumEmbeddeds() != 1 {
		return false
	}
	t := types.Unalias(iface.EmbeddedType(0))
	if u, ok := t.(*types.Union); ok {
		return u.Len() == 1 && !u.Term(0).Tilde()
	}
	return !types.IsInterface(t)
}

// firstType is the first type that a constraint lists; int for one that takes any
// type, nil for one that asks for methods.
func firstType(constraint types.Type) types.Type {
	iface, ok := constraint.Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	for t := range iface.EmbeddedTypes() {
		if u, ok := types.Unalias(t).(*types.Union); ok {
			t = u.Term(0).Type()
		}
		if types.IsInterface(t) {
			if t = firstType(t); t == nil {
				continue
			}
		}
		return t
	}
	if iface.NumMethods() > 0 {
		return nil
	}
	return types.Typ[types.Int]
}

func (w *typedWalk) resolveAll(text string, pkg *types.Package) ([]types.Type, error) {
	names, err := parseTypes(text)
	if err != nil {
		return nil, err
	}
	list := make([]types.Type, len(names))
	for i, name := range names {
		if list[i], err = w.resolve(name, pkg); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// A countError is a list of type arguments of the wrong length.
type countError struct{ want, got int }

func (e *countError) Error() string {
	return fmt.Sprintf("it has %d type parameters, not %d", e.want, e.got)
}

// An unboundError is a type parameter for which there is no type.
type unboundError struct{ param string }

func (e *unboundError) Error() string {
	return fmt.Sprintf("the types of the kernel's parameters do not determine type parameter %s", e.param)
}

// A noPackageError is a type of a package whose source is not to be had.
type noPackageError struct {
	pkg, name string
	err       error // why, nil where nobody knows the package
}

func (e *noPackageError) Error() string {
	text := fmt.Sprintf("the source of package %s, which declares type %s, is not found", e.pkg, e.name)
	if e.err != nil {
		text += ": " + e.err.Error()
	}
	return text
}

// resolve finds the type of a name. One without an import path is predeclared, or
// of the kernel's package.
func (w *typedWalk) resolve(n *typeName, pkg *types.Package) (types.Type, error) {
	if n.prefix == "func" {
		params, err := w.resolveTuple(n.params, pkg)
		if err != nil {
			return nil, err
		}
		results, err := w.resolveTuple(n.result, pkg)
		if err != nil {
			return nil, err
		}
		return types.NewSignatureType(nil, nil, nil, params, results, false), nil
	}
	if n.prefix != "" {
		elem, err := w.resolve(n.elem, pkg)
		if err != nil {
			return nil, err
		}
		switch n.prefix {
		case "*":
			return types.NewPointer(elem), nil
		case "[]":
			return types.NewSlice(elem), nil
		}
		size, err := strconv.ParseInt(strings.Trim(n.prefix, "[]"), 10, 64)
		if err != nil {
			return nil, errors.New(n.prefix + " is not a valid length of an array")
		}
		return types.NewArray(elem, size), nil
	}
	var obj types.Object
	switch p, lib := w.pkgs[n.path], w.library(n.path); {
	case n.path == "":
		if obj = pkg.Scope().Lookup(n.name); obj == nil {
			obj = types.Universe.Lookup(n.name)
		}
	case p != nil && p.types != nil:
		obj = p.types.Scope().Lookup(n.name)
	case lib != nil:
		obj = lib.types.Scope().Lookup(n.name)
	}
	if obj == nil && len(n.args) == 0 {
		local, err := w.locals.find(cmp.Or(n.path, pkg.Path()), n.name, w.prog.Fset)
		if err != nil {
			return nil, err
		}
		obj = w.prog.Info.Defs[local]
	}
	name, ok := obj.(*types.TypeName)
	if !ok && n.path != "" && w.pkgs[n.path] == nil && w.library(n.path) == nil {
		return nil, &noPackageError{pkg: n.path, name: n.name, err: w.failed[n.path]}
	}
	if !ok || invalid(name.Type()) {
		return nil, fmt.Errorf("type %s is not known here; declare it at package level", strings.TrimPrefix(n.path+"."+n.name, "."))
	}
	if len(n.args) == 0 {
		return name.Type(), nil
	}
	args := make([]types.Type, len(n.args))
	for i, arg := range n.args {
		t, err := w.resolve(arg, pkg)
		if err != nil {
			return nil, err
		}
		args[i] = t
	}
	return types.Instantiate(nil, name.Type(), args, true)
}

// resolveTuple finds the types of parameters or results.
func (w *typedWalk) resolveTuple(list []*typeName, pkg *types.Package) (*types.Tuple, error) {
	vars := make([]*types.Var, len(list))
	for i, n := range list {
		t, err := w.resolve(n, pkg)
		if err != nil {
			return nil, err
		}
		vars[i] = types.NewVar(token.NoPos, nil, "", t)
	}
	return types.NewTuple(vars...), nil
}
