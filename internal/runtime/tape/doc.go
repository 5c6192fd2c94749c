// Package tape records launches and differentiates them.
//
// A [Tape] runs each launch and keeps what its backward kernel needs. [Tape.Backward] runs the backward
// kernels in the opposite order. Each of them takes the gradients of the arrays as the launch has left
// them, and turns them into the gradients of the arrays before the launch (package ssa/gradient). So the
// tape has one gradient for each array.
//
// A backward kernel reads arrays as they were before the launch. The tape copies an array only when
// something is about to change it. Each array has a version, which changes with each write, and a record
// refers to versions. Package launch announces each write of an array, by a launch or otherwise. If a
// record refers to the current version, the tape then copies the contents.
//
// What CopyFrom, Fill and CopyArray write is recorded as well (beforeOther), as a setting or a copy. A setting ends the
// way back from later results.
//
// A launch is recorded only if it depends on an active array. An array is active if it has a gradient,
// or if a launch that depends on an active array writes it.
//
// A part of the tape that [Tape.Checkpoint] makes keeps only the contents that its arrays have at its
// beginning. Backward runs the launches of the part again, on copies, and records them then. A loop
// that [Tape.Steps] makes is a sequence of steps, with parts between the snapshots.
package tape
