// Package ssatest helps to test passes and analyses. [Builder] writes SSA in few words.
// [RandomModule] and [RandomGrid] make random modules that always end, and the interpreter runs
// them, so that tests can compare what two modules do.
package ssatest
