package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/types"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/qdgen/qd/cmd/qdgen/gen"
	"github.com/qdgen/qd/cmd/qdgen/vet"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// A specialization is a kernel with what the command line gives it.
type specialization struct {
	pkg  *kernelPackage
	ref  load.Ref // with its type arguments
	opts frontend.Options

	runs    []running // what compiled Go has to evaluate, before the options are complete
	missing []needed  // flags that are to be given
}

// A needed value is one that a flag has to give.
type needed struct {
	flag  string
	index int // of the parameter that it gives, 0 for the receiver; -1 for a type
	name  string
}

// running is a value that compiled Go evaluates.
type running struct {
	gen.Value
	flag string               // for errors
	set  func(comptime.Value) // puts it in its place
}

// missingError is the error of kernels that cannot be printed without more flags.
type missingError struct {
	kernel, flags string
	missing       []needed
	launched      []string // the flags that launches of the package stand for, with where they are
	elsewhere     bool     // launched are instances that other packages launch
}

func (e *missingError) Error() string {
	what := "has compile-time arguments"
	if strings.HasPrefix(e.flags, "--type") {
		what = "is generic"
	}
	msg := fmt.Sprintf("kernel %s %s; give it %s", e.kernel, what, e.flags)
	switch {
	case e.elsewhere:
		msg += "; other packages launch " + strings.Join(e.launched, ", and ")
	case len(e.launched) > 0:
		msg += "; the package launches it with " + strings.Join(e.launched, ", and with ")
	}
	return msg
}

// specializer puts flags and kernels together.
type specializer struct {
	ws            *gen.Workspace
	types, consts []*given
	evaluators    map[*kernelPackage]*evaluator
	warned        diag.Warned

	asks bool // types that nobody has given are missing: launches are asked for them
}

// specializations finds the kernels of some names in packages, all without names, and specializes them for what the
// flags --type and --const say. Those for which values are missing are left out; missing is the error about them. The
// caller closes the specializer.
func specializations(packages lister, names, types, consts []string, stderr io.Writer) (z *specializer, list []*specialization, missing, err error) {
	z = new(specializer)
	if z.types, err = parseGiven("type", types); err != nil {
		return z, nil, nil, err
	}
	if z.consts, err = parseGiven("const", consts); err != nil {
		return z, nil, nil, err
	}
	listed, err := packages()
	if err != nil {
		return z, nil, nil, err
	}
	pkgs, err := findKernels(listed.Roots)
	if err != nil {
		return z, nil, nil, err
	}
	kernels, err := selectKernels(pkgs, names)
	if err != nil {
		return z, nil, nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return z, nil, nil, err
	}
	z.ws = gen.Open(dir, listed, goList)
	list, missing, err = z.all(kernels, stderr)
	return z, list, missing, err
}

// close ends the programs that have evaluated something.
func (z *specializer) close() {
	for _, e := range z.evaluators {
		e.close()
	}
}

// all specializes kernels. Those for which values are missing are left out; the error
// about them is the second result.
func (z *specializer) all(kernels []kernel, stderr io.Writer) (list []*specialization, missing, err error) {
	z.evaluators = make(map[*kernelPackage]*evaluator)
	var missed, errs []error
	for _, k := range kernels {
		e := z.evaluators[k.pkg]
		if e == nil {
			e = &evaluator{ws: z.ws, path: k.pkg.path, stderr: stderr}
			z.evaluators[k.pkg] = e
		}
		s := &specialization{pkg: k.pkg, ref: k.ref}
		if checked := checkedKernel(k); len(z.types)+len(z.consts) > 0 || wantsValues(checked) || z.mayBeTyped(k, checked) {
			s, err = z.asLaunched(k.pkg, k.ref, stderr)
			if lacks := (*missingError)(nil); errors.As(err, &lacks) {
				missed = append(missed, err)
				continue
			}
			if err != nil {
				errs = append(errs, err)
				continue
			}
		}
		s.opts.Env = e
		s.opts.Print = func(line string) { fmt.Fprintln(stderr, line) }
		s.opts.Warn = func(d diag.Diagnostic) {
			if z.warned.First(d) {
				fmt.Fprintln(stderr, "warning: "+d.String())
			}
		}
		for _, run := range s.runs {
			e.values = append(e.values, run.Value)
		}
		list = append(list, s)
	}
	if len(errs) == 0 { // else what follows an error has not been looked at
		errs = append(errs, z.ofReceivers(kernels), unused("type", "a type parameter", z.types), unused("const", "a compile-time parameter or a receiver", z.consts))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, err
	}
	for _, s := range list {
		for _, run := range s.runs {
			v, err := z.evaluators[s.pkg].value(run.Name)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", run.flag, err)
			}
			run.set(v)
		}
	}
	return list, errors.Join(missed...), nil
}

