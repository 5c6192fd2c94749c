package explain

import (
	"html"
	"regexp"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// This file colours text with chroma's kinds of tokens. Go source is read by chroma. All other texts have lines that
// can be read alone, of words, numbers, strings and comments, and most of a page is in them: chroma's regular
// expressions took longer for them than all that qdgen does besides. They are divided into tokens here, and chroma is
// asked what a word of C++ is, once for each. The SSA and the assemblies it does not know, or not word by word.

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

// asmWord is the kind of a word of a CPU's assembly.
func asmWord(word string) chroma.TokenType {
	switch {
	case strings.HasSuffix(word, ":"), strings.HasPrefix(word, ".L"):
		return chroma.NameLabel
	case word[0] == '%':
		return chroma.NameVariable
	case word[0] == '$':
		return chroma.LiteralNumber
	case word[0] == '.':
		return chroma.KeywordType
	}
	return chroma.NameFunction
}

// A lineLexer divides lines of a language into tokens.
type lineLexer struct {
	signs  string                        // what words have beside letters, digits, '_' and '.', and can begin with
	labels bool                          // a word with a colon behind it is a label
	kind   func(string) chroma.TokenType // of a word
}

// lineLexerOf is that of a language, of no kind for one that has none.
func lineLexerOf(lang string) lineLexer {
	switch lang {
	case "ssa":
		return lineLexer{"", false, remembered(ssaWord)}
	case "cpp":
		return lineLexer{"#", false, remembered(cppWord)}
	case "asm":
		return lineLexer{"%$.@", true, remembered(asmWord)}
	case "ptx", "sass":
		return lineLexer{"%$.@!", true, remembered(gpuWord)}
	}
	return lineLexer{}
}

// remembered asks for the kind of each word once.
func remembered(kind func(string) chroma.TokenType) func(string) chroma.TokenType {
	memo := make(map[string]chroma.TokenType)
	return func(word string) chroma.TokenType {
		k, ok := memo[word]
		if !ok {
			k = kind(word)
			memo[word] = k
		}
		return k
	}
}

// cppWord asks chroma what a word of C++ is.
func cppWord(word string) chroma.TokenType {
	tokens, err := chroma.Tokenise(cppLexer, nil, word)
	if err != nil || len(tokens) == 0 {
		return chroma.Text
	}
	return tokens[0].Type
}

// scan gives the tokens of a line. What no token begins with, and is in none, is punctuation.
func (x lineLexer) scan(line string, token func(chroma.TokenType, string)) {
	plain := 0 // the beginning of what is in no token so far
	for i := 0; i < len(line); {
		kind, n := x.first(line[i:])
		if n == 0 {
			i++
			continue
		}
		if plain < i {
			token(chroma.Punctuation, line[plain:i])
		}
		token(kind, line[i:i+n])
		i += n
		plain = i
	}
	if plain < len(line) {
		token(chroma.Punctuation, line[plain:])
	}
}

// first is the token that a text begins with, of no length for none.
func (x lineLexer) first(text string) (kind chroma.TokenType, n int) {
	c := text[0]
	switch {
	case strings.HasPrefix(text, "//"), strings.HasPrefix(text, "# "):
		return chroma.Comment, len(text)
	case strings.HasPrefix(text, "/*"):
		if end := strings.Index(text, "*/"); end >= 0 {
			return chroma.Comment, end + len("*/")
		}
		return chroma.Comment, len(text)
	case c == '"':
		for n = 1; n < len(text) && text[n] != '"'; n++ {
			if text[n] == '\\' {
				n++
			}
		}
		return chroma.LiteralString, min(n+1, len(text))
	case isDigit(c), c == '-' && len(text) > 1 && isDigit(text[1]):
		for n = 1; n < len(text) && (isWord(text[n]) || text[n] == '.' || text[n] == '+'); n++ {
		}
		return chroma.LiteralNumber, n
	case isWord(c), strings.IndexByte(x.signs, c) >= 0:
		for n = 1; n < len(text) && (isWord(text[n]) || text[n] == '.' || strings.IndexByte(x.signs, text[n]) >= 0); n++ {
		}
		if n < len(text) && text[n] == ':' && x.labels {
			n++
		}
		return x.kind(text[:n]), n
	}
	return 0, 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(c byte) bool {
	return isDigit(c) || c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// The lexers that chroma has.
var (
	goLexer  = lexers.Get("go")
	cppLexer = lexers.Get("c++")
)

// coloured are lines of a language as HTML, with a class for each kind of token.
func coloured(lang string, lines []string) []string {
	c := &colourer{list: make([]string, 0, len(lines)+1)}
	if x := lineLexerOf(lang); x.kind != nil {
		for _, line := range lines {
			x.scan(line, c.add)
			c.end()
		}
		return c.list
	}
	tokens, err := chroma.Tokenise(goLexer, nil, strings.Join(lines, "\n")+"\n")
	if err == nil {
		for _, t := range tokens {
			for i, part := range strings.Split(t.Value, "\n") {
				if i > 0 {
					c.end()
				}
				c.add(t.Type, part)
			}
		}
	}
	if len(c.list) != len(lines) {
		c.list = c.list[:0]
		for _, line := range lines {
			c.list = append(c.list, html.EscapeString(line))
		}
	}
	return c.list
}

// A colourer writes tokens as HTML. Those of one class that follow each other have one element.
type colourer struct {
	list  []string // the lines
	line  []byte   // the one that is being written
	class string   // of the element that is open, "" for none
}

// add adds a token that has no line break.
func (c *colourer) add(kind chroma.TokenType, text string) {
	if text == "" {
		return
	}
	if class := classOfToken(kind); class != c.class {
		c.close()
		if c.class = class; class != "" {
			c.line = append(c.line, "<i class="+class+">"...)
		}
	}
	c.line = append(c.line, html.EscapeString(text)...)
}

// close closes the element.
func (c *colourer) close() {
	if c.class != "" {
		c.line = append(c.line, "</i>"...)
		c.class = ""
	}
}

// end ends a line.
func (c *colourer) end() {
	c.close()
	c.list = append(c.list, string(c.line))
	c.line = c.line[:0]
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
