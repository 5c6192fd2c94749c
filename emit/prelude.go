package emit

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/qdgen/qd/ssa"
)

//go:embed prelude/language.h
var languagePieces string

//go:embed prelude/math.h
var mathPieces string

// A piece is one definition of the prelude.
type piece struct {
	name  string   // "go.div", "math.Sin.float32"; the first part is its namespace
	needs []string // other pieces
	text  string   // a template, see fill

	generic string // the name of the piece that this one is of a type of
}

// space is the namespace that the piece is in, "" for none.
func (p *piece) space() string {
	if before, _, ok := strings.Cut(p.name, "."); ok {
		return before
	}
	return ""
}

// checkPieces are for all dialects, but build on what each has of its own.
//
//go:embed prelude/check.h
var checkPieces string

// kinds are the suffixes of pieces that stand for one piece per type.
var kinds = map[string][]string{
	"F": {"float32", "float64"},
	"I": {"int32", "int64"},
	"Z": {"int32", "int64", "uint32", "uint64"},
	"U": {"uint8", "uint16", "uint32", "uint64"},
	"N": {"int32", "int64", "uint32", "uint64", "float32", "float64"},

	"V32": vectorTypes(ssa.Float32),
	"V64": vectorTypes(ssa.Float64),
}

func vectorTypes(elem ssa.Basic) (names []string) {
	for lanes := 1; lanes <= ssa.MaxVecLanes; lanes *= 2 {
		names = append(names, ssa.Vec{Elem: elem, Lanes: lanes}.String())
	}
	return names
}

// parsePrelude reads pieces: each begins with a line "//@ name" or "//@ name
// needs name...". A name that ends in a kind (".F": the floats, ".I": signed
// integers of 32 and 64 bits, ".Z": unsigned ones too, ".N": all of these, ".U": the
// unsigned ones of any width)
// stands for one piece for each type, and so do ".V32" and ".V64", of vectors of float32 and of float64. In the text stand
//
//	$inline   for what marks a function, $device for what marks anything else
//	$math_    for the prefix of C's math functions, as in $math_sin$f(x)
//	$T, $U    for the type that the piece is for, and the unsigned one of its size
//	$f        for the suffix of C's functions for the type, "f" or ""
//	$bits     for the type's width
func parsePrelude(src string) []piece {
	var pieces []piece
	for _, chunk := range strings.Split("\n"+src, "\n//@ ")[1:] {
		header, text, _ := strings.Cut(chunk, "\n")
		name, needs, _ := strings.Cut(header, " needs ")
		p := piece{name: strings.TrimSpace(name), needs: strings.Fields(needs)}
		if text = strings.TrimSpace(text); text != "" {
			p.text = text + "\n"
		}
		pieces = append(pieces, p.expand()...)
	}
	return pieces
}

// expand gives the pieces that p stands for.
func (p piece) expand() []piece {
	dot := strings.LastIndexByte(p.name, '.')
	types, ok := kinds[p.name[dot+1:]]
	if !ok || dot < 0 {
		return []piece{p}
	}
	kind := p.name[dot:]
	var out []piece
	for _, t := range types {
		q := piece{name: p.name[:dot] + "." + t, generic: p.name}
		for _, n := range p.needs {
			if strings.HasSuffix(n, kind) {
				n = strings.TrimSuffix(n, kind) + "." + t
			}
			if n == "$T" {
				n = t
			}
			q.needs = append(q.needs, n)
		}
		suffix, bits := "", strings.TrimLeft(t, "uintfloa")
		if t == "float32" {
			suffix = "f"
		}
		q.text = strings.NewReplacer("$T", t, "$U", "uint"+bits, "$f", suffix, "$bits", bits).Replace(p.text)
		out = append(out, q)
	}
	return out
}

// A library is a dialect's prelude, ready for printing.
type library struct {
	pieces []piece // in the order of printing, templates filled
	index  map[string]int
}

