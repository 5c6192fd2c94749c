// Package e2e tests the whole of qdgen as a stranger meets it: programs in modules
// of their own, built by the go command and run as processes, with the compilers,
// caches and devices that machines have, lack, or have in a bad state. It has
// nothing but tests.
//
// The programs are in testdata; each test says in its environment what the machine
// is like. What launches do within one process, several goroutines at a time, is
// tested in the package itself, so that it can be run with the race detector; the
// processes are built without it, and under it their tests are not compiled.
package e2e
