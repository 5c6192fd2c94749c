// Package frontend turns Go into structured SSA. It runs the packages below it.
//
// [Compile] and [Specialize] check kernels with everything that they reach, and lower them.
// [Options] give their constants, and an [Environment] answers questions about the running program.
// [Specialize] also records these questions and answers.
//
// These are the packages below. Each imports only the ones before it:
//
//   - diag: the form of messages;
//   - desugar: rewrites goto, ranges over functions and recursive literals as simpler syntax;
//   - load: finds, parses and type-checks the sources that kernels reach;
//   - comptime: values that are known at compile time, in a common form;
//   - check: the rules of the subset of Go, and the messages for other code;
//   - initial: the values that package variables have when their packages are initialized;
//   - eval: evaluation at compile time, while code is made;
//   - lower: the walk over the syntax, which makes the SSA of a kernel.
//
// None of them knows targets, devices or the cache.
package frontend
