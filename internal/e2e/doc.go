// Package e2e tests the whole of qdgen from the outside. Its programs are in modules of their own.
// The go command builds them, and they run as processes, with compilers, caches and devices that
// are present, missing or broken. The package contains only tests.
//
// The programs are in testdata. Each test describes the machine through its environment. Launches
// from several goroutines of one process are tested in the package itself, so that the race
// detector can watch them. The processes are built without the race detector, and under it their
// tests are not compiled.
package e2e
