package desugar

import (
	"go/ast"
	"go/types"
	"reflect"
)

// A rewriter replaces parts of the syntax of a function. What is above a new part is copied, with what the type checker
// says of it; all else is shared, since a file that has been parsed is in many programs.
type rewriter struct {
	info *types.Info

	// change gives what stands for a node: the node itself, or what [rewriter.below] makes of it, or something else.
	change func(n ast.Node) ast.Node
}

// below is a node in whose children the changes are made.
func (r *rewriter) below(n ast.Node) ast.Node {
	old := reflect.ValueOf(n).Elem()
	var fresh reflect.Value
	for i := range old.NumField() {
		if !old.Type().Field(i).IsExported() {
			continue
		}
		if v, changed := r.value(old.Field(i)); changed {
			if !fresh.IsValid() {
				fresh = reflect.New(old.Type())
				fresh.Elem().Set(old)
			}
			fresh.Elem().Field(i).Set(v)
		}
	}
	if !fresh.IsValid() {
		return n
	}
	node := fresh.Interface().(ast.Node)
	r.describe(n, node)
	return node
}

// value makes the changes in a field of a node.
func (r *rewriter) value(v reflect.Value) (reflect.Value, bool) {
	switch v.Kind() {
	case reflect.Slice:
		fresh, changed := v, false
		for i := range v.Len() {
			elem, ok := r.value(v.Index(i))
			if !ok {
				continue
			}
			if !changed {
				fresh, changed = reflect.MakeSlice(v.Type(), v.Len(), v.Len()), true
				reflect.Copy(fresh, v)
			}
			fresh.Index(i).Set(elem)
		}
		return fresh, changed
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return v, false
		}
		old, ok := v.Interface().(ast.Node)
		if !ok {
			return v, false
		}
		node := r.change(old)
		return reflect.ValueOf(node), node != old
	}
	return v, false
}

// describe gives a copied node what is known of the original. Identifiers are never copied.
func (r *rewriter) describe(old, node ast.Node) {
	if e, ok := old.(ast.Expr); ok {
		if tv, ok := r.info.Types[e]; ok {
			r.info.Types[node.(ast.Expr)] = tv
		}
	}
	if sel, ok := old.(*ast.SelectorExpr); ok && r.info.Selections[sel] != nil {
		r.info.Selections[node.(*ast.SelectorExpr)] = r.info.Selections[sel]
	}
	if obj, ok := r.info.Implicits[old]; ok {
		r.info.Implicits[node] = obj
	}
}
