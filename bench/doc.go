// Bench measures qdgen side by side with what it is compared to: bare clang, and
// hand-written C++ with OpenMP, on the same work in the same run. It prints one line for
// each measurement: the medians of both sides, their ratio, and the bound that the project
// has set itself.
//
//	go run ./bench [-run REGEXP] [-n REPEATS]
//
// A bound that is broken is marked with "!". A section that needs what the machine lacks,
// as go, a C++ compiler, OpenMP or a GPU, is not measured and says so; only a failure
// makes the exit status 1.
//
// The two sides of a ratio take turns, so that a noisy machine is noisy for both.
package main
