// Package literals has functions that the Go compiler inlines into their callers, together with the function literals
// in them.
package literals

// Double gives a function literal.
func Double() func(int) int { return func(x int) int { return 2 * x } }
