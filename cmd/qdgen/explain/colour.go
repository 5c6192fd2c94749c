package explain

import (
	"html"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// assemblyRules are those of PTX, of the GPU's machine code and of the SSA: languages of one line each, of which chroma has none.
var (
	ssaLexer = lexerOf("qdgen SSA", chroma.Rules{"root": {
		{Pattern: `//[^\n]*`, Type: chroma.Comment},
		{Pattern: `"(\\.|[^"\\\n])*"`, Type: chroma.LiteralString},
		{Pattern: `\b(module|kernel|func|format|if|else|loop|do|post|for|return|yield|break|continue|test|by|of|rank|axis|over|lanes|unreachable)\b`, Type: chroma.Keyword},
		{Pattern: `([\w.]*\bv\d+)(:)([^\s,()={}]+)`, Type: chroma.ByGroups(chroma.NameVariable, chroma.Punctuation, chroma.KeywordType)},
		{Pattern: `[\w]*\.?\bv\d+\b`, Type: chroma.NameVariable},
		{Pattern: `-?\b\d[\w.+-]*`, Type: chroma.LiteralNumber},
		{Pattern: `(?<== )[a-z][\w.]*`, Type: chroma.NameFunction},
		{Pattern: `[A-Za-z_][\w.]*`, Type: chroma.Name},
		{Pattern: `\s+`, Type: chroma.Text},
		{Pattern: `.`, Type: chroma.Punctuation},
	}})
	gpuLexer = lexerOf("GPU assembly", chroma.Rules{"root": {
		{Pattern: `//[^\n]*|/\*[^\n]*?\*/`, Type: chroma.Comment},
		{Pattern: `"(\\.|[^"\\\n])*"`, Type: chroma.LiteralString},
		{Pattern: `^[$.\w]+:`, Type: chroma.NameLabel},
		{Pattern: `@!?%?\w+`, Type: chroma.NameDecorator},
		{Pattern: `[%$][\w.$]+|\b(U?R\d+|U?P\d|RZ|URZ|U?PT|SR_[\w.]+)\b`, Type: chroma.NameVariable},
		{Pattern: `\.[A-Za-z][\w.]*`, Type: chroma.KeywordType},
		{Pattern: `-?\b(0[xX][0-9a-fA-F]+|0[fd][0-9a-fA-F]+|\d[\w.+-]*)`, Type: chroma.LiteralNumber},
		{Pattern: `[A-Za-z_][\w$]*`, Type: chroma.NameFunction},
		{Pattern: `\s+`, Type: chroma.Text},
		{Pattern: `.`, Type: chroma.Punctuation},
	}})
)

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
