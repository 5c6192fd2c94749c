// Package desugar rewrites typed syntax into the smaller language that the rest of the front end knows.
//
// Three things of Go are left out:
//
//   - goto: a jump back continues a loop, and a jump forward leaves a switch (goto.go);
//   - a range over a function: the body becomes a function literal, and the loop a call (rangefunc.go);
//   - a function literal that calls itself: it becomes a declared function, and what it captures
//     becomes parameters (recursive.go).
//
// This happens after type checking, so that the user's errors are about the user's code. New syntax has
// the positions of what it comes from, and the types that the type checker would give it. What is
// rewritten is a copy: a file that has been parsed is in many programs.
package desugar
