package lower

import (
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// Lower lowers a kernel as far as possible. The bodies of parallel loops stay where they are in the
// source. The stages of package compile decide later what becomes of them.
//
// A device function is first lowered once, for all arguments. One that is refused so may be right for the arguments
// that a kernel knows: it indexes a table of functions, or has a map in a branch that is never taken. The kernel is
// then lowered anew, with an instance of that function for each list of known arguments. The errors that count are
// those of the last attempt.
//
// So it is with a function that returns a pointer to a variable of a function which it is given: it has to be lowered
// into its callers, and that is known only when it has been lowered.
func Lower(p *load.Program, k *load.Function, opts eval.Options) *Module {
	need, returning := map[*types.Func]bool{}, map[*types.Func]bool{}
	for {
		own, tell := deferred(opts)
		m := lowerOnce(p, k, own, need, returning)
		more := m.moreNeed(need)
		for f := range m.nowReturning {
			more = more || !returning[f]
			returning[f] = true
		}
		if !more {
			tell()
			m.Opts = opts
			return m
		}
	}
}

// deferred are options that keep what is printed, warned of and remarked until it is to be told to those that opts
// names.
func deferred(opts eval.Options) (own eval.Options, tell func()) {
	var kept []func()
	own = opts
	if opts.Print != nil {
		own.Print = func(line string) { kept = append(kept, func() { opts.Print(line) }) }
	}
	if opts.Warn != nil {
		own.Warn = func(d diag.Diagnostic) { kept = append(kept, func() { opts.Warn(d) }) }
	}
	if opts.Remark != nil {
		own.Remark = func(r ssa.Remark) { kept = append(kept, func() { opts.Remark(r) }) }
	}
	return own, func() {
		for _, say := range kept {
			say()
		}
	}
}

// attribute notes that errors are in a function, until what it returns is called. Those in callees are theirs.
func (m *Module) attribute(f *eval.Function) (found func()) {
	before := m.Diags.Len()
	return func() {
		f.Refused = f.Refused || m.Diags.Len() > before
		m.lowered = append(m.lowered, f)
		for _, d := range m.Diags.Since(before) {
			if _, ok := m.refusedIn[d]; ok {
				continue
			}
			if m.refusedIn == nil {
				m.refusedIn = map[diag.Diagnostic]*types.Func{}
			}
			m.refusedIn[d] = nil
			if f.Caller != nil && !f.Known.Any() {
				m.refusedIn[d] = f.Src.Obj
			}
		}
	}
}

// moreNeed adds the functions that were refused for all arguments to those that need known ones, and reports whether
// another attempt can do better: there are such functions, and some call had known arguments that its function was not
// lowered for.
func (m *Module) moreNeed(need map[*types.Func]bool) bool {
	more := false
	for _, d := range m.Diags.All() {
		if f := m.refusedIn[d]; f != nil && !need[f] {
			need[f] = true
			more = true
		}
	}
	return more && m.KnownUnused
}

// A mark is a point in a lowering before something that may be taken back.
type mark struct {
	report  check.Mark
	lowered int
}

func (m *Module) mark() mark { return mark{m.Mark(), len(m.lowered)} }

// refusedSince reports whether there are errors in functions that have been lowered since a mark.
func (m *Module) refusedSince(k mark) bool {
	return slices.ContainsFunc(m.lowered[k.lowered:], func(f *eval.Function) bool { return f.Refused })
}

// takeBack forgets the errors since a mark, and with them the functions that have some: the next call of one finds them
// again.
func (m *Module) takeBack(to mark) {
	m.TakeBack(to.report)
	kept := m.lowered[:to.lowered]
	for _, f := range m.lowered[to.lowered:] {
		if !f.Refused {
			kept = append(kept, f)
			continue
		}
		of := loweredAs{f.Src.Obj, f.Key}
		m.funcs[of] = slices.DeleteFunc(m.funcs[of], func(g *eval.Function) bool { return g == f })
		m.Out.Funcs = slices.DeleteFunc(m.Out.Funcs, func(fn *ssa.Func) bool { return fn == f.Fn })
		delete(m.names, f.Fn.Name)
	}
	m.lowered = kept
}
