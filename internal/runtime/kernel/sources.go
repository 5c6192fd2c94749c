package kernel

import (
	"errors"
	"fmt"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/origin"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/registry"
)

// Source finds where the source of a specialization can be had. The error is a *SourceError. It is to be
// called by the goroutine that launches: see [registry.SourceOf].
func (k *Func) Source(opts build.Options) (load.Sources, error) {
	src, err := registry.SourceOf(k.Ref, opts.Funcs())
	if err != nil {
		return nil, k.NotFound(err)
	}
	return src, nil
}

// NotFound is the error of a kernel without source, or of one that is given a function
// without.
func (k *Func) NotFound(err error) error {
	if f := FunctionNotFound(err, k.Ref); f != nil {
		advice := load.Regenerate + ", or use a function of a package whose source is there"
		if gort.IsLiteral(f.Kernel.Name) {
			advice = "begin each function literal on a separate line, or declare a function"
		}
		return &failure.LaunchError{Kernel: k.Name(), Reason: fmt.Sprintf("the source of its argument, function %s, is not found: %s; %s", f.Kernel.Name, f.Reason, advice)}
	}
	return &failure.SourceError{Kernel: k.Ref.Pkg + "." + k.Name(), File: k.Ref.File, Err: err}
}

// Changed is the error of a kernel whose source is not what the program was built from.
func (k *Func) Changed(err error) error {
	e := &failure.SourceError{Kernel: k.Ref.Pkg + "." + k.Name(), File: k.Ref.File, Err: err}
	var changed *origin.ChangedError
	if errors.As(err, &changed) && changed.File != "" {
		e.File, e.Line = changed.File, changed.Line
	}
	return e
}

// IsChanged reports whether an error is about source that is not what the program was built from.
func IsChanged(err error) bool {
	var changed *origin.ChangedError
	return errors.As(err, &changed)
}

// IsNotFound reports whether an error is about a kernel that its source lacks.
func IsNotFound(err error) bool {
	var nf *load.NotFoundError
	return errors.As(err, &nf)
}

// FunctionNotFound is an error about a function without source that is given to a kernel, nil
// for one about the kernel itself.
func FunctionNotFound(err error, kernel load.Ref) *load.NotFoundError {
	var nf *load.NotFoundError
	if !errors.As(err, &nf) || nf.Kernel == kernel || nf.Kernel.Name == "" {
		return nil
	}
	return nf
}
