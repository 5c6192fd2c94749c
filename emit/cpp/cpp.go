// Package cpp prints SSA as C++17 for the CPU.
package cpp

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/emit/cpp/elementary"
	"github.com/qdgen/qd/emit/prelude"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/abi"
)

//go:embed prelude.h
var ownPieces string

//go:embed clang.h
var forClang string

//go:embed masked.h
var forMasks string

//go:embed vector.h
var forVectors string

//go:embed integers.h
var forIntegers string

//go:embed parts.h
var forParts string

// Clang is C++ that clang compiles. A kernel becomes
//
//	extern "C" void NAME(const NAME_args* args, int64 begin, int64 end)
//
// which runs the threads begin to end-1 of the flat index space; the blocks begin to end-1 if it
// is the code of a block or its threads use theirs. Where one fails, those after it do not run, and
// those that run in lanes beside it stop where they are. The text counts
// on signed integers that wrap (-fwrapv) and on no contraction of a*b + c
// (-ffp-contract=off).
//
// Arrays of clang's text have destructors, which nobody needs at the end of the process.
var Clang = newDialect("[[clang::no_destroy]] static ", func() string {
	return forClang + forMasks + forVectors + forIntegers + forParts + elementary.Pieces() + ownPieces
})

// Plain is C++ for other compilers than clang. What is there for clang's
// optimizer alone is left out: to give arrays a destructor makes g++ 12 drop the temporary in
// x = array{x[1], x[0]}, and crash on some of these.
var Plain = newDialect("static ", func() string {
	return forMasks + forVectors + forIntegers + forParts + strings.ReplaceAll(elementary.Pieces(), "clang::optnone, ", "") + ownPieces
})

func newDialect(table string, pieces func() string) *emit.Dialect {
	return &emit.Dialect{
		Language:    "C++",
		Ext:         ".cpp",
		SignedWraps: true,
		Prelude: sync.OnceValue(func() *prelude.Library {
			return prelude.New(prelude.Dialect{Pieces: pieces(), Builtin: "__builtin_"})
		}),
		ABI: abi.CPU,
		Row: emit.RowNames{Args: "a", Index: index, Dim: size},
		Block: emit.BlockWords{
			Shared:  func(declared string) string { return declared + " = {};" },
			Scratch: func(declared string) string { return "alignas(64) " + declared + ";" },
			Loop: func(index, lane, n string, _ int, _ bool) string {
				return fmt.Sprintf("for (%s %s = 0; %s < %s; %s++) {", index, lane, lane, n, lane)
			},
			Width: width,
			InLanes: func(first, lane, n string, at int) (wide, rest string) {
				return fmt.Sprintf("for (int64 %[1]s = 0, %[2]s = %[3]d; %[1]s + %[2]s <= %[4]s; %[1]s += %[2]s) {", first, width, at, n),
					fmt.Sprintf("for (int64 %s = %s / %d * %d; %s < %s; %s++) {", lane, n, at, at, lane, n, lane)
			},
		},
		Hint:       hint,
		Rolled:     "#pragma clang loop unroll(disable)",
		LaneThread: laneThread,
		Rare:       rare,
		InLine:     inLine,
		OutOfLine:  "[[gnu::noinline]] static",
		Table:      table,
		Alone:      true,
		Frame: func(k *ssa.Func) []string {
			switch {
			case k.Phased:
				return []string{"args", "block", "first", "rest"}
			case k.AddsAlone():
				return []string{"alone"}
			}
			return nil
		},
		Hidden: []string{
			"W", "a", "all", "alone", "args", "begin", "block", "col", "distinct", "end", "first", "flat", "hi", "i", "i0", "i1", "i2",
			"lane", "last", "lo", "rest", "row", "stop", "twice", "whole", "width",
		},
		Open:  open,
		Close: closeKernel,
	}
}

// width is the name of the number of lanes of vectors.
const width = "W"

// rare stands before a function that is called so rarely that it is not worth the compiler's time.
const rare = "[[gnu::cold, gnu::noinline]] static"

