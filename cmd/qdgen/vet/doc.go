// Package vet is a go/analysis analyzer of kernels: it reports what the front end
// would refuse when a kernel is launched, and launches whose arguments do not fit,
// without running anything.
//
// What is hardly meant, of which the front end warns, is in the analyzer's result only.
//
// It is what "qdgen vet" runs, and "go vet -vettool=$(which qdgen)"; other drivers
// of analyzers can take [Analyzer] too.
package vet
