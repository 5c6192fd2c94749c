// Package eval is what is known at compile time while code is made.
//
// A known value is a comptime.Value, from a qd.C to the literal in the code. Values that only
// the front end has, a [FrontValue] each, have the same kinds, but their parts may be values of
// the running kernel. File forms.go has all the conversions: from and to code, and from the
// memory of what was run at compile time.
//
// [Code] is appended to, and computes what is known where it is appended. What variables in
// memory hold is followed in a [Memory], as far as it is known, until their addresses go where
// that is not seen. An [Env] is what variables hold, [Values] go between it and what is known;
// [Unknowns] say why something is not; [Elements], [Conversions] and [Comparisons] are Go's;
// [Asking] asks the running program; [Variables] are declared and assigned. Each of these is
// the one before it and more. [Facts] are what is known of the values of a whole module: the
// results of calls, made where they are asked for.
//
// Nothing here walks syntax to lower it: that is the business of package lower, which gives what
// makes a call to [Facts].
package eval