// inLine stands before a function that must be inlined.
const inLine = "[[gnu::always_inline]] static inline"

// open begins the function that runs one thread.
func open(k *emit.Kernel) []string {
	switch {
	case k.Func.Phased:
		return openPhased(k)
	case k.Func.Kind == ssa.BlockKernel:
		return openBlock(k)
	}
	thread := k.Place
	if k.Thread != "" {
		thread += " " + k.Thread
	}
	params := []string{thread}
	for _, p := range k.Params {
		param := p.Type
		if p.Name != "" {
			param += " " + p.Name
		}
		params = append(params, param)
	}
	if k.Alone {
		params = append(params, "bool alone")
	}
	inline := "static inline"
	if k.Interior != nil {
		inline = inLine // into the loops in front of the interior and behind it
	}
	switch {
	case k.Wide == nil:
	case k.Rows != nil:
		inline = "[[gnu::noinline]] static" // the threads of short rows, which may be all
	default:
		inline = rare // the few threads at the end of a row are not worth the compiler's time
	}
	return []string{fmt.Sprintf("%s void %s_thread(%s) {", inline, k.Symbol, strings.Join(params, ", "))}
}

// What the compiler is told of a loop: to make vectors, if threads do not depend on each other, which it tests when the
// loop runs, as often as it takes; that they do not depend on each other (it also believes then that the accesses of one
// thread do not); or that no vectors are worth its time.
const (
	vectorize   = "#pragma clang loop vectorize(enable)"
	independent = "#pragma clang loop vectorize(assume_safety)"
	scalar      = "#pragma clang loop vectorize(disable)"
)

// hint is the line before a loop over threads or lanes, "" for none.
func hint(v ssa.Vector) string {
	line := ""
	switch {
	case v.Has(ssa.VectorNever):
		return scalar
	case v.Has(ssa.VectorRest):
		return scalar + " unroll(disable)"
	case v.Has(ssa.VectorIndependent):
		line = independent
	case v.Has(ssa.VectorWanted):
		line = vectorize
	}
	if v.Has(ssa.VectorSeveral) {
		line += " interleave_count(4)"
	}
	if v.Has(ssa.VectorShort) {
		line += " unroll(disable)"
	}
	return line
}

// overThreads is a loop that runs the threads with an index from one number to
// another. As long as there are as many as a vector has lanes, W, these run at once.
func overThreads(k *emit.Kernel, indent, index, from, to, flat string, ids []string) []string {
	var lines []string
	init := fmt.Sprintf("int64 %s = %s", index, from)
	if k.Wide != nil {
		lines = atOnce(k, k.Wide, indent, index, from, to, flat, ids)
		init = ""
	}
	if k.Hint != "" {
		lines = append(lines, k.Hint)
	}
	return append(lines, eachThread(k, indent, init, index, to, k.Symbol+"_thread", flat, ids)...)
}

// eachThread is a loop that runs threads one by one, by a function with a kernel's parameters.
func eachThread(k *emit.Kernel, indent, init, index, to, function, flat string, ids []string) []string {
	lines := []string{fmt.Sprintf("%sfor (%s; %s < %s; %s++) {", indent, init, index, to, index)}
	for _, line := range runs(k, function, flat, ids) {
		lines = append(lines, indent+"    "+line)
	}
	return append(lines, indent+"}")
}

// runs are the lines that run a thread, or those of a vector: a fault is that of the thread which has been noted.
func runs(k *emit.Kernel, function, flat string, ids []string) (lines []string) {
	if k.Faults {
		lines = append(lines, "qd::running.flat = "+flat+";")
	}
	return append(lines, callOf(k, function, flat, ids))
}

