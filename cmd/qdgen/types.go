package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/qdgen/qd/cmd/qdgen/genfile"
	"github.com/qdgen/qd/cmd/qdgen/listed"
	"github.com/qdgen/qd/cmd/qdgen/vectypes"
)

// newTypesCommand makes the command types.
func newTypesCommand() *cobra.Command {
	var output string
	var check bool
	cmd := &cobra.Command{
		Use:   "types [TYPE...]",
		Short: "Write vector and matrix types of sizes that qd does not have",
		Long: `Types writes a Go file with vector and matrix types into the package of the current
directory: Vec6 is a vector of 6 elements, Mat3x6 a matrix of 3 rows and 6 columns,
both generic over every number type, with the methods that those of package qd have.

A type brings those that it needs: with Mat3x6 come Vec6, the type of its rows, and
Mat6x3, that of its transpose; with Vec6 comes Bool6, the masks of comparisons.
What package qd has, up to 4x4, is taken from there. Matrices have products with
those that are named in the same call.

Without names the file that is there is written anew, with the types it has. Let go
generate do it, so that it is as this version of qdgen writes it:

  //go:generate go tool qdgen types Vec6 Mat6x6

With --check nothing is written: the exit status is 1 where the file is not what it
is to be.`,
		Example: `  qdgen types Vec6 Mat6x6 Mat3x6
  qdgen types -o internal/linalg/types.go Mat12x12
  qdgen types --check`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runTypes(cmd.OutOrStdout(), args, output, check)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "qd_types.go", "the `file` to write; it belongs to the package in its directory")
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; report whether the file is out of date, and how")
	return cmd
}

// runTypes writes the types of these names into a file, or checks the file.
func runTypes(stdout io.Writer, names []string, output string, check bool) error {
	if filepath.Ext(output) != ".go" {
		return usageErrorf("the output is a Go file, and %q does not end in .go", output)
	}
	if base := filepath.Base(output); base[0] == '.' || base[0] == '_' {
		return usageErrorf("Go ignores files whose names begin with . or _, such as %s: name another with -o", base)
	}
	if info, err := os.Stat(output); err == nil && info.IsDir() {
		return usageErrorf("%s is a directory: name a file with -o", output)
	}
	fromFile := len(names) == 0
	if fromFile {
		var err error
		if names, err = typesOf(output); err != nil {
			return err
		}
	}
	var shapes []vectypes.Shape
	var errs []error
	for _, name := range names {
		s, err := vectypes.Parse(name)
		if err != nil {
			errs = append(errs, err)
		} else if !slices.Contains(shapes, s) {
			shapes = append(shapes, s)
		}
	}
	if err := errors.Join(errs...); err != nil && fromFile {
		return fmt.Errorf("the first line of %s, which says the types it has, is not as %s wrote it; name the types to write:\n%w", output, vectypes.Command, err)
	} else if err != nil {
		return &usageError{err}
	}
	pkg, err := vectypes.OpenPackage(output)
	if err != nil {
		return err
	}
	text, err := pkg.Generate(shapes)
	if err != nil {
		return err
	}
	f, err := genfile.Open(listed.Shorter(output), vectypes.Command, text)
	switch {
	case err != nil || f.Current():
		return err
	case check:
		fmt.Fprintln(stdout, f.Path, f.Difference())
		return errReported
	}
	return f.Write()
}

// typesOf are the names of types that a file of this command was made for.
func typesOf(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, usageErrorf("name the types to write, Vec6 or Mat3x6 for example: there is no %s that says them", file)
	}
	if err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	args, ok := genfile.Arguments(first, vectypes.Command)
	if !ok {
		return nil, fmt.Errorf("%s was not written by %s; name the types to write, and another file with -o", file, vectypes.Command)
	}
	return strings.Fields(args), nil
}
