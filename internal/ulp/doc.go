// Package ulp measures how far the functions of package math on a device are from the exact values, in units of the
// last place of the result. Exact values come from [math/big]: see exact.go. The package is a test, and a command:
//
//	QD_ALL_FLOATS=1 go test ./internal/ulp -run TestFloat32 -v -timeout 0
//
// looks at every float32 number, which takes minutes.
package ulp
