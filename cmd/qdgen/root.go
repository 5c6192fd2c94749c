package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// run runs a command line and gives the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	root := newRootCommand()
	root.SetArgs(withTwoDashes(root, args))
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteC()
	return report(stderr, cmd, err)
}

// withTwoDashes is a command line whose flags with names of several letters have two
// dashes: people who know the go command write one.
func withTwoDashes(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil {
		return args
	}
	list := slices.Clone(args)
	for i, arg := range list {
		if arg == "--" {
			break
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && len(name) > 1 && cmd.Flags().Lookup(name) != nil {
			list[i] = "-" + arg
		}
	}
	return list
}

// newRootCommand makes the command line with all its commands.
func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "qdgen",
		Short: "Compile and inspect GPU kernels written in Go",
		Long: `Qdgen prints the CUDA and C++ of kernels written in Go, and manages the modules that
qd has built on this machine.

A kernel is a Go function with the directive //qd:kernel. Programs launch it with
the package github.com/qdgen/qd. Most programs need no file that this command
writes. There are two exceptions. A program needs the files of gen if it runs
without its source, or if its kernels use values that only compiled Go knows. It
needs the files of types if it uses such types.

The exit status is 1 if the command fails, and 2 if the command line is wrong.`,
		Example: `  qdgen emit ./examples/saxpy               print the CUDA of a package's kernels
  qdgen emit --kernel saxpy --target ptx    print one kernel as PTX
  qdgen explain ./examples/saxpy --open     show on a page what its kernels become
  qdgen gen ./...                           write qd_gen.go beside the kernels
  qdgen types --elem float32 Vec6 Mat3x6    write types of other sizes
  qdgen vet ./...                           report errors in kernels and launches
  qdgen cache list                          list the compiled modules
  qdgen doctor                              show what is installed and missing`,
		Version:       version().String(),
		SilenceErrors: true, // report prints them
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	// Cobra's, but that a command that only holds others is not shown as one that
	// can be run.
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .Runnable}}", "{{if not .HasAvailableSubCommands}}", 1))
	root.AddCommand(newEmitCommand(), newExplainCommand(), newGenCommand(), newTypesCommand(), newVetCommand(), newCacheCommand(), newDoctorCommand(), newVersionCommand())
	root.SetHelpCommand(newHelpCommand())
	root.InitDefaultHelpCmd()
	// Cobra adds this one when the command line runs; that is too late to make it
	// conform.
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Example = "  source <(qdgen completion bash)\n  qdgen completion zsh --help"
	}
	conform(root)
	return root
}

// conform makes a command and those below it answer alike to what they do not
// understand: with a usageError, wherever cobra would print help and succeed.
func conform(cmd *cobra.Command) {
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err: err} })
	if !cmd.Runnable() {
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = chooseCommand
	} else if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return &usageError{err: err}
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		conform(sub)
	}
}

// chooseCommand runs a command that only holds others: there was no name of one of
// them, or none that it knows.
func chooseCommand(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return usageErrorf("%s needs a command: %s", cmd.CommandPath(), strings.Join(names, ", "))
}

// unknownCommand is the error for a name that is none of cmd's commands.
func unknownCommand(cmd *cobra.Command, name string) error {
	cmd.SuggestionsMinimumDistance = 2
	if similar := cmd.SuggestionsFor(name); len(similar) > 0 {
		return usageErrorf("%s has no command %q; did you mean %s?", cmd.CommandPath(), name, strings.Join(similar, " or "))
	}
	return usageErrorf("%s has no command %q", cmd.CommandPath(), name)
}

// noArgs is for commands that take no arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageErrorf("%s takes no arguments, but there is %q", cmd.CommandPath(), args[0])
	}
	return nil
}

// newHelpCommand makes the command help. Cobra's own succeeds with commands that do
// not exist.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [command]",
		Short:   "Show help for a command",
		Long:    "Help shows how to use a command, like the command's flag --help.",
		Example: "  qdgen help cache list",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			at, _, err := cmd.Root().Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []string
			for _, sub := range at.Commands() {
				if sub.IsAvailableCommand() {
					names = append(names, sub.Name()+"\t"+sub.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return &usageError{err: err}
			}
			if len(rest) > 0 {
				return unknownCommand(about, rest[0])
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}
