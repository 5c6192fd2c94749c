package emit

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// A Piece is one definition of the prelude. Text is a template:
//
//	$inline   what marks a function, $device what marks anything else
//	$math_    the prefix of C's math functions, as in $math_sin$f(x)
//	$T, $U    in a piece for several types, the type, and the unsigned one of its size
//	$f        the suffix of C's functions for the type: "f" or ""
//	$bits     the type's width
type Piece struct {
	Name  string   // "go.div", "math.Sin.float32"; the first part is its namespace
	Needs []string // other pieces
	Text  string

	generic string // the name of the piece that this one is of a type of
}

// space is the namespace that the piece is in, "" for none.
func (p *Piece) space() string {
	if before, _, ok := strings.Cut(p.Name, "."); ok {
		return before
	}
	return ""
}

// kinds are the suffixes of pieces that stand for one piece per type.
var kinds = map[string][]string{
	"F": {"float32", "float64"},
	"I": {"int32", "int64"},
	"U": {"uint32", "uint64"},
	"Z": {"int32", "int64", "uint32", "uint64"},
	"N": {"int32", "int64", "uint32", "uint64", "float32", "float64"},
}

// ParsePrelude reads pieces: each begins with a line "//@ name" or "//@ name
// needs name...". A name that ends in a kind (".F": the floats, ".I", ".U": signed and
// unsigned integers of 32 and 64 bits, ".Z" both, ".N" all) stands for one
// piece for each type.
func ParsePrelude(src string) []Piece {
	var pieces []Piece
	for _, chunk := range strings.Split("\n"+src, "\n//@ ")[1:] {
		header, text, _ := strings.Cut(chunk, "\n")
		name, needs, _ := strings.Cut(header, " needs ")
		piece := Piece{Name: strings.TrimSpace(name), Needs: strings.Fields(needs), Text: strings.TrimLeft(strings.TrimSpace(text)+"\n", "\n")}
		pieces = append(pieces, piece.expand()...)
	}
	return pieces
}

// expand gives the pieces that p stands for.
func (p Piece) expand() []Piece {
	dot := strings.LastIndexByte(p.Name, '.')
	types, ok := kinds[p.Name[dot+1:]]
	if !ok || dot < 0 {
		return []Piece{p}
	}
	kind := p.Name[dot:]
	var out []Piece
	for _, t := range types {
		q := Piece{Name: p.Name[:dot] + "." + t, generic: p.Name}
		for _, n := range p.Needs {
			if strings.HasSuffix(n, kind) {
				n = strings.TrimSuffix(n, kind) + "." + t
			}
			q.Needs = append(q.Needs, n)
		}
		suffix, bits := "", strings.TrimLeft(t, "uintfloa")
		if t == "float32" {
			suffix = "f"
		}
		q.Text = strings.NewReplacer("$T", t, "$U", "uint"+bits, "$f", suffix, "$bits", bits).Replace(p.Text)
		out = append(out, q)
	}
	return out
}

//go:embed prelude/language.h
var languagePieces string

//go:embed prelude/math.h
var mathPieces string

// common are the pieces that all dialects share, in the order of printing.
var common = slices.Concat(ParsePrelude(languagePieces), plainMathPieces(), ParsePrelude(mathPieces))

// preludeFor are a dialect's pieces in the order of printing, in which each
// comes after what it builds on: what is outside of namespaces, the common
// pieces first; then the rest, the dialect's own in place of a common one of its name.
func preludeFor(d *Dialect) []Piece {
	own := make(map[string]Piece)
	for _, p := range d.Prelude {
		own[p.Name] = p
	}
	var global, spaced []Piece
	add := func(p Piece) {
		if p.space() == "" {
			global = append(global, p)
		} else {
			spaced = append(spaced, p)
		}
	}
	for _, p := range common {
		if q, ok := own[p.Name]; ok {
			p = q
			delete(own, p.Name)
		}
		add(p)
	}
	for _, p := range d.Prelude {
		if _, ok := own[p.Name]; ok {
			add(p)
		}
	}
	return append(global, spaced...)
}

// prelude writes the pieces that are needed, directly or by others.
func (d *Dialect) prelude(w *writer, needs map[string]bool) {
	all := preludeFor(d)
	index := make(map[string]*Piece, len(all))
	for i := range all {
		index[all[i].Name] = &all[i]
	}
	closed := make(map[string]bool)
	var add func(name string)
	add = func(name string) {
		if closed[name] {
			return
		}
		p, ok := index[name]
		if !ok {
			panic(fmt.Sprintf("BUG: no piece %q in the prelude for %s", name, d.Language))
		}
		closed[name] = true
		for _, n := range p.Needs {
			add(n)
		}
		for _, n := range mentioned(p.Text) {
			if n != p.Name {
				add(n)
			}
		}
	}
	for n := range needs {
		add(n)
	}
	fill := strings.NewReplacer("$inline", "static "+d.Device+"inline", "$device ", d.Device, "$math_", d.Builtin)
	space, last := "", Piece{}
	for _, p := range all {
		if !closed[p.Name] || p.Text == "" {
			continue
		}
		if s := p.space(); s != space {
			if space != "" {
				w.raw("}")
			}
			if s != "" {
				w.raw("")
				w.raw("namespace " + s + " {")
			}
			space = s
		}
		text := fill.Replace(p.Text)
		switch {
		case p.generic != "" && p.generic == last.generic:
			text = withoutComment(text)
		case !isAlias(p) || !isAlias(last):
			w.raw("")
		}
		last = p
		for line := range strings.Lines(text) {
			w.raw(strings.TrimRight(line, "\n"))
		}
	}
	if space != "" {
		w.raw("}")
	}
}

func isAlias(p Piece) bool { return strings.HasPrefix(p.Text, "using ") }

// withoutComment drops the comment that a piece begins with.
func withoutComment(text string) string {
	for strings.HasPrefix(text, "//") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// mentioned finds the pieces of the prelude that C++ text names outside comments.
func mentioned(text string) []string {
	var found []string
	seen := make(map[string]bool)
	for i := 0; i < len(text); {
		if strings.HasPrefix(text[i:], "//") {
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				break
			}
			i += end
			continue
		}
		if !isLetter(text[i]) {
			i++
			continue
		}
		j := i + 1
		for j < len(text) && (isLetter(text[j]) || text[j] >= '0' && text[j] <= '9') {
			j++
		}
		if word := text[i:j]; byMention[word] && !seen[word] {
			seen[word] = true
			found = append(found, word)
		}
		i = j
	}
	return found
}

func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// byMention are the pieces that are needed wherever the text names them: types,
// and what dialects use in the frames of kernels.
var byMention = set("int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 slice pair quotient remainder")
