// Package hint decides what the C++ compiler is told where it finds the vectors itself: in the loops over lanes of a
// block that package widen leaves alone, and within a thread, if the thread runs in no vector.
//
//	loops  the pragmas for loops over lanes
//	rows   the matrices that are read by whole rows
//
// The decisions are written into fields of [ssa.Instr].
package hint
