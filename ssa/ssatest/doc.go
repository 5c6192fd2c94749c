// Package ssatest helps to test passes and analyses: [Builder] writes SSA in few words, [RandomModule]
// and [RandomGrid] make random modules that run to their end, and the interpreter runs them, so that
// what two modules do can be compared.
package ssatest
