package load

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// For processors without assembly of their own, a function without a body may be a jump to one in Go, in a file of
// assembly: JMP ·blockGeneric(SB). Those have the same parameters, and no twin under a build constraint. In a kernel
// the function calls the one that it jumps to.

// textLine matches the line that begins a function in assembly, and jump one that is nothing but a jump to a function
// of the package. Go's processors have several names for it.
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

// Assembly is a file of assembly without what nobody asks for: its build constraints, which functions of the package
// are jumps, and the names of the package's variables and functions that it uses. It is not ok of a file that has
// nothing of these.
func Assembly(name string, text []byte) (f File, ok bool) {
	var kept strings.Builder
	other := false // instructions without a name
	for line := range strings.Lines(string(text)) {
		trimmed := strings.TrimSpace(line)
		isConstraint := strings.HasPrefix(trimmed, "//go:build ") || strings.HasPrefix(trimmed, "// +build ") || strings.HasPrefix(trimmed, "//+build ")
		if code, _, _ := strings.Cut(trimmed, "//"); !isConstraint {
			trimmed = strings.TrimSpace(code)
		}
		switch {
		case isConstraint:
			kept.WriteString(trimmed + "\n\n")
		case strings.Contains(trimmed, "·"):
			kept.WriteString(trimmed + "\n")
			ok, other = true, false
		case trimmed != "" && !strings.HasPrefix(trimmed, "#") && !other:
			kept.WriteString("NOP\n")
			other = true
		}
	}
	return File{Name: name, Src: []byte(kept.String())}, ok
}

// namedIn matches a name of the package in a line of assembly, and label the labels in front of an instruction. setsAny
// matches what may set any of its operands: no instruction but a directive or a macro, one that takes an address, or
// one that exchanges.
var (
	namedIn = regexp.MustCompile(`·(\w+)`)
	label   = regexp.MustCompile(`^(?:\w+:\s*)+`)
	setsAny = regexp.MustCompile(`^(?:DATA$|GLOBL$|#|LEA|ADR|XCHG|\w+\()`)
)

// setBy are the names that a line of assembly may set, or give an initial value. An instruction sets its last operand,
// and somebody may set what it takes the address of. Assembly of the standard library takes addresses only of tables
// that it reads.
func setBy(line string, standard bool) (names []string) {
	for code := range strings.SplitSeq(line, ";") {
		code = label.ReplaceAllString(strings.TrimSpace(code), "")
		op, operands, _ := strings.Cut(code, " ")
		if op == "TEXT" {
			continue
		}
		some := setsAny.MatchString(op)
		if some {
			operands = code
		}
		list := strings.Split(operands, ",")
		for i, operand := range list {
			if !some && i < len(list)-1 && (standard || !strings.Contains(operand, "$")) {
				continue
			}
			for _, m := range namedIn.FindAllStringSubmatch(operand, -1) {
				names = append(names, m[1])
			}
		}
	}
	return names
}

// inAssembly reports whether assembly of the program's build may set a variable of the package, or give it its
// initial value.
func (p *sourcePackage) inAssembly(name string) bool {
	p.assemblyOnce.Do(func() {
		p.assembly = map[string]bool{}
		for i := range p.given.Assembly {
			f := &p.given.Assembly[i]
			if !included(f) {
				continue
			}
			for line := range strings.Lines(string(f.Src)) {
				for _, name := range setBy(strings.ReplaceAll(line, "\t", " "), p.given.Standard) {
					p.assembly[name] = true
				}
			}
		}
	})
	return p.assembly[name]
}

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
