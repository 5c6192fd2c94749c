// Package opt has the passes that hold for every target: each leaves a module that [ssa.Verify]
// accepts and that computes the same bits. [Optimize] runs them, and [Passes] lists them.
//
// Floats are not reassociated, contracted or otherwise improved. What passes know about functions
// they ask package ssa/analysis.
package opt
