package explain

import (
	"go/scanner"
	"go/token"
	"strings"
)

// goTypes are the types of Go that have names of their own.
var goTypes = set(`
	any bool byte complex128 complex64 error float32 float64 int int16 int32 int64 int8 rune string uint uint16 uint32 uint64
	uint8 uintptr`)

// goConstants are names of constants of Go.
var goConstants = set("false iota nil true")

// scanGo gives the tokens of Go source, which may be a part of a file. They have all of the text between them.
func scanGo(source string, add func(colour, string)) {
	file := token.NewFileSet().AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), func(token.Position, string) {}, scanner.ScanComments)
	of, begin := plain, 0 // the token before the next one
	name := false         // it is a name, and a function's if a parenthesis follows
	for {
		pos, tok, literal := s.Scan()
		if tok == token.SEMICOLON && literal == "\n" { // no text of the source
			continue
		}
		at := len(source)
		if tok != token.EOF {
			at = file.Offset(pos)
		}
		if name && tok == token.LPAREN {
			of = function
		}
		// A line break in a token is the token's, one behind it is not.
		whole := source[begin:at]
		trimmed := strings.TrimRight(whole, " \t\r\n")
		add(of, trimmed)
		add(plain, whole[len(trimmed):])
		if tok == token.EOF {
			return
		}
		begin = at
		of, name = goColour(tok, literal)
	}
}

// goColour is the colour of a token, and whether it is a name that a parenthesis behind it makes a function's.
func goColour(tok token.Token, literal string) (of colour, name bool) {
	switch {
	case tok == token.COMMENT && isDirective(literal), tok.IsKeyword():
		return keyword, false
	case tok == token.COMMENT:
		return comment, false
	case tok == token.STRING, tok == token.CHAR:
		return quoted, false
	case tok.IsLiteral() && tok != token.IDENT:
		return numeral, false
	case tok != token.IDENT:
		return plain, false
	case goConstants[literal]:
		return keyword, false
	case goTypes[literal]:
		return typeName, true
	}
	return plain, true
}

// isDirective reports whether a comment is for a program, as //qd:kernel is.
func isDirective(text string) bool {
	rest, ok := strings.CutPrefix(text, "//")
	return ok && rest != "" && rest[0] != ' ' && rest[0] != '\t'
}