// atOnce are the loops that run as many threads at once as a vector has lanes, from the index on. If threads may run
// twice, the last ones of the row run so too. Where strides are most often 1, there is code for that case.
func atOnce(k *emit.Kernel, w *emit.Wide, indent, index, from, to, flat string, ids []string) []string {
	lines := []string{fmt.Sprintf("%sint64 %s = %s;", indent, index, from), fmt.Sprintf("%sconst int64 W = %d;", indent, w.Lanes)}
	call := runs(k, w.By, flat, ids)
	if w.Rows == "" {
		return append(lines, eachOnce(w, indent, index, from, to, call, w.Unroll)...)
	}
	lines = append(lines, indent+"if ("+w.Rows+") { // the elements of a row lie next to each other")
	lines = append(lines, eachOnce(w, indent+"    ", index, from, to, call, w.Unroll)...)
	lines = append(lines, indent+"} else {")
	lines = append(lines, eachOnce(w, indent+"    ", index, from, to, call, 0)...)
	return append(lines, indent+"}")
}

// eachOnce is one of these loops. The lines in call run the threads of a vector.
func eachOnce(w *emit.Wide, indent, index, from, to string, call []string, unroll int) []string {
	loop := func(indent string) (lines []string) {
		if unroll > 0 {
			lines = append(lines, fmt.Sprintf("#pragma clang loop unroll_count(%d)", unroll))
		}
		while := fmt.Sprintf("%s + W <= %s", index, to)
		if w.Distinct != "" {
			while = "distinct && " + while
		}
		lines = append(lines, fmt.Sprintf("%sfor (; %s; %s += W) {", indent, while, index))
		for _, line := range call {
			lines = append(lines, indent+"    "+line)
		}
		return append(lines, indent+"}")
	}
	if w.Twice == "" {
		return loop(indent)
	}
	again := fmt.Sprintf("qd::step_back(%s, W, %s, %s)", index, from, to)
	var why []string
	if w.Twice == emit.Always {
		why = []string{indent + "// The last threads run with some that have run before, which changes nothing: they read nothing that they write."}
	} else {
		again = "twice && " + again
	}
	return slices.Concat(why, []string{indent + "do {"}, loop(indent+"    "), []string{indent + "} while (" + again + ");"})
}

// conditions declares the conditions of vectors, which are tested once for all threads.
func conditions(w *emit.Wide) (lines []string) {
	if w == nil {
		return nil
	}
	if w.Distinct != "" {
		lines = append(lines,
			"    // A vector reads before it writes what threads write between. Slices that have only some memory in common would show that.",
			"    const bool distinct = "+w.Distinct+";")
	}
	if w.Twice != "" && w.Twice != emit.Always {
		lines = append(lines,
			"    // If threads do not read what they write, the last ones of a row run with some that have run before: that changes nothing.",
			"    const bool twice = "+w.Twice+";")
	}
	return lines
}

// closeKernel ends that function and prints the exported one, which calls it
// for each thread.
func closeKernel(k *emit.Kernel) []string {
	entry := fmt.Sprintf(`extern "C" void %s(const %s* args, int64 begin, int64 end) {`, k.Symbol, k.Args())
	var after []string
	if k.Faults {
		after = []string{
			"",
			entry,
			"    // A thread that fails comes back here.",
			fmt.Sprintf("    if (_setjmp(qd::running.jump) == 0) %s_part(args, begin, end);", k.Symbol),
			"}",
		}
		entry = fmt.Sprintf(`[[gnu::noinline]] static void %s_part(const %s* args, int64 begin, int64 end) {`, k.Symbol, k.Args())
	}
	lines := []string{"}", ""}
	if k.Func.Interchanged != 0 {
		lines = append(lines, fmt.Sprintf("// Axis %d of its launches and the last one have changed places: threads in a vector are neighbours along axis %[1]d.", k.Func.Interchanged-1))
	}
	return slices.Concat(lines, []string{entry}, loops(k), after)
}

