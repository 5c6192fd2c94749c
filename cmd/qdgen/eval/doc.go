// Package eval lets qdgen ask a program for the values that only compiled Go can compute: package
// variables, and expressions of qd.Static. The command qdgen builds such programs from the packages
// that it is given, without touching their directories. Only in these programs, and only if qdgen
// has started them, [Serve] answers its questions instead of running main.
//
// Questions come on standard input and answers go to standard output. Each answer is a line that
// begins with a word that qdgen has chosen for this run, which distinguishes it from other output.
package eval
