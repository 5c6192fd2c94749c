package gen

import (
	"go/ast"
	"go/types"
	"strings"
)

// directive marks a kernel.
const directive = "//qd:kernel"

// kernels are the functions of a package with the directive, in source order.
func (s *source) kernels() (list []*ast.FuncDecl) {
	for _, f := range s.Syntax {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && hasDirective(fn) {
				list = append(list, fn)
			}
		}
	}
	return list
}

func hasDirective(fn *ast.FuncDecl) bool {
	if fn.Doc == nil {
		return false
	}
	for _, c := range fn.Doc.List {
		if strings.TrimRight(c.Text, " \t\r") == directive {
			return true
		}
	}
	return false
}

// rank is the number of dimensions that a kernel asks for, 0 for any.
func (s *source) rank(fn *ast.FuncDecl) (rank int) {
	ast.Inspect(fn, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if m, ok := s.TypesInfo.Uses[sel.Sel].(*types.Func); ok && m.Signature().Recv() != nil {
			switch qdType(m.Signature().Recv().Type()) + "." + m.Name() {
			case "Thread.ID2", "Block.ID2":
				rank = max(rank, 2)
			case "Thread.ID3", "Block.ID3":
				rank = max(rank, 3)
			case "Thread.ID4", "Block.ID4":
				rank = max(rank, 4)
			}
		}
		return true
	})
	return rank
}
