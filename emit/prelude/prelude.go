// Package prelude has the helpers that emitted code calls: functions that mean what Go means where C++ does not, Go's
// names of types, and package math. A dialect has a [Library] of them. It is made of pieces, which need each other; a
// text gets those that it needs.
//
// The files *.h have the pieces that all dialects have, in the form that function parse describes. A dialect brings its
// own in the same form.
package prelude

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

//go:embed language.h
var languagePieces string

//go:embed math.h
var mathPieces string

// checkPieces are for all dialects, but build on what each has of its own. A dialect may have others in their place.
//
//go:embed check.h
var checkPieces string

// A Library is a dialect's prelude, ready for printing.
type Library struct {
	pieces []piece // in the order of printing, templates filled
	index  map[string]int
}

// A Dialect is what a library must know of a dialect of C++.
type Dialect struct {
	Pieces  string // those that it has in addition to the common ones, or in their place
	Device  string // stands before what is declared for the device, ending in a space if it is not empty
	Builtin string // stands before the C names of math functions
}

// New makes the library of a dialect.
func New(d Dialect) *Library {
	own := parse(d.Pieces)
	l := &Library{pieces: inOrder(slices.Concat(parse(languagePieces), vectorPieces(), plainMathPieces(), parse(mathPieces)), own)}
	for _, check := range parse(checkPieces) {
		if !slices.ContainsFunc(own, func(p piece) bool { return p.name == check.name }) {
			l.pieces = append(l.pieces, check)
		}
	}
	l.index = make(map[string]int, len(l.pieces))
	fill := strings.NewReplacer("$inline", "static "+d.Device+"inline", "$device ", d.Device, "$math_", d.Builtin)
	for i := range l.pieces {
		p := &l.pieces[i]
		p.text = fill.Replace(p.text)
		for _, n := range Mentioned([]byte(p.text)) {
			if n != p.name {
				p.needs = append(p.needs, n)
			}
		}
		if _, twice := l.index[p.name]; twice {
			panic("BUG: two pieces of the prelude are named " + p.name)
		}
		l.index[p.name] = i
	}
	return l
}

// Has reports whether the library has a piece.
func (l *Library) Has(name string) bool {
	_, ok := l.index[name]
	return ok
}

// Write writes the pieces that are needed, directly or by others. In them, $modules is how many modules are printed as
// one text. Then there is room for as many bytes behind them.
func (l *Library) Write(b *strings.Builder, needs map[string]bool, modules, behind int) {
	chosen := l.choose(needs)
	size := 0
	for i, yes := range chosen {
		if yes {
			size += len(l.pieces[i].text) + 1
		}
	}
	b.Grow(size + 100 + behind) // 100 for the namespaces
	space := ""
	var last *piece
	for i := range l.pieces {
		p := &l.pieces[i]
		if !chosen[i] || p.text == "" {
			continue
		}
		if s := p.space(); s != space {
			if space != "" {
				b.WriteString("}\n")
			}
			if s != "" {
				b.WriteString("\nnamespace ")
				b.WriteString(s)
				b.WriteString(" {\n")
			}
			space = s
		}
		text := p.text
		switch {
		case last != nil && p.generic != "" && p.generic == last.generic:
			text = withoutComment(text)
		case last == nil || !isAlias(p) || !isAlias(last):
			b.WriteString("\n")
		}
		last = p
		b.WriteString(strings.ReplaceAll(text, "$modules", strconv.Itoa(modules)))
	}
	if space != "" {
		b.WriteString("}\n")
	}
}

// choose finds the pieces that are needed.
func (l *Library) choose(needs map[string]bool) (chosen []bool) {
	chosen = make([]bool, len(l.pieces))
	instead := make(map[string]string)
	for _, n := range slices.Sorted(maps.Keys(needs)) {
		if p, of := inLane(n); l.Has(p) {
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
			panic(fmt.Sprintf("BUG: no piece %q in the prelude", name))
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
	return chosen
}

func isAlias(p *piece) bool { return strings.HasPrefix(p.text, "using ") }

// withoutComment drops the comment that a piece begins with.
func withoutComment(text string) string {
	for strings.HasPrefix(text, "//") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}
