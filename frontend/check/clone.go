package check

import (
	"go/ast"
	"go/types"
	"reflect"
)

// A cloner copies the syntax of a function with what the type checker said of it.
// The copy declares variables of its own: a function that is lowered into its
// callers may be called while it is being lowered, by a function that it was given,
// and then both have variables of one name.
type cloner struct {
	from, to *types.Info
	vars     map[*types.Var]*types.Var
}

// CloneFunc copies the signature and the body of a function.
func CloneFunc(info *types.Info, n ast.Node) (ast.Node, *types.Info, map[*types.Var]*types.Var) {
	c := cloner{from: info, vars: map[*types.Var]*types.Var{}, to: &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Instances:  map[*ast.Ident]types.Instance{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Implicits:  map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := info.Defs[id].(*types.Var); ok && !v.IsField() {
				c.vars[v] = types.NewVar(v.Pos(), v.Pkg(), v.Name(), v.Type())
			}
		}
		if v, ok := info.Implicits[n].(*types.Var); ok { // of a clause of a type switch
			c.vars[v] = types.NewVar(v.Pos(), v.Pkg(), v.Name(), v.Type())
		}
		return true
	})
	return c.copy(reflect.ValueOf(n)).Interface().(ast.Node), c.to, c.vars
}

// copy copies a value of a type of package ast.
func (c *cloner) copy(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		return c.copy(v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		s := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			s.Index(i).Set(c.copy(v.Index(i)))
		}
		return s
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		switch v.Interface().(type) {
		case *ast.CommentGroup: // shared: nothing is said of it
			return v
		}
		p := reflect.New(v.Type().Elem())
		for i := range v.Elem().NumField() {
			p.Elem().Field(i).Set(c.copy(v.Elem().Field(i)))
		}
		c.describe(v.Interface().(ast.Node), p.Interface().(ast.Node))
		return p
	}
	return v
}

// describe gives a copied node what is known of the original.
func (c *cloner) describe(old, node ast.Node) {
	if e, ok := old.(ast.Expr); ok {
		if tv, ok := c.from.Types[e]; ok {
			if _, literal := old.(*ast.FuncLit); literal {
				tv.Type = c.signature(tv.Type)
			}
			c.to.Types[node.(ast.Expr)] = tv
		}
	}
	switch old := old.(type) {
	case *ast.Ident:
		node := node.(*ast.Ident)
		if obj, ok := c.from.Defs[old]; ok {
			c.to.Defs[node] = c.object(obj)
		}
		if obj, ok := c.from.Uses[old]; ok {
			c.to.Uses[node] = c.object(obj)
		}
		if inst, ok := c.from.Instances[old]; ok {
			c.to.Instances[node] = inst
		}
	case *ast.CaseClause:
		if obj, ok := c.from.Implicits[old]; ok {
			c.to.Implicits[node] = c.object(obj)
		}
	case *ast.SelectorExpr:
		if sel, ok := c.from.Selections[old]; ok {
			c.to.Selections[node.(*ast.SelectorExpr)] = sel
		}
	}
}

// signature is the type of a function literal with the copy's own parameters.
func (c *cloner) signature(t types.Type) types.Type {
	sig, ok := t.(*types.Signature)
	if !ok {
		return t
	}
	own := func(list *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range list.Variables() {
			vars = append(vars, c.object(v).(*types.Var))
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, own(sig.Params()), own(sig.Results()), sig.Variadic())
}

func (c *cloner) object(obj types.Object) types.Object {
	if v, ok := obj.(*types.Var); ok {
		if own, ok := c.vars[v]; ok {
			return own
		}
	}
	return obj
}
