// Package abi is what the host and a compiled kernel agree on: where arguments lie, what a launch has to write beside
// them, and what the numbers in a fault record mean. Emitted text asserts the sizes.
package abi
