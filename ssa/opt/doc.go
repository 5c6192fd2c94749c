// Package opt has the target-independent passes. Each leaves a module that [ssa.Verify] accepts and
// that computes the same bits. [Optimize] runs them, and [Passes] lists them.
//
// Floats are not reassociated, contracted or otherwise changed. Passes ask package ssa/analysis for
// facts about functions.
package opt
