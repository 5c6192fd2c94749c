package build

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/origin"
	"github.com/qdgen/qd/ssa"
)

// The source of a kernel must be the source from which the running program was built. A package is proven if its files
// are those of the program. If they have changed, a kernel is proven if its code has not: this program has run the same
// code before. So an edit of a comment, or of another function, is no reason to refuse.

// maxCodes bounds the proven codes that are kept for one kernel and list of constants. There are several if the kernel
// reads package variables that change.
const maxCodes = 64

// unproven returns nil if packages are proven to be those from which the running program was built, else the reason why
// they are not. Tests that are no part of the program need no proof.
func (b *Builder) unproven(packages []*load.Package) *origin.ChangedError {
	if b.Origin == nil {
		return nil
	}
	var files []load.File
	for _, p := range packages {
		files = append(files, p.Files...)
	}
	return b.Origin.Check(files)
}

// prove fails unless the job's kernel is proven to be that of the running program: by its packages, or by code that
// this program has run before.
func (j *job) prove(packages []*load.Package) error {
	if j.Origin == nil {
		return nil
	}
	changed := j.unproven(packages)
	if plain := !strings.ContainsAny(j.ref.Name, ".["); changed == nil && plain && j.ref.Line > 0 && j.line > 0 && j.line != j.ref.Line {
		// Times may lie: of a program that was copied, or of a file that was edited while it was built.
		changed = &origin.ChangedError{File: j.ref.File, Reason: fmt.Sprintf("the kernel begins at line %d in the program, at line %d in the file", j.ref.Line, j.line)}
	}
	codes := j.provenCodes()
	code := cache.Dep{Sum: j.code}
	switch proven := slices.Contains(codes, code); {
	case proven:
		return nil
	case changed != nil:
		return j.changed(changed)
	case j.elsewhere:
		return errElsewhere
	}
	if j.Origin.ID() == "" {
		return nil // nobody would know whose code it is
	}
	codes = append(codes, code)
	_ = j.Cache.StoreIndex(j.codesKey(), cache.Record{Deps: codes[max(0, len(codes)-maxCodes):]})
	return nil
}

// errElsewhere is the error of a function literal with other code than the program has run.
var errElsewhere = errors.New("it is another function literal")

// moved finds the job's kernel, a function literal, on another line of its changed file: it looks for a literal with
// the code that the program has run. It returns nil if there is none. If several have this code, any of them will do.
func (j *job) moved(ctx context.Context) *Module {
	if len(j.provenCodes()) == 0 {
		return nil
	}
	for _, line := range load.LiteralLines(j.src, j.ref) {
		if line == j.ref.Line {
			continue
		}
		other := &job{Builder: j.Builder, src: j.src, ref: j.ref, tc: j.tc, opts: j.opts, elsewhere: true}
		other.ref.Line = line
		other.opts.Warn = func(diag.Diagnostic) {} // of literals that nobody launches, perhaps
		if m, err := other.run(ctx); err == nil {
			return m
		}
	}
	return nil
}

// provable fails if the kernel's own package has changed, and this program has run none of its code: then there is
// nothing to compare with.
func (j *job) provable() error {
	if j.Origin == nil || len(j.provenCodes()) > 0 {
		return nil
	}
	p, err := j.src.Package(j.ref.Pkg)
	if err != nil || p == nil {
		return nil // lowering says so
	}
	if changed := j.Origin.CheckSoon(p.Files); changed != nil {
		return j.changed(changed)
	}
	return nil
}

// changed adds the name of the kernel to an error.
func (j *job) changed(err *origin.ChangedError) error { return changedAt(err, j.ref) }

func changedAt(err *origin.ChangedError, ref load.Ref) error {
	own := *err
	if own.File == "" || own.File == ref.File {
		own.File, own.Line = ref.File, ref.Line
	}
	return &own
}

// provenCodes are the codes of the job's kernel, with the job's constants, that this program
// has run.
func (j *job) provenCodes() []cache.Dep {
	if j.Origin.ID() == "" {
		return nil
	}
	rec, _ := j.Cache.LookupIndex(j.codesKey())
	return rec.Deps
}

func (j *job) codesKey() cache.Key {
	return cache.NewKey("origin of code", []byte(j.Origin.ID()), j.first[:])
}

// identify makes a key of the whole result of the front end: the code, the arguments that are passed to it, and the
// questions to the running program. Positions in the source are not part of it.
func (j *job) identify() {
	for _, k := range j.unit.Specialized.Program.Kernels { // others may have been checked with it
		if k.Obj != nil && k.Obj.Name() == j.ref.Name {
			j.line = j.unit.Specialized.Program.Fset.Position(k.Decl.Pos()).Line // as the program has it, by //line directives
		}
	}
	parts := [][]byte{j.own[:], mustJSON(questionsOf(j.m.Asked))}
	if j.m.Grid != nil { // whose host's part is run as it is
		ir := emit.Text{Source: j.unit.Specialized.Module.String()}
		parts = append(parts, []byte(ir.Code()))
	} else {
		parts = append(parts, mustJSON(j.m.ABI.withoutPositions()))
	}
	if b := j.m.Backward; b != nil {
		own := *b
		own.Count, own.Gather = b.Count.withoutPositions(), b.Gather.withoutPositions()
		parts = append(parts, mustJSON(own))
	}
	j.code = cache.NewKey("code", parts...)
}

// withoutPositions returns the ABI without the positions of its checks in the source.
func (a *ABI) withoutPositions() *ABI {
	if a == nil {
		return nil
	}
	own := *a
	own.Sites = slices.Clone(a.Sites)
	for i := range own.Sites {
		own.Sites[i].Pos = ssa.Pos{}
	}
	return &own
}

// Lower is [Lower] of a kernel of the running program.
func (b *Builder) Lower(src load.Sources, ref load.Ref, opts Options) (*frontend.Specialized, error) {
	u, err := b.take(compile.Go, src, ref, opts)
	if err != nil {
		return nil, err
	}
	return u.Specialized, nil
}

// take runs a pipeline for a kernel of the running program.
func (b *Builder) take(p compile.Pipeline, src load.Sources, ref load.Ref, opts Options) (*compile.Unit, error) {
	u := NewUnit(p, src, ref, opts)
	if err := u.Run(context.Background()); err != nil {
		return nil, b.orChanged(src, ref, u.Specialized, err)
	}
	if changed := b.unproven(u.Specialized.Program.Packages); changed != nil {
		return nil, changedAt(changed, ref)
	}
	return u, nil
}

// orChanged returns the error of lowering, or if the source has changed, an error that says so.
func (b *Builder) orChanged(src load.Sources, ref load.Ref, spec *frontend.Specialized, err error) error {
	var packages []*load.Package
	if spec != nil && spec.Program != nil {
		packages = spec.Program.Packages
	} else if p, err := src.Package(ref.Pkg); err == nil && p != nil {
		packages = append(packages, p)
	}
	if changed := b.unproven(packages); changed != nil {
		return changedAt(changed, ref)
	}
	return err
}
