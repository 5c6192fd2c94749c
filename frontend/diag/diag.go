package diag

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"sort"
	"strings"
)

// A Diagnostic is one problem in a source file.
type Diagnostic struct {
	Pos  token.Position // where it begins; its file name is the one shown
	End  token.Position // just past where it ends; the zero Position when unknown
	Msg  string         // what is wrong, without a final period
	Hint string         // what to do instead, "" when the message says it all
	Line string         // the source line of Pos, "" when it is not to be had
	Once string         // of a warning: what to say it of only once in a process, "" for its place

	// Calls are lines with the calls that lead from a kernel to where the problem is, if that is in another package: see
	// [FormatCalls].
	Calls string

	// Doubtful says that the problem is there for some of the values that a launch may give, of a kernel
	// that is looked at without a launch.
	Doubtful bool

	// InGo says that compiled Go could not do it either, so that it is of no use to ask the running program.
	InGo bool

	// Device is the device that a warning is about, "" if it is about the kernel on all of them.
	Device string
}

// A Call is a call of a function.
type Call struct {
	Pos  token.Position
	Name string // of the function
}

// maxCalls is how many lines show the calls of a diagnostic.
const maxCalls = 3

// FormatCalls shows calls, the kernel's own first, without those in the middle of many.
func FormatCalls(calls []Call) string {
	var b strings.Builder
	left := len(calls) - maxCalls
	for i, c := range calls {
		switch {
		case left > 0 && i == 1:
			fmt.Fprintf(&b, "\n\t... %d more calls ...", left+1)
		case left > 0 && i > 1 && i < len(calls)-1:
		default:
			fmt.Fprintf(&b, "\n\t%s: calls %s", c.Pos, c.Name)
		}
	}
	return b.String()
}

// String formats the diagnostic over several lines, without a final newline:
//
//	file:line:col: message
//		source line
//		       ^
//		file:line:col: calls function
//	help: hint
func (d Diagnostic) String() string {
	var b strings.Builder
	d.format(&b)
	return b.String()
}

func (d Diagnostic) format(b *strings.Builder) {
	if d.Pos.IsValid() || d.Pos.Filename != "" {
		b.WriteString(d.Pos.String())
		b.WriteString(": ")
	}
	b.WriteString(d.Msg)
	if strings.TrimSpace(d.Line) != "" {
		b.WriteString("\n\t")
		b.WriteString(d.Line)
		if pad, ok := caretPad(d.Line, d.Pos.Column); ok {
			b.WriteString("\n\t")
			b.WriteString(pad)
			b.WriteByte('^')
		}
	}
	b.WriteString(d.Calls)
	if d.Hint != "" {
		b.WriteString("\nhelp: ")
		b.WriteString(d.Hint)
	}
}

// caretPad is what stands before the caret under byte column col of line: a
// space for every character, but a tab for every tab, so that the caret stands
// right whatever the width of a tab.
func caretPad(line string, col int) (string, bool) {
	if col < 1 || col > len(line)+1 {
		return "", false
	}
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, line[:col-1]), true
}

// compare orders diagnostics by position, then message.
func compare(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(a.Pos.Filename, b.Pos.Filename),
		cmp.Compare(a.Pos.Line, b.Pos.Line),
		cmp.Compare(a.Pos.Column, b.Pos.Column),
		cmp.Compare(a.Msg, b.Msg),
		certainFirst(a, b),
		cmp.Compare(b.Hint, a.Hint), // of the same problem, the one with advice comes first
	)
}

func certainFirst(a, b Diagnostic) int {
	switch {
	case a.Doubtful == b.Doubtful:
		return 0
	case b.Doubtful:
		return -1
	}
	return 1
}

// sameProblem reports whether b tells a reader of a nothing new. The hint does
// not count: two stages may advise differently on the same message.
func sameProblem(a, b Diagnostic) bool {
	return a.Pos.Filename == b.Pos.Filename && a.Pos.Line == b.Pos.Line && a.Pos.Column == b.Pos.Column && a.Msg == b.Msg
}

// normalize returns the diagnostics sorted by file, line and column, each once.
// It does not modify its argument.
func normalize(list []Diagnostic) []Diagnostic {
	sorted := slices.Clone(list)
	sort.SliceStable(sorted, func(i, j int) bool { return compare(sorted[i], sorted[j]) < 0 })
	return slices.CompactFunc(sorted, sameProblem)
}

// Diagnostics are all problems that were found, as one error.
type Diagnostics struct {
	List []Diagnostic
}

// Error formats all diagnostics, sorted by position and each once, separated by
// newlines.
func (ds *Diagnostics) Error() string {
	var b strings.Builder
	for i, d := range normalize(ds.List) {
		if i > 0 {
			b.WriteByte('\n')
		}
		d.format(&b)
	}
	if b.Len() == 0 {
		return "no diagnostics"
	}
	return b.String()
}

// A List collects diagnostics. The zero List is empty and ready for use. It is
// not safe for use by several goroutines at once.
type List struct {
	diags []Diagnostic
}

// Add appends diagnostics.
func (l *List) Add(ds ...Diagnostic) { l.diags = append(l.diags, ds...) }

// Len is the number of diagnostics collected, repetitions included.
func (l *List) Len() int { return len(l.diags) }

// Since are the diagnostics that have been added since there were n.
func (l *List) Since(n int) []Diagnostic { return l.diags[n:] }

// Remove takes diagnostics back.
func (l *List) Remove(which func(Diagnostic) bool) { l.diags = slices.DeleteFunc(l.diags, which) }

// All returns the collected problems, sorted and without duplicates.
func (l *List) All() []Diagnostic { return normalize(l.diags) }

// Err is nil when nothing was collected, else a *[Diagnostics] with [List.All].
func (l *List) Err() error {
	if len(l.diags) == 0 {
		return nil // not a nil *Diagnostics, which would be a non-nil error
	}
	return &Diagnostics{List: l.All()}
}