// loops are the lines that run the threads begin to end-1, with the brace after them.
func loops(k *emit.Kernel) []string {
	switch {
	case k.Func.Phased || k.Func.Kind == ssa.BlockKernel:
		return blocks(k)
	}
	lines := copyOfArgs(k, "a")
	if k.Alone {
		lines = append(lines,
			"    // Threads that run one after the other need no atomic additions.",
			"    const bool alone = begin == 0 && end == a.dim[0] * a.dim[1] * a.dim[2] * a.dim[3];")
	}
	if k.Interior != nil {
		lines = append(lines, conditions(k.Interior.Wide)...)
	} else {
		lines = append(lines, conditions(k.Wide)...)
	}
	if k.Interior != nil && k.Func.LoopRank() < 2 {
		lines = append(lines, parts(k, "    ", "flat", "begin", "end", "flat", nil)...)
		return append(lines, "}")
	}
	if k.Func.LoopRank() < 2 {
		lines = append(lines, overThreads(k, "    ", "flat", "begin", "end", "flat", nil)...)
		return append(lines, "}")
	}
	return append(lines, rows(k)...)
}

// rows walks a launch of several dimensions row by row, so that the loop over
// a row needs no division.
func rows(k *emit.Kernel) []string {
	last := k.Func.LoopRank() - 1
	ids := make([]string, k.Func.LoopRank())
	lines := []string{fmt.Sprintf("    const int64 width = a.dim[%d];", last)}
	if k.Rows != nil {
		lines = ownRows(k)
	}
	lines = append(lines,
		"    for (int64 flat = begin; flat < end;) {",
		"        const int64 row = flat / width, first = flat % width;",
	)
	rest := "row"
	for axis := last - 1; axis > 0; axis-- {
		ids[axis] = fmt.Sprintf("i%d", axis)
		lines = append(lines, fmt.Sprintf("        const int64 i%d = %s %% a.dim[%d];", axis, rest, axis))
		if axis > 1 {
			rest = fmt.Sprintf("rest%d", axis)
			lines = append(lines, fmt.Sprintf("        const int64 %s = row / a.dim[%d];", rest, axis))
		} else {
			lines = append(lines, fmt.Sprintf("        const int64 i0 = %s / a.dim[%d];", rest, axis))
		}
	}
	ids[0] = "i0"
	if last == 1 {
		ids[0] = "row"
	}
	lines = append(lines, "        const int64 stop = end - flat < width - first ? first + (end - flat) : width;")
	if k.Interior != nil {
		ids[last] = "col"
		lines = append(lines, parts(k, "        ", "col", "first", "stop", "row * width + col", ids)...)
		return append(lines, "        flat += stop - first;", "    }", "}")
	}
	ids[last] = "col"
	lines = append(lines, overThreads(k, "        ", "col", "first", "stop", "row * width + col", ids)...)
	return append(lines,
		"        flat += stop - first;",
		"    }",
		"}")
}

// ownRows declares the length of the rows of a kernel's own, and runs the threads one by one if that is no good length.
func ownRows(k *emit.Kernel) []string {
	lines := []string{"    const int64 width = " + k.Rows.Length + ";"}
	if k.Rows.Width.Op == ssa.OpConst {
		return lines
	}
	lines = append(lines, fmt.Sprintf("    if (width < %d || width > %d) {", k.Rows.Least, k.Rows.Most))
	lines = append(lines, eachThread(k, "        ", "int64 flat = begin", "flat", "end", k.Symbol+"_thread", "flat", []string{"go::div(flat, width)", "go::rem(flat, width)"})...)
	return append(lines, "        return;", "    }")
}

// copyOfArgs declares what the loops of a kernel read its arguments from.
func copyOfArgs(k *emit.Kernel, name string) []string {
	return []string{
		"    // A copy: what threads write cannot change it.",
		"    const " + k.Args() + " " + name + " = *args;",
	}
}

// arguments are what the function of a thread, or of a block, is called with: its place, and what the
// argument struct from has.
func arguments(k *emit.Kernel, place, from string) []string {
	args := []string{k.Place + place}
	for _, p := range k.Params {
		args = append(args, p.In(from))
	}
	return args
}

// callOf runs one thread by a function with a kernel's parameters.
func callOf(k *emit.Kernel, function, flat string, ids []string) string {
	args := arguments(k, k.ThreadLiteral(flat, ids, "a.dim[%d]", "", "", ""), "a")
	if k.Alone {
		args = append(args, "alone")
	}
	return fmt.Sprintf("%s(%s);", function, strings.Join(args, ", "))
}
