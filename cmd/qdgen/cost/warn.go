package cost

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/qdgen/qd/nvrtc/cubin"
	"github.com/qdgen/qd/ssa"
)

// mostSpills is the number of statements that are named where a kernel spills: where there
// are more, they are those that store and load the most.
const mostSpills = 3

// An explainer finds out why a kernel uses local memory.
type explainer struct {
	kernel *Kernel
	cubin  *cubin.Kernel
	fn     *ssa.Func
	lines  []*ssa.Stmt // of the emitted text, by line number less one
	locals []*local
	own    []string // the device functions of the module
	frames bool     // some function of the module has an array in local memory
}

// hasFrames tells whether PTX has arrays in local memory: spills have not been there yet.
func hasFrames(ptx []byte) bool { return localDepot.Match(ptx) }

var localDepot = regexp.MustCompile(`(?m)^\s*\.local\s.*\b__local_depot\d+\[`)

// A cause is what accesses are put down to where it is no local: a statement, or a
// function of CUDA's library that is called for it.
type cause struct {
	pos      ssa.Pos
	function string // its name where it is not inlined
}

// A use is what the instructions of one cause do: their bytes.
type use struct {
	stores, loads int
	from          ssa.Pos // of what is in another file, a library's or a generated one: the first call that they come from
}

func (u *use) add(a cubin.Access) {
	if a.Store {
		u.stores += a.Bytes
	} else {
		u.loads += a.Bytes
	}
}

// calledAt notes the outermost statement that an access comes from, to what is in a file.
func (u *use) calledAt(stmts []*ssa.Stmt, file string) {
	if len(stmts) == 0 {
		return
	}
	if pos := stmts[len(stmts)-1].Pos; pos.File != file && (u.from.File == "" || comparePos(pos, u.from) < 0) {
		u.from = pos
	}
}

// calls says which calls the accesses come from, after a word such as "by"; "" where they
// stand in the file themselves.
func (u *use) calls(after string) string {
	if u.from.File == "" {
		return ""
	}
	return fmt.Sprintf("%s what line %d of %s calls", after, u.from.Line, u.from.File)
}

// warnings explains the instructions that go to local memory, the causes in the order of
// the source.
func (x *explainer) warnings() []Warning {
	for _, l := range x.locals {
		// What is larger than all local memory is not there: the compiler knew its indices.
		l.indexed = l.indexed && (x.kernel.Local <= 0 || l.typ.Size() <= x.kernel.Local)
	}
	arrays := make(map[*local]*use)
	others := make(map[Kind]map[cause]*use)
	for _, a := range x.cubin.Accesses {
		kind := x.kind(a)
		stmts := x.statements(a)
		if kind != Spill {
			if l := x.indexed(stmts); l != nil {
				u := at(arrays, l)
				u.add(a)
				u.calledAt(stmts, l.decl.File)
				continue
			}
			if kind == Array && !slices.ContainsFunc(x.locals, isIndexed) {
				kind = Library
			}
		}
		if others[kind] == nil {
			others[kind] = make(map[cause]*use)
		}
		c := cause{pos: x.position(stmts)}
		if kind == Library {
			c.function = x.function(a)
		}
		u := at(others[kind], c)
		u.add(a)
		u.calledAt(stmts, c.pos.File)
	}
	var list []Warning
	for _, l := range x.locals { // the order in which they are declared
		if u := arrays[l]; u != nil {
			list = append(list, x.array(l, u))
		}
	}
	if len(list) > 0 {
		delete(others, Array) // what is left is theirs, at lines that the compiler has moved it to
	}
	list = append(list, x.spills(others[Spill])...)
	for _, kind := range []Kind{Array, Unknown, Library} {
		for _, c := range ordered(others[kind]) {
			list = append(list, x.other(kind, c, others[kind][c]))
		}
	}
	return list
}

// at is the entry of a key, made where there is none.
func at[K comparable](m map[K]*use, key K) *use {
	u := m[key]
	if u == nil {
		u = new(use)
		m[key] = u
	}
	return u
}

// ordered are causes in the order of the source.
func ordered(m map[cause]*use) []cause {
	return slices.SortedFunc(maps.Keys(m), func(a, b cause) int {
		return cmp.Or(comparePos(a.pos, b.pos), cmp.Compare(a.function, b.function))
	})
}

// comparePos orders positions as they stand in the source.
func comparePos(a, b ssa.Pos) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}

// kind is the cause of an access: Spill or Array, or Unknown where the cubin does not tell.
func (x *explainer) kind(a cubin.Access) Kind {
	switch {
	case a.Spill:
		return Spill
	case x.cubin.Annotated() || x.kernel.SpillStores+x.kernel.SpillLoads == 0:
		return Array
	case !x.frames:
		return Spill
	}
	return Unknown
}

// statements are the Go statements that an access comes from: the innermost first, then
// the calls around it. Lines of the prelude come from none.
func (x *explainer) statements(a cubin.Access) []*ssa.Stmt {
	var list []*ssa.Stmt
	for _, l := range a.Lines {
		if l.Line >= 1 && l.Line <= len(x.lines) && x.lines[l.Line-1] != nil {
			list = append(list, x.lines[l.Line-1])
		}
	}
	return list
}

// position is where a message about statements stands: at the innermost, or, where there
// is none, at the kernel.
func (x *explainer) position(stmts []*ssa.Stmt) ssa.Pos {
	if len(stmts) == 0 {
		return x.fn.Decl.Pos
	}
	return stmts[0].Pos
}

// function is the function that an access is in where that is not inlined, "" for the
// kernel itself.
func (x *explainer) function(a cubin.Access) string {
	for i, f := range x.cubin.Functions {
		if a.Offset >= f.Offset && a.Offset < f.Offset+f.Code {
			return x.kernel.Functions[i].Name
		}
	}
	return ""
}

