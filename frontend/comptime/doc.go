// Package comptime has the values that are known when a kernel is compiled: constants
// that a launch gives, what a kernel captures, and what compiled Go has computed for
// it. They come from package reflect or from the front end itself, and they are part
// of the keys that tell specializations apart, for which they are lossless: types,
// 64-bit integers, negative zero and the payload of a NaN all count.
package comptime
