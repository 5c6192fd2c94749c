// Package eval lets a program be asked for the values that only compiled Go can tell: of
// package variables, and of the expressions of qd.Static. The command qdgen builds such
// programs from the packages that it is given, beside them and without touching them: in
// these packages alone, and when qdgen has started them, [Serve] answers its questions in
// the place of main.
//
// Questions come by standard input, answers go to standard output, each in a line that
// begins with a word that qdgen has made up for this run: what else is printed there is
// told from them by it.
package eval
