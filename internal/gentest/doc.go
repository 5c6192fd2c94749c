// Package gentest tests packages that need generated code: vectors and matrices of other sizes than
// packages f32, f64, i32 and u32 have, and access to the variables that kernels read. The packages are below testdata,
// where patterns such as ./... do not see them. They do not compile before their tests have run,
// because the generated files are not kept in the repository. [TestPackages] does what a user does:
// go generate, go vet and go test.
//
// After it has run, the generated files exist, and the packages are like others:
//
//	go test ./internal/gentest/testdata/peers -run TestPeers/cpu
package gentest
