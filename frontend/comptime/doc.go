// Package comptime has the values that are known when a kernel is compiled: constants that a launch
// gives, captured values, and values that compiled Go has computed for the kernel. They come from
// package reflect or from the front end. They are parts of the keys that distinguish
// specializations, so they are lossless: types, 64-bit integers, negative zero and the payload of a
// NaN all count.
package comptime
