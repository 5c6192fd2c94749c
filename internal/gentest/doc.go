// Package gentest tests packages that need what qdgen generates: vectors and matrices of other sizes than
// package qd has, and access to the variables that kernels read. The packages are below testdata,
// where patterns such as ./... do not see them: before their tests run they do not compile,
// as what is generated is not kept in the repository. [TestPackages] does what a user does, go generate,
// go vet and go test.
//
// Once it has run, what it has generated is there, and the packages are like others:
//
//	go test ./internal/gentest/testdata/peers -run TestPeers/cpu
package gentest
