package frontend

import (
	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
)

// What says which specialization of a kernel is lowered, and what is asked meanwhile.
type (
	// Options say which specialization of a kernel to lower.
	Options = eval.Options

	// An Environment is what a running program, or a tool that can run Go, knows beyond the
	// source.
	Environment = eval.Environment

	// A LackError is an Environment's answer to a qd.Static whose code it has, but not all that the code needs.
	LackError = eval.LackError

	// A StaticSite tells the qd.Static expressions of a program apart.
	StaticSite = eval.StaticSite

	// Reads is what the argument of a qd.Static reads of the running program.
	Reads = check.Reads
)

// ErrNotKnown is an Environment's answer to what it knows nothing of.
var ErrNotRegistered = eval.ErrNotRegistered
