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
	var output, elem string
	var check bool
	cmd := &cobra.Command{
		Use:   "types [--elem ELEMENT TYPE...]",
		Short: "Write vector and matrix types with other sizes and elements",
		Long: `Types writes a Go file with vector and matrix types into the package of the current
directory. Vec6 is a vector of 6 elements. Mat3x6 is a matrix of 3 rows and 6
columns. Mat6, also called Mat6x6, is a matrix of 6 rows and columns. The types have
the same methods as those of packages f32, f64, i32 and u32.

--elem is the type of the elements, a number type of Go: float32, uint8, int64, ...
Types that the packages f32, f64, i32 and u32 have, up to 4x4, are used from there.

Vectors of qd.Float16 and qd.BFloat16 are for storage. They have no algebra, but
conversions to and from vectors of float32.

The types that a type needs are written too. Mat3x6 needs Vec6 for its rows, and
Mat6x3 for its transpose. Vec6 needs Bool6 for the masks of comparisons. A Vec4 of
uint8 needs its Vec2 and Vec3. Matrices have products with the matrices that are
named in the same call.

Types with the same size and different elements have the same name. Write them into
separate packages with -o, as f32 and f64 are. If no names collide, several files in
one package work too.

Without arguments, types rewrites an existing file, with the same types. Let go
generate run the command, so that the file matches this version of qdgen:

  //go:generate go tool qdgen types --elem float32 Vec6 Mat6x6

With --check nothing is written. The exit status is 1 if the file is out of date.`,
		Example: `  qdgen types --elem float32 Vec6 Mat6x6 Mat3x6
  qdgen types --elem uint8 -o internal/color/types.go Vec4
  qdgen types --elem qd.Float16 Vec3 Vec4
  qdgen types --check`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runTypes(cmd.OutOrStdout(), elem, args, output, check)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "qd_types.go", "the `file` to write; it belongs to the package in its directory")
	cmd.Flags().StringVar(&elem, "elem", "", "the `type` of the elements: a number type of Go, such as float32, or qd.Float16 or qd.BFloat16")
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; report whether the file is out of date, and the differences")
	return cmd
}

// runTypes writes the types of these names into a file, or checks the file.
func runTypes(stdout io.Writer, elem string, names []string, output string, check bool) error {
	if filepath.Ext(output) != ".go" {
		return usageErrorf("the output is a Go file, but %q does not end in .go", output)
	}
	if base := filepath.Base(output); base[0] == '.' || base[0] == '_' {
		return usageErrorf("Go ignores files whose names begin with . or _, such as %s: name another with -o", base)
	}
	if info, err := os.Stat(output); err == nil && info.IsDir() {
		return usageErrorf("%s is a directory: name a file with -o", output)
	}
	fromFile := len(names) == 0
	switch {
	case fromFile && elem != "":
		return usageErrorf("name the types of %s to write: Vec6 or Mat3x6 for example", elem)
	case fromFile:
		var err error
		if elem, names, err = typesOf(output); err != nil {
			return err
		}
	case elem == "":
		return usageErrorf("give the type of the elements: --elem float32 %s", strings.Join(names, " "))
	}
	e, list, err := parseTypes(elem, names)
	if err != nil && fromFile {
		return fmt.Errorf("the first line of %s, which lists its types, is not as %s wrote it; name the types to write:\n%w", output, vectypes.Command, err)
	} else if err != nil {
		return &usageError{err}
	}
	pkg, err := vectypes.OpenPackage(output)
	if err != nil {
		return err
	}
	text, err := pkg.Generate(e, list)
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

// parseTypes gives the types of some names, each once, and the type of their elements.
func parseTypes(elem string, names []string) (vectypes.Elem, []vectypes.Type, error) {
	e, err := vectypes.ParseElem(elem)
	if err != nil {
		return "", nil, err
	}
	var list []vectypes.Type
	var errs []error
	for _, name := range names {
		t, err := vectypes.Parse(name, e)
		switch i := slices.IndexFunc(list, func(other vectypes.Type) bool { return other.Shape == t.Shape }); {
		case err != nil:
			errs = append(errs, err)
		case i < 0:
			list = append(list, t)
		case list[i].Name != name:
			errs = append(errs, fmt.Errorf("%s and %s are the same type: use one of the names", list[i].Name, name))
		}
	}
	return e, list, errors.Join(errs...)
}

// typesOf are the elements and the names of the types that a file of this command was made for.
func typesOf(file string) (elem string, names []string, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil, usageErrorf("name the types to write, such as --elem float32 Vec6 Mat3x6: there is no %s that lists them", file)
	}
	if err != nil {
		return "", nil, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	args, ok := genfile.Arguments(first, vectypes.Command)
	words := strings.Fields(args)
	if !ok {
		return "", nil, fmt.Errorf("%s was not written by %s; name the types to write, and another file with -o", file, vectypes.Command)
	}
	if len(words) < 3 || words[0] != "--elem" {
		return "", nil, fmt.Errorf("the first line of %s does not give the type of the elements; name the types to write, as in --elem float32 %s", file, strings.Join(words, " "))
	}
	return words[1], words[2:], nil
}
