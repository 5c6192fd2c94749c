// Package vet is a go/analysis analyzer of kernels. It reports the errors that the front end would
// report when a kernel is launched, and launches whose arguments do not fit. It runs nothing.
//
// The front end's warnings about likely mistakes are only in the analyzer's result.
//
// "qdgen vet" and "go vet -vettool=$(which qdgen)" run this analyzer; other drivers of analyzers
// can use [Analyzer] too.
package vet
