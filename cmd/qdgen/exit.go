package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/internal/bug"
)

// Exit statuses of the command.
const (
	exitOK    = 0
	exitError = 1 // what was asked for could not be done
	exitUsage = 2 // what was asked for could not be understood
)

// A usageError is a command line that cannot be understood.
type usageError struct {
	err error
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usageErrorf makes a usageError. Commands return it for arguments and flags that
// cobra cannot check.
func usageErrorf(format string, args ...any) error {
	return &usageError{err: fmt.Errorf(format, args...)}
}

// errReported ends a command with exitError that has said on its own what is wrong.
var errReported = errors.New("already reported")

// report prints the error of a command and gives the exit status.
func report(stderr io.Writer, cmd *cobra.Command, err error) int {
	var usage *usageError
	var problems *diag.Diagnostics
	if failed := (*programError)(nil); errors.As(err, &failed) {
		if all, ok := err.(interface{ Unwrap() []error }); ok {
			for _, one := range all.Unwrap() {
				report(stderr, cmd, one)
			}
		} else {
			fmt.Fprintf(stderr, "qdgen: %v\n", failed)
		}
		return failed.status()
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok && !errors.As(err, &usage) && errors.As(err, &problems) {
		for _, one := range several.Unwrap() {
			report(stderr, cmd, one)
		}
		return exitError
	}
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "qdgen: %v\nRun '%s --help' for usage.\n", err, cmd.CommandPath())
		return exitUsage
	case errors.Is(err, errReported):
	case errors.As(err, &problems):
		// Each begins with its position, where editors look for it.
		fmt.Fprintln(stderr, problems)
	default:
		fmt.Fprintf(stderr, "qdgen: %v\n", err)
		if fault := (*bug.Error)(nil); errors.As(err, &fault) {
			fmt.Fprintf(stderr, "\n%s", fault.Stack)
		}
	}
	return exitError
}
