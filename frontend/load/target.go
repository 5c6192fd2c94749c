package load

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/qdgen/qd/internal/gort"
)

// A Target is the function that a Ref means, when it is not a kernel but a value: what
// a launch gives for a parameter, or what a variable holds.
type Target struct {
	Obj      *types.Func  // in its generic form
	TypeArgs []types.Type // its own, or those of its receiver's type
	Recv     types.Type   // of a method, which a method expression gives: the receiver's type

	// Lit is the syntax of a function literal that captures variables, or that stands in a generic function,
	// whose type parameters TypeArgs are for then; Src is what it stands in.
	Lit *ast.FuncLit
	Src *Function
}

// Target finds a function that the Check was asked for beside the kernels, or one that
// is reached anyway.
func (p *Program) Target(r Ref) (t Target, ok bool) {
	if lib := p.libs[r.Pkg]; lib != nil {
		return libraryTarget(lib, r)
	}
	if t, ok = p.targets[r]; !ok {
		t, ok = p.named[Global{r.Pkg, r.Name}]
	}
	return t, ok
}

// IsReported reports whether a function has no Target because of what is among the Problems.
func (p *Program) IsReported(r Ref) bool { return p.reported[r] }

// nameTargets makes the functions known that nobody needs types to find.
func (l *loader) nameTargets() {
	for obj, f := range l.prog.Funcs {
		sig := obj.Signature()
		if sig.TypeParams() != nil || sig.RecvTypeParams() != nil {
			continue
		}
		t := Target{Obj: obj}
		if recv := sig.Recv(); recv != nil {
			t.Recv = recv.Type()
		}
		l.prog.named[Global{f.Pkg.Path(), refName(f.Decl)}] = t
	}
}

// libraryTarget finds a function of a library, which is there whether anybody asks for
// it or not.
func libraryTarget(lib *library, r Ref) (Target, bool) {
	w := &typedWalk{loader: newLoader(Map{})}
	w.libs = map[string]*library{r.Pkg: lib}
	name, method, isMethod := strings.Cut(gort.WithoutTypes(r.Name), ".")
	obj := lib.types.Scope().Lookup(strings.Trim(name, "(*)"))
	if isMethod {
		name, ok := obj.(*types.TypeName)
		if !ok {
			return Target{}, false
		}
		obj, _, _ = types.LookupFieldOrMethod(name.Type(), true, lib.types, method)
	}
	fn, ok := obj.(*types.Func)
	if !ok {
		return Target{}, false
	}
	t, err := w.target(fn, lib.types, r)
	return t, err == nil
}

// target is what a Ref means, given its function: with the type arguments.
func (w *typedWalk) target(fn *types.Func, pkg *types.Package, r Ref) (Target, error) {
	t := Target{Obj: fn}
	recv := fn.Signature().Recv()
	if recv == nil {
		if fn.Signature().TypeParams() == nil {
			return t, nil
		}
		args, err := w.typeArguments(fn, pkg, r)
		if err == nil {
			_, err = types.Instantiate(nil, fn.Signature(), args, true)
		}
		t.TypeArgs = args
		return t, err
	}
	t.Recv = recv.Type()
	if fn.Signature().RecvTypeParams() == nil {
		return t, nil
	}
	args, err := w.receiverArguments(fn, pkg, r)
	if err != nil {
		return t, err
	}
	t.TypeArgs = args
	t.Recv, err = instantiateReceiver(recv.Type(), args)
	return t, err
}

// instantiateReceiver is a method's receiver type with type arguments.
func instantiateReceiver(recv types.Type, args []types.Type) (types.Type, error) {
	ptr, isPtr := types.Unalias(recv).(*types.Pointer)
	if isPtr {
		recv = ptr.Elem()
	}
	named, ok := types.Unalias(recv).(*types.Named)
	if !ok {
		return recv, nil
	}
	t, err := types.Instantiate(nil, named.Origin(), args, true)
	if isPtr && err == nil {
		t = types.NewPointer(t)
	}
	return t, err
}

// receiverArguments finds the type arguments of the receiver of a generic type's method:
// they are written in its name, or the first parameter of the method expression has them.
func (w *typedWalk) receiverArguments(fn *types.Func, pkg *types.Package, r Ref) ([]types.Type, error) {
	params := fn.Signature().RecvTypeParams()
	args := make(map[*types.TypeParam]types.Type)
	if written := r.recvTypeArgs(); written != "" {
		if err := w.bindWritten(written, pkg, params, args); err != nil {
			return nil, err
		}
		return complete(params, args, false)
	}
	if r.Params == "" {
		return guessed(params)
	}
	list, err := w.resolveAll(r.Params, pkg)
	if err != nil {
		return nil, err
	}
	sig := fn.Signature()
	wanted := []types.Type{sig.Recv().Type()}
	for v := range sig.Params().Variables() {
		wanted = append(wanted, v.Type())
	}
	if len(list) == len(wanted)-1 {
		wanted = wanted[1:]
	}
	for i, t := range list {
		if i < len(wanted) {
			unify(wanted[i], t, args)
		}
	}
	return complete(params, args, false)
}

// recvTypeArgs is what stands in brackets behind the receiver's type in a method's name,
// as somebody wrote it: "Map[float32,main.Scale].Kernel". The runtime writes "...".
func (k Ref) recvTypeArgs() string {
	end := strings.LastIndex(k.Name, "].")
	if strings.HasPrefix(k.Name, "(*") {
		end = strings.LastIndex(k.Name, "]).")
	}
	start := strings.IndexByte(k.Name, '[')
	if end < 0 || start < 0 || start > end || k.Name[start+1:end] == "..." {
		return ""
	}
	return k.Name[start+1 : end]
}
