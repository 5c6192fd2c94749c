// Bench measures qdgen beside bare clang and hand-written C++ with OpenMP, on the same work in the
// same run. It prints one line for each measurement: the medians of both sides, their ratio, and
// the bound that the project has set.
//
//	go run ./bench [-run REGEXP] [-n REPEATS] [-processor] [-openblas LIBRARY] [-gpu REGEXP]
//
// A broken bound is marked with "!". A section needs tools such as go, a C++ compiler, OpenMP or a
// GPU. If the machine lacks one, the section is not measured and says so. Only a failure makes the
// exit status 1.
//
// Section tiles compares with OpenBLAS: with the system's, or the library that -openblas names, such as the one in
// Python's package scipy-openblas32. OPENBLAS_NUM_THREADS=1 belongs to GOMAXPROCS=1.
//
// Section gpu prints each result as soon as it has it, and measures all other cases when one fails. -gpu selects cases
// by their names, such as "matmul|softmax". native/gpu_peers.py measures most of it in PyTorch and Triton.
//
// The two sides of a ratio run alternately, so that a noisy machine is noisy for both.
package main
