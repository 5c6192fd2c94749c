package explain

import (
	"html"
	"regexp"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// The SSA, PTX and the GPU's machine code are languages of one line each, of which chroma has none. Their rules are few, because each
// takes time at each token; what a word is, is found without them.
var (
	ssaLexer = lexerOf("qdgen SSA", chroma.Rules{"root": {
		{Pattern: `\s+|[^\w\s"/.\]*-]+`, Type: chroma.Punctuation},
		{Pattern: `[A-Za-z_][\w.]*`, Type: words(ssaWord)},
		{Pattern: `//[^\n]*`, Type: chroma.Comment},
		{Pattern: `-?\d[\w.+]*`, Type: chroma.LiteralNumber},
		{Pattern: `"(\\.|[^"\\\n])*"`, Type: chroma.LiteralString},
		{Pattern: `.`, Type: chroma.Punctuation},
	}})
	gpuLexer = lexerOf("GPU assembly", chroma.Rules{"root": {
		{Pattern: `\s+|[^\w\s"/.%$@*-]+`, Type: chroma.Punctuation},
		{Pattern: `[%$@.A-Za-z_!][\w.$%!]*:?`, Type: words(gpuWord)},
		{Pattern: `//[^\n]*|/\*[^\n]*?\*/`, Type: chroma.Comment},
		{Pattern: `-?\d[\w.+]*`, Type: chroma.LiteralNumber},
		{Pattern: `"(\\.|[^"\\\n])*"`, Type: chroma.LiteralString},
		{Pattern: `.`, Type: chroma.Punctuation},
	}})
)

// words emits words of the kind that a function finds.
func words(kind func(string) chroma.TokenType) chroma.Emitter {
	return chroma.EmitterFunc(func(groups []string, _ *chroma.LexerState) chroma.Iterator {
		return chroma.Literator(chroma.Token{Type: kind(groups[0]), Value: groups[0]})
	})
}

// ssaKeywords are the words of the SSA that are no operations.
var ssaKeywords = map[string]bool{
	"module": true, "kernel": true, "func": true, "format": true, "if": true, "else": true, "loop": true, "do": true, "post": true, "for": true,
	"return": true, "yield": true, "break": true, "continue": true, "test": true, "by": true, "of": true, "rank": true, "axis": true, "over": true, "lanes": true,
}

// ssaValue is a value as the SSA's printer writes it.
var ssaValue = regexp.MustCompile(`(^|\.)v\d+$`)

// ssaWord is the kind of a word of the SSA.
func ssaWord(word string) chroma.TokenType {
	switch {
	case ssaKeywords[word]:
		return chroma.Keyword
	case ssaValue.MatchString(word):
		return chroma.NameVariable
	case ssaTypes[word]:
		return chroma.KeywordType
	}
	return chroma.NameFunction
}

// ssaTypes are the SSA's types of one word.
var ssaTypes = map[string]bool{
	"bool": true, "string": true, "int8": true, "int16": true, "int32": true, "int64": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true,
	"float16": true, "bfloat16": true, "float32": true, "float64": true, "thread": true, "block": true,
}

// gpuRegister is a register of a GPU.
var gpuRegister = regexp.MustCompile(`^(U?R\d+|U?P\d|RZ|URZ|U?PT|SR_[\w.]+)$`)

// gpuWord is the kind of a word of PTX, or of the GPU's machine code.
func gpuWord(word string) chroma.TokenType {
	switch {
	case strings.HasSuffix(word, ":"):
		return chroma.NameLabel
	case word[0] == '@':
		return chroma.NameDecorator
	case word[0] == '%', word[0] == '$':
		return chroma.NameVariable
	case word[0] == '.':
		return chroma.KeywordType
	}
	name, _, _ := strings.Cut(word, ".")
	if gpuRegister.MatchString(name) {
		return chroma.NameVariable
	}
	return chroma.NameFunction
}

// lexerOf is a lexer with some rules.
func lexerOf(name string, rules chroma.Rules) chroma.Lexer {
	return chroma.MustNewLexer(&chroma.Config{Name: name}, func() chroma.Rules { return rules })
}

// lexer is that of a language.
func lexer(lang string) chroma.Lexer {
	switch lang {
	case "go":
		return lexers.Get("go")
	case "cpp":
		return lexers.Get("c++")
	case "asm":
		return lexers.Get("gas")
	case "ptx", "sass":
		return gpuLexer
	}
	return ssaLexer
}

// coloured are lines of a language as HTML, with a class for each kind of token.
func coloured(lang string, lines []string) []string {
	plain := func() []string {
		list := make([]string, len(lines))
		for i, line := range lines {
			list[i] = html.EscapeString(line)
		}
		return list
	}
	tokens, err := chroma.Tokenise(chroma.Coalesce(lexer(lang)), nil, strings.Join(lines, "\n")+"\n")
	if err != nil {
		return plain()
	}
	list := make([]string, 0, len(lines)+1)
	var b strings.Builder
	for _, t := range tokens {
		class := classOfToken(t.Type)
		for i, part := range strings.Split(t.Value, "\n") {
			if i > 0 {
				list = append(list, b.String())
				b.Reset()
			}
			switch {
			case part == "":
			case class == "":
				b.WriteString(html.EscapeString(part))
			default:
				b.WriteString("<i class=" + class + ">" + html.EscapeString(part) + "</i>")
			}
		}
	}
	if len(list) != len(lines) {
		return plain()
	}
	return list
}

// classOfToken is a class of the page's style sheet, "" for plain text.
func classOfToken(t chroma.TokenType) string {
	switch {
	case t.InCategory(chroma.Comment) && !t.InSubCategory(chroma.CommentPreproc):
		return "c"
	case t == chroma.KeywordType:
		return "t"
	case t.InCategory(chroma.Keyword), t.InSubCategory(chroma.CommentPreproc):
		return "k"
	case t.InSubCategory(chroma.LiteralString):
		return "s"
	case t.InSubCategory(chroma.LiteralNumber):
		return "n"
	case t == chroma.NameFunction, t == chroma.NameBuiltin:
		return "f"
	case t == chroma.NameVariable:
		return "v"
	case t == chroma.NameLabel, t == chroma.NameDecorator:
		return "l"
	}
	return ""
}