// ofReceivers is the error of a type that is given for a type parameter of a kernel's receiver, nil if there is none.
func (z *specializer) ofReceivers(kernels []kernel) error {
	if !slices.ContainsFunc(z.types, func(g *given) bool { return !g.used }) {
		return nil // to type-check a package takes the go command longer than all else
	}
	for _, k := range kernels {
		obj, err := z.kernel(k.pkg, k.ref)
		if obj == nil || err != nil || obj.Signature().Recv() == nil {
			continue
		}
		recv := obj.Signature().Recv()
		for p := range obj.Signature().RecvTypeParams().TypeParams() {
			for _, g := range z.types {
				if g.name == p.Obj().Name() && !g.used {
					g.used = true
					name := typeNameOf(recv.Type())
					return fmt.Errorf("--type %s=%s: %s is a type parameter of %s, the receiver of kernel %s, whose value says what it is: --const %s='%s[...]{...}'",
						g.name, g.text, g.name, name, bareName(k.ref.Name), cmp.Or(strings.Trim(recv.Name(), "_"), name), name)
				}
			}
		}
	}
	return nil
}

// typeNameOf is the name of a named type, or of the one that a pointer points to.
func typeNameOf(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name()
	}
	return t.String()
}

// checkedKernel is a kernel as it is type-checked, nil if the front end has more to say.
func checkedKernel(k kernel) *load.Function {
	p, _ := load.Check(k.pkg.sources(), k.ref)
	if p == nil || len(p.Kernels) == 0 || p.Kernels[0].Obj == nil {
		return nil
	}
	return p.Kernels[0]
}

// wantsValues reports whether a kernel cannot be compiled without something given.
func wantsValues(k *load.Function) bool {
	if k == nil {
		return false
	}
	sig := k.Obj.Signature()
	return sig.Recv() != nil || hasConsts(k.Obj) || sig.TypeParams().Len() > len(k.TypeArgs)
}

// specialize finds what is given of a kernel's parameters.
func (z *specializer) specialize(pkg *kernelPackage, ref load.Ref) (*specialization, error) {
	s := &specialization{pkg: pkg, ref: ref}
	obj, err := z.kernel(pkg, ref)
	if obj == nil || err != nil {
		return s, err // the front end says what is wrong with it
	}
	sig := obj.Signature()
	if sig.Recv() != nil {
		if err := z.receiver(s, obj); err != nil {
			return nil, err
		}
		sig = obj.Signature()
		if s.ref.Name == ref.Name && sig.RecvTypeParams().Len() > 0 {
			return s, s.check()
		}
	}
	targs, err := z.typeArgs(s, obj)
	if err != nil {
		return nil, err
	}
	if targs != nil {
		inst, err := types.Instantiate(nil, sig, targs, true)
		if err != nil {
			return nil, fmt.Errorf("kernel %s: %w", obj.Name(), err)
		}
		sig = inst.(*types.Signature)
	}
	for i := 1; i < sig.Params().Len(); i++ {
		v := sig.Params().At(i)
		t := constType(v.Type())
		if t == nil {
			continue
		}
		g := find(z.consts, v.Name())
		if g == nil {
			flag := fmt.Sprintf("--const %s=..., of type %s", v.Name(), types.TypeString(t, (*types.Package).Name))
			s.missing = append(s.missing, needed{flag, i, v.Name()})
			continue
		}
		if err := z.constant(s, obj, g, t, i); err != nil {
			return nil, err
		}
	}
	return s, s.check()
}

// check is the error of a kernel for which flags are missing.
func (s *specialization) check() error {
	if len(s.missing) > 0 {
		flags := make([]string, len(s.missing))
		for i, m := range s.missing {
			flags[i] = m.flag
		}
		return &missingError{kernel: bareName(s.ref.Name), flags: strings.Join(flags, ", and "), missing: s.missing}
	}
	return nil
}

