// Package narrow makes the version of a kernel for small launches ([ssa.SmallLimit]), which computes
// indices in 32 bits. Go's int has 64 bits. A GPU computes in 32 bits: an addition or a comparison of
// 64 bits takes two instructions, and a multiplication takes four.
//
// In a small launch, every value keeps its meaning, to the bit. A value is computed in 32 bits for one
// of two reasons:
//
//   - It is proven to fit in int32. Indices of threads, sizes of launches and lengths of slices do, and
//     so do values that follow from them, as far as intervals show. Such a value can be compared and
//     divided in 32 bits, and is extended where a use needs 64.
//   - Its uses need only its low 32 bits. Sums, differences, products and bit operations have the same
//     low bits in any width. The index of an element is such a use: it is less than a length, which is
//     small, or the program has no meaning. A checked build has a check before the access, which needs
//     all 64 bits.
//
// All other values stay as they are.
//
// [Lanes] does the same for the code that runs in the lanes of vectors on a CPU, in any launch. There a vector has room
// for twice as many numbers of 32 bits. It is about numbers that are read, such as the bytes of an image: what is
// computed of them as an int seldom needs 64 bits.
//
//	narrow     the values of a function get their types
//	facts      what holds in small launches
//	small      which arguments must be small
//	demand     how many bits of a value are asked for
//	lanes      what differs between lanes
//	webs       whether that pays off
package narrow
