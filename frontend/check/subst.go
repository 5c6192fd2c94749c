package check

import (
	"go/types"
)

// substitution replaces type parameters by the type arguments of an instance.
type substitution struct {
	m     *Types
	targs TypeArgs
}

// With substitutes type arguments for type parameters.
func (m *Types) With(targs TypeArgs) substitution { return substitution{m, targs} }

// Subst puts the instance's type arguments in the place of type parameters.
func (sc *Instance) Subst(t types.Type) types.Type {
	if len(sc.Targs) == 0 || t == nil {
		return t
	}
	return sc.Syntax.With(sc.Targs).Typ(t)
}

// Typ substitutes in a type. One that has no type parameter in it is given back as
// it is.
func (s substitution) Typ(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.TypeParam:
		if u, ok := s.targs[t]; ok {
			return u
		}
	case *types.Alias:
		if u := types.Unalias(t); s.Typ(u) != u {
			return s.Typ(u)
		}
	case *types.Named:
		return s.named(t)
	case *types.Pointer:
		if elem := s.Typ(t.Elem()); elem != t.Elem() {
			return types.NewPointer(elem)
		}
	case *types.Slice:
		if elem := s.Typ(t.Elem()); elem != t.Elem() {
			return types.NewSlice(elem)
		}
	case *types.Array:
		if elem := s.Typ(t.Elem()); elem != t.Elem() {
			return types.NewArray(elem, t.Len())
		}
	case *types.Chan:
		if elem := s.Typ(t.Elem()); elem != t.Elem() {
			return types.NewChan(t.Dir(), elem)
		}
	case *types.Map:
		if key, elem := s.Typ(t.Key()), s.Typ(t.Elem()); key != t.Key() || elem != t.Elem() {
			return types.NewMap(key, elem)
		}
	case *types.Tuple:
		if u, changed := s.tuple(t); changed {
			return u
		}
	case *types.Signature:
		params, changed := s.tuple(t.Params())
		results, changed2 := s.tuple(t.Results())
		if changed || changed2 {
			variadic := t.Variadic()
			if n := params.Len(); variadic && n > 0 && !IsSlice(params.At(n-1).Type()) && !IsBasic(params.At(n-1).Type(), types.IsString) {
				variadic = false // append of a type argument that its constraint does not allow
			}
			return types.NewSignatureType(nil, nil, nil, params, results, variadic)
		}
	case *types.Struct:
		return s.structType(t)
	case *types.Interface:
		return s.interfaceType(t)
	}
	return t
}

func (s substitution) interfaceType(t *types.Interface) types.Type {
	changed := false
	methods := make([]*types.Func, t.NumExplicitMethods())
	for i := range methods {
		m := t.ExplicitMethod(i)
		if sig, ok := s.Typ(m.Signature()).(*types.Signature); ok && sig != m.Signature() {
			m, changed = types.NewFunc(m.Pos(), m.Pkg(), m.Name(), sig), true
		}
		methods[i] = m
	}
	embedded := make([]types.Type, t.NumEmbeddeds())
	for i := range embedded {
		embedded[i] = s.Typ(t.EmbeddedType(i))
		changed = changed || embedded[i] != t.EmbeddedType(i)
	}
	if !changed {
		return t
	}
	return types.NewInterfaceType(methods, embedded).Complete()
}

func (s substitution) tuple(t *types.Tuple) (*types.Tuple, bool) {
	vars := make([]*types.Var, t.Len())
	changed := false
	for i := range vars {
		v := t.At(i)
		if u := s.Typ(v.Type()); u != v.Type() {
			v = types.NewParam(v.Pos(), v.Pkg(), v.Name(), u)
			changed = true
		}
		vars[i] = v
	}
	if !changed {
		return t, false
	}
	return types.NewTuple(vars...), true
}

func (s substitution) structType(t *types.Struct) types.Type {
	fields := make([]*types.Var, t.NumFields())
	tags := make([]string, t.NumFields())
	changed := false
	for i := range fields {
		f := t.Field(i)
		tags[i] = t.Tag(i)
		if u := s.Typ(f.Type()); u != f.Type() {
			f = types.NewField(f.Pos(), f.Pkg(), f.Name(), u, f.Embedded())
			changed = true
		}
		fields[i] = f
	}
	if !changed {
		return t
	}
	return types.NewStruct(fields, tags)
}

// named substitutes in the type arguments of a named type, and in what a type that
// is declared inside of a generic function stands for.
func (s substitution) named(t *types.Named) types.Type {
	if list := t.TypeArgs(); list != nil {
		args := make([]types.Type, list.Len())
		changed := false
		for i := range args {
			args[i] = s.Typ(list.At(i))
			changed = changed || args[i] != list.At(i)
		}
		if !changed {
			return t
		}
		return s.m.instance(t, args)
	}
	if obj := t.Obj(); obj.Pkg() == nil || obj.Parent() == obj.Pkg().Scope() || obj.Parent() == nil {
		return t
	}
	return s.local(t)
}

// An instanceKey tells instances of a type with one or two arguments apart, by what the arguments are in memory.
type instanceKey struct {
	origin *types.Named
	args   [2]types.Type
}

// instance is a type with other type arguments, or the type itself if they are not as many as it wants. To find the
// instance of a context takes the name of the type with all of its arguments: most are found without.
func (m *Types) instance(t *types.Named, args []types.Type) types.Type {
	key := instanceKey{origin: t.Origin()}
	few := copy(key.args[:], args) == len(args)
	if u, ok := m.instances[key]; ok && few {
		return u
	}
	u, err := types.Instantiate(m.Context(), t.Origin(), args, false)
	if err != nil {
		return t
	}
	if few {
		if m.instances == nil {
			m.instances = map[instanceKey]types.Type{}
		}
		m.instances[key] = u
	}
	return u
}

// A LocalType is a type that is declared in a function, in one of its instances.
type LocalType struct {
	targs TypeArgs
	typ   types.Type
}

// local is the type that a type declared in a function is in this instance: in a
// generic one, a type of its own in each.
func (s substitution) local(t *types.Named) types.Type {
	for _, l := range s.m.Locals[t] {
		if SameTypeArgs(l.targs, s.targs) {
			return l.typ
		}
	}
	if s.m.Locals == nil {
		s.m.Locals = map[*types.Named][]LocalType{}
	}
	inst := types.NewNamed(types.NewTypeName(t.Obj().Pos(), t.Obj().Pkg(), t.Obj().Name(), nil), nil, nil)
	at := len(s.m.Locals[t])
	s.m.Locals[t] = append(s.m.Locals[t], LocalType{s.targs, inst})
	under := s.Typ(t.Underlying())
	if under == t.Underlying() && !s.declares(t) {
		s.m.Locals[t][at].typ = t
		return t
	}
	inst.SetUnderlying(under)
	return inst
}

// declares reports whether a type is declared in the generic function whose type parameters these are.
func (s substitution) declares(t *types.Named) bool {
	for p := range s.targs {
		for scope := t.Obj().Parent(); scope != nil; scope = scope.Parent() {
			if scope == p.Obj().Parent() {
				return true
			}
		}
		return false // they have one scope
	}
	return false
}

// Context keeps instances of types, so that there is one of each.
func (m *Types) Context() *types.Context {
	if m.Ctxt == nil {
		m.Ctxt = types.NewContext()
	}
	return m.Ctxt
}
