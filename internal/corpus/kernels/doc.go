// Package corpus is the kernels of the shared corpus as compiled Go. All files
// but this one are generated from testdata: see the documentation of
// internal/corpus.
package corpus
