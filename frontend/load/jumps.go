package load

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// For processors without assembly of their own, a function without a body may be a jump to one in Go, in a file of
// assembly: JMP ·blockGeneric(SB). Those have the same parameters, and no twin under a build constraint. In a kernel the
// function calls the one that it jumps to.

// textLine matches the line that begins a function in assembly, and jump one that is nothing but a jump to a function of the
// package. Go's processors have several names for it.
var (
	textLine = regexp.MustCompile(`^TEXT\s+·(\w+)(?:<\w*>)?\(SB\)`)
	jump     = regexp.MustCompile(`^(?:JMP|B|BR|J|JAL)\s+·(\w+)(?:<\w*>)?\(SB\)$`)
)

// jumpsOf are the functions in a file of assembly that are a jump, with those that they jump to.
func jumpsOf(text []byte) map[string]string {
	jumps := map[string]string{}
	name, to, lines := "", "", 0
	end := func() {
		if name != "" && to != "" && lines == 1 {
			jumps[name] = to
		}
		name, to, lines = "", "", 0
	}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "//")
		line = strings.TrimRight(strings.TrimSpace(line), "; \t")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case textLine.MatchString(line):
			end()
			name = textLine.FindStringSubmatch(line)[1]
		default:
			lines++
			if m := jump.FindStringSubmatch(line); m != nil {
				to = m[1]
			}
		}
	}
	end()
	return jumps
}

// HasJumps reports whether a file of assembly has a function that is a jump to one in Go.
func HasJumps(text []byte) bool { return len(jumpsOf(text)) > 0 }

// followJumps gives functions without a body the call of the one that they jump to in another build. If builds
// jump to different ones, none is right.
func (p *sourcePackage) followJumps(assembly []File) {
	jumps := map[string]string{}
	for _, f := range assembly {
		for name, to := range jumpsOf(f.Src) {
			if other, ok := jumps[name]; ok && other != to {
				to = ""
			}
			jumps[name] = to
		}
	}
	for name, to := range jumps {
		from, target := p.decls[name], p.decls[to]
		if len(from) != 1 || len(target) != 1 || from[0].fn == nil || from[0].fn.Body != nil || target[0].fn == nil || target[0].fn.Body == nil {
			continue
		}
		fn := *from[0].fn // others may have its syntax
		if fn.Body = callOf(&fn, to); fn.Body != nil {
			from[0].fn = &fn
		}
	}
}

// callOf is a body that calls another function with the parameters of a function, nil where these have no names.
func callOf(fn *ast.FuncDecl, to string) *ast.BlockStmt {
	at := fn.Name.Pos()
	call := &ast.CallExpr{Fun: &ast.Ident{NamePos: at, Name: to}, Lparen: at, Rparen: at}
	for _, field := range fn.Type.Params.List {
		if len(field.Names) == 0 {
			return nil
		}
		for _, id := range field.Names {
			if id.Name == "_" {
				return nil
			}
			call.Args = append(call.Args, &ast.Ident{NamePos: at, Name: id.Name})
		}
		if _, variadic := field.Type.(*ast.Ellipsis); variadic {
			call.Ellipsis = at
		}
	}
	var stmt ast.Stmt = &ast.ExprStmt{X: call}
	if fn.Type.Results != nil {
		stmt = &ast.ReturnStmt{Return: at, Results: []ast.Expr{call}}
	}
	end := fn.Type.End() - token.Pos(1)
	return &ast.BlockStmt{Lbrace: end, List: []ast.Stmt{stmt}, Rbrace: end}
}
