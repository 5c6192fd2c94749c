package load

import "github.com/qdgen/qd/frontend/desugar"

// simplify leaves out what the rest of the front end does not know.
func (p *Program) simplify(f *Function) {
	simpler := &desugar.Function{Obj: f.Obj, Decl: f.Decl, Pkg: f.Pkg, Info: f.Info, Outer: f.Outer}
	made := desugar.Rewrite(simpler)
	f.Decl = simpler.Decl
	for _, m := range made {
		p.Funcs[m.Obj] = &Function{Obj: m.Obj, Decl: m.Decl, Pkg: m.Pkg, File: f.File, Info: m.Info, Outer: m.Outer}
	}
}
