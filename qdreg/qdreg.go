// Package qdreg is what the files call that qdgen gen writes, qd_gen.go: they tell qdgen what it cannot see of a
// running program. Besides, a package whose kernels are to run where their source is not on disk may embed
// its files and call [Source] itself.
package qdreg

import (
	"io/fs"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/runtime/registry"
)

// Source gives qdgen the Go source of a package whose kernels, or whose functions called by kernels, are to
// run where the source is not on disk: usually an embed.FS with the package's .go files. A registered
// package is preferred to files on disk. Test files are left out, and so are directories below the
// package's, which are other packages; the package's own may lie below the root of files. The error says why
// the files cannot be read.
//
// The import path is that of the package as other packages import it; for a program's package main,
// "main". Packages whose types a generic kernel is launched with are needed like those whose
// functions it calls.
func Source(importPath string, files fs.FS) error { return registry.Source(importPath, files) }

// Text gives qdgen files of a package that kernels of others reach, by their base names, where the package does
// not register its own source and is not on disk. Several calls for one package add to each
// other.
func Text(importPath string, files map[string]string) { registry.Text(importPath, files) }

// Vars gives kernels access to variables of a package, which the map has pointers to by name. They are
// compile-time constants to kernels: a launch takes the values that they have then.
func Vars(importPath string, vars map[string]any) { registry.Vars(importPath, vars) }

// Static gives qdgen the Go code of a [qd.Static] whose argument only compiled Go can evaluate: a function whose
// parameters are the local names in the argument, in the order in which they first occur, with one
// result. The expression is the argument as go/printer writes it, the index that among the qd.Static in
// function fn of the package. The names say which imports and local names the expression was written with:
// where the source has others now, this code is not for it. A file of an older qdgen does not say
// so; what it registers counts for nothing, and is missed with the advice to run qdgen gen.
func Static(importPath, fn string, index int, expr string, eval any, names ...string) {
	registry.Static(importPath, fn, index, expr, eval, names...)
}

// StaticValue gives qdgen the value of a [qd.Static] that is bound early: eval, a function without parameters
// and with one result, is called at once. For the other arguments see [Static]. It returns nothing of
// use, and can so stand in the declaration of a package variable, which Go initializes after those that
// eval reads.
func StaticValue(importPath, fn string, index int, expr string, eval any, names ...string) struct{} {
	return registry.StaticValue(importPath, fn, index, expr, eval, names...)
}

// The constraints of the typed launch functions: what may be passed for a parameter of each kind.

// SliceArg is what a launch takes for a parameter of type []T.
type SliceArg[T any] interface{ ~[]T | *qd.Array[T] }

// View2Arg is what a launch takes for a parameter of type [qd.View2].
type View2Arg[T any] interface{ qd.View2[T] | *qd.Array[T] }

// View3Arg is what a launch takes for a parameter of type [qd.View3].
type View3Arg[T any] interface{ qd.View3[T] | *qd.Array[T] }

// View4Arg is what a launch takes for a parameter of type [qd.View4].
type View4Arg[T any] interface{ qd.View4[T] | *qd.Array[T] }
