// Package qdreg is called by the files that qdgen gen writes, qd_gen.go. They register what qdgen
// cannot see in a running program. A package whose kernels run where their source is not on disk
// can also embed its files and call [Source] itself.
package qdreg

import (
	"embed"
	"path"
	"path/filepath"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/runtime/registry"
)

// Source registers the Go source of a package, for programs that run where the source is not on
// disk. A package needs it if it has kernels, or functions that kernels call. files must have all Go
// files of the package, because a missing file may declare what the others mean by a name. So a file
// of the package embeds them with
//
//	//go:embed [^._]*.go
//
// A package that registers only some of its files counts as one that registers none. A registered
// package is preferred to files on disk. Directories below the package's are left out, because they
// are other packages. The error says why the files cannot be read.
//
// importPath is the path by which other packages import the package; for a program's package main
// it is "main". If a generic kernel is launched with types of a package, that package is needed
// too. In messages its files have the directory of the file that calls Source, as in those of the Go compiler, if
// that is one of the package.
func Source(importPath string, files embed.FS) error {
	dir := importPath
	caller := gort.FrameOf(gort.PC(1))
	if pkg, _ := gort.SplitName(caller.Function); pkg == importPath {
		dir = path.Dir(filepath.ToSlash(caller.File))
	}
	return registry.Source(importPath, dir, files)
}

// Text registers files of a package, by their base names, for kernels of other packages that call
// its functions. The files are used if the package does not register its own source and is not on
// disk. They belong to one version of a module, such as "example.com/mod@v1.2.3", and are used only
// in a program that was built with that version. Several calls for one package add up.
func Text(importPath, module string, files map[string]string) {
	registry.Text(importPath, module, files)
}

// Standard registers files of the standard library that kernels reach, for machines without Go. They are of a release
// of Go, as [runtime.Version] has it, and are used only in a program that was built with that. packed is a zip
// archive in base64, whose files are named as below GOROOT/src. Several calls add up.
func Standard(release, packed string) { registry.Standard(release, packed) }

// Vars gives kernels access to variables of a package. vars has a pointer to each of them, by name.
// For a kernel they are compile-time constants, with their values at the launch.
func Vars(importPath string, vars map[string]any) { registry.Vars(importPath, vars) }

// Static registers the Go code of a [qd.Static] whose argument only compiled Go can evaluate. eval is
// a function with one result. Its parameters are the local names in the argument, in the order in
// which they first occur. expr is the argument as go/printer writes it. index is its number among
// the calls of qd.Static in function fn of the package. names are the imports and local names with
// which the expression was written: if the source now has others, the code is not used. Files of an
// older qdgen lack names. Their code is never used, and the error advises to run qdgen gen.
func Static(importPath, fn string, index int, expr string, eval any, names ...string) {
	registry.Static(importPath, fn, index, expr, eval, names...)
}

// StaticValue registers the value of a [qd.Static] that is bound when the package is initialized. It calls eval, a
// function without parameters and with one result, at once. For the other arguments see [Static]. It returns an empty
// value, so that the call can be the initial value of a package variable: Go initializes that variable after those that
// eval reads.
func StaticValue(importPath, fn string, index int, expr string, eval any, names ...string) struct{} {
	return registry.StaticValue(importPath, fn, index, expr, eval, names...)
}

// The constraints of the typed launch functions: what may be passed for a parameter of each kind.

// SliceArg is the type of the argument for a parameter of type []T.
type SliceArg[T any] interface{ ~[]T | *qd.Array[T] }

// View2Arg is the type of the argument for a parameter of type [qd.View2].
type View2Arg[T any] interface{ qd.View2[T] | *qd.Array[T] }

// View3Arg is the type of the argument for a parameter of type [qd.View3].
type View3Arg[T any] interface{ qd.View3[T] | *qd.Array[T] }

// View4Arg is the type of the argument for a parameter of type [qd.View4].
type View4Arg[T any] interface{ qd.View4[T] | *qd.Array[T] }
