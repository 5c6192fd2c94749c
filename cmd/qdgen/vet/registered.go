package vet

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
)

// registered knows which qd.Static have the value from when their package was initialized: those
// that the files of the package register, as qdgen gen writes it.
type registered struct {
	src      load.Sources
	packages map[string]map[frontend.StaticSite]bool // by import path
}

// has reports whether the value of a qd.Static is registered.
func (r *registered) has(site frontend.StaticSite) bool {
	sites, ok := r.packages[site.Pkg]
	if !ok {
		if r.packages == nil {
			r.packages = make(map[string]map[frontend.StaticSite]bool)
		}
		sites = make(map[frontend.StaticSite]bool)
		r.packages[site.Pkg] = sites
		if p, err := r.src.Package(site.Pkg); err == nil && p != nil {
			for _, f := range p.Files {
				addRegistered(sites, site.Pkg, f.Src)
			}
		}
	}
	return sites[site]
}

// addRegistered adds what a file registers, of which all that counts is there in literals.
func addRegistered(sites map[frontend.StaticSite]bool, pkg string, text []byte) {
	const register = "StaticValue" // of package qdreg
	if !bytes.Contains(text, []byte(register)) {
		return
	}
	syntax, _ := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if syntax == nil {
		return
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 6 { // with 5, it is of an older qdgen
			return true
		}
		if name := lastName(call.Fun); name == nil || name.Name != register {
			return true
		}
		fn, ok1 := stringLiteral(call.Args[1])
		index, ok2 := literal(call.Args[2], token.INT)
		expr, ok3 := stringLiteral(call.Args[3])
		names, ok4 := stringLiteral(call.Args[5])
		if i, err := strconv.Atoi(index); ok1 && ok2 && ok3 && ok4 && err == nil {
			sites[frontend.StaticSite{Pkg: pkg, Func: fn, Index: i, Expr: expr, Names: names}] = true
		}
		return true
	})
}

func stringLiteral(e ast.Expr) (string, bool) {
	text, ok := literal(e, token.STRING)
	s, err := strconv.Unquote(text)
	return s, ok && err == nil
}

func literal(e ast.Expr, kind token.Token) (text string, ok bool) {
	if lit, isLit := e.(*ast.BasicLit); isLit && lit.Kind == kind {
		return lit.Value, true
	}
	return "", false
}
