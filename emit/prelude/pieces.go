package prelude

import (
	"strings"

	"github.com/qdgen/qd/ssa"
)

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

// parse reads pieces: each begins with a line "//@ name" or "//@ name
// needs name...". A name that ends in a kind (".F": the floats, ".I": signed
// integers of 32 and 64 bits, ".Z": unsigned ones too, ".N": all of these, ".U": the
// unsigned ones of any width)
// stands for one piece for each type, and so do ".V32" and ".V64", of vectors of float32 and of float64. In the text
// stand
//
//	$inline   for what marks a function, $device for what marks anything else
//	$math_    for the prefix of C's math functions, as in $math_sin$f(x)
//	$T, $U    for the type that the piece is for, and the unsigned one of its size
//	$f        for the suffix of C's functions for the type, "f" or ""
//	$bits     for the type's width
func parse(src string) []piece {
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
