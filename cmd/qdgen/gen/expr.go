package gen

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

// An Expr is an expression that somebody has written outside of the source, for a package.
type Expr struct {
	Text string
	types.TypeAndValue
	excerpt
}

// Types are the types of a package.
func (w *Workspace) Types(path string) (*types.Package, error) {
	if err := w.l.check(path); err != nil {
		return nil, err
	}
	if s := w.l.typed[path]; s != nil {
		return s.Types, nil
	}
	return nil, fmt.Errorf("package %s cannot be type-checked", path)
}

// Eval type-checks an expression that stands at package level of the file that declares
// something, whose imports it has.
func (w *Workspace) Eval(path string, declared types.Object, text string) (*Expr, error) {
	pkg, err := w.Types(path)
	if err != nil {
		return nil, err
	}
	expr, err := parser.ParseExprFrom(w.l.fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, errors.New("this is not a Go expression")
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Uses: make(map[*ast.Ident]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection),
	}
	if err := types.CheckExpr(w.l.fset, pkg, w.l.fileOf(path, declared), expr, info); err != nil {
		var problem types.Error
		if errors.As(err, &problem) {
			return nil, errors.New(problem.Msg)
		}
		return nil, err
	}
	return &Expr{text, info.Types[expr], excerpt{Expr: expr, tok: w.l.fset.File(expr.Pos()), src: []byte(text), info: info}}, nil
}

// fileOf is a position at package level of the file that declares something.
func (l *loader) fileOf(path string, declared types.Object) token.Pos {
	for _, f := range l.typed[path].Syntax {
		if f.FileStart <= declared.Pos() && declared.Pos() < f.FileEnd {
			return f.Name.End()
		}
	}
	return token.NoPos
}