// indexed is the local indexed at run time that statements touch: of the innermost
// statement that touches any, the largest. Where the compiler has moved accesses to a
// statement that touches none, it is the only one that there is, or nil.
func (x *explainer) indexed(stmts []*ssa.Stmt) *local {
	for _, s := range stmts {
		var best *local
		for _, l := range x.locals {
			if l.indexed && l.at[s.Pos] && (best == nil || l.registers() > best.registers()) {
				best = l
			}
		}
		if best != nil {
			return best
		}
	}
	first := slices.IndexFunc(x.locals, isIndexed)
	if first < 0 || slices.ContainsFunc(x.locals[first+1:], isIndexed) {
		return nil
	}
	return x.locals[first]
}

func isIndexed(l *local) bool { return l.indexed }

// warning is a warning at a place, with what instructions do there.
func (x *explainer) warning(kind Kind, pos ssa.Pos, u *use) Warning {
	return Warning{File: pos.File, Line: pos.Line, Column: pos.Col, Kind: kind, Stores: u.stores, Loads: u.loads}
}

const arrayHint = "index it with constants (for i := range qd.Static(n) unrolls a loop), or keep it in an argument or in the memory that a block shares"

// array warns of an array in local memory.
func (x *explainer) array(l *local, u *use) Warning {
	w := x.warning(Array, l.decl, u)
	w.Local = l.name
	w.Text = fmt.Sprintf("%s is in local memory, %d bytes for each thread: it is indexed at run time%s, and registers cannot be indexed", l.what(), l.typ.Size(), u.calls(" by"))
	w.Hint = arrayHint
	return w
}

// spills warns of spills: of the locals that are too large for all registers, or else at
// the statements that have the most.
func (x *explainer) spills(at map[cause]*use) []Warning {
	if len(at) == 0 {
		return nil
	}
	var total use
	for _, u := range at {
		total.stores += u.stores
		total.loads += u.loads
	}
	const hint = "keep fewer values alive: load them later, split the kernel, use a smaller type, or put a large array into shared memory"
	var list []Warning
	for _, l := range x.locals {
		if limit := x.cubin.MaxRegisters; !l.indexed && l.name != "" && l.registers() > limit {
			w := x.warning(Spill, l.decl, &total)
			w.Local = l.name
			w.Text = fmt.Sprintf("%s spills to local memory%s: it takes %d registers, but a thread has %d", l.what(), spilled(l, at).calls(", in"), l.registers(), limit)
			w.Hint = hint
			list = append(list, w)
		}
	}
	if len(list) > 0 {
		return list
	}
	places := ordered(at)
	slices.SortStableFunc(places, func(a, b cause) int {
		return cmp.Compare(at[b].stores+at[b].loads, at[a].stores+at[a].loads)
	})
	for i, c := range places[:min(mostSpills, len(places))] {
		w := x.warning(Spill, c.pos, at[c])
		w.Text = "registers run out here" + at[c].calls(", in") + ": values spill to local memory"
		if i == 0 {
			w.Hint = hint + x.largest()
		}
		list = append(list, w)
	}
	return list
}

// spilled is what is done where a local spills, as far as it tells of calls: by the statements
// of its file.
func spilled(l *local, at map[cause]*use) *use {
	var u use
	for _, c := range ordered(at) {
		from := at[c].from
		if c.pos.File == l.decl.File && from.File != "" && (u.from.File == "" || comparePos(from, u.from) < 0) {
			u.from = from
		}
	}
	return &u
}

// largest says which locals take the most registers, for a hint.
func (x *explainer) largest() string {
	const few = 8 // registers that are not worth a word
	byName := make(map[string]*local)
	for _, l := range x.locals {
		if l.name != "" && !l.indexed && l.registers() > few && (byName[l.name] == nil || byName[l.name].registers() < l.registers()) {
			byName[l.name] = l
		}
	}
	var list []*local
	for _, l := range x.locals {
		if byName[l.name] == l {
			list = append(list, l)
		}
	}
	slices.SortStableFunc(list, func(a, b *local) int { return cmp.Compare(b.registers(), a.registers()) })
	var names []string
	for _, l := range list[:min(mostSpills, len(list))] {
		file := ""
		if l.decl.File != x.fn.Decl.Pos.File {
			file = " of " + l.decl.File
		}
		names = append(names, fmt.Sprintf("%s (line %d%s, %d registers)", l.name, l.decl.Line, file, l.registers()))
	}
	if len(names) == 0 {
		return ""
	}
	return "; the largest local variables are " + strings.Join(names, ", ")
}

// other is about local memory that no array of Go and no spill explains.
func (x *explainer) other(kind Kind, c cause, u *use) Warning {
	w := x.warning(kind, c.pos, u)
	switch {
	case kind == Library && slices.Contains(x.own, c.function):
		w.Text = "local memory is used by " + c.function + ", which calls itself or is not inlined: what it needs after a call waits there"
		w.Hint = "write a loop instead of recursion, where that is possible"
	case kind == Library && c.function != "":
		w.Text = "local memory is used by " + c.function + ", a function of CUDA's library, not by a local variable"
	case kind == Library:
		w.Text = "local memory is used here by a function of CUDA's library, not by a local variable"
	case kind == Array:
		w.Text = "local memory is used here: by an array that is indexed at run time"
		w.Hint = arrayHint
	default:
		w.Text = "local memory is used here: by spills, or by an array that is indexed at run time"
		w.Hint = "NVRTC of CUDA 12 and later shows which"
	}
	return w
}