// kernel is the function of a kernel, nil if it is not there.
func (z *specializer) kernel(pkg *kernelPackage, ref load.Ref) (*types.Func, error) {
	p, err := z.ws.Types(pkg.path)
	if err != nil {
		return nil, err
	}
	name, method, isMethod := strings.Cut(bareName(ref.Name), ".")
	if !isMethod {
		f, _ := p.Scope().Lookup(name).(*types.Func)
		return f, nil
	}
	obj, _ := p.Scope().Lookup(strings.Trim(name, "(*)")).(*types.TypeName)
	if obj == nil {
		return nil, nil
	}
	named, _ := types.Unalias(obj.Type()).(*types.Named)
	if named == nil {
		return nil, nil
	}
	for m := range named.Methods() {
		if m.Name() == method {
			return m, nil
		}
	}
	return nil, nil
}

// bareName is a name without type arguments.
func bareName(name string) string {
	open := strings.IndexByte(name, '[')
	if open < 0 {
		return name
	}
	return name[:open] + name[strings.LastIndexByte(name, ']')+1:]
}

// constType is the T of a qd.Const[T], nil of other types.
func constType(t types.Type) types.Type {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != load.QDPath || named.Obj().Name() != "Const" || named.TypeArgs().Len() != 1 {
		return nil
	}
	return named.TypeArgs().At(0)
}

// receiver finds what is given of a method's receiver, by its name or that of its type.
func (z *specializer) receiver(s *specialization, obj *types.Func) error {
	recv := obj.Signature().Recv()
	named, ok := types.Unalias(recv.Type()).(*types.Named)
	if !ok {
		return nil // a pointer: the front end has more to say
	}
	g := find(z.consts, recv.Name())
	if g == nil {
		g = find(z.consts, named.Obj().Name())
	}
	fields, _ := named.Underlying().(*types.Struct)
	switch {
	case g != nil:
	case fields != nil && fields.NumFields() == 0 && named.TypeParams() == nil:
		s.opts.Receiver = &comptime.Value{Kind: comptime.Struct, Type: gen.TypeName(named, s.pkg.runtimePathOf)}
		return nil
	default:
		name := recv.Name()
		if name == "" || name == "_" {
			name = named.Obj().Name()
		}
		flag := fmt.Sprintf("--const %s='%s...', its receiver", name, types.TypeString(named, func(*types.Package) string { return "" }))
		s.missing = append(s.missing, needed{flag, 0, name})
		return nil
	}
	e, err := z.ws.Eval(s.pkg.path, g.at(obj), g.text)
	if err != nil {
		return fmt.Errorf("--const %s=%s: %w", g.name, g.text, err)
	}
	is, ok := types.Unalias(e.Type).(*types.Named)
	if !ok || is.Origin() != named.Origin() {
		return fmt.Errorf("--const %s=%s: it is of type %s, but the receiver of kernel %s is of type %s",
			g.name, g.text, types.TypeString(e.Type, (*types.Package).Name), s.ref.Name, types.TypeString(named, (*types.Package).Name))
	}
	// The name of the kernel has the type arguments.
	text := gen.TypeName(is, s.pkg.runtimePathOf)
	if cut := strings.IndexByte(text, '['); cut >= 0 {
		s.ref.Name = named.Obj().Name() + text[cut:] + "." + obj.Name()
	}
	s.runs = append(s.runs, running{
		Value: gen.Value{Name: s.ref.Name, Expr: e},
		flag:  "--const " + g.name + "=" + g.text,
		set:   func(v comptime.Value) { s.opts.Receiver = &v },
	})
	return nil
}

