// Package qdtest helps to test kernels.
package qdtest
