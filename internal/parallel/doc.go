// Package parallel divides work between the cores.
package parallel