// typeArgs are the type arguments of a generic kernel, nil of others; and where nothing
// on the command line depends on them, the front end finds some.
func (z *specializer) typeArgs(s *specialization, obj *types.Func) ([]types.Type, error) {
	params := obj.Signature().TypeParams()
	if params.Len() == 0 {
		return nil, nil
	}
	fixed := make(map[string]types.Type)
	_, written, _ := strings.Cut(s.ref.Name, "[")
	if written = strings.TrimSuffix(written, "]"); written != "" {
		for i, text := range splitTypes(written) {
			if i < params.Len() {
				t, err := z.typ(s.pkg, obj, text)
				if err != nil {
					return nil, fmt.Errorf("kernel %s: %w", s.ref.Name, err)
				}
				fixed[params.At(i).Obj().Name()] = t
			}
		}
	}
	for p := range params.TypeParams() {
		if g := find(z.types, p.Obj().Name()); g != nil {
			t, err := z.typ(s.pkg, g.at(obj), g.text)
			if err != nil {
				return nil, fmt.Errorf("--type %s=%s: %w", g.name, g.text, err)
			}
			fixed[p.Obj().Name()] = t
		}
	}
	if len(fixed) == 0 && z.asks {
		return nil, s.lacksTypes(params)
	}
	if len(fixed) == 0 && !hasConsts(obj) && !wantsValues(checkedKernel(kernel{s.pkg, s.ref})) {
		return nil, nil
	}
	targs, ok := vet.TypeArgs(obj, fixed)
	if !ok && len(fixed) == 0 {
		return nil, s.lacksTypes(params)
	}
	if !ok {
		var names []string
		for p := range params.TypeParams() {
			names = append(names, p.Obj().Name()+" "+types.TypeString(p.Constraint(), (*types.Package).Name))
		}
		return nil, fmt.Errorf("kernel %s[%s] cannot be instantiated with these types", obj.Name(), strings.Join(names, ", "))
	}
	var names []string
	for _, t := range targs {
		names = append(names, gen.TypeName(t, s.pkg.runtimePathOf))
	}
	s.ref.Name = obj.Name() + "[" + strings.Join(names, ",") + "]"
	return targs, nil
}

// hasConsts reports whether a kernel has compile-time arguments.
func hasConsts(obj *types.Func) bool {
	for v := range obj.Signature().Params().Variables() {
		if constType(v.Type()) != nil {
			return true
		}
	}
	return false
}

// splitTypes divides a list of types at its commas.
func splitTypes(text string) (list []string) {
	depth, from := 0, 0
	for i, r := range text {
		switch r {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			depth--
		case ',':
			if depth == 0 {
				list, from = append(list, text[from:i]), i+1
			}
		}
	}
	return append(list, text[from:])
}

// typ is a type that somebody has written. With the import path of the package itself it is
// meant too: messages have it.
func (z *specializer) typ(pkg *kernelPackage, obj types.Object, text string) (types.Type, error) {
	text = strings.TrimSpace(text)
	for _, path := range []string{pkg.path + ".", "main."} {
		text = strings.TrimPrefix(text, path)
	}
	e, err := z.ws.Eval(pkg.path, obj, text)
	if err != nil {
		return nil, err
	}
	if !e.IsType() {
		return nil, errors.New(text + " is not a type")
	}
	return e.Type, nil
}

// constant gives a kernel's parameter a value.
func (z *specializer) constant(s *specialization, obj *types.Func, g *given, t types.Type, index int) error {
	flag := "--const " + g.name + "=" + g.text
	e, err := z.ws.Eval(s.pkg.path, g.at(obj), g.text)
	if basic, ok := t.Underlying().(*types.Basic); ok && err != nil && basic.Info()&types.IsString != 0 {
		return fmt.Errorf("%s: %w; a string needs quotes that the shell does not remove: --const '%s=\"%s\"'", flag, err, g.name, g.text)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	set := func(v comptime.Value) {
		if s.opts.Consts == nil {
			s.opts.Consts = make(map[int]comptime.Value)
		}
		s.opts.Consts[index] = v
	}
	switch v, err := vet.ConstantValue(e.TypeAndValue, t, gen.TypeName(t, s.pkg.runtimePathOf)); {
	case err == nil:
		set(v)
		return nil
	case err != vet.ErrNoConstant:
		return fmt.Errorf("%s: parameter %s of kernel %s: %w", flag, g.name, s.ref.Name, err)
	}
	if e.IsType() || !types.AssignableTo(e.Type, t) {
		return fmt.Errorf("%s: it is of type %s, but parameter %s of kernel %s is of type %s",
			flag, types.TypeString(e.Type, (*types.Package).Name), g.name, s.ref.Name, types.TypeString(t, (*types.Package).Name))
	}
	s.runs = append(s.runs, running{
		Value: gen.Value{Name: fmt.Sprintf("%s %d", s.ref.Name, index), Expr: e, Type: t},
		flag:  flag, set: set,
	})
	return nil
}
