package qd

import (
	"embed"
	"errors"
	"fmt"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/origin"
	"github.com/qdgen/qd/internal/runtime/registry"
)

// The files of this package that kernels may call into: the front end checks
// kernels against them.
//
//go:embed thread.go grid.go math.go scalar.go atomic.go printf.go constraints.go
//go:embed float16.go view.go view3.go view4.go checkindex.go assert.go rand.go static.go newfunc.go
//go:embed zvector.go zmatrix.go zbool.go zboolmat.go
var kernelFacing embed.FS

func init() {
	if err := registry.Source(load.QDPath, kernelFacing); err != nil {
		panic("BUG: " + err.Error())
	}
}

// source finds where the source of a specialization can be had. The error is a *SourceError. It is to be
// called by the goroutine that launches: see [registry.SourceOf].
func (k *kernelFunc) source(opts build.Options) (load.Sources, error) {
	src, err := registry.SourceOf(k.ref, opts.Funcs())
	if err != nil {
		return nil, k.notFound(err)
	}
	return src, nil
}

// notFound is the error of a kernel without source, or of one that is given a function
// without.
func (k *kernelFunc) notFound(err error) error {
	if f := functionNotFound(err, k.ref); f != nil {
		advice := load.Regenerate + ", or use a function of a package whose source is there"
		if gort.IsLiteral(f.Kernel.Name) {
			advice = "begin each function literal on a line of its own, or declare a function"
		}
		return &LaunchError{Kernel: k.Name(), Reason: fmt.Sprintf("the source of function %s, which it is given, is not found: %s; %s", f.Kernel.Name, f.Reason, advice)}
	}
	return &SourceError{Kernel: k.ref.Pkg + "." + k.Name(), File: k.ref.File, Err: err}
}

// changed is the error of a kernel whose source is not what the program was built from.
func (k *kernelFunc) changed(err error) error {
	e := &SourceError{Kernel: k.ref.Pkg + "." + k.Name(), File: k.ref.File, Err: err}
	var changed *origin.ChangedError
	if errors.As(err, &changed) && changed.File != "" {
		e.File, e.Line = changed.File, changed.Line
	}
	return e
}

// isChanged reports whether an error is about source that is not what the program was built from.
func isChanged(err error) bool {
	var changed *origin.ChangedError
	return errors.As(err, &changed)
}

// isNotFound reports whether an error is about a kernel that its source lacks.
func isNotFound(err error) bool {
	var nf *load.NotFoundError
	return errors.As(err, &nf)
}

// functionNotFound is an error about a function without source that is given to a kernel, nil
// for one about the kernel itself.
func functionNotFound(err error, kernel load.Ref) *load.NotFoundError {
	var nf *load.NotFoundError
	if !errors.As(err, &nf) || nf.Kernel == kernel || nf.Kernel.Name == "" {
		return nil
	}
	return nf
}
