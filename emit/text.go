package emit

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/qdgen/qd/ssa"
)

// Options change how text is printed, never what it means.
type Options struct {
	// LineDirectives prints a #line directive before each line that comes from a
	// Go statement, so that a debugger shows the Go source.
	LineDirectives bool
}

// Text is an emitted module.
type Text struct {
	Source string
	// Lines tells the Go statement that each line comes from, by line number
	// less one; nil for lines that come from none, such as those of the prelude.
	Lines []*ssa.Stmt

	body int // where what follows the prelude begins in Source
}

// Body is the source without its header and the prelude.
func (t *Text) Body() string { return t.Source[t.body:] }

// Code is the source without its comments and blank lines: what a compiler sees,
// and so what a cache should compare. Comments stand on lines of their own.
func (t *Text) Code() string {
	var b strings.Builder
	b.Grow(len(t.Source))
	for line := range strings.Lines(t.Source) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || strings.HasPrefix(trimmed, "//") {
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

// A textBuilder puts a text together.
type textBuilder struct{ strings.Builder }

// beginText begins the text of modules of one package: it says what they are, and has the pieces of the prelude that
// are needed. There is room for a body of so many bytes.
func beginText(d *Dialect, needs map[string]bool, room int, modules ...*ssa.Module) *textBuilder {
	t := new(textBuilder)
	t.Write(append(fitComment([]byte("// "+header(d, modules)), 0), '\n'))
	d.Prelude().Write(&t.Builder, needs, len(modules), room)
	return t
}

// lines is how many lines there are.
func (t *textBuilder) lines() int { return strings.Count(t.String(), "\n") }

// end ends the text with a body, which is not used again.
func (t *textBuilder) end(body *writer) *Text {
	lines, begin := make([]*ssa.Stmt, t.lines(), t.lines()+len(body.lines)), t.Len()
	t.Write(body.buf)
	made := &Text{Source: t.String(), Lines: append(lines, body.lines...), body: begin}
	body.free()
	return made
}

// A writer gathers lines and remembers which statement each comes from.
type writer struct {
	buf   []byte
	lines []*ssa.Stmt
	depth int
	// stmt is the statement whose lines are being written; its comment has been
	// written already. It is nil outside statements.
	stmt *ssa.Stmt
	// directives is the name of the file to write #line directives for, "" for none.
	directives string
	directed   bool // the last line written stands under a #line of a Go file
	offset     int  // lines above, in the file
	inner      bool // it is a scratch writer, which does not know its line numbers
	declares   bool // a declaration stands between its braces, not further in
}

// Writers that are not used any more: the next ones have their memory. Bodies of texts are longer than what scratch
// writers have.
var spareBodies, spareScratch = spareWriters(), spareWriters()

func spareWriters() *sync.Pool { return &sync.Pool{New: func() any { return new(writer) }} }

func (w *writer) spare() *sync.Pool {
	if w.inner {
		return spareScratch
	}
	return spareBodies
}

// with is a writer in the given state, with the memory of a spare one.
func (w writer) with() *writer {
	s := w.spare().Get().(*writer)
	w.buf, w.lines = s.buf[:0], s.lines[:0]
	*s = w
	return s
}

// free ends the use of a writer.
func (w *writer) free() {
	clear(w.lines)
	w.spare().Put(w)
}

// line writes one line of code, indented; several where it is too long.
func (w *writer) line(text string) {
	if fits(text, w.depth) {
		w.oneLine(text)
		return
	}
	for _, l := range wrapped(text, w.depth) {
		w.oneLine(l)
	}
}

func (w *writer) oneLine(text string) {
	if text == "" {
		w.raw(text)
		return
	}
	if w.directives != "" {
		switch {
		case w.stmt != nil:
			w.raw("#line " + strconv.Itoa(w.stmt.Pos.Line) + " " + strconv.Quote(w.stmt.Pos.File))
			w.directed = true
		case w.directed && !w.inner:
			// The next line is this file's own again: it is the one after the directive.
			w.raw("#line " + strconv.Itoa(w.offset+len(w.lines)+2) + " " + strconv.Quote(w.directives))
			w.directed = false
		}
	}
	w.indent()
	w.raw(text)
}

func (w *writer) linef(format string, args ...any) { w.line(fmt.Sprintf(format, args...)) }

// comment writes a comment of the current statement, or of none.
func (w *writer) comment(text string) { w.commentAt(nil, text) }

// commentAt writes a comment that begins with the place of a statement, if that is not nil.
func (w *writer) commentAt(s *ssa.Stmt, text string) {
	w.indent()
	begin := len(w.buf)
	w.buf = append(w.buf, "// "...)
	if s != nil {
		w.buf = append(s.AppendAt(w.buf), ": "...)
	}
	w.buf = fitComment(append(w.buf, text...), begin)
	w.raw("")
}

func (w *writer) indent() {
	for range w.depth {
		w.buf = append(w.buf, "    "...)
	}
}

func (w *writer) raw(text string) {
	w.buf = append(w.buf, text...)
	w.buf = append(w.buf, '\n')
	w.lines = append(w.lines, w.stmt)
}

// at begins the lines of a statement: its Go text stands above them as a
// comment, once in a row.
func (w *writer) at(s *ssa.Stmt) {
	if s == w.stmt || s == nil {
		return
	}
	repeated := w.stmt != nil && w.stmt.Same(s) && w.stmt.Text == s.Text
	w.stmt = s
	if !repeated {
		if s.Pos.File != "" { // of the source
			w.commentAt(s, s.Text)
		} else {
			w.comment(s.Text)
		}
	}
}

// scratch is an empty writer that continues where w is; see [writer.append].
func (w *writer) scratch(deeper int) *writer {
	return writer{depth: w.depth + deeper, stmt: w.stmt, directives: w.directives, directed: w.directed, inner: true}.with()
}

// append adds what was written to a scratch writer, which is not used again.
func (w *writer) append(s *writer) {
	w.buf = append(w.buf, s.buf...)
	w.lines = append(w.lines, s.lines...)
	if len(s.lines) > 0 {
		w.directed = s.directed
	}
	s.free()
}

// indented moves what was written one level in.
func (w *writer) indented() *writer {
	in := *w
	in.buf = nil
	for line := range bytes.Lines(w.buf) {
		if len(line) > 1 && line[0] != '#' {
			in.buf = append(in.buf, "    "...)
		}
		in.buf = append(in.buf, line...)
	}
	return &in
}

func (w *writer) empty() bool { return len(w.buf) == 0 }

// fitComment makes what a text has from a place on fit into a line with a C++ comment. A backslash at the end would
// continue the comment on the next line.
func fitComment(text []byte, from int) []byte {
	for i, c := range text[from:] {
		if c < ' ' || c == 0x7f {
			text[from+i] = ' '
		}
	}
	if text[len(text)-1] == '\\' {
		text = append(text, " ."...)
	}
	return text
}
