// Package abi is the contract between the host and a compiled kernel: the places of the arguments, the
// values that a launch writes next to them, and the meaning of the numbers in a fault record. Emitted
// code asserts the sizes.
package abi