// library makes a dialect's library when it is first used: a program whose
// kernels are all in the cache emits nothing.
func (d *Dialect) library() *library {
	d.once.Do(func() {
		own := parsePrelude(d.Prelude())
		l := &library{pieces: inOrder(slices.Concat(parsePrelude(languagePieces), vectorPieces(), plainMathPieces(), parsePrelude(mathPieces)), own)}
		l.pieces = append(l.pieces, parsePrelude(checkPieces)...)
		l.index = make(map[string]int, len(l.pieces))
		fill := strings.NewReplacer("$inline", "static "+d.Device+"inline", "$device ", d.Device, "$math_", d.Builtin)
		for i := range l.pieces {
			p := &l.pieces[i]
			p.text = fill.Replace(p.text)
			for _, n := range mentioned([]byte(p.text)) {
				if n != p.name {
					p.needs = append(p.needs, n)
				}
			}
			l.index[p.name] = i
		}
		d.lib = l
	})
	return d.lib
}

// elementarySpace is the namespace of the functions that a dialect's functions of package math build on.
const elementarySpace = "elementary"

// has reports whether the dialect's library has a piece.
func (d *Dialect) has(name string) bool {
	l := d.library()
	_, ok := l.index[name]
	return ok
}

// inOrder sorts pieces such that each comes after the pieces that it uses. Pieces outside of namespaces come first, the
// common ones before the dialect's. The elementary functions follow, those of vectors first. The rest comes last, with
// a dialect's own pieces in the place of common ones of the same name.
func inOrder(common, dialects []piece) []piece {
	own := make(map[string]piece)
	for _, p := range dialects {
		own[p.name] = p
	}
	var global, elementary, vectors, spaced []piece
	add := func(p piece) {
		switch p.space() {
		case "":
			global = append(global, p)
		case elementarySpace:
			elementary = append(elementary, p)
		case "math":
			if strings.HasSuffix(p.generic, ".V32") || strings.HasSuffix(p.generic, ".V64") {
				vectors = append(vectors, p)
			} else {
				spaced = append(spaced, p)
			}
		default:
			spaced = append(spaced, p)
		}
	}
	for _, p := range common {
		if q, ok := own[p.name]; ok {
			p = q
			delete(own, p.name)
		}
		add(p)
	}
	for _, p := range dialects {
		if _, ok := own[p.name]; ok {
			add(p)
		}
	}
	return slices.Concat(global, elementary, vectors, spaced)
}

// prelude writes the pieces that are needed, directly or by others, and makes room for as many bytes of a body behind them.
func (d *Dialect) prelude(w *writer, needs map[string]bool, body int) {
	l := d.library()
	chosen := make([]bool, len(l.pieces))
	instead := make(map[string]string)
	for _, n := range slices.Sorted(maps.Keys(needs)) {
		if p, of := inLane(n); d.has(p) {
			instead[of] = p
		}
	}
	var add func(name string)
	add = func(name string) {
		if p, ok := instead[name]; ok {
			name = p
		}
		i, ok := l.index[name]
		if !ok {
			panic(fmt.Sprintf("BUG: no piece %q in the prelude for %s", name, d.Language))
		}
		if !chosen[i] {
			chosen[i] = true
			for _, n := range l.pieces[i].needs {
				add(n)
			}
		}
	}
	for n := range needs {
		add(n)
	}
	for i, yes := range chosen {
		if yes {
			body += len(l.pieces[i].text) + 1
		}
	}
	w.buf = slices.Grow(w.buf, body)
	space := ""
	var last *piece
	for i := range l.pieces {
		p := &l.pieces[i]
		if !chosen[i] || p.text == "" {
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
		text := p.text
		switch {
		case last != nil && p.generic != "" && p.generic == last.generic:
			text = withoutComment(text)
		case last == nil || !isAlias(p) || !isAlias(last):
			w.raw("")
		}
		last = p
		w.whole(text)
	}
	if space != "" {
		w.raw("}")
	}
}

func isAlias(p *piece) bool { return strings.HasPrefix(p.text, "using ") }

// withoutComment drops the comment that a piece begins with.
func withoutComment(text string) string {
	for strings.HasPrefix(text, "//") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// mentioned finds the pieces of the prelude that C++ text names outside comments.
func mentioned(text []byte) []string {
	var found []string
	for i := 0; i < len(text); {
		if text[i] == '/' && i+1 < len(text) && text[i+1] == '/' {
			end := bytes.IndexByte(text[i:], '\n')
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
		if word := text[i:j]; byMention[string(word)] && !slices.Contains(found, string(word)) {
			found = append(found, string(word))
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
var byMention = set("int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 slice array pair quotient modulo quotient32 modulo32 size_divisor")
