package eval

import (
	"errors"
	"maps"
	"slices"
	"sort"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// Options say which specialization of a kernel to lower. The zero value is that of a
// kernel which is not generic, takes no compile-time arguments and captures nothing.
type Options struct {
	// Checked asks for a build that stops where Go panics.
	Checked bool

	// Fused asks for a build in which x*y + z may be one operation.
	Fused bool

	// Narrow asks for a build for small launches ([ssa.SmallLimit]), on targets that have such.
	Narrow bool

	// Interchange asks for a build for launches in which an axis has changed places with the last one, on targets that
	// have such: one more than the axis, 0 for no such build.
	Interchange int

	// BlockDim is the number of threads in a block, of a kernel for a block on a device whose code depends on that; 0 asks
	// for as many as there are where nobody has asked for a number.
	BlockDim int

	// Stages is for how many turns of a loop a kernel for a block has operands of products in memory at once, on a
	// device whose code depends on that; 0 asks for one.
	Stages int

	// Consts are the values of the qd.Const parameters, by the parameter's index
	// (that of the qd.Thread is 0): those of T in qd.Const[T].
	Consts map[int]comptime.Value

	// Receiver is the receiver of a kernel that is a method, and Captured what a
	// function literal names with qd.Capture.
	Receiver *comptime.Value
	Captured map[string]comptime.Value

	// Env answers what only the running program knows. With nil nothing is known.
	Env Environment

	// Symbolic asks for a kernel to be lowered only for its errors, without the values above. A missing value counts as
	// known at compile time, although nobody knows which value it is. The resulting module has no other use.
	Symbolic bool

	// Print receives the lines of qd.StaticPrint, "file:line: values"; nil drops them.
	Print func(line string)

	// Registered reports whether the program has code for a qd.Static, as it stands now. With
	// Symbolic, it is what tells of those that [Environment.Static] would not know; nil finds
	// fault with none.
	Registered func(StaticSite) bool

	// Warn receives what is not wrong but hardly meant: unrolled loops of very many
	// turns, values of very many elements. Nil drops it.
	Warn func(diag.Diagnostic)

	// Remark receives what is said about loops that are unrolled and calls that are inlined, and why others are not.
	// Nil drops it.
	Remark ssa.Remarks

	Small bool // nobody waits for more than a small kernel: see SpecializeEach
}

// Funcs are the functions among the constants of a specialization, each once and always in
// one order.
func (o Options) Funcs() (refs []load.Ref) {
	var find func(v comptime.Value)
	find = func(v comptime.Value) {
		if v.Func != nil && !slices.Contains(refs, *v.Func) {
			refs = append(refs, *v.Func)
		}
		for _, e := range v.Elems {
			find(e)
		}
	}
	params := slices.Collect(maps.Keys(o.Consts))
	sort.Ints(params)
	for _, i := range params {
		find(o.Consts[i])
	}
	if o.Receiver != nil {
		find(*o.Receiver)
	}
	names := slices.Collect(maps.Keys(o.Captured))
	sort.Strings(names)
	for _, name := range names {
		find(o.Captured[name])
	}
	return refs
}

// An Environment is what a running program, or a tool that can run Go, knows beyond the
// source. Its methods may be called by several goroutines at once.
type Environment interface {
	// Var gives the value that a package variable has now. The error is ErrNotRegistered
	// where the variable is not registered.
	Var(pkg, name string) (comptime.Value, error)

	// Static evaluates the argument of a qd.Static by running Go; args are the
	// values of the local names in it, in the order in which they first occur, and reads is
	// what else its value depends on. The error is ErrNotRegistered where no code for it is
	// registered.
	Static(site StaticSite, args []comptime.Value, reads check.Reads) (comptime.Value, error)
}

// ErrNotRegistered is an Environment's answer to what it knows nothing of.
var ErrNotRegistered = errors.New("not known to the running program")

// A LackError is an Environment's answer to a qd.Static whose code it has, but not all that the code needs. It is
// ErrNotRegistered too: the front end may do without.
type LackError struct{ Lack error }

func (e *LackError) Error() string   { return ErrNotRegistered.Error() + ": " + e.Lack.Error() }
func (e *LackError) Unwrap() []error { return []error{ErrNotRegistered, e.Lack} }

// A StaticSite tells the qd.Static expressions of a program apart: by what does not
// change when something else in the file does.
type StaticSite struct {
	Pkg   string // import path, as load.Ref has it
	Func  string // the function around it, "T.M" for a method; "" at package level
	Index int    // among the qd.Static in Func, in source order
	Expr  string // the argument, as go/printer writes it
	Names string // what names in it mean, as load.SiteNames says it
}
