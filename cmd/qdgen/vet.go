package main

import (
	"errors"
	"fmt"
	"go/token"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/qdgen/qd/cmd/qdgen/listed"
	"github.com/qdgen/qd/cmd/qdgen/vet"
	"github.com/qdgen/qd/frontend/diag"
)

// newVetCommand makes the command vet.
func newVetCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "vet [packages]",
		Short: "Report errors in kernels and their launches",
		Long: `Vet reports code in kernels that no device can run, and launches whose arguments do
not fit the kernel. It reports all errors at once and runs nothing. It takes
packages like the go command does, with their tests; the default is the package of
the current directory.

A kernel is a function with the directive //qd:kernel, or a function that is
launched without it. Like emit, vet also warns about likely mistakes, such as an
unused result of v.Normalize().

Constants that launches give in the kernel's own package decide which code there is:
literals, constants, variables that are assigned only once, and those of loops over
lists. What is wrong only with other constants, or with captured values, is a note.
The exit status is 1 if there are errors, and 0 if there are only warnings and
notes.

Vet is also an analyzer: go vet -vettool=$(which qdgen) ./... runs it with go vet's
caching. It then reports only errors.`,
		Example: `  qdgen vet ./...
  go vet -vettool=$(which qdgen) ./...`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runVet(cmd.OutOrStdout(), cmd.ErrOrStderr(), args, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array of objects with file, line, column, severity (error, warning or note), message and hint")
	return cmd
}

// isVetTool reports whether the go command runs qdgen as go vet's tool: it asks for
// the version or the flags, or names the file that describes a package.
func isVetTool(args []string) bool {
	if len(args) == 0 {
		return false
	}
	return args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg")
}

// runVet vets the packages that match patterns and prints what is found.
func runVet(stdout, stderr io.Writer, patterns []string, asJSON bool) error {
	found, err := vetPackages(patterns)
	if err != nil {
		return err
	}
	if asJSON {
		list := []problem{}
		add := func(severity string, ds []diag.Diagnostic) {
			for _, d := range ds {
				list = append(list, problem{d.Pos.Filename, d.Pos.Line, d.Pos.Column, severity, d.Msg, d.Hint})
			}
		}
		add("error", found.Diagnostics)
		add("warning", found.Warnings)
		add("note", found.Notes)
		if err := printJSON(stdout, list); err != nil {
			return err
		}
		if len(found.Diagnostics) > 0 {
			return errReported
		}
		return nil
	}
	for _, d := range found.Warnings {
		fmt.Fprintln(stderr, "warning: "+d.String())
	}
	for _, d := range found.Notes {
		fmt.Fprintln(stderr, "note: "+d.String())
	}
	var list diag.List
	list.Add(found.Diagnostics...)
	return list.Err()
}

// seldom ends the message of a note.
const seldom = ", with some of the values that a launch may give at compile time"

// vetPackages runs the analyzer over packages and their tests. What it finds is sorted, and
// each is there once though a package and its tests share files.
func vetPackages(patterns []string) (*vet.Result, error) {
	list, err := goList(listed.Query{Patterns: patterns, Tests: true, Types: true})
	if err != nil {
		return nil, driverError(err)
	}
	if err := cycleError(list.Roots); err != nil {
		return nil, err
	}
	if len(list.Roots) == 0 {
		// There may be a reason, which is not told to who asks for so much.
		if _, err := listPackages(patterns, false); err != nil {
			return nil, err
		}
		return nil, errors.New("there are no packages to vet; " + howToName)
	}
	var ids []string
	var mains []*packages.Package // what go test generates to run tests, which has no source of ours
	for _, p := range list.Roots {
		if strings.HasSuffix(p.ID, ".test") {
			mains = append(mains, p)
		} else {
			ids = append(ids, p.ID)
		}
	}
	pkgs, err := list.Check(token.NewFileSet(), listed.ParseAll, ids...)
	if err != nil {
		return nil, driverError(err)
	}
	var errs []error
	for _, p := range slices.Concat(pkgs, mains) {
		for _, e := range p.Errors {
			if e.Kind == packages.ListError && !compilers(p, e) {
				errs = append(errs, listError(p, e))
			}
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{vet.NewAnalyzer(pkgs)}, pkgs, nil)
	if err != nil {
		return nil, err
	}
	var wrong, odd, doubtful diag.List
	var warned diag.Warned
	for _, act := range graph.Roots {
		if act.Err != nil {
			return nil, fmt.Errorf("%s: %w", act.Package.PkgPath, act.Err)
		}
		found := act.Result.(*vet.Result)
		for _, d := range found.Diagnostics {
			wrong.Add(shorter(d))
		}
		for _, d := range found.Notes {
			d.Msg += seldom
			doubtful.Add(shorter(d))
		}
		for _, d := range found.Warnings {
			if warned.First(d) {
				odd.Add(shorter(d))
			}
		}
	}
	result := &vet.Result{Diagnostics: wrong.All(), Warnings: odd.All(), Notes: doubtful.All()}
	// What is a note for a package may be an error for the package with its tests, which launch more.
	result.Notes = slices.DeleteFunc(result.Notes, func(d diag.Diagnostic) bool {
		return slices.ContainsFunc(result.Diagnostics, func(e diag.Diagnostic) bool { return e.Pos == d.Pos && e.Msg+seldom == d.Msg })
	})
	return result, nil
}

// shorter is a diagnostic with the name of its file as people would write it.
func shorter(d diag.Diagnostic) diag.Diagnostic {
	d.Pos.Filename, d.End.Filename = listed.Shorter(d.Pos.Filename), listed.Shorter(d.End.Filename)
	return d
}

// compilers reports whether an error is what the Go compiler said when the go command
// had it compile a package, and the errors of its source are there one by one too: of
// these the analyzer reports what is in kernels, as qdgen emit does.
func compilers(p *packages.Package, e packages.Error) bool {
	return isCompilers(e) && slices.ContainsFunc(p.Errors, func(e packages.Error) bool {
		return e.Kind == packages.TypeError || e.Kind == packages.ParseError
	})
}

// isCompilers reports whether an error is what the Go compiler said.
func isCompilers(e packages.Error) bool { return strings.HasPrefix(e.Msg, "# ") }

// problem is one finding of vet in JSON.
type problem struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Severity string `json:"severity"` // error, warning or note
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
}
