// Package frontend turns Go into structured SSA: it is the face of the rooms below it.
//
// [Compile] and [Specialize] check kernels with all that they reach, and lower them, with what
// [Options] say of their constants and what an [Environment] knows of the running program.
// [Specialize] keeps what was asked.
//
// The rooms, each of which knows only those before it:
//
//   - diag: the form of messages;
//   - load: finds, parses and type-checks the sources that kernels reach;
//   - comptime: the form of values that are known at compile time, and what a running program makes of them;
//   - check: what the subset of Go allows, and what it says of the rest;
//   - eval: what is known at compile time, while code is made;
//   - lower: the walk over the syntax, which makes the SSA of a kernel.
//
// None of these knows anything of targets, devices or the cache.
package frontend
