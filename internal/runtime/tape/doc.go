// Package tape records launches and differentiates them.
//
// A [Tape] runs each launch and keeps what the backward kernel needs of it. [Tape.Backward] runs the backward kernels in
// the opposite order. Each of them takes the gradients of what the launch has left in its arrays, and makes them the
// gradients of what was there before (package ssa/gradient). So the tape has one gradient for each array.
//
// A backward kernel reads arrays as they were before the launch. The tape copies none of them as long as nothing
// changes them. Each array has a version, which changes with each write. A record refers to versions. Before a recorded
// launch, or whatever else is announced by package launch, writes an array, the tape copies the contents if a
// record refers to them.
//
// A launch is only recorded if it depends on an array that has a gradient: such arrays are active, and so are those
// that a launch writes which depends on an active one.
//
// A part of the tape that [Tape.Checkpoint] makes keeps only the contents that its arrays have at its beginning. Backward runs
// its launches again, on copies, and records them then. A loop that [Tape.Steps] makes is a sequence of steps, with parts
// between the snapshots.
package tape
