// Package failure has the errors of a launch that are not about what ran. Users are given them as types of package
// qd, which have the same fields, and their documentation.
package failure

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/origin"
)

// A LaunchError is a launch that was not started because what it was asked for does not fit the kernel.
type LaunchError struct {
	Kernel string
	Param  string
	Reason string
}

// Error implements error.
func (e *LaunchError) Error() string {
	var b strings.Builder
	b.WriteString("qd: launch")
	if e.Kernel != "" {
		b.WriteString(" of " + e.Kernel)
	}
	if e.Param != "" {
		b.WriteString(": parameter " + e.Param)
	}
	return b.String() + ": " + e.Reason
}

// Abandoned is the error of a launch that a context has ended.
func Abandoned(kernel string, within context.Context) error {
	return fmt.Errorf("qd: launch of %s: abandoned, so that not all of its threads have run: %w", kernel, context.Cause(within))
}

// Ended is the error of what was to be done with a kernel, if its context has ended: it says how far that came. It is nil
// if the context goes on.
func Ended(what string, kernel interface{ Name() string }, how string, within context.Context) error {
	if within == nil || within.Err() == nil {
		return nil
	}
	return fmt.Errorf("qd: %s of %s: %s: %w", what, kernel.Name(), how, context.Cause(within))
}

// Building is the error of a kernel that was to be made ready, within a context, nil for none. It does not blame the
// compiler where the context has ended, which stops that. What else is wrong is told also where it has ended since.
func Building(kernel interface{ Name() string }, err error, within context.Context) error {
	ended := Ended("build", kernel, "ended before the kernel was ready", within)
	if ended == nil || !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Cause(within)) {
		return err
	}
	return ended
}

// A SourceError is a kernel whose Go source cannot be found, or is not what the running
// program was built from.
type SourceError struct {
	Kernel string
	File   string
	Line   int
	Err    error
}

// Error implements error.
func (e *SourceError) Error() string {
	why := e.Err
	if changed := (*origin.ChangedError)(nil); errors.As(why, &changed) {
		at := e.File
		if e.Line > 0 {
			at += ":" + strconv.Itoa(e.Line)
		}
		if at != "" {
			at += ": "
		}
		return fmt.Sprintf("%sthe source of kernel %s is not what the program was built from: %s; rebuild the program, or embed the source with qdgen gen", at, e.Kernel, changed.Reason)
	}
	// A NotFoundError says anew which kernel it is about.
	if nf := (*load.NotFoundError)(nil); errors.As(e.Err, &nf) {
		why = errors.New(nf.Reason)
		if nf.Err != nil {
			why = fmt.Errorf("%s: %w", nf.Reason, nf.Err)
		}
	}
	advice := load.Regenerate
	if filepath.IsAbs(e.File) {
		advice += ", or run it where its source is"
	}
	return fmt.Sprintf("qd: the source of kernel %s is not found: %v; %s", e.Kernel, why, advice)
}

// Unwrap gives the cause.
func (e *SourceError) Unwrap() error { return e.Err }

// A MissingError is a device that cannot be used because something is not installed.
type MissingError struct {
	Device string
	Err    error
}

// Error implements error.
func (e *MissingError) Error() string {
	return fmt.Sprintf("qd: device %s: %v", e.Device, e.Err)
}

// Unwrap gives the cause.
func (e *MissingError) Unwrap() error { return e.Err }

// NoDevice stands for the name of a device that is nil.
const NoDevice = "(no device)"

// A DeviceError is an operation that a device refused or failed.
type DeviceError struct {
	Device string
	Op     string
	Err    error
}

// Error implements error.
func (e *DeviceError) Error() string {
	return fmt.Sprintf("qd: %s on %s: %v", e.Op, e.Device, e.Err)
}

// Unwrap gives the cause.
func (e *DeviceError) Unwrap() error { return e.Err }

// A NamedError is why a device cannot be opened that the environment names.
type NamedError struct{ Err error }

// Error implements error.
func (e *NamedError) Error() string {
	return fmt.Sprintf("%v (the environment variable QD_DEVICE names this device)", e.Err)
}

// Unwrap gives the cause.
func (e *NamedError) Unwrap() error { return e.Err }

// A ConfigError is why configurations of a tuned kernel cannot be used.
type ConfigError struct {
	Configs []string
	Err     error
}

// Error implements error.
func (e *ConfigError) Error() string {
	noun := "configuration"
	if len(e.Configs) > 1 {
		noun += "s"
	}
	return fmt.Sprintf("%s %s: %v", noun, strings.Join(e.Configs, ", "), e.Err)
}

// Unwrap gives the reason.
func (e *ConfigError) Unwrap() error { return e.Err }

// Joined is what several errors were joined to. Errors that a user has joined are none of this type: they stay as they are.
type Joined struct{ Errs []error }

// Join is [errors.Join] for the errors of several things that a user asked for at once.
func Join(errs ...error) error {
	var all []error
	for _, err := range errs {
		if err != nil {
			all = append(all, err)
		}
	}
	if all == nil {
		return nil
	}
	return &Joined{all}
}

// Error implements error.
func (e *Joined) Error() string { return errors.Join(e.Errs...).Error() }

// Unwrap gives the errors.
func (e *Joined) Unwrap() []error { return e.Errs }
