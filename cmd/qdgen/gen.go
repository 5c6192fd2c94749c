package main

import (
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
	var check bool
	cmd := &cobra.Command{
		Use:   "gen [packages]",
		Short: "Write qd_gen.go, which programs need where their source is not",
		Long: `Gen writes a file qd_gen.go beside the kernels of Go packages. It takes packages
as the go command does; without any it takes the one of the current directory.

The file has in it

  - the source of the kernels and of what they reach: its own by go:embed, that of
    packages without such a file as text;
  - access to the package variables that kernels read;
  - the expressions of qd.Static that only compiled Go can evaluate;
  - for each function with the directive //qd:kernel a function that launches it,
    launchSaxpy for saxpy, LaunchSaxpy for Saxpy, runStep for a kernel step of a
    qd.Grid. With these a wrong argument is an error of the Go compiler.

While a program is being developed it needs the file for the last two only, for
variables that the program assigns to, and where another package's unexported
variables are read. A program that runs where its source is not needs all of it.
Have it written by go generate,

  //go:generate go tool qdgen gen

in a module that has got the tool once: go get -tool github.com/qdgen/qd/cmd/qdgen.

A package whose kernels have errors keeps the file it has; the errors are reported,
the files of other packages are written. With --check nothing is written: the exit
status is 1 where a file is not what it is to be.`,
		Example: `  qdgen gen
  qdgen gen ./...
  qdgen gen --check ./...`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runGen(cmd.OutOrStdout(), cmd.ErrOrStderr(), args, check)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; report the files that are out of date, and how")
	return cmd
}

// runGen generates the files of the packages that match patterns, or checks them.
func runGen(stdout, stderr io.Writer, patterns []string, check bool) error {
	pkgs, err := listPackages(patterns)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(pkgs, gen.IsFiles) {
		return usageErrorf("gen writes a file for a whole package; name the package, not its files")
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	made, err := gen.Open(dir, pkgs).Generate()
	if err != nil {
		return driverError(err)
	}
	if len(made.Files) == 0 && made.Err == nil {
		return errNoKernels
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
