package gen

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/qdgen/qd/frontend/load"
)

// An expression may have constants in it that the function around it declares. Generated code
// declares them again, as the source does and not by their values: the Go compiler then finds what they are made of
// at package level, whenever that is edited.

// constsIn are the declarations of the local constants that an expression needs, in their order. The
// problem says why they cannot stand outside of the function, or why the names in all of this do not say
// what they mean.
func (p *plan) constsIn(d ast.Decl, e excerpt, s *static) (texts []string, problem string) {
	n := namesOf{plan: p, site: s, info: e.info, means: make(map[string]types.Object), needs: make(map[types.Object]bool)}
	n.add(e.Expr, e.Expr)
	local := load.LocalConstants(d)
	for _, c := range slices.Backward(local) { // each is declared before it is needed
		if !n.needs[e.info.Defs[c.Name]] || e.Pos() <= c.Name.Pos() && c.Name.Pos() < e.End() {
			continue
		}
		text := "const " + c.Name.Name
		for i, x := range []ast.Expr{c.Type, c.Value} {
			if x == nil {
				continue
			}
			part := e
			part.Expr = x
			if c.ReadsIota() {
				part.iota = strconv.Itoa(c.Iota)
			}
			t, ok := p.text(part)
			if !ok || len(load.SiteLocals(x, e.info)) > 0 {
				return nil, fmt.Sprintf("constant %s uses names that only %s has", c.Name.Name, s.fn)
			}
			text += []string{" ", " = "}[i] + t
			n.add(x, e.Expr)
		}
		texts = append(texts, text)
	}
	slices.Reverse(texts)
	return texts, n.problem
}

// namesOf are the names in an expression and in the constants that it needs.
type namesOf struct {
	*plan
	site    *static
	info    *types.Info
	means   map[string]types.Object // which is to be one thing all over
	needs   map[types.Object]bool
	problem string
}

// add adds the names in a part that are declared outside of it and of the expression itself.
func (n *namesOf) add(part, expr ast.Expr) {
	within := func(pos token.Pos, e ast.Expr) bool { return e.Pos() <= pos && pos < e.End() }
	ast.Inspect(part, func(x ast.Node) bool {
		id, ok := x.(*ast.Ident)
		if !ok {
			return true
		}
		obj := n.info.Uses[id]
		if v, ok := obj.(*types.Var); obj == nil || ok && v.IsField() || within(obj.Pos(), part) && obj.Pkg() == n.Types {
			return true
		}
		if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil {
			return true
		}
		name := id.Name
		switch pkg := obj.Pkg(); {
		case isImport(obj):
			n.says(name, obj.(*types.PkgName).Imported().Path())
		case pkg != nil && pkg != n.Types:
			if obj.Parent() != pkg.Scope() || n.isSelected(part, id) {
				return true
			}
			n.says(".", pkg.Path())
		}
		if before := n.means[name]; before != nil && before != obj && n.problem == "" {
			n.problem = fmt.Sprintf("%s has two meanings in it and in the constants of %s that it needs", name, n.site.fn)
		}
		n.means[name], n.needs[obj] = obj, true
		return true
	})
}

func isImport(obj types.Object) bool {
	_, ok := obj.(*types.PkgName)
	return ok
}

// isSelected reports whether an identifier stands after a dot.
func (n *namesOf) isSelected(part ast.Expr, id *ast.Ident) (selected bool) {
	ast.Inspect(part, func(x ast.Node) bool {
		if sel, ok := x.(*ast.SelectorExpr); ok && sel.Sel == id {
			selected = true
		}
		return !selected
	})
	return selected
}

// says finds fault where what is said of the names does not have an import. That is so
// where packages are called otherwise than their paths let expect.
func (n *namesOf) says(name, path string) {
	if n.problem == "" && !slices.Contains(strings.Split(n.site.names, "; "), load.SiteImport(name, path)) {
		n.problem = fmt.Sprintf("its file does not show what %s is: give it as the name in the import of %q", name, path)
	}
}
