package explain

import (
	"html"
	"regexp"
	"strings"
)

// This file colours text. Go source is divided into tokens by go/scanner (colourgo.go). All other texts have lines that
// can be read alone, of words, numbers, strings and comments: they are divided here. No library for colours is used:
// those have tables of all languages, which each start of qdgen would fill.

// A colour is a class of the page's style sheet.
type colour string

const (
	plain    colour = ""
	comment  colour = "c"
	function colour = "f" // and an operation of the SSA or of an assembly
	keyword  colour = "k"
	label    colour = "l" // and what an instruction depends on
	numeral  colour = "n"
	quoted   colour = "s"
	typeName colour = "t"
	variable colour = "v"
)

// ssaKeywords are the words of the SSA that are no operations.
var ssaKeywords = map[string]bool{
	"module": true, "kernel": true, "func": true, "format": true, "if": true, "else": true, "loop": true, "do": true, "post": true, "for": true,
	"return": true, "yield": true, "break": true, "continue": true, "test": true, "by": true, "of": true, "rank": true, "axis": true, "over": true, "lanes": true,
}

// ssaValue is a value as the SSA's printer writes it.
var ssaValue = regexp.MustCompile(`(^|\.)v\d+$`)

// ssaWord is the colour of a word of the SSA.
func ssaWord(word string) colour {
	switch {
	case ssaKeywords[word]:
		return keyword
	case ssaValue.MatchString(word):
		return variable
	case ssaTypes[word]:
		return typeName
	}
	return function
}

// ssaTypes are the SSA's types of one word.
var ssaTypes = map[string]bool{
	"bool": true, "string": true, "int8": true, "int16": true, "int32": true, "int64": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true,
	"float16": true, "bfloat16": true, "float32": true, "float64": true, "thread": true, "block": true,
}

// gpuRegister is a register of a GPU.
var gpuRegister = regexp.MustCompile(`^(U?R\d+|U?P\d|RZ|URZ|U?PT|SR_[\w.]+)$`)

// gpuWord is the colour of a word of PTX, or of the GPU's machine code.
func gpuWord(word string) colour {
	switch {
	case strings.HasSuffix(word, ":"):
		return label
	case word[0] == '@':
		return label
	case word[0] == '%', word[0] == '$':
		return variable
	case word[0] == '.':
		return typeName
	}
	name, _, _ := strings.Cut(word, ".")
	if gpuRegister.MatchString(name) {
		return variable
	}
	return function
}

// asmWord is the colour of a word of a CPU's assembly.
func asmWord(word string) colour {
	switch {
	case strings.HasSuffix(word, ":"), strings.HasPrefix(word, ".L"):
		return label
	case word[0] == '%':
		return variable
	case word[0] == '$':
		return numeral
	case word[0] == '.':
		return typeName
	}
	return function
}

// A lineLexer divides lines of a language into tokens.
type lineLexer struct {
	signs  string              // what words have beside letters, digits, '_' and '.', and can begin with
	labels bool                // a word with a colon behind it is a label
	colour func(string) colour // of a word
}

// lineLexerOf is that of a language, without colours for one that has none.
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

// remembered asks for the colour of each word once.
func remembered(of func(string) colour) func(string) colour {
	memo := make(map[string]colour)
	return func(word string) colour {
		k, ok := memo[word]
		if !ok {
			k = of(word)
			memo[word] = k
		}
		return k
	}
}

// cppWord is the colour of a word of C++. Of a selector such as x.len it is that of the first part.
func cppWord(word string) colour {
	first, _, _ := strings.Cut(word, ".")
	switch {
	case strings.HasPrefix(word, "#"), cppKeywords[first]:
		return keyword
	case cppTypes[first]:
		return typeName
	}
	return plain
}

// cppKeywords are the words of C++, and of the compilers' dialects, that name no type.
var cppKeywords = set(`
	alignas alignof asm auto break case catch class const constexpr const_cast continue decltype default delete do
	dynamic_cast else enum explicit extern false final for friend goto if inline mutable namespace new noexcept nullptr
	operator override private protected public register reinterpret_cast restrict return sizeof static static_assert
	static_cast struct switch template this thread_local throw true try typedef typeid typename union using virtual volatile
	while`)

