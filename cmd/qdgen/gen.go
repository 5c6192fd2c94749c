package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/qdgen/qd/cmd/qdgen/gen"
	"github.com/qdgen/qd/cmd/qdgen/listed"
)

// newGenCommand makes the command gen.
func newGenCommand() *cobra.Command {
	var check, standard bool
	cmd := &cobra.Command{
		Use:   "gen [packages]",
		Short: "Write qd_gen.go, which programs need to run without their source",
		Long: `Gen writes a file qd_gen.go beside the kernels of Go packages. It takes packages
like the go command does; the default is the package of the current directory.

The file contains

  - the source of the kernels and of the functions that they call: its own package
    by go:embed, and as text the packages of other modules without such a file. The
    text is used in programs that are built with the same version of the module;
  - what they reach of the standard library, packed, for machines without Go. It is
    that of one release of Go, and the file is out of date with another one;
    --standard=false leaves it out;
  - access to the package variables that kernels read;
  - the expressions of qd.Static that only compiled Go can evaluate;
  - for each function with the directive //qd:kernel a function that launches it:
    launchSaxpy for saxpy, LaunchSaxpy for Saxpy, runStep for a kernel step of a
    qd.Grid. The Go compiler checks their arguments.

During development a package needs the file only for the last two, for variables
that the program assigns to, and for unexported variables of other packages. A
program that runs without its source needs all of these, and so do the packages of
its module that kernels call: gen ./... writes them all. Let go generate write it:

  //go:generate go tool qdgen gen

The module needs the tool for that: go get -tool github.com/qdgen/qd/cmd/qdgen.

Tests have their source when they run. If kernels in _test.go files need the
variables or the expressions, gen writes qd_gen_test.go, and for an external test
package qd_gen_external_test.go.

If the kernels of a package have errors, gen reports the errors, keeps the file of
the package, and writes the files of the other packages. With --check it writes
nothing, and the exit status is 1 if a file is out of date.`,
		Example: `  qdgen gen
  qdgen gen ./...
  qdgen gen --check ./...`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runGen(cmd.OutOrStdout(), cmd.ErrOrStderr(), args, check, !standard)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; report the files that are out of date, and the differences")
	cmd.Flags().BoolVar(&standard, "standard", true, "embed what kernels reach of the standard library")
	return cmd
}

// runGen generates the files of the packages that match patterns, or checks them.
func runGen(stdout, stderr io.Writer, patterns []string, check, withoutStandard bool) error {
	list, err := listPackages(patterns, isSingle(patterns))
	if err != nil {
		return err
	}
	if slices.ContainsFunc(list.Roots, gen.IsFiles) {
		return usageErrorf("gen writes a file for a whole package; give the package, not its files")
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	w := gen.Open(dir, list, goList)
	w.WithoutStandard = withoutStandard
	made, err := w.Generate()
	if err != nil {
		return driverError(err)
	}
	if len(made.Files) == 0 && made.Err == nil {
		return cmp.Or(importError(list.Roots), errNoKernels)
	}
	for _, note := range made.Notes {
		fmt.Fprintln(stderr, "note: "+note)
	}
	errs := []error{made.Err}
	stale := false
	for _, f := range made.Files {
		f.Path = listed.Shorter(f.Path)
		switch {
		case f.Current():
		case check:
			stale = true
			fmt.Fprintln(stdout, f.Path, f.Difference())
		default:
			errs = append(errs, f.Write())
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if stale {
		return errReported
	}
	return nil
}
