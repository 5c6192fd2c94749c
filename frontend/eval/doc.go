// Package eval evaluates what is known at compile time, while SSA is made.
//
// A known value is a comptime.Value, whether it comes from a qd.C or from a literal in the code.
// Values that only the front end has are each a [FrontValue]. They have the same kinds, but their
// parts may be values of the running kernel. forms.go has all conversions: from and to SSA, and
// from the memory of functions that ran at compile time.
//
// [Code] appends instructions, and folds those whose operands are known. A [Memory] follows the
// contents of variables in memory, as far as they are known, until their addresses escape. An [Env]
// maps variables to their values. [Values] convert between its entries and known values. [Unknowns]
// say why a value is not known. [Elements], [Conversions] and [Comparisons] implement Go's.
// [Asking] asks the running program. [Variables] declares and assigns variables. Each of these
// types extends the one before it. [Facts] are facts about the values of a whole module: the
// results of calls, computed when they are asked for.
//
// Nothing here walks syntax to lower it. That is the task of package lower, which gives [Facts] the
// function that makes a call.
package eval