// cppTypes are its types of one word.
var cppTypes = set(`
	bool char char16_t char32_t char8_t double float int int16_t int32_t int64_t int8_t long short signed uint16_t uint32_t
	uint64_t uint8_t unsigned void wchar_t`)

// set is a set of words.
func set(words string) map[string]bool {
	m := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		m[word] = true
	}
	return m
}

// scan gives the tokens of a line. What no token begins with, and is in none, is punctuation.
func (x lineLexer) scan(line string, token func(colour, string)) {
	begin := 0 // the beginning of what is in no token so far
	for i := 0; i < len(line); {
		of, n := x.first(line[i:])
		if n == 0 {
			i++
			continue
		}
		if begin < i {
			token(plain, line[begin:i])
		}
		token(of, line[i:i+n])
		i += n
		begin = i
	}
	if begin < len(line) {
		token(plain, line[begin:])
	}
}

// first is the token that a text begins with, of no length where there is none.
func (x lineLexer) first(text string) (of colour, n int) {
	c := text[0]
	switch {
	case strings.HasPrefix(text, "//"), strings.HasPrefix(text, "# "):
		return comment, len(text)
	case strings.HasPrefix(text, "/*"):
		if end := strings.Index(text, "*/"); end >= 0 {
			return comment, end + len("*/")
		}
		return comment, len(text)
	case c == '"':
		for n = 1; n < len(text) && text[n] != '"'; n++ {
			if text[n] == '\\' {
				n++
			}
		}
		return quoted, min(n+1, len(text))
	case isDigit(c), c == '-' && len(text) > 1 && isDigit(text[1]):
		for n = 1; n < len(text) && (isWord(text[n]) || text[n] == '.' || text[n] == '+'); n++ {
		}
		return numeral, n
	case isWord(c), strings.IndexByte(x.signs, c) >= 0:
		for n = 1; n < len(text) && (isWord(text[n]) || text[n] == '.' || strings.IndexByte(x.signs, text[n]) >= 0); n++ {
		}
		if n < len(text) && text[n] == ':' && x.labels {
			n++
		}
		return x.colour(text[:n]), n
	}
	return plain, 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(c byte) bool {
	return isDigit(c) || c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// coloured are lines of a language as HTML, with a class for each token that has a colour.
func coloured(lang string, lines []string) []string {
	c := &colourer{list: make([]string, 0, len(lines)+1)}
	if x := lineLexerOf(lang); x.colour != nil {
		for _, line := range lines {
			x.scan(line, c.add)
			c.end()
		}
	} else {
		scanGo(strings.Join(lines, "\n"), c.addLines)
		c.end()
	}
	return c.list
}

// A colourer writes tokens as HTML. Those of one colour that follow each other have one element.
type colourer struct {
	list []string // the lines
	line []byte   // the one that is being written
	open colour   // of the element that is open, plain where none is
}

// add adds a token that has no line break.
func (c *colourer) add(of colour, token string) {
	if token == "" {
		return
	}
	if of != c.open {
		c.close()
		if c.open = of; of != plain {
			c.line = append(c.line, "<i class="+string(of)+">"...)
		}
	}
	c.line = append(c.line, html.EscapeString(token)...)
}

// addLines adds a token of one or several lines.
func (c *colourer) addLines(of colour, token string) {
	for {
		line, rest, more := strings.Cut(token, "\n")
		c.add(of, line)
		if !more {
			return
		}
		c.end()
		token = rest
	}
}

// close closes the element.
func (c *colourer) close() {
	if c.open != plain {
		c.line = append(c.line, "</i>"...)
		c.open = plain
	}
}

// end ends a line.
func (c *colourer) end() {
	c.close()
	c.list = append(c.list, string(c.line))
	c.line = c.line[:0]
}
